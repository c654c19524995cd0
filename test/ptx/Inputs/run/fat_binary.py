"""Makes fat binaries as fatbinary does, and takes them apart.

    fat_binary.py make OUT KIND:SM:PACKING:FILE...   ptx or cubin; none, lz4 or zstd
    fat_binary.py show FILE                          a line for each entry; PTX in FILE.0.ptx, ...
"""
import ctypes
import struct
import sys

MAGIC, KINDS, FLAGS = 0xba55ed50, {"ptx": 1, "cubin": 2}, {"none": 0, "lz4": 0x2000, "zstd": 0x8000}
ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")
NAME = b"a name\0\0"


def pack(packing, data):
    room = ctypes.create_string_buffer(2 * len(data) + 100)
    if packing == "lz4":
        size = ctypes.CDLL("liblz4.so.1").LZ4_compress_default(data, room, len(data), len(room))
    else:
        compress = ctypes.CDLL("libzstd.so.1").ZSTD_compress
        compress.restype = ctypes.c_size_t
        size = compress(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)), 3)
    return room.raw[:size]


def make_entry(text):
    kind, sm, packing, name = text.split(":", 3)
    with open(name, "rb") as file:
        data = file.read() + (b"\0" if kind == "ptx" else b"")
    stored = data if packing == "none" else pack(packing, data)
    filled = stored + b"\0" * (-len(stored) % 8)
    packed, unpacked = (0, 0) if packing == "none" else (len(stored), len(data))
    return ENTRY.pack(KINDS[kind], 0x101, ENTRY.size + len(NAME), len(filled), packed, 0, 0, 9, int(sm),
                      ENTRY.size, len(NAME), 0x11 | FLAGS[packing], 0, unpacked) + NAME + filled


def make(out, entries):
    rest = b"".join(map(make_entry, entries))
    with open(out, "wb") as file:
        file.write(struct.pack("<IHHQ", MAGIC, 1, 16, len(rest)) + rest)


def show(name):
    with open(name, "rb") as file:
        data = file.read()
    magic, version, size, rest = struct.unpack_from("<IHHQ", data)
    assert magic == MAGIC and version == 1 and size + rest == len(data), "a wrong header"
    at, number = size, 0
    while at < len(data):
        entry = ENTRY.unpack_from(data, at)
        kind, header, payload, packed, sm, flags, unpacked = (entry[i] for i in (0, 2, 3, 4, 8, 11, 13))
        name_there = data[at + ENTRY.size:at + header]
        print("kind %d sm_%d flags %#x packed %s name %s"
              % (kind, sm, flags, "yes" if packed or unpacked else "no", name_there.rstrip(b"\0").decode()))
        at += header
        assert payload % 8 == 0 and at + payload <= len(data), "a wrong size"
        if kind == 1 and not packed:
            text = data[at:at + payload]
            assert text.endswith(b"\0"), "no zero at the end"
            with open("%s.%d.ptx" % (name, number), "wb") as file:
                file.write(text.rstrip(b"\0"))
        at += payload
        number += 1


if sys.argv[1] == "make":
    make(sys.argv[2], sys.argv[3:])
else:
    show(sys.argv[2])
