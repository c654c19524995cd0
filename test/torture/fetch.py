"""Other people's programs, from Debian 12's archive: fetched once, nothing installed.

apt does the work, with lists of its own, since not every machine has those of sources, and with its
own checks of what comes. Unpacking is Python's, since a bare Debian has no xz.
"""

import glob
import os
import shutil
import subprocess
import sys
import tarfile

NO_ARCHIVE = 77  # exit status: nothing was tested

ENTRY = """Types: deb deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


def unpack_torture(folder):
    """gcc.c-torture/execute alone, out of an archive in a package."""
    (package,) = glob.glob(folder + "/*.deb")
    wanted = "/gcc/testsuite/gcc.c-torture/execute/"
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE) as files, \
            tarfile.open(fileobj=files.stdout, mode="r|") as outer:
        for member in outer:
            if not os.path.basename(member.name).startswith("gcc-") or ".tar" not in member.name:
                continue
            with tarfile.open(fileobj=outer.extractfile(member), mode="r|*") as inner:
                for file in inner:
                    if file.isfile() and wanted in file.name:
                        file.name = file.name.split(wanted)[1]
                        inner.extract(file, folder)
    os.remove(package)


def unpack_packages(folder):
    for package in glob.glob(folder + "/*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        os.remove(package)


def unpack_source(folder):
    """The original source, without Debian's changes."""
    for path in glob.glob(folder + "/*"):
        if ".orig.tar." in path:
            with tarfile.open(path) as archive:
                archive.extractall(folder)
        os.remove(path)


class Archive:
    def __init__(self, folder):
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def _apt(self, folder, *args):
        """apt-get in a folder, without a word unless it fails."""
        options = ["Dir::Etc::sourcelist=" + self.path("debian.sources"),
                   "Dir::Etc::sourceparts=/dev/null", "Dir::State::lists=" + self.path("apt"),
                   "Dir::Cache::pkgcache=", "Dir::Cache::srcpkgcache=",
                   "Acquire::Languages=none", "APT::Sandbox::User="]
        command = ["apt-get", "-qq"] + ["-o" + option for option in options] + list(args)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            print("torture: apt-get %s failed\n%s" % (" ".join(args), done.stderr), file=sys.stderr)
            sys.exit(NO_ARCHIVE)

    def _fetch(self, name, unpack, *args):
        """The folder `name`, unpacked from what apt-get downloads into it."""
        folder = self.path(name)
        done = os.path.join(folder, ".done")
        if not os.path.exists(done):
            print("fetching " + args[-1], flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            os.makedirs(self.path("apt/partial"), exist_ok=True)
            with open(self.path("debian.sources"), "w") as f:
                f.write(ENTRY)
            self._apt(folder, "update")  # or a version may be gone
            self._apt(folder, *args)
            unpack(folder)
            open(done, "w").close()
        return folder

    def gcc_programs(self):
        return self._fetch("gcc", unpack_torture, "download", "gcc-12-source")

    def packages(self, name, *packages):
        """The files of some packages, below one folder."""
        return self._fetch(name, unpack_packages, "download", *packages)

    def source(self, package):
        folder = self._fetch("source-" + package, unpack_source,
                             "source", "--download-only", package)
        return next(path for path in glob.glob(folder + "/*") if os.path.isdir(path))
