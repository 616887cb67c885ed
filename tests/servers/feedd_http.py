# SPDX-License-Identifier: GPL-2.0-or-later
"""The web server of feedd.py: a public-inbox, or what is asked to go wrong with it."""
import gzip
import http.server
import json
import time
import zlib


class Http(http.server.BaseHTTPRequestHandler):
    box = None
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.do_GET()

    def do_GET(self):
        self.box.say(f"{self.command} {self.path} {self.headers['User-Agent']}")
        action, _, times = self.box.plan().get("any", "").partition("#")
        with self.box.lock:
            self.box.count += 1
            if times and self.box.count > int(times):
                action = ""
        if action == "hang":
            time.sleep(3600)
        elif action[:1].isdigit():
            code, _, seconds = action.partition("/")
            self.answer(int(code), "text/plain", b"no\n", {"Retry-After": seconds} if seconds else {})
        elif action == "html":
            self.answer(200, "text/html; charset=UTF-8", b"<html>hello</html>")
        elif action == "loop":
            self.answer(302, "text/plain", b"there\n", {"Location": self.path + "x"})
        elif action == "endless":
            self.go_on_for_ever()
        else:
            self.give(action)

    def answer(self, code, kind, body, more=None, length=None):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in (more or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def give(self, action):
        body = self.body()
        if body is None:
            self.answer(404, "text/plain", b"No results found\n")
            return
        kind = "application/gzip"
        if self.path.endswith("/raw"):
            kind = "text/plain; charset=UTF-8"
        elif action == "bomb":
            body = self.bomb()
        elif action == "garbage":
            body = gzip.compress(b"\x00\xffbanana\n" * 3)
        elif action == "deep":
            body = gzip.compress(b"[" * 200000)
        elif action != "text":
            body = gzip.compress(body)
        if action == "truncated":
            body = body[: len(body) * 2 // 3]
        if action == "close":
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
            return
        self.answer(200, kind, body, length=len(body) // 2 if action == "short" else None)

    def go_on_for_ever(self):
        """Without a length; packed or not, as it was asked for."""
        self.send_response(200)
        raw = self.path.endswith("/raw")
        self.send_header("Content-Type", "text/plain" if raw else "application/gzip")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        piece = b"From mboxrd@z\nSubject: x\n\n" + b"on and on\n" * 100000
        packer = zlib.compressobj(0, zlib.DEFLATED, 31)
        while True:
            self.wfile.write(piece if raw else packer.compress(piece))
            piece = b"on and on\n" * 100000

    @staticmethod
    def bomb():
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        head = packer.compress(b"From mboxrd@z\nSubject: x\n\n")
        return head + b"".join(packer.compress(b"\0" * (1 << 20)) for _ in range(100)) + packer.flush()

    def mbox(self, mails):
        out = b""
        for mail in mails:
            lines = mail.replace(b"\r\n", b"\n").split(b"\n")
            quoted = [b">" + x if x.lstrip(b">").startswith(b"From ") else x for x in lines]
            out += b"From mboxrd@z Thu Jan  1 00:00:00 1970\n" + b"\n".join(quoted) + b"\n"
        return out

    def indexed(self):
        """How many mails the search knows, from the file of that name; None: all."""
        try:
            with open(f"{self.box.directory}/indexed", encoding="utf-8") as source:
                return int(source.read())
        except FileNotFoundError:
            return None

    def body(self):
        mails = list(self.box.mails())
        if self.path.endswith("/manifest.js.gz"):
            state = {"fingerprint": str(len(mails)), "modified": 1796068800}
            return json.dumps({"/list/git/0.git": state}).encode()
        if "?q=" in self.path:
            mails = mails[: self.indexed()]
            return self.mbox(mails) if self.command == "POST" and "rt%3A" in self.path and mails else None
        if self.path.endswith("/raw"):
            return self.mbox(mails[:1]) if "nobody" not in self.path else None
        return self.mbox(mails) if self.path.endswith("/t.mbox.gz") else None
