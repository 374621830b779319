"""Suites of CPython, Go and Perl."""
import os
import pathlib
import re
import subprocess

from driver import TAP, Test, lines_of
from packages import install, source

HERE = pathlib.Path(__file__).parent


def cpython(folder):
    version = subprocess.run(["/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                             capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip
    install(f"libpython{version}-testsuite")
    place = pathlib.Path(f"/usr/lib/python{version}/test")
    modules = [name for name in (HERE / "cpython.txt").read_text().split() if list(place.glob(f"{name}*"))]
    results = lines_of(r"^(?P<name>test\w* \([\w.]+\))[^\n]*? \.\.\. (?P<word>ok|FAIL|ERROR|skipped|expected failure)")
    return [Test(name, "/tmp", ["/usr/bin/python3", "-m", "test", "-v", name], results) for name in modules]


def go(folder):
    binaries = folder / "sources" / "go"
    binaries.mkdir(parents=True, exist_ok=True)
    root = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()
    results = lines_of(r"^\s*--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+)")
    tests = []
    for package in (HERE / "go.txt").read_text().split():
        program = binaries / (package.replace("/", "_") + ".test")
        place = pathlib.Path(root) / "src" / package
        if not program.exists():
            subprocess.run(["go", "test", "-c", "-o", str(program), package], check=True, cwd=place,
                           env={**os.environ, "CGO_ENABLED": "0"})  # fmt: skip
        tests.append(Test(package, place, [program, "-test.v", "-test.short"], results))
    return tests


def perl(folder):
    """The core's tests, with the installed perl and its library where they look for those that were built."""
    place = source("perl", folder)
    if not (place / "t/perl").exists():
        version = subprocess.run(["perl", "-e", "print substr($^V, 1)"], capture_output=True, text=True, check=True).stdout
        short = re.sub(r"\.\d+$", "", version)
        for library in ("lib/x86_64-linux-gnu/perl-base", f"lib/x86_64-linux-gnu/perl/{version}", f"share/perl/{short}"):
            subprocess.run(["cp", "-rLn", f"/usr/{library}/.", str(place / "lib")], check=False, capture_output=True)
        (place / "t/perl").symlink_to("/usr/bin/perl")
    found = sorted(path for part in ("base", "cmd", "comp", "io", "re", "op", "uni", "mro", "lib", "class", "opbasic")
                   for path in (place / "t" / part).glob("*.t"))  # fmt: skip
    return [Test(f"{path.parent.name}/{path.name}", place / "t", ["./perl", f"{path.parent.name}/{path.name}"], TAP,
                 {"PERL_CORE": "1", "PERL_HASH_SEED": "0", "LC_ALL": "C"}) for path in found]  # fmt: skip
