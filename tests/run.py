#!/usr/bin/env python3
"""run.py [--jobs=N] [--light] [--only=REGEX] FILE...: runs test files side by side, each in a bats of its own.

Writes one stream of TAP: a test's line when it has ended, after the name of its file; what a test that
failed has to say, right after its line. What has no name in .bats is a program that writes TAP itself.
The longest files go first, so that none of them is left alone at the end. Exit status 1 if a test failed,
or if a file ended before its last test, or with a status that none of its tests explains.

--light is what make check wants: LIGHT=1 (tests/helpers.bash), and no test that requires one of HEAVY. --only=REGEX:
the tests in whose title or text it is found; exit status 2 where there is none.

It is not `bats --jobs`, which wants GNU parallel, keeps a file's lines back until the file before it is
done, and knows nothing of times.
"""
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True

from huge_pages import without_huge_pages  # noqa: E402

# Seconds, about, where they matter for the order.
LONGEST = {
    "edges.bats": 230, "limits.bats": 200, "signals.bats": 180, "lab.bats": 130, "threads.bats": 125, "watch.bats": 120,
    "integration.bats": 120, "real_programs.bats": 100, "processes.bats": 100, "cheats.bats": 90, "holding.bats": 85,
    "cold.bats": 85, "coverage.bats": 75, "grade_all.bats": 60, "bench.bats": 60, "memory.bats": 55, "contributing.bats": 50,
    "calls.bats": 35, "page.bats": 35, "completion.bats": 30, "install.bats": 30,
    "dist.bats": 40, "outputs.bats": 30, "dynamic.bats": 30, "lint.sh": 30, "elf_cases.bats": 25, "trace_tools.bats": 20,
}

# What tests require, and only make check-all installs.
HEAVY = {"chromium", "node", "java", "go", "go_guests", "cargo", "static_rust", "valgrind", "qemu-x86_64", "perf", "matplotlib"}

TEST = re.compile(r'^@test "(.*)" \{$', re.M)
TEST_IN_ONE_LINE = re.compile(r'^(@test ".*" \{) (.*); \}$', re.M)
FUNCTION = re.compile(r"^(\w+)\(\) \{\n(.*?)^\}", re.M | re.S)
REQUIRES = re.compile(r"^\trequires (.*)$", re.M)

RESULT = re.compile(r"(not )?ok\b *(\d+)? *(.*)")
PLAN = re.compile(r"1\.\.(\d+)")


# What a file says at its beginning whose tests expect pages to be hidden that a system may leave to the kernel, where
# that fills 2 MiB at a touch.
WITHOUT_HUGE_PAGES = re.compile(r"^# Runs without huge pages\b", re.M)


def default_signals():
    """nohup ignores SIGHUP, and a shell SIGINT and SIGQUIT for what it starts in the background: a shell script
    that is tested could not set them back."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def is_heavy(body, functions):
    """Whether a test or a function requires something heavy, by itself or by one of these functions."""
    return (any(HEAVY & set(words.split()) for words in REQUIRES.findall(body)) or
            any(re.search(r"^\t+(\w+=\S* )*%s\b" % name, body, re.M) for name in functions))


def choose(text, light, only):
    """The titles of those tests of a file that are wanted, and how many it has."""
    text = TEST_IN_ONE_LINE.sub(r"\1\n\t\2\n}", text)
    heavy = set()
    for _ in range(3):
        heavy |= {name for name, body in FUNCTION.findall(text) if is_heavy(body, heavy)}
    parts = TEST.split(text)
    titles = [title for title, body in zip(parts[1::2], parts[2::2])
              if not (light and is_heavy(body, heavy)) and re.search(only, title + body)]
    return titles, len(parts) // 2


def filter_of(titles):
    """A regular expression for bats that these titles match alone. Whether it sees a title before or after the shell
    has taken the backslashes out is another with each version."""
    quoted = (".*".join(re.sub(r"([][.*^$()+?{}|])", r"\\\1", part) for part in re.split(r"\\.", title))
              for title in titles)
    return "^(%s)$" % "|".join(quoted)


class Report:
    """What all files' tests write, whole tests at a time, numbered anew."""

    def __init__(self):
        self.lock = threading.Lock()
        self.count = 0
        self.failed = 0
        self.times = []

    def result(self, name, failed, text, details):
        with self.lock:
            self.count += 1
            self.failed += failed
            # lint.sh says itself that it is lint.
            text = text if text.startswith(name + ": ") else name + ": " + text
            print("%sok %d %s" % ("not " if failed else "", self.count, text))
            for line in details:
                print(line)
            sys.stdout.flush()

    def file_ended(self, name, wall, cpu):
        with self.lock:
            self.times.append((wall, cpu, name))
            print("# done: %s, %.0f s, %.0f s of processor time" % (name, wall, cpu), flush=True)

    def summary(self, wall):
        print("1..%d" % self.count)
        cpu = sum(time[1] for time in self.times)
        print("# %d test file%s in %.0f s, %.0f s of processor time; those that took most of it:" %
              (len(self.times), "s" * (len(self.times) != 1), wall, cpu))
        for wall, cpu, name in sorted(self.times, key=lambda time: -time[1])[:10]:
            print("# %6.1f s, %6.1f s of processor time: %s" % (wall, cpu, name))


class Run:
    """One file: its tests as they end, and whether all of those that it announced have ended."""

    def __init__(self, path, report, light, only):
        self.path = path
        self.chosen = (light, only)
        self.report = report
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.pending = None
        self.planned = None
        self.seen = 0
        self.failed = False

    def flush(self):
        if self.pending:
            self.seen += 1
            self.failed |= self.pending[0]
            self.report.result(self.name, *self.pending)
        self.pending = None

    def line(self, line):
        plan, result = PLAN.fullmatch(line), RESULT.match(line)
        if plan:
            self.planned = int(plan[1])
        elif result:
            self.flush()
            self.pending = (bool(result[1]), result[3], [])
            # One that passed has nothing more to say.
            if not result[1]:
                self.flush()
        elif self.pending:
            self.pending[2].append(line)
        elif line:
            print(line, flush=True)

    def command(self, text):
        if not self.path.endswith(".bats"):
            return [os.path.abspath(self.path)]
        titles, number = choose(text, *self.chosen)
        chosen = ["--filter", filter_of(titles)] if len(titles) < number else []
        return ["bats", "--tap", *chosen, self.path] if titles or not number else None

    def run(self):
        with open(self.path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        command = self.command(text)
        if command is None:
            return
        huge_pages = WITHOUT_HUGE_PAGES.search(text) is None

        def prepare():
            default_signals()
            if not huge_pages:
                without_huge_pages()

        start = time.monotonic()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, preexec_fn=prepare)
        for line in process.stdout:
            self.line(line.decode(errors="replace").rstrip("\n"))
        self.flush()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        complete = self.seen > 0 and self.planned in (None, self.seen)
        if not complete or status != 0 and not self.failed:
            self.report.result(self.name, True, "all tests of the file",
                               ["# %s of %s ended; wait status %d" % (self.seen, self.planned, status)])
        self.report.file_ended(self.path, time.monotonic() - start, usage.ru_utime + usage.ru_stime)


def run_all(paths, jobs, report, *chosen):
    """JOBS of them at a time, each as soon as there is room."""
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    files = [pool.submit(Run(path, report, *chosen).run) for path in paths]
    try:
        for file in files:
            file.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def mount_type(path):
    return subprocess.run(["stat", "-f", "-c", "%T", path], stdout=subprocess.PIPE, text=True).stdout.strip()


def main():
    # A test may start a make, which is none of the one that runs the tests.
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        os.environ.pop(name, None)
    # Tests wait an eighth of their time: for a time limit, for processes that end.
    jobs = len(os.sched_getaffinity(0)) + 2
    paths = sys.argv[1:]
    if paths and paths[0].startswith("--jobs="):
        jobs = int(paths.pop(0)[len("--jobs="):])
    light = bool(paths) and paths[0] == "--light"
    if light:
        paths.pop(0)
        os.environ["LIGHT"] = "1"
    only = paths.pop(0)[len("--only="):] if paths and paths[0].startswith("--only=") else ""
    if not paths:
        print("usage: run.py [--jobs=N] [--light] [--only=REGEX] FILE...", file=sys.stderr)
        return 125
    for path in paths:
        if not os.path.isfile(path):
            print("run.py: %s: no such file: name files of tests, as tests/calls.bats" % path, file=sys.stderr)
            return 125
    # Debian 13 has a tmpfs there, whose files are always in memory; what is learned and read ahead is of others.
    if "TMPDIR" not in os.environ and mount_type("/tmp") == "tmpfs":
        os.environ["TMPDIR"] = "/var/tmp"
    paths.sort(key=lambda path: -LONGEST.get(os.path.basename(path), 0))
    report = Report()
    start = time.monotonic()
    run_all(paths, jobs, report, light, only)
    report.summary(time.monotonic() - start)
    return 1 if report.failed else 0 if report.count else 2


if __name__ == "__main__":
    sys.exit(main())
