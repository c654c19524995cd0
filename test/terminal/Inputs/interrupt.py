"""interrupt.py FOLDER COMMAND...: interrupts a command as Ctrl-C does, once there is a file in a folder
that is its TMPDIR and its current directory, and says what it left there."""

import os
import signal
import subprocess
import sys
import time

PATIENCE = 60  # seconds


def files(folder):
    return sorted(os.path.relpath(os.path.join(top, name), folder)
                  for top, _, names in os.walk(folder) for name in names)


folder = os.path.abspath(sys.argv[1])
os.makedirs(folder)
signal.signal(signal.SIGINT, signal.SIG_DFL)  # what runs this may ignore it, and children would
child = subprocess.Popen(sys.argv[2:], cwd=folder, env=dict(os.environ, TMPDIR=folder),
                         start_new_session=True)
end = time.monotonic() + PATIENCE
while not files(folder) and child.poll() is None and time.monotonic() < end:
    time.sleep(0.01)
time.sleep(0.1)
found = files(folder)
os.killpg(child.pid, signal.SIGINT)
status = child.wait(PATIENCE)
print("there were", ["files", "no files"][not found], "and it ended with",
      signal.Signals(-status).name if status < 0 else status)
print("left behind:", " ".join(os.listdir(folder)) or "nothing")
