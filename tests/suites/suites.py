#!/usr/bin/env python3
"""suites.py [--jobs=N] [--folder=DIR] [--only=PATTERN] SUITE...: test suites of others, natively and under each loader.

Suites: cpython, go, bash, busybox. Each is taken from the system's packages or their sources (deb-src, in lists of its
own), run natively and under each loader, and compared result by result; the programs that a test starts run under the
loader, too, where the suite lets one say which they are. What differs runs three times more, alone: only what differs
each time counts. Prints a line for each difference, with the command that shows it, and a table. Nothing is left
behind: whatever a test has started ends with its session. Exit status 0; 1 if something differs; 125 wrong usage.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOADERS = ("all_at_once_loader", "on_demand_loader", "hybrid_loader")
SECONDS = 120  # of a test: one that natively takes longer is left out, with a line
AGAIN = 3


class Test:
    """One program of a suite. `command(way)` is what runs it; results(output) finds its results by name."""

    def __init__(self, name, folder, command, results, environment=None):
        self.name, self.folder, self.command, self.results = name, folder, command, results
        self.environment = environment or (lambda way: {})


def sessions(session):
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            yield int(entry.name)


def run(test, way):
    """Its results, name -> word; '' is the exit status. A test that does not end in time has that result."""
    words = test.command(way)
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "dumb", **test.environment(way)}
    with subprocess.Popen(words, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as process:  # fmt: skip
        try:
            output, _ = process.communicate(timeout=SECONDS)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, status = b"", f"not over after {SECONDS} s"
        for number in sessions(process.pid):
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass
    return {**test.results(output.decode(errors="replace")), "": status}


def differences(native, loaded):
    return sorted(name for name in native.keys() | loaded.keys() if native.get(name) != loaded.get(name))


def compare(test, ways):
    """For each loader: how many results, and which differ, before they are looked at once more."""
    native = run(test, None)
    if isinstance(native[""], str):
        print(f"left out: {test.name}: natively {native['']}", flush=True)
        return {}
    return {way: (native, differences(native, run(test, way))) for way in ways}


def differs_each_time(test, way, names):
    for _ in range(AGAIN):
        names = [name for name in names if name in differences(run(test, None), run(test, way))]
        if not names:
            break
    return names


def shown(test, way):
    changed = " ".join(f"{name}={shlex.quote(value)}" for name, value in test.environment(way).items())
    return f"cd {shlex.quote(str(test.folder))} && {changed} {shlex.join(test.command(way))}".replace("  ", " ")


def run_suite(name, tests, ways, jobs):
    total = {way: [0, 0, 0] for way in ways}  # results, the same, the same only when run again
    different = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        compared = list(zip(tests, pool.map(lambda test: compare(test, ways), tests)))
    if sum(len(native) > 1 for _, found in compared for native, _ in found.values()) * 2 < len(compared):
        sys.exit(f"suites.py: {name}: most tests have no results, so nothing is compared: is the suite whole?")
    for test, found in compared:
        for way, (native, names) in found.items():
            lasting = differs_each_time(test, way, names) if names else []
            count = len(native.keys() | set(names))
            total[way][0] += count
            total[way][1] += count - len(lasting)
            total[way][2] += len(names) - len(lasting)
            for result in lasting:
                different.append(f"{name} {test.name}: {result or 'exit status'} differs under {way}: {shown(test, way)}")
    return total, different


# ---- what the suites are made of ----


def wrapper(folder, name, program, argv0):
    """Scripts that run a program under each loader, and natively, by the same words: folder/WAY/NAME."""
    for way in (None, *LOADERS):
        place = folder / (way or "native") / name
        place.parent.mkdir(parents=True, exist_ok=True)
        start = f'exec -a "{argv0}"' if way is None else f'exec {ROOT / way} --argv0="{argv0}"'
        place.write_text(f'#!/bin/bash\n{start} {program} "$@"\n')
        place.chmod(0o755)
    return lambda way: folder / (way or "native") / name


def install(*packages):
    missing = [name for name in packages if subprocess.run(["dpkg", "-s", name], capture_output=True, check=False).returncode]
    if missing:
        subprocess.run(["apt-get", "install", "-y", "-q", *missing], check=True, stdout=subprocess.DEVNULL)


def source(package, folder):
    """Where the sources of a package are, as the distribution has changed them."""
    here = folder / "sources" / package
    found = [path for path in here.glob("*/") if path.is_dir()]
    if found:
        return found[0]
    lists, parts = folder / "lists", folder / "parts"
    for path in (here, parts, lists / "partial"):
        path.mkdir(parents=True, exist_ok=True)
    for path in pathlib.Path("/etc/apt/sources.list.d").glob("*.sources"):
        (parts / path.name).write_text(re.sub(r"^Types:.*", "Types: deb-src", path.read_text(), flags=re.M))
    old = pathlib.Path("/etc/apt/sources.list")
    if old.exists():
        (parts / "old.list").write_text(re.sub(r"^deb\b", "deb-src", old.read_text(), flags=re.M))
    options = [f"-oDir::Etc::sourcelist=/dev/null", f"-oDir::Etc::sourceparts={parts}", f"-oDir::State::lists={lists}"]
    subprocess.run(["apt-get", "-q", *options, "update"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["apt-get", "-q", *options, "source", package], cwd=here, check=True, capture_output=True)
    return next(path for path in here.glob("*/") if path.is_dir())


def lines_of(pattern, name, word):
    """Results that stand in lines of their own."""
    found = re.compile(pattern, re.M)
    return lambda output: {match[name]: match[word] for match in found.finditer(output)}


def whole(output):
    """All that a test has written is one result."""
    return {"output": output}


def cpython(folder):
    version = subprocess.run(["/usr/bin/python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                             capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip
    install(f"libpython{version}-testsuite")
    python = wrapper(folder / "cpython", "python3", "/usr/bin/python3", "$0")
    modules = (pathlib.Path(__file__).parent / "cpython.txt").read_text().split()
    there = [name for name in modules if list(pathlib.Path(f"/usr/lib/python{version}/test").glob(f"{name}*"))]
    results = lines_of(r"^(?P<name>test\w* \([\w.]+\))[^\n]*? \.\.\. (?P<word>ok|FAIL|ERROR|skipped|expected failure)", 1, 2)
    return [Test(name, "/tmp", lambda way, name=name: [str(python(way)), "-m", "test", "-v", name], results) for name in there]


def go(folder):
    binaries = folder / "go"
    binaries.mkdir(parents=True, exist_ok=True)
    root = subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()
    tests = []
    for package in (pathlib.Path(__file__).parent / "go.txt").read_text().split():
        program = binaries / (package.replace("/", "_") + ".test")
        place = pathlib.Path(root) / "src" / package
        if not program.exists():
            subprocess.run(["go", "test", "-c", "-o", str(program), package], check=True, cwd=place,
                           env={**os.environ, "CGO_ENABLED": "0"})  # fmt: skip
        results = lines_of(r"^\s*--- (?P<word>PASS|FAIL|SKIP): (?P<name>\S+)", 2, 1)
        tests.append(Test(package, place, lambda way, program=program:
                          [*([str(ROOT / way)] if way else []), str(program), "-test.v", "-test.short"], results))  # fmt: skip
    return tests


def bash(folder):
    install("bash-static")
    place = source("bash", folder) / "tests"
    # What the tests' own small programs want of a configured tree.
    support = place.parent / "support"
    (support / "config.h").write_text("#define HAVE_UNISTD_H 1\n#define HAVE_STDLIB_H 1\n#define HAVE_STRING_H 1\n")
    for name in ("recho", "zecho", "printenv", "xcase"):
        subprocess.run(["gcc", "-w", "-DHAVE_CONFIG_H", f"-I{support}", f"-I{place.parent}", "-o", str(place / name),
                        str(support / f"{name}.c")], check=True)  # fmt: skip
    shell = wrapper(folder / "bash", "bash", "/usr/bin/bash-static", "bash")
    there = sorted(path.name for path in place.glob("run-*") if path.name not in ("run-all", "run-minimal", "run-gprof"))
    return [Test(name, place, lambda way, name=name: ["sh", name], whole,
                 lambda way, name=name: {"THIS_SH": str(shell(way)), "PATH": f"{place}:{os.environ['PATH']}",
                                         "BASH_TSTOUT": str(folder / "bash" / f"{name}-{way}.out")})
            for name in there]  # fmt: skip


def busybox(folder):
    install("busybox-static")
    place = source("busybox", folder)
    program = wrapper(folder / "busybox", "busybox", "/usr/bin/busybox", "${0##*/}")
    config = next(place.glob("debian/config/pkg/static"))
    for way in (None, *LOADERS):
        (program(way).parent / ".config").write_bytes(config.read_bytes())
    suite = place / "testsuite"
    names = sorted({path.stem for path in suite.glob("*.tests")} | {path.name for path in suite.iterdir() if path.is_dir()})
    results = lines_of(r"^(?P<word>PASS|FAIL|SKIPPED|UNTESTED): (?P<name>.*)$", 2, 1)
    # Each way has a copy of the suite, which writes into its own folder.
    for way in (None, *LOADERS):
        subprocess.run(["cp", "-a", str(suite), str(place / "scripts"), str(program(way).parent)], check=True)
    return [Test(name, program(None).parent / "testsuite", lambda way, name=name: ["sh", "-c",
                 f'cd "$1"/testsuite && bindir="$1" ./runtest -v {name}', "sh", str(program(way).parent)], results)
            for name in names]  # fmt: skip


SUITES = {"cpython": cpython, "go": go, "bash": bash, "busybox": busybox}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], exit_on_error=False)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/suites")
    parser.add_argument("--only", default="", help="tests whose name has this in it")
    parser.add_argument("suites", nargs="+", metavar="SUITE", help=" ".join(SUITES))
    try:
        arguments = parser.parse_args()
        unknown = [name for name in arguments.suites if name not in SUITES]
        if unknown:
            raise argparse.ArgumentError(None, f"{unknown[0]} is no suite here: {', '.join(SUITES)}")
    except argparse.ArgumentError as error:
        print(f"suites.py: {error}", file=sys.stderr)
        return 125
    table, failed = [], False
    for name in arguments.suites:
        tests = [test for test in SUITES[name](arguments.folder.resolve()) if arguments.only in test.name]
        total, different = run_suite(name, tests, LOADERS, arguments.jobs)
        table += [f"| {name} | {way} | {results} | {same} | {again} | {results - same} |" for way, (results, same, again) in total.items()]
        print(*different, sep="\n", end="\n" if different else "", flush=True)
        failed |= bool(different)
    print("| suite | loader | results | the same | of these, when run again | different |", "|---|---|---:|---:|---:|---:|", *table, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
