"""
Runs a command in a network of its own and records what it sends to other computers.

    unshare --net --mount python3 record.py FILE open|closed COMMAND...

`open`: every address leads to this namespace, so each attempt is a packet; a name server answers each name with an address
of its own (198.18.0.0/15). `closed`: there is no route but loopback, and no name server. FILE gets a line of JSON for each
question, and for the first packet to each address and port. A packet to 203.0.113.99 is a mark.
"""

import json
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

NAME_SERVER = "203.0.113.53"
MARKS = "203.0.113.99"
OUTGOING = 4

file, mode, *command = sys.argv[1:]
names = {}
seen = set()
out = open(file, "w", buffering=1)


def write(**line):
    out.write(json.dumps(line) + "\n")


def name_of(packet):
    """The name that a DNS question asks for."""
    labels, at = [], 12
    while at < len(packet) and packet[at]:
        labels.append(packet[at + 1 : at + 1 + packet[at]].decode("ascii", "replace"))
        at += 1 + packet[at]
    return ".".join(labels).lower(), at + 1


def answer(packet):
    name, end = name_of(packet)
    kind = struct.unpack("!H", packet[end : end + 2])[0]
    question = packet[12 : end + 4]
    head = packet[:2] + b"\x81\x80\x00\x01"
    if kind != 1:
        return head + b"\x00\x00\x00\x00\x00\x00" + question
    address = next((known for known, one in names.items() if one == name), None)
    if address is None:
        address = f"198.18.{len(names) // 250}.{len(names) % 250 + 1}"
        names[address] = name
    record = b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x01\x00\x04" + socket.inet_aton(address)
    return head + b"\x00\x01\x00\x00\x00\x00" + question + record


def serve_names(server):
    while True:
        packet, client = server.recvfrom(4096)
        server.sendto(answer(packet), client)


def read(packet):
    """Protocol, destination, port and payload of an IP packet; None for others."""
    kind = packet[12:14]
    if kind == b"\x08\x00":
        length = (packet[14] & 15) * 4
        protocol, target = packet[23], socket.inet_ntoa(packet[30:34])
        body = packet[14 + length :]
    elif kind == b"\x86\xdd":
        protocol, target = packet[20], socket.inet_ntop(socket.AF_INET6, packet[38:54])
        body = packet[54:]
    else:
        return None
    if protocol not in (6, 17):
        return (f"ip{protocol}", target, None, b"")
    port = struct.unpack("!H", body[2:4])[0]
    # Only the first packet of a connection: the others are answers to ours.
    if protocol == 6:
        return ("tcp", target, port, b"") if body[13] & 0x12 == 0x02 else None
    return ("udp", target, port, body[8:])


def record(link):
    while True:
        packet, (_, _, direction, *_) = link.recvfrom(65535)
        found = read(packet) if direction == OUTGOING else None
        if found is None:
            continue
        protocol, target, port, payload = found
        if target == MARKS:
            # The kernel answers a mark: nobody listens there.
            if protocol == "udp":
                seen.clear()
                write(mark=payload.decode())
        elif protocol == "udp" and port == 53:
            write(question=name_of(payload)[0])
        # Answers of the name server, and the kernel's own messages about closed ports.
        elif target == NAME_SERVER or protocol in ("ip1", "ip58"):
            continue
        elif (protocol, target, port) not in seen:
            seen.add((protocol, target, port))
            write(protocol=protocol, to=names.get(target, target), port=port)


subprocess.check_call(["ip", "link", "set", "lo", "up"])
with tempfile.NamedTemporaryFile("w", delete=False) as resolver:
    resolver.write(f"nameserver {NAME_SERVER}\noptions timeout:1 attempts:1\n" if mode == "open" else "")
subprocess.check_call(["mount", "--bind", resolver.name, "/etc/resolv.conf"])
if mode == "open":
    subprocess.check_call(["ip", "route", "add", "local", "default", "dev", "lo"])
    subprocess.call(["ip", "-6", "route", "add", "local", "default", "dev", "lo"])
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((NAME_SERVER, 53))
    threading.Thread(target=serve_names, args=(server,), daemon=True).start()
link = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
threading.Thread(target=record, args=(link,), daemon=True).start()
code = subprocess.call(command)
# The last packets are still on their way to the recorder.
time.sleep(0.5)
sys.exit(code)
