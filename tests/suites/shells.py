"""Suites of bash, busybox and zsh."""
from driver import Test, lines_of, whole
from packages import build, install, source


def bash(folder):
    install("bash-static")
    place = source("bash", folder) / "tests"
    # What the tests' own small programs want of a configured tree.
    support = place.parent / "support"
    (support / "config.h").write_text("#define HAVE_UNISTD_H 1\n#define HAVE_STDLIB_H 1\n#define HAVE_STRING_H 1\n")
    for name in ("recho", "zecho", "printenv", "xcase"):
        build(place, name, f"gcc -w -DHAVE_CONFIG_H -I../support -I.. -o {name} ../support/{name}.c")
    there = sorted(path.name for path in place.glob("run-*") if path.name not in ("run-all", "run-minimal", "run-gprof"))
    environment = {"THIS_SH": "/usr/bin/bash-static", "BASH_TSTOUT": "/tmp/out", "PATH": f"{place}:/usr/bin:/bin"}
    return [Test(name, place, ["sh", name], whole, environment) for name in there]


def busybox(folder):
    install("busybox-static")
    place = source("busybox", folder)
    if not (place / "busybox").exists():
        (place / ".config").write_bytes((place / "debian/config/pkg/static").read_bytes())
        (place / "busybox").symlink_to("/usr/bin/busybox")
    suite = place / "testsuite"
    names = sorted({path.stem for path in suite.glob("*.tests")} | {path.name for path in suite.iterdir() if path.is_dir()})
    results = lines_of(r"^(?P<word>PASS|FAIL|SKIPPED|UNTESTED): (?P<name>.*)$")
    return [Test(name, suite, ["./runtest", "-v", name], results, {"bindir": str(place)}) for name in names]


def zsh(folder):
    install("zsh-static", "zsh-common")
    place = source("zsh", folder) / "Test"
    results = lines_of(r"^Running test: (?P<name>.*)\n(?:(?!Running test).*\n)*?"
                       r"(?P<word>Test (?:successful|case skipped|failed, as|\S+ failed|\S+ was expected))")  # fmt: skip
    shell = "/usr/bin/zsh-static"
    environment = {"ZTST_exe": shell, "ZTST_srcdir": str(place), "ZTST_verbose": "1", "ZTST_continue": "1"}
    return [Test(path.stem, place, [shell, "+Z", "-f", "./ztst.zsh", path.name], results, environment)
            for path in sorted(place.glob("*.ztst"))]  # fmt: skip
