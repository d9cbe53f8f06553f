"""An LDAP server on a free local port. It reads its directory from standard input: one JSON object of entries by DN per line, each
line replaces the last. It prints its port and its certificate, and then a line for each directory."""

import datetime
import ipaddress
import json
import socketserver
import ssl
import sys
import tempfile
import threading

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from ldap3.protocol import rfc4511
from ldap3.strategy.base import BaseStrategy
from pyasn1.codec.ber import encoder

START_TLS = b"1.3.6.1.4.1.1466.20037"
BIND, UNBIND, SEARCH, EXTENDED = 0x60, 0x42, 0x63, 0x77
AND, OR, NOT, EQUALITY, PRESENT = 0xA0, 0xA1, 0xA2, 0xA3, 0x87
SUCCESS, PROTOCOL_ERROR, CONFIDENTIALITY, NO_SUCH_OBJECT, CREDENTIALS, RIGHTS = 0, 2, 13, 32, 49, 50
directory = {}


def certificate():
    """For 127.0.0.1, by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "ldap")])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + datetime.timedelta(days=1))
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = builder.add_extension(names, False).add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
    pem = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    form = serialization.PrivateFormat.PKCS8
    return pem, key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def values(entry, name):
    return next((found for key, found in entry.items() if key.lower() == name.lower()), [])


def parts(data):
    """Tags and contents of a sequence in BER."""
    while data:
        length, start = data[1], 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(data[2:start], "big")
        yield data[0], data[start : start + length]
        data = data[start + length :]


def fits(entry, tag, condition):
    if tag == PRESENT:
        return condition.lower() == b"objectclass" or bool(values(entry, condition.decode()))
    if tag == EQUALITY:
        (_, name), (_, wanted) = parts(condition)
        return wanted.decode().lower() in [each.lower() for each in values(entry, name.decode())]
    found = [fits(entry, *each) for each in parts(condition)]
    return {AND: all(found), OR: any(found), NOT: not found[0]}[tag]


class Connection(socketserver.BaseRequestHandler):
    bound = False
    encrypted = False

    def handle(self):
        waiting = b""
        while True:
            try:
                received = self.request.recv(65536)
            except ssl.SSLError:
                return  # The client does not trust the certificate.
            if not received:
                return
            waiting += received
            while 0 < (size := BaseStrategy.compute_ldap_message_size(waiting)) <= len(waiting):
                ((_, message),) = parts(waiting[:size])
                (_, number), (operation, request) = list(parts(message))[:2]
                waiting = waiting[size:]
                if operation == UNBIND:
                    return
                answers = {BIND: self.bind, SEARCH: self.search, EXTENDED: self.extended}
                answers[operation](int.from_bytes(number, "big"), [content for _, content in parts(request)], request)

    def send(self, number, name, part):
        message = rfc4511.LDAPMessage()
        message["messageID"] = number
        operation = rfc4511.ProtocolOp()
        operation[name] = part
        message["protocolOp"] = operation
        self.request.sendall(encoder.encode(message))

    def result(self, number, name, kind, code):
        part = kind()
        part["resultCode"] = rfc4511.ResultCode(code)
        part["matchedDN"] = ""
        part["diagnosticMessage"] = ""
        self.send(number, name, part)

    def extended(self, number, fields, _):
        is_known = fields[0] == START_TLS and not self.encrypted
        self.result(number, "extendedResp", rfc4511.ExtendedResponse, SUCCESS if is_known else PROTOCOL_ERROR)
        if is_known:
            self.request = context.wrap_socket(self.request, server_side=True, do_handshake_on_connect=False)
            self.encrypted = True

    def bind(self, number, fields, _):
        dn, password = fields[1].decode().lower(), fields[2].decode()
        entry = next((entry for name, entry in directory.items() if name.lower() == dn), {})
        self.bound = self.encrypted and password in values(entry, "userPassword")
        code = SUCCESS if self.bound else CREDENTIALS if self.encrypted else CONFIDENTIALITY
        self.result(number, "bindResponse", rfc4511.BindResponse, code)

    def search(self, number, fields, request):
        base, is_base_only = fields[0].decode().lower(), fields[1] == b"\x00"
        condition = list(parts(request))[6]
        wanted = [name.decode() for _, name in parts(fields[7])]
        if not self.bound:
            return self.result(number, "searchResDone", rfc4511.SearchResultDone, RIGHTS)
        inside = {dn: entry for dn, entry in directory.items() if f",{dn.lower()}".endswith(f",{base}")}
        for dn, entry in inside.items():
            if is_base_only and dn.lower() != base or not fits(entry, *condition):
                continue
            found = rfc4511.SearchResultEntry()
            found["object"] = dn
            found["attributes"] = rfc4511.PartialAttributeList()
            for name in wanted:
                attribute = rfc4511.PartialAttribute()
                attribute["type"] = name
                attribute["vals"] = rfc4511.Vals()
                attribute["vals"].extend(values(entry, name))
                if values(entry, name):
                    found["attributes"].append(attribute)
            self.send(number, "searchResEntry", found)
        code = SUCCESS if inside or base == "" else NO_SUCH_OBJECT
        self.result(number, "searchResDone", rfc4511.SearchResultDone, code)


pem, key = certificate()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
with tempfile.NamedTemporaryFile() as file:
    file.write(pem + key)
    file.flush()
    context.load_cert_chain(file.name)

server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Connection)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(json.dumps({"port": server.server_address[1], "certificate": pem.decode()}), flush=True)
for line in sys.stdin:
    directory = json.loads(line)
    print("directory", flush=True)
