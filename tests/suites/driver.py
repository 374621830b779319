"""What a test of a suite is, and how a native run of it is compared with runs under the loaders."""
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
NATIVE_SECONDS = 90  # A test that natively takes longer is left out, with a line.
LOADED_SECONDS = 240
AGAIN = 3


class Test:
    """One program of a suite: `words` run it in `folder`, and results(output) finds its results by name."""

    def __init__(self, name, folder, words, results, environment=None):
        self.name, self.folder, self.results = name, folder, results
        self.words = [str(word) for word in words]
        self.environment = {"LC_ALL": "C.UTF-8", "TERM": "dumb", "HOME": "/tmp", **(environment or {})}


class Ways:
    """Runs tests natively (None) and under loaders; each run has namespaces and a view of the files of its own."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "sources").mkdir(parents=True, exist_ok=True)
        (folder / "scratch").mkdir(exist_ok=True)
        (folder / "loaders").mkdir(exist_ok=True)
        helper = folder / "loader.run"
        subprocess.run(["gcc", "-O2", "-static", "-o", helper, ROOT / "share/binfmt/run.c"], check=True)
        for loader in LOADERS:
            marked(ROOT / loader, folder / "loaders" / loader)
            marked(helper, folder / "loaders" / f"{loader}.run")
        if self.run(Test("namespaces", "/tmp", ["true"], whole), None)[""] != 0:
            raise RuntimeError("no namespaces with a binfmt_misc of their own here: that needs Linux 6.7")
        if self.run(Test("loaders", "/tmp", ["/bin/true"], whole), "missing")[""] == 0:
            raise RuntimeError("a program starts without the loader that is to start it, so nothing is compared")

    def words(self, test, way):
        helper = str(self.folder / "loaders" / f"{way}.run") if way else "native"
        return [str(ROOT / "tests/suites/under.sh"), helper, str(self.folder), str(test.folder), *test.words]

    def run(self, test, way):
        """Its results, name -> word; '' is the exit status. A test that does not end in time has that result."""
        seconds = LOADED_SECONDS if way else NATIVE_SECONDS
        with subprocess.Popen(self.words(test, way), env={**os.environ, **test.environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:  # fmt: skip
            try:
                output, _ = process.communicate(timeout=seconds)
                status = process.returncode
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                output, status = b"", f"not over after {seconds} s"
        return {**test.results(output.decode(errors="replace")), "": status}

    def shown(self, test, way):
        changed = " ".join(f"{name}={shlex.quote(value)}" for name, value in test.environment.items())
        return f"{changed} {shlex.join(self.words(test, way))}"


def marked(program, copy):
    """A copy that under.sh leaves alone, by bytes that an ELF header does not use."""
    contents = bytearray(program.read_bytes())
    contents[9:16] = b"suites\0"
    new = copy.with_suffix(".new")
    new.write_bytes(contents)
    new.chmod(0o755)
    new.rename(copy)


def differences(native, loaded):
    return sorted(name for name in native.keys() | loaded.keys() if native.get(name) != loaded.get(name))


def compare(ways, test):
    """For each loader: the native results, and which differ, before they are looked at once more."""
    native = ways.run(test, None)
    if isinstance(native[""], str):
        print(f"left out: {test.name}: natively {native['']}", flush=True)
        return {}
    print(f"{test.name}: {len(native)} results", file=sys.stderr, flush=True)
    return {loader: (native, differences(native, ways.run(test, loader))) for loader in LOADERS}


def differs_each_time(ways, test, loader, names):
    for _ in range(AGAIN):
        native, loaded = ways.run(test, None), ways.run(test, loader)
        names = [name for name in names if name in differences(native, loaded)]
        if not names:
            break
    return [f"{name or 'exit status'}: natively {native.get(name, 'nothing')}, {loader} {loaded.get(name, 'nothing')}"
            for name in names]  # fmt: skip


def run_suite(name, tests, ways, jobs):
    """For each loader: results, the same, the same only when run again; and a line for each difference."""
    total = {loader: [0, 0, 0] for loader in LOADERS}
    different = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        compared = list(zip(tests, pool.map(lambda test: compare(ways, test), tests)))
    if sum(len(native) > 1 for _, found in compared for native, _ in found.values()) * 2 < len(compared):
        raise RuntimeError("most tests have no results, so nothing is compared: is the suite whole?")
    for test, found in compared:
        for loader, (native, names) in found.items():
            lasting = differs_each_time(ways, test, loader, names) if names else []
            count = len(native.keys() | set(names))
            total[loader][0] += count
            total[loader][1] += count - len(lasting)
            total[loader][2] += len(names) - len(lasting)
            different += [f"{name} {test.name}: {line[:200]}" for line in lasting]
            if lasting:
                different.append(f"    {ways.shown(test, loader)}")
    return total, different


def lines_of(pattern, flags=re.MULTILINE):
    """Results that stand in lines of their own: groups `name` and `word` of each match."""
    found = re.compile(pattern, flags)

    def results(output):
        words = {}
        for match in found.finditer(output):
            name, number = match["name"].strip(), 2
            while (name if number == 2 else f"{name} ({number})") in words:
                number += 1
            words[name if number == 2 else f"{name} ({number})"] = match["word"]
        return words

    return results


# "ok 3 - what it says", as Perl's tests write it; addresses and numbers of processes are no names.
TAP = lines_of(r"^(?P<word>not ok|ok) (?P<name>\d+\b[^\n#]*(?:# (?:SKIP|TODO|skip|todo)\b)?)")


def whole(output):
    """All that a test has written is one result."""
    return {"output": output}
