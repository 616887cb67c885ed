#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers of mail to read, by script, for one test: right but for what is asked to go
wrong.

feedd.py imap|nntp|http DIRECTORY [--certificate PATH] [--tls] serves DIRECTORY/mails/* on
a free port of 127.0.0.1 and writes into the directory: port (when ready) and said (one
line a command or request).  The file plan there, looked for at each connection, has lines
NAME=VALUE:

  greeting=close|hang|garbage|trickle|TEXT
imap
  validity=N  uidnext=N|none  step=N (UIDs are 1, 1+N, ...)  plain=no (no SASL)
  login=TEXT (the answer, without tag)
  fetch=ACTION[@UID], without @UID for each mail:
    close       inside the literal          hang      there
    lose        before the answer           garbage   instead of it
    huge        a literal of 4294967295     over      one of more digits than a number has
    short, long a literal that lies         parens    200,000 of them
    line        without end                 nil, quoted, unknown, flags, twice: legal
    no          the command is refused      wait      till there is the file go
nntp
  low=N high=N  hdr=TEXT xhdr=TEXT over=TEXT  gaps=N (each N-th is gone)
  article=ACTION[@NUMBER]: close, hang, garbage, line, wait, endless, large, TEXT
http
  any=ACTION[#N] (for the first N requests): CODE, CODE/SECONDS (Retry-After), html, hang,
    close, short, truncated, bomb, endless, deep, loop, garbage, text
"""
import argparse
import os
import socketserver
import ssl
import threading
import time

from feedd_http import Http


class Box:
    """The mails, and what goes wrong."""

    def __init__(self, options):
        self.directory = options.directory
        self.options = options
        self.lock = threading.Lock()
        self.count = 0
        self.names = []
        self.kept = []

    def mails(self):
        names = sorted(os.listdir(f"{self.directory}/mails"))
        with self.lock:
            if names != self.names:
                self.kept = []
                for name in names:
                    with open(f"{self.directory}/mails/{name}", "rb") as source:
                        self.kept.append(source.read().replace(b"\n", b"\r\n"))
                self.names = names
            return self.kept

    def plan(self):
        faults = {}
        try:
            with open(f"{self.directory}/plan", encoding="utf-8") as source:
                for line in source.read().splitlines():
                    name, _, value = line.partition("=")
                    faults[name] = value
        except FileNotFoundError:
            pass
        return faults

    def say(self, text):
        with self.lock, open(f"{self.directory}/said", "a", encoding="utf-8") as out:
            out.write(text + "\n")


class Gone(Exception):
    """The connection ends here."""


class Talk(socketserver.StreamRequestHandler):
    """What IMAP and NNTP have in common."""

    box = None
    greeting = b""

    def handle(self):
        self.faults = self.box.plan()
        self.index = {}
        try:
            self.greet()
            while True:
                line = self.rfile.readline()
                if not line:
                    return
                text = line.decode("utf-8", "replace").rstrip()
                self.box.say(text)
                self.obey(text)
        except (Gone, ConnectionError, ssl.SSLError):
            pass

    def send(self, data):
        self.wfile.write(data if isinstance(data, bytes) else data.encode())

    def greet(self):
        action = self.faults.get("greeting")
        if action in ("close", "hang", "garbage"):
            self.act(action)
        elif action == "trickle":
            for byte in self.greeting:
                self.send(bytes([byte]))
                time.sleep(0.2)
        else:
            self.send(action + "\r\n" if action else self.greeting)

    def act(self, action):
        if action == "wait":
            with open(f"{self.box.directory}/waits", "w", encoding="ascii") as out:
                out.write("here\n")
            while not os.path.exists(f"{self.box.directory}/go"):
                time.sleep(0.05)
            return
        if action == "hang":
            time.sleep(3600)
        if action == "garbage":
            self.send(b"\x00\xff\x16\x03banana\r\n" * 3)
        if action == "line":
            while True:
                self.send(b"x" * 65536)
        raise Gone

    def fault(self, name, number):
        action, _, where = self.faults.get(name, "").partition("@")
        return action if not where or int(where) == number else ""

    def start_tls(self):
        self.request = self.box.options.context.wrap_socket(self.request, server_side=True)
        self.rfile = self.request.makefile("rb")
        self.wfile = socketserver._SocketWriter(self.request)


class Imap(Talk):
    greeting = b"* OK by script\r\n"

    def obey(self, text):
        tag, _, rest = text.partition(" ")
        words = rest.upper().split(" ")
        name = " ".join(words[:2]) if words[0] == "UID" else words[0]
        step = {
            "CAPABILITY": self.capability,
            "STARTTLS": self.starttls,
            "AUTHENTICATE": self.authenticate,
            "LOGIN": self.login,
            "EXAMINE": self.examine,
            "UID FETCH": self.fetch,
            "LOGOUT": self.logout,
        }.get(name)
        if step:
            step(tag, rest)
        else:
            self.send(f"{tag} OK done\r\n")

    def capability(self, tag, _):
        plain = "" if self.faults.get("plain") == "no" else " AUTH=PLAIN"
        start = " STARTTLS" if self.box.options.context and not self.box.options.tls else ""
        self.send(f"* CAPABILITY IMAP4rev1{plain}{start}\r\n{tag} OK done\r\n")

    def starttls(self, tag, _):
        self.send(f"{tag} OK begin\r\n")
        self.start_tls()

    def authenticate(self, tag, _):
        self.send("+ \r\n")
        self.rfile.readline()
        self.send(f"{tag} {self.faults.get('login', 'OK done')}\r\n")

    def login(self, tag, _):
        self.send(f"{tag} {self.faults.get('login', 'OK done')}\r\n")

    def logout(self, tag, _):
        self.send(f"* BYE\r\n{tag} OK done\r\n")
        raise Gone

    def uids(self):
        step = int(self.faults.get("step", 1))
        return [(1 + step * i, mail) for i, mail in enumerate(self.box.mails())]

    def examine(self, tag, _):
        uids = [uid for uid, _ in self.uids()]
        after = uids[-1] + 1 if uids else 1
        following = self.faults.get("uidnext", str(after))
        self.send(f"* {len(uids)} EXISTS\r\n")
        self.send(f"* OK [UIDVALIDITY {self.faults.get('validity', '1')}] x\r\n")
        if following != "none":
            self.send(f"* OK [UIDNEXT {following}] x\r\n")
        self.send(f"{tag} OK [READ-ONLY] done\r\n")

    def fetch(self, tag, rest):
        span = rest.split(" ")[2]
        uids = self.uids()
        if span == "*":
            self.send(f"* {len(uids)} FETCH (UID {uids[-1][0]})\r\n{tag} OK done\r\n")
            return
        low, _, high = span.partition(":")
        for number, (uid, mail) in enumerate(uids, 1):
            if int(low) <= uid <= int(high or low):
                if self.fault("fetch", uid) == "no":
                    self.send(f"{tag} NO not today\r\n")
                    return
                self.send_mail(number, uid, mail)
        self.send(f"{tag} OK done\r\n")

    def send_mail(self, number, uid, mail):
        action = self.fault("fetch", uid)
        size = {"huge": 4294967295, "over": 10 ** 30, "short": len(mail) // 2,
                "long": len(mail) + 5000}.get(action, len(mail))
        head = f"* {number} FETCH (UID {uid} "
        if action in ("lose", "garbage", "line", "wait"):
            self.act(action)
        if action == "parens":
            head += "X " + "(" * 200000 + ")" * 200000 + " "
        if action == "unknown":
            head += 'X-A 5 X-B (a (b "c) {3}" NIL) {4}\r\nz)({) FLAGS (\\Seen $x) X[Y (Z)]<0> {2}\r\n)) '
        if action == "flags":
            self.send("* 1 FETCH (FLAGS (\\Seen))\r\n* 9 EXISTS\r\n* OK [ALERT] hear {3}\r\n* LIST () \"/\" {3}\r\nxyz\r\n")
        if action == "nil":
            self.send(head + "BODY[] NIL)\r\n")
            return
        if action == "quoted":
            self.send(head + 'BODY[] "Subject: \\"a\\\\b\\"")\r\n')
            return
        self.send(head + f"BODY[] {{{size}}}\r\n")
        if action in ("close", "hang"):
            self.send(mail[: len(mail) // 2])
            self.act(action)
        if action in ("huge", "over"):
            self.send(mail)
            time.sleep(3600)
        self.send(mail + b")\r\n")
        if action == "twice":
            self.send(head + f"BODY[] {{{size}}}\r\n")
            self.send(mail + b")\r\n")


class Nntp(Talk):
    greeting = b"200 by script\r\n"

    def articles(self):
        low = int(self.faults.get("low", 1))
        gaps = int(self.faults.get("gaps", 0))
        return [(number, mail) for number, mail in enumerate(self.box.mails(), low)
                if not gaps or number % gaps]

    def obey(self, text):
        name, _, rest = text.partition(" ")
        step = {
            "CAPABILITIES": self.capabilities,
            "STARTTLS": self.starttls,
            "GROUP": self.group,
            "HDR": lambda rest: self.listed(225, "hdr", rest.partition(" ")[2]),
            "XHDR": lambda rest: self.listed(221, "xhdr", rest.partition(" ")[2]),
            "OVER": lambda rest: self.listed(224, "over", rest),
            "XOVER": lambda rest: self.listed(224, "over", rest),
            "STAT": self.stat,
            "ARTICLE": self.article,
            "MODE": lambda _: self.send("200 ok\r\n"),
            "AUTHINFO": self.authinfo,
            "QUIT": self.quit,
        }.get(name.upper())
        if step:
            step(rest)
        else:
            self.send("500 what?\r\n")

    def capabilities(self, _):
        start = "STARTTLS\r\n" if self.box.options.context and not self.box.options.tls else ""
        self.send(f"101 here\r\nVERSION 2\r\nREADER\r\n{start}.\r\n")

    def starttls(self, _):
        self.send("382 begin\r\n")
        self.start_tls()

    def authinfo(self, rest):
        if rest.upper().startswith("USER"):
            self.send("381 go on\r\n")
        else:
            self.send("281 welcome\r\n" if rest == "PASS secret" else "481 no\r\n")

    def quit(self, _):
        self.send("205 bye\r\n")
        raise Gone

    def group(self, _):
        numbers = [number for number, _ in self.articles()]
        low, high = (numbers[0], numbers[-1]) if numbers else (0, 0)
        high = int(self.faults.get("high", high))
        self.send(f"211 {len(numbers)} {low} {high} example.list\r\n")

    @staticmethod
    def identity(mail):
        for line in mail.split(b"\r\n"):
            if line.lower().startswith(b"message-id: "):
                return line[12:].decode()
        return "<0>"

    def listed(self, code, name, rest):
        if name in self.faults:
            self.send(self.faults[name] + "\r\n")
            return
        low, _, high = rest.partition("-")
        found = [(n, mail) for n, mail in self.articles() if int(low) <= n <= int(high)]
        if not found:
            self.send("423 none\r\n")
            return
        self.send(f"{code} here\r\n")
        for number, mail in found:
            head = "\tsubject\tfrom\tdate\t" if name == "over" else " "
            self.send(f"{number}{head}{self.identity(mail)}\r\n")
        self.send(".\r\n")

    def find(self, which):
        if not self.index:
            for number, mail in self.articles():
                self.index[str(number)] = self.index[self.identity(mail)] = (number, mail)
        return self.index.get(which, (None, None))

    def stat(self, rest):
        number, mail = self.find(rest)
        self.send(f"223 {number} {self.identity(mail)}\r\n" if mail else "423 none\r\n")

    def article(self, rest):
        number, mail = self.find(rest)
        if not mail:
            self.send("423 none\r\n")
            return
        action = self.fault("article", number)
        if action[:1].isdigit():
            self.send(action + "\r\n")
            return
        if action in ("garbage", "line", "wait"):
            self.act(action)
        self.send(f"220 {number} {self.identity(mail)}\r\n")
        stuffed = b"".join((b"." if line.startswith(b".") else b"") + line + b"\r\n"
                           for line in mail.split(b"\r\n")[:-1])
        if action in ("close", "hang"):
            self.send(stuffed[: len(stuffed) // 2])
            self.act(action)
        if action == "endless":
            while True:
                self.send(b"again and again and again and again\r\n" * 1000)
        if action == "large":
            for _ in range(70):
                self.send(b"z" * 1022 + b"\r\n" + (b"z" * 1022 + b"\r\n") * 1023)
        self.send(stuffed + b".\r\n")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    context = None

    def get_request(self):
        sock, address = super().get_request()
        if self.context:
            sock.settimeout(30)
            sock = self.context.wrap_socket(sock, server_side=True)
            sock.settimeout(None)
        return sock, address

    def handle_error(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kind", choices=("imap", "nntp", "http"))
    parser.add_argument("directory")
    parser.add_argument("--certificate", help="path without .pem and .key")
    parser.add_argument("--tls", action="store_true", help="from the first byte on")
    options = parser.parse_args()
    options.context = None
    if options.certificate:
        options.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        options.context.load_cert_chain(options.certificate + ".pem", options.certificate + ".key")
    kind = {"imap": Imap, "nntp": Nntp, "http": Http}[options.kind]
    kind.box = Box(options)
    server = Server(("127.0.0.1", 0), kind)
    server.context = options.context if options.tls else None
    with open(f"{options.directory}/port.new", "w", encoding="ascii") as out:
        out.write(f"{server.server_address[1]}\n")
    os.rename(f"{options.directory}/port.new", f"{options.directory}/port")
    server.serve_forever()


main()
