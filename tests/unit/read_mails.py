# SPDX-License-Identifier: GPL-2.0-or-later
"""read_mails.py DIRECTORY: Python's strict reader finds in the mails of emit_mails what
their JSON says; and in the raw bytes nothing that RFC 5322 forbids."""

import email
import email.policy
import glob
import json
import re
import sys

POLICY = email.policy.SMTP.clone(raise_on_defect=True)


def fail(path, what, expected, got):
    sys.exit(f"{path}: {what}: {expected!r} was written, {got!r} is read")


def same(path, what, expected, got):
    if expected != got:
        fail(path, what, expected, got)


def check_bytes(path, data):
    header, _, body = data.partition(b"\r\n\r\n")
    if re.search(rb"(?<!\r)\n|\r(?!\n)", data):
        sys.exit(f"{path}: a line does not end in CRLF")
    for line in data.split(b"\r\n"):
        if len(line) > 998:
            sys.exit(f"{path}: a line has {len(line)} bytes")
    for line in header.split(b"\r\n"):
        if not line.isascii():
            sys.exit(f"{path}: a header line is not ASCII: {line!r}")
        if not line.strip():
            sys.exit(f"{path}: a header line is blank")
        if not re.match(rb"[A-Za-z-]+: \S|[ \t]+\S", line):
            sys.exit(f"{path}: no header line: {line!r}")
        if b"=?" in line and len(line) > 76 and b" <" not in line:
            sys.exit(f"{path}: a line with encoded words is too long: {line!r}")
    if path.endswith(".qp.eml") and not body.isascii():
        sys.exit(f"{path}: the quoted-printable body is not ASCII")


def joined(name):
    """A name for comparing: Python keeps the blank between two encoded words of it."""
    return name if name.isascii() else name.replace(" ", "")


def people(header):
    if header is None:
        return []
    return [[joined(a.display_name), a.addr_spec] for a in header.addresses]


def check_header(path, mail, facts):
    for name, value in mail.items():
        if value.defects:
            sys.exit(f"{path}: {name}: {value.defects}")
    same(path, "Subject", facts["subject"], str(mail["Subject"]))
    same(path, "Message-ID", f"<{facts['message_id']}>", str(mail["Message-ID"]))
    same(path, "Date", facts["date"], int(mail["Date"].datetime.timestamp()))
    same(path, "From", facts["from"], mail["From"].addresses[0].addr_spec)
    same(path, "To", [[joined(n), a] for n, a in facts["to"]], people(mail["To"]))
    same(path, "Cc", [[joined(n), a] for n, a in facts["cc"]], people(mail["Cc"]))
    answered = facts["in_reply_to"]
    same(path, "In-Reply-To", f"<{answered}>" if answered else None, mail["In-Reply-To"])
    same(path, "References", facts["references"],
         re.findall("<([^>]*)>", str(mail["References"] or "")))
    same(path, "regression", facts["regression"], mail["X-Regtrail-Regression"])
    same(path, "Auto-Submitted", "auto-generated", mail["Auto-Submitted"])
    same(path, "Precedence", "bulk", mail["Precedence"])
    same(path, "suppress", "All", mail["X-Auto-Response-Suppress"])


def content(part):
    got = part.get_content()
    text = got if isinstance(got, str) else got.decode()
    return text.replace("\r\n", "\n")


def check(path, facts):
    with open(path, "rb") as file:
        data = file.read()
    check_bytes(path, data)
    mail = email.message_from_bytes(data, policy=POLICY)
    check_header(path, mail, facts)
    parts = list(mail.iter_parts()) if mail.is_multipart() else [mail]
    same(path, "type", "text/plain", parts[0].get_content_type())
    same(path, "charset", "utf-8", parts[0].get_content_charset())
    same(path, "body", facts["body"], content(parts[0]))
    same(path, "parts", len(facts["attachments"]), len(parts) - 1)
    for part, (name, kind, text) in zip(parts[1:], facts["attachments"]):
        same(path, "file name", name, part.get_filename())
        same(path, "file type", kind, part.get_content_type())
        same(path, "disposition", "attachment", part.get_content_disposition())
        same(path, f"bytes of {name}", text, content(part))


def main():
    paths = sorted(glob.glob(f"{sys.argv[1]}/*.eml"))
    for path in paths:
        with open(re.sub(r"\.(8bit|qp)\.eml$", ".json", path), encoding="utf-8") as file:
            check(path, json.load(file))
    if not paths:
        sys.exit(f"{sys.argv[1]}: no mails")


main()
