"""Each function that linearize-run stands in for, by each way to get it: the driver gets what
linearize-ptx makes of the file, and all else as the program gave it.

    every_way.py RUN PTX LINEARIZED FOLDER   FOLDER has `linked` and `client`, and the drivers

Prints what is wrong; status 1 if anything is.
"""
import os
import subprocess
import sys

run, ptx, linearized, folder = sys.argv[1:5]
images = os.path.join(folder, "images")
os.makedirs(images, exist_ok=True)
environment = dict(os.environ, LD_LIBRARY_PATH=folder, FAKE_FOLDER=images)

LOAD = ["cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary", "cuLibraryLoadData"]
LINK = ["cuLinkAddData", "cuLinkAddData_v2"]
# The function that the driver gets the text of a file by.
FILES = {"cuModuleLoad": "cuModuleLoadData", "cuLibraryLoadFromFile": "cuLibraryLoadData",
         "cuLinkAddFile": "cuLinkAddData_v2", "cuLinkAddFile_v2": "cuLinkAddData_v2"}
OPTIONS = {"cuModuleLoadDataEx", "cuLinkAddData_v2", "cuLibraryLoadData"}  # which say theirs
WAYS = ["linked", "dlsym", "default", "program", "next", "proc", "proc-v1"]

with open(linearized, "rb") as file:
    text = file.read()
with open(ptx, "rb") as file:
    plain = file.read()
wrong = 0


def check(way, function, got, status):
    for name in os.listdir(images):
        os.unlink(os.path.join(images, name))
    program = os.path.join(folder, "client" if way == "dlsym" or "proc" in way else "linked")
    done = subprocess.run([run, program, way, function, ptx], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = []
    kept = {name: open(os.path.join(images, name), "rb").read() for name in os.listdir(images)}
    again = got[:-1] + "1"  # where the driver takes nothing, it gets the program's own
    expected = [got, again] if "status 218" in status else [got]
    if sorted(kept) != expected:
        said.append("the driver got %s" % ", ".join(kept))
    elif again in kept and kept[again].rstrip(b"\0") != plain:
        said.append("the driver didn't get the program's text where it doesn't take the other")
    elif kept[got].rstrip(b"\0") != text:
        said.append("the driver got another text")
    if done.returncode != 0 or status not in done.stdout:
        said.append(done.stdout)
    by = got.split(".")[0]
    if by in OPTIONS and function != "cuModuleLoad":
        for option in ("4=44", "1=11"):
            if "%s option %s" % (by, option) not in done.stdout:
                said.append("option %s is gone: %s" % (option, done.stdout))
    # The program's image stays; the linearized one doesn't.
    if by == "cuLibraryLoadData" and ("library option 0=5" not in done.stdout
                                      or "library option 1=" in done.stdout):
        said.append("options of the library: " + done.stdout)
    for line in said:
        print("%s by %s: %s" % (function, way, line))
    return len(said)


for way in WAYS:
    for function in LOAD + LINK + list(FILES):
        got = FILES.get(function, function)
        if "proc" in way:  # the driver's newest
            if function.endswith("_v2"):
                continue
            got = {"cuLinkAddData": "cuLinkAddData_v2"}.get(got, got)
        status = {"cuModuleLoadDataEx": "status 218, errno 77", "cuModuleLoadData": "status 0, errno 99",
                  "cuModuleLoad": "status 0, errno 99"}.get(function, "status 0, errno 77")
        wrong += check(way, function, got + ".0", status)
sys.exit(1 if wrong else 0)
