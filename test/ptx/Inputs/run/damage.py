"""Fat binaries that are wrong, from LZ4, ZSTD and PLAIN ones, in a folder.

    damage.py LZ4 ZSTD PLAIN --folder FOLDER
"""
import os
import struct
import sys

lz4, zstd, plain = (open(name, "rb").read() for name in sys.argv[1:4])
folder = sys.argv[5]
os.makedirs(folder, exist_ok=True)


def write(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def patch(data, at, form, value):
    return data[:at] + struct.pack(form, value) + data[at + struct.calcsize(form):]


def payload_of(data, number):
    at = 16
    for _ in range(number):
        at += sum(struct.unpack_from("<IQ", data, at + 4))
    return at, at + struct.unpack_from("<I", data, at + 4)[0]


write("version", patch(plain, 4, "<H", 2))
write("cut", plain[:-8])
at, payload = payload_of(lz4, 0)
write("lz4", lz4[:payload] + b"\xff" * 64 + lz4[payload + 64:])
at, payload = payload_of(zstd, 1)
write("zstd", patch(zstd, payload, "<I", 0))
# An entry that is longer than all that is there, one with half a header, one of no bytes at all.
write("entry", patch(plain, 16 + 8, "<Q", 1 << 60))
write("header", patch(plain, 16 + 4, "<I", 8))
