"""Makes an ELF file of sections that are files, as a linker or ptxas leaves them.

    program.py host|gpu OUT SECTION=FILE[,FILE]...    gpu: a cubin; each FILE begins at a multiple of 8
"""
import struct
import sys

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SECTION = struct.Struct("<IIQQQQIIQQ")
MACHINES = {"host": 62, "gpu": 190}
PROGBITS, STRTAB = 1, 3
SM_90 = 90 << 8


def main(machine, out, *sections):
    content, headers, names = bytearray(HEADER.size), [bytes(SECTION.size)], bytearray(b"\0.shstrtab\0")

    def add(name, kind, parts):
        content.extend(b"\0" * (-len(content) % 8))
        begin = len(content)
        for part in parts:
            content.extend(b"\0" * (-len(content) % 8) + part)
        headers.append(SECTION.pack(name, kind, 0, 0, begin, len(content) - begin, 0, 0, 8, 0))

    for text in sections:
        section, files = text.split("=", 1)
        add(len(names), PROGBITS, [open(name, "rb").read() for name in files.split(",")])
        names.extend(section.encode() + b"\0")
    add(1, STRTAB, [bytes(names)])
    table = len(content)
    content.extend(b"".join(headers))
    version = 8 if machine == "gpu" else 0
    HEADER.pack_into(content, 0, b"\x7fELF\2\1\1\0" + bytes([version]) + bytes(7), 2, MACHINES[machine], 1, 0, 0,
                     table, SM_90, HEADER.size, 0, 0, SECTION.size, len(headers), len(headers) - 1)
    with open(out, "wb") as file:
        file.write(content)


main(*sys.argv[1:])
