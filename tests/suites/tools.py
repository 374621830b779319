"""Suites of git, coreutils and SQLite."""
from driver import TAP, Test, lines_of
from packages import build, install, source

MAKE = "nice make -s -j2"


def git(folder):
    """The installed git; only the tests' own helper is built."""
    install("git", "zlib1g-dev")
    place = source("git", folder)
    without = " ".join(f"NO_{word}=1" for word in ("CURL", "OPENSSL", "GETTEXT", "TCLTK", "EXPAT", "PERL"))
    build(place, "t/helper/test-tool", f"{MAKE} -C templates", f"{MAKE} {without} GIT-BUILD-OPTIONS t/helper/test-tool",
          "strip t/helper/test-tool")  # fmt: skip
    environment = {"GIT_TEST_INSTALLED": "/usr/bin", "LC_ALL": "C"}
    return [Test(path.stem, place / "t", ["sh", path.name, "--root=/tmp"], TAP, environment)
            for path in sorted((place / "t").glob("t[0-9]*.sh"))]  # fmt: skip


def coreutils(folder):
    """Built static; the system's are dynamic, and are what the tests are written with."""
    place = source("coreutils", folder)
    build(place, "src/getlimits", "FORCE_UNSAFE_CONFIGURE=1 ./configure -q --disable-nls LDFLAGS=-static", MAKE)
    built = [path.name for path in (place / "src").iterdir() if not path.suffix and path.stat().st_mode & 0o100]
    environment = {"VERSION": "9.1", "PACKAGE_VERSION": "9.1", "LOCALE_FR": "none", "LOCALE_FR_UTF8": "none", "LC_ALL": "C",
                   "abs_top_builddir": str(place), "abs_top_srcdir": str(place), "abs_srcdir": str(place), "srcdir": ".",
                   "top_srcdir": ".", "CONFIG_HEADER": str(place / "lib/config.h"), "built_programs": " ".join(built),
                   "fail": "0", "host_os": "linux-gnu", "host_triplet": "x86_64-pc-linux-gnu", "CC": "gcc", "AWK": "awk",
                   "EGREP": "grep -E", "EXEEXT": "", "MAKE": "make", "PERL": "perl", "SHELL": "/bin/sh", "TMPDIR": "/tmp",
                   "PATH": f"{place}/src:/usr/sbin:/usr/bin:/sbin:/bin"}  # fmt: skip
    tests = []
    for path in sorted((place / "tests").glob("*/*")):
        name = str(path.relative_to(place / "tests"))
        start = {".sh": "sh", ".pl": f'f={name} perl -w -Itests -MCuSkip -MCoreutils -M"CuTmpdir qw({name})"'}
        if path.suffix in start:
            tests.append(Test(name, place, ["sh", "-c", f"{start[path.suffix]} tests/{name} 9>&2; echo ended with $?"],
                              lines_of(r"^ended (?P<name>with) (?P<word>\d+)"), environment))  # fmt: skip
    return tests


def sqlite(folder):
    """The library's test program in Tcl, `testfixture`, which runs one file of tests after the other."""
    install("tcl-dev", "tcl")
    place = source("sqlite3", folder)
    build(place, "testfixture", "./configure -q --with-tcl=/usr/lib/x86_64-linux-gnu/tcl8.6 CFLAGS=-O1",
          f"{MAKE} testfixture sqlite3 && strip testfixture")  # fmt: skip
    results = lines_of(r"^\.*(?P<name>\w[\w.-]*)\.\.\. (?P<word>Ok|Omitted|.*)$")
    return [Test(path.stem, "/tmp", [place / "testfixture", path], results) for path in sorted((place / "test").glob("*.test"))]
