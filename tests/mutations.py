#!/usr/bin/env python3
"""mutations.py [--seed N] [--count N] [--only N]: whole loaders on programs with changed headers.

Each case is a small good program with one to three changes in its ELF header or program headers:
values that sit on an edge, values of neighbors, random bytes. It runs natively, and under each
loader. Either the output and the end are the same; or the kernel refuses it, or kills it inside
execve, and the loader exits with 126, or 127 for want of an interpreter, and one sentence. Everything else is a difference: it is
printed with what repeats it, the program is kept, and the status is 1. It is 125 where programs
cannot be run and traced.

From the environment: LOADERS, LOADER_OPTIONS and EXPECTED_WARNING, as for the .bats files, and SEED for --seed.

Not compared are programs whose output depends on where they are: their two native runs, one of them
with randomized addresses, differ. Nor those that natively do not end within two seconds.
"""

import argparse
import collections
import ctypes
import multiprocessing
import os
import pathlib
import re
import resource
import select
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from machine import HEADERS_READ, MACHINE, RISCV64  # noqa: E402 (nothing is to be left beside the tests)
from mutant import make_mutant  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUESTS = ROOT / "build" / "guests"
# Those that can be built for this machine.
PROGRAMS = [name for name in (
    *(f"bare/bss_tail-{layout}" for layout in ("static", "pie", "omagic", "noseparate", "unaligned")),
    *("bare/entry_registers-static", "bare/entry_registers-pie"),
    *("bare/placed-low", "bare/placed-valgrind", "bare/placed-pie_base"),
    *("musl-static/hello", "musl-pie/hello"),
) if (GUESTS / name).exists()]

LOADERS = os.environ.get("LOADERS", "").split() or [
    str(ROOT / f"{way}_loader") for way in ("all_at_once", "on_demand", "hybrid")]

# What a loader may say where the kernel goes on: it cannot be where it is itself; and natively a
# program without segments dies of its first instruction. Each loader has these words in it.
KNOWN = (b"where the loader, its stack, the vDSO ", b"dies of SIGSEGV at once")

# A kernel with wider page tables also starts what lies beyond the addresses that it uses unasked. Such a program dies there.
BEYOND = (b", the end of user addresses", b", which is no address of a program")

# Many natively go on for ever, and these are not compared. A loaded one that does so hangs.
NATIVE_SECONDS, LOADED_SECONDS = 2, 60
ADDR_NO_RANDOMIZE = 0x0040000
PTRACE_TRACEME, PTRACE_DETACH = 0, 17

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


# How a run ended: stage is "ran", or natively "refused" by execve or "killed" inside it.
Run = collections.namedtuple("Run", "stage end out err")


class Runner:
    """Runs programs in a session of their own, with their output in memory."""

    def __init__(self):
        self.input = os.open(os.devnull, os.O_RDONLY)
        self.outputs = [os.memfd_create(name) for name in ("out", "err")]
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and that is inherited
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        randomize(False)
        self.surrounds_vdso = False

    def start(self, command, traced):
        for file in self.outputs:
            os.ftruncate(file, 0)
            os.lseek(file, 0, os.SEEK_SET)
        child = os.fork()
        if child != 0:
            return child
        try:
            os.setsid()
            for target, file in enumerate((self.input, *self.outputs)):
                os.dup2(file, target)
            if traced:
                libc.ptrace(PTRACE_TRACEME, 0, None, None)
            os.execve(command[0], command, {"A": "b"})
        except OSError as error:
            os.write(2, f"cannot be started: {error}\n".encode())
            os._exit(255)

    def enter(self, child):
        """Waits for the stop that a traced process makes at the end of execve: the stage, and the
        status if there was no such stop. Looks at its mappings then."""
        _, status = os.waitpid(child, 0)
        if not os.WIFSTOPPED(status):
            return "killed" if os.WIFSIGNALED(status) else "refused", status
        number = os.WSTOPSIG(status)
        self.surrounds_vdso = number == signal.SIGTRAP and surrounds_vdso(child)
        libc.ptrace(PTRACE_DETACH, child, None, None if number == signal.SIGTRAP else number)
        return "ran" if number == signal.SIGTRAP else "killed", None

    def run(self, command, seconds, traced=False):
        child = self.start(command, traced)
        stage, status = self.enter(child) if traced else ("ran", None)
        if status is None:
            status = wait(child, seconds)
        out, err = (os.pread(file, 1 << 20, 0) for file in self.outputs)
        return Run(stage, end_of(status), out, err)


def surrounds_vdso(process):
    """Whether the vDSO is in a gap between the pages of its program, a static PIE. Since Linux 6.10 both are at the top of
    the addresses for mappings, and the vDSO is mapped last. A loader's is there before the program."""
    program = os.readlink(f"/proc/{process}/exe")
    with open(f"/proc/{process}/maps") as maps:
        names = [line.split(maxsplit=5)[-1].strip() for line in maps]
    kinds = "".join("p" if name == program else "v" if name.startswith("[v") else "-" for name in names)
    return re.search("p.*v.*p", kinds) is not None


def randomize(randomized):
    """Addresses of the processes to come. Where this is not permitted they stay random."""
    libc.personality(ctypes.c_ulong(0 if randomized else ADDR_NO_RANDOMIZE))


def wait(child, seconds):
    """The status in the end; None if it had to be killed."""
    handle = os.pidfd_open(child)
    ended = select.select([handle], [], [], seconds)[0]
    os.close(handle)
    if not ended:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return status if ended else None


def end_of(status):
    if status is None:
        return "no end"
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    return f"exit {os.WEXITSTATUS(status)}"


def is_refusal(loaded, start):
    """Exit status 126, or 127 if its interpreter is missing, one line of the right form, and nothing else."""
    wanted = "exit 127" if b": its interpreter " in loaded.err and b": no such file: " in loaded.err else "exit 126"
    return (loaded.end == wanted and not loaded.out and loaded.err.startswith(start) and
            loaded.err.count(b"\n") == 1 and loaded.err.endswith(b"\n"))


def known_stage(mutant, program):
    """Where a native run is known to differ: "refused" for more program headers than the kernel reads, "ran" for another
    entry where the registers at entry differ (docs/quirks.md)."""
    if 56 * int.from_bytes(mutant[56:58], "little") > HEADERS_READ:
        return "refused"
    return "ran" if MACHINE == RISCV64 and mutant[24:32] != program[24:32] else None


def judge(native, loaded, start, known):
    """What a loader's run is beside the native one; `known` is of known_stage()."""
    if native.stage == "ran" and native == loaded:
        return "same"
    if not is_refusal(loaded, start):
        return "known" if native.stage == known else "different"
    if native.stage != "ran":
        return "refused"
    words = KNOWN + BEYOND if native.end == "signal 11" else KNOWN
    return "known" if any(said in loaded.err for said in words) else "different"


def without_warning(messages, warning=os.environ.get("EXPECTED_WARNING")):
    """Without the lines that have it, as record of tests/helpers.bash does."""
    return b"".join(line for line in messages.splitlines(True) if not warning or warning.encode() not in line)


def show(run):
    return f"{run.end} ({run.stage}), stdout {run.out[:300]!r}, stderr {run.err[:300]!r}"


class Tester:
    """One of the processes that work through the cases."""

    def __init__(self, options, folder):
        self.seed, self.folder = options.seed, folder
        self.programs = {name: (GUESTS / name).read_bytes() for name in PROGRAMS}
        words = os.environ.get("LOADER_OPTIONS", "").split()
        self.loaders = [[loader, *words] for loader in LOADERS]
        self.runner = Runner()

    def test(self, number):
        """One case: what it is counted as, and the text that says why."""
        mutant = make_mutant(self.seed, number, self.programs)
        path = os.path.join(self.folder, f"case_{number}")
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o755)) as file:
            file.write(mutant.bytes)
        verdict, text = self.compare(path, known_stage(mutant.bytes, self.programs[mutant.name]))
        if verdict != "different":
            os.unlink(path)
            return verdict, None
        return verdict, "\n".join((
            f"different: case {number} of seed {self.seed}: {mutant.name}: {', '.join(mutant.changes)}",
            *text, f"  again: tests/mutations.py --seed {self.seed} --only {number}"))

    def compare(self, path, known):
        native = self.runner.run([path], NATIVE_SECONDS, traced=True)
        if native.end == "no end":
            return "endless", None
        randomize(True)
        other = self.runner.run([path], NATIVE_SECONDS, traced=True)
        randomize(False)
        if native != other:
            return "unsteady", None
        if self.runner.surrounds_vdso:
            known = "ran"
        verdicts, text = set(), [f"  natively: {show(native)}"]
        for loader in self.loaders:
            loaded = self.runner.run([*loader, path], LOADED_SECONDS)
            loaded = loaded._replace(err=without_warning(loaded.err))
            verdict = judge(native, loaded, os.fsencode(f"{os.path.basename(loader[0])}: {path}: "), known)
            verdicts.add(verdict)
            if verdict == "different":
                text.append(f"  {' '.join(loader)} {path}: {show(loaded)}")
        return next(v for v in ("different", "known", "refused", "same") if v in verdicts), text


def begin(options, folder):
    global tester
    tester = Tester(options, folder)


def test(number):
    return tester.test(number)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED", 1)))
    parser.add_argument("--count", type=int, default=2000, help="of cases")
    parser.add_argument("--only", type=int, help="the number of one case")
    options = parser.parse_args()
    if Runner().run([str(GUESTS / PROGRAMS[0])], NATIVE_SECONDS, traced=True)[:2] != ("ran", "exit 0"):
        print(f"mutations: {GUESTS / PROGRAMS[0]} does not run, or may not be traced", file=sys.stderr)
        return 125
    for loader in LOADERS:
        assert all(words in pathlib.Path(loader).read_bytes() for words in KNOWN), f"{loader} does not say all of {KNOWN}"
    cases = range(options.count) if options.only is None else [options.only]
    folder, start = tempfile.mkdtemp(prefix="mutations."), time.monotonic()
    counts = collections.Counter()
    with multiprocessing.Pool(2, begin, (options, folder)) as pool:
        for verdict, text in pool.imap_unordered(test, cases, chunksize=8):
            counts[verdict] += 1
            if text:
                print(text, flush=True)
    print(f"mutations: {sum(counts.values())} cases of seed {options.seed}: {counts['same']} same, "
          f"{counts['refused']} refused, {counts['known']} known, "
          f"{counts['unsteady']} unsteady, {counts['endless']} endless, "
          f"{counts['different']} different; {time.monotonic() - start:.0f} s")
    if counts["different"]:
        print(f"mutations: kept in {folder}")
        return 1
    os.rmdir(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
