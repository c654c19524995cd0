"""terminal.py COLUMNS [NAME=VALUE...] COMMAND...

Runs a command on a terminal of its own and prints what it prints there, with <31> for a colour.
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios

columns, words = int(sys.argv[1]), sys.argv[2:]
environment = {"PATH": os.environ["PATH"], "TERM": "xterm"}
while "=" in words[0]:
    name, value = words.pop(0).split("=", 1)
    environment[name] = value
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.execvpe(words[0], words, environment)
output = b""
while True:
    try:
        read = os.read(terminal, 4096)
    except OSError:  # the terminal is gone with its last user
        break
    if not read:
        break
    output += read
sys.stdout.write(re.sub("\033\\[([\\d;]+)m", r"<\1>", output.decode().replace("\r\n", "\n")))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
