"""Suites of CPython and Go."""
import os
import pathlib
import subprocess

from driver import Test, lines_of
from packages import install

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
