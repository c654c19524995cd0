"""Real programs: how each is built, and how its own test suite is run.

Shell commands, run in a copy of the sources. $CC is the compiler with the options of the
configuration, which come on top of whatever the program's own makefile asks for. $DEBIAN has a
folder source-PACKAGE for each Debian source package, and NAME-packages with the files of others.
"""

from collections import namedtuple

Recipe = namedtuple("Recipe", "name sources packages folder build test")

# SQLite's tests are Tcl. As many as run in half a minute, and as root.
TCL = ("tcl=$DEBIAN/sqlite-packages/usr lib=$tcl/lib/x86_64-linux-gnu\n"
       "export PATH=$tcl/bin:$PATH LD_LIBRARY_PATH=$lib TCL_LIBRARY=$tcl/share/tcltk/tcl8.6\n")
SQLITE_TESTS = (
    "select? where? join? expr* func* in? index? insert? trigger? view window? with? json10? date "
    "printf like collate? minmax orderby? subquery update upsert? types? cast btree01 autoinc "
    "conflict? fkey? boundary? randexpr1 e_* tkt-*").replace(" ", ",")

RECIPES = [
    Recipe("bzip2", ["bzip2"], [], "bzip2-*",
           "make CC=$CC libbz2.a bzip2 bzip2recover",
           "make CC=$CC test"),
    Recipe("zlib", ["zlib"], [], "zlib-*",
           "./configure --static && make static",
           "make teststatic"),
    # An interpreter, and pattern matching for it with a virtual machine of its own.
    Recipe("lua", ["lua5.4", "lua-lpeg"], [], "lpeg-*",
           "make -C ../lua-5.*/src CC=$CC linux && make CC=$CC LUADIR=$(echo ../lua-5.*/src) linux",
           "LUA_CPATH='./?.so' ../lua-5.*/src/lua test.lua"),
    Recipe("expat", ["expat"], [], "libexpat-*/expat",
           "cmake -DCMAKE_C_COMPILER=$CC -DCMAKE_CXX_COMPILER=$CC -DCMAKE_BUILD_TYPE=Release"
           " -DEXPAT_BUILD_DOCS=OFF -DEXPAT_BUILD_TOOLS=OFF -DEXPAT_BUILD_EXAMPLES=OFF ."
           " && make expat runtests",
           "tests/runtests -q"),
    Recipe("pcre2", ["pcre2"], [], "pcre2-*",
           "./configure --disable-shared --enable-pcre2-16 --enable-pcre2-32"
           " && make && make check TESTS=",
           "make check"),
    Recipe("sqlite", ["sqlite3"], ["tcl8.6", "tcl8.6-dev", "libtcl8.6"], "sqlite3-*",
           TCL + "./configure --disable-shared --with-tcl=$tcl/lib/tcl8.6 && make testfixture"
           " CFLAGS=\"-O2 -w -I$tcl/include/tcl8.6\" LIBTCL=\"-L$lib -ltcl8.6 -lm\"",
           TCL + "for test in test/{%s}.test; do ./testfixture $test || exit; done" % SQLITE_TESTS),
]
