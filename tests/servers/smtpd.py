#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A mail server by script, for one test: faults wherever they are asked for.

smtpd.py DIRECTORY [OPTION...] listens on a free port of 127.0.0.1 and writes into the
directory: port (when ready), said (one line a command), mails.jsonl (one line an accepted
mail: envelope, size, facts of the session) and N.eml (its bytes).

--fault STEP[#N]=ACTION, any number of them; the N-th time (default: each time).  A file
named plan in the directory, one fault a line, takes their place and starts the counts
anew; it is looked for whenever somebody connects.
  STEP    connect EHLO STARTTLS AUTH MAIL RCPT DATA body dot RSET, or any: the N-th of all
          answers
  ACTION  close      the connection ends instead of an answer
          hang       no answer
          trickle    the answer comes, a byte every 0.2 seconds
          garbage    bytes that are no SMTP
          flood      an answer without end
          long       a line without end
          inject     the answer, and more that nobody asked for
          kill       the process whose id is in DIRECTORY/client.pid is killed first
          kill-after the answer goes out and the process is killed then
          lose       (dot) the mail is dropped, the connection ends
          else       the answer itself, such as "450 4.2.0 later"

Recipients choose for themselves too: 550-x@ is refused so, 450-x@ deferred so, grey-x@
deferred the first time; data554-x@ and data451-x@ refuse the mail after the final dot.
"""
import argparse
import asyncio
import json
import os
import signal
import ssl

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, AuthResult


class Plan:
    """The faults still to come, counted over all connections."""

    def __init__(self, faults):
        self.faults = []
        self.seen = {}
        for fault in faults:
            where, action = fault.split("=", 1)
            step, _, number = where.partition("#")
            self.faults.append((step, int(number or 0), action))

    @staticmethod
    def renew(present, directory):
        try:
            with open(f"{directory}/plan", encoding="utf-8") as source:
                faults = source.read().splitlines()
            os.unlink(f"{directory}/plan")
        except FileNotFoundError:
            return present
        return Plan(faults)

    def take(self, step):
        names = (step, "any") if step != "body" else ("body",)
        for name in names:
            self.seen[name] = self.seen.get(name, 0) + 1
        for name, number, action in self.faults:
            if name in names and number in (0, self.seen[name]):
                return action
        return None


class Handler:
    def __init__(self, options):
        self.options = options
        self.deferred = set()
        self.count = 0

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        kind = address.split("@")[0].split("-")[0]
        if kind.isdigit():
            code = "4.2.0" if kind[0] == "4" else "5.1.1"
            return f"{kind} {code} <{address}> as asked for"
        if kind == "grey" and address not in self.deferred:
            self.deferred.add(address)
            return "451 4.7.1 greylisted, come back"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server, session, envelope):
        action = server.enter("dot")
        if action == "lose":
            server.end()
        status = self.keep(server, session, envelope)
        if action and action[0].isdigit():
            return action
        if action:
            await server.act(action, status)
        return status

    def keep(self, server, session, envelope):
        for address in envelope.rcpt_tos:
            if address.startswith("data"):
                return f"{address[4:7]} {address[4]}.7.1 not this mail"
        if server.fault_answer:
            return server.fault_answer
        self.count += 1
        mail = envelope.original_content
        facts = {
            "number": self.count,
            "hello": session.host_name,
            "tls": server.transport.get_extra_info("ssl_object") is not None,
            "login": bool(session.authenticated),
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "options": envelope.mail_options,
            "size": len(mail),
            "connection": server.number,
        }
        if not self.options.light:
            with open(f"{self.options.directory}/{self.count}.eml", "wb") as out:
                out.write(mail)
        with open(f"{self.options.directory}/mails.jsonl", "a", encoding="utf-8") as out:
            out.write(json.dumps(facts) + "\n")
        return f"250 2.0.0 kept as {self.count}"


# What a client waits for where it is not a 250: on another answer it would end the mail
# by itself, before a server that is slow to kill it.
ANSWERS = {"STARTTLS": "220 go on", "DATA": "354 go on"}


class Faulty:
    """Mixed into a server of aiosmtpd: every step may go wrong by plan."""

    plan = None
    options = None
    connections = 0

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        Faulty.plan = Plan.renew(Faulty.plan, self.options.directory)
        Faulty.connections += 1
        self.number = Faulty.connections
        self.greeted = False
        self.in_mail = False
        self.fault_answer = None
        for name, method in list(self._smtp_methods.items()):
            self._smtp_methods[name] = self.wrap(name, method)

    def enter(self, step):
        """A step begins: note it, and what is planned for it."""
        self.in_mail = False
        action = self.plan.take(step)
        self.fault_answer = action if action and action[0].isdigit() else None
        return action

    def wrap(self, name, method):
        async def step(argument):
            if not self.options.light:
                with open(f"{self.options.directory}/said", "a", encoding="utf-8") as out:
                    out.write(f"{self.number} {name} {argument or ''}\n")
            action = self.enter(name)
            if action and action[0].isdigit():
                await super(Faulty, self).push(action)
                if action.startswith("421"):
                    self.end()
                return
            if action:
                await self.act(action, ANSWERS.get(name, "250 ok"))
            if name == "DATA":
                self.in_mail = True
            await method(argument)

        return step

    async def push(self, status):
        if not self.greeted:
            self.greeted = True
            action = self.enter("connect")
            if action and action[0].isdigit():
                status = action
            elif action:
                await self.act(action, status)
        await super().push(status)

    def data_received(self, data):
        if self.in_mail:
            action = self.plan.take("body")
            self.in_mail = False
            if action == "close":
                self.transport.abort()
                return
            if action == "hang":
                self.transport.pause_reading()
                return
        super().data_received(data)

    def end(self):
        self.transport.close()
        raise asyncio.CancelledError

    def shoot(self):
        with open(f"{self.options.directory}/client.pid", encoding="ascii") as source:
            os.kill(int(source.read()), signal.SIGKILL)

    async def act(self, action, answer):
        """Does what is planned; returns only when the usual answer may follow."""
        write = self.transport.write
        if action == "hang":
            await asyncio.sleep(3600)
        if action == "trickle":
            for byte in answer.encode() + b"\r\n":
                write(bytes([byte]))
                await asyncio.sleep(0.2)
        if action == "garbage":
            write(b"\x00\xff\x16\x03banana\r\n\r\n" * 3)
        if action == "flood":
            while not self.transport.is_closing():
                write(b"250-again and again\r\n" * 100)
                await asyncio.sleep(0)
        if action == "long":
            while not self.transport.is_closing():
                write(b"x" * 4096)
                await asyncio.sleep(0)
        if action == "inject":
            write(answer.encode() + b"\r\n250 more\r\n")
            await asyncio.sleep(1)
        if action == "kill":
            self.shoot()
        if action == "kill-after":
            write(answer.encode() + b"\r\n")
            self.shoot()
        self.end()


class FaultySMTP(Faulty, SMTP):
    pass


class FaultyLMTP(Faulty, LMTP):
    pass


def tls_context(options):
    if not options.certificate:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(options.certificate + ".pem", options.certificate + ".key")
    if options.old_tls:
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
    return context


def login(server, session, envelope, mechanism, data):
    good = (data.login, data.password) == (b"bot", b"secret")
    return AuthResult(success=good, handled=False)


async def serve(options):
    context = tls_context(options)
    keywords = {
        "hostname": "mx.example.org",
        "ident": "by script",
        "enable_SMTPUTF8": not options.ascii,
        "data_size_limit": options.size,
        "timeout": 3600,
        "tls_context": None if options.smtps else context,
    }
    if options.login:
        keywords.update(
            authenticator=login,
            auth_required=True,
            auth_require_tls=False,
        )
    kind = FaultyLMTP if options.lmtp else FaultySMTP
    handler = Handler(options)
    server = await asyncio.get_running_loop().create_server(
        lambda: kind(handler, **keywords),
        "127.0.0.1",
        options.port,
        ssl=context if options.smtps else None,
    )
    port = server.sockets[0].getsockname()[1]
    with open(f"{options.directory}/port.new", "w", encoding="ascii") as out:
        out.write(f"{port}\n")
    os.rename(f"{options.directory}/port.new", f"{options.directory}/port")
    await server.serve_forever()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("directory")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--certificate", help="path without .pem and .key")
    parser.add_argument("--old-tls", action="store_true", help="TLS 1.1 at most")
    parser.add_argument("--smtps", action="store_true")
    parser.add_argument("--lmtp", action="store_true")
    parser.add_argument("--login", action="store_true", help="bot, secret")
    parser.add_argument("--ascii", action="store_true", help="no SMTPUTF8")
    parser.add_argument("--size", type=int, default=10 << 20)
    parser.add_argument("--light", action="store_true", help="keep no mails")
    parser.add_argument("--fault", action="append", default=[])
    options = parser.parse_args()
    Faulty.plan = Plan(options.fault)
    Faulty.options = options
    try:
        asyncio.run(serve(options))
    except KeyboardInterrupt:
        pass


main()
