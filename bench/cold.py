#!/usr/bin/env python3
"""cold.py [OPTION]... 'PROGRAM ARGUMENTS'...: how long a start takes whose files are not in memory.

Each program, quoted with its arguments, is run natively and by each loader with --profile=auto, in turn, once with
its files in memory and once without: they are evicted (POSIX_FADV_DONTNEED, which anybody may who can read them), and
mincore, or for others' files a read that may not wait, says whether they are gone. Which files, the profile knows.

  --loader=FILE      may be repeated; ./hybrid_loader where none is given
  --rounds=N         7 where it is not given, and at least 5 more before them that only teach the profiles
  --read-ahead=KIB   of the device, for this time; for root. 128 is usual, virtual machines often have more
  --json=FILE        every run
  --picture=FILE     of the first program: how its files come into memory, natively and by the first loader; SVG
"""

import ctypes
import getopt
import glob
import json
import math
import os
import pathlib
import random
import shlex
import shutil
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from results import stop  # noqa: E402 (nothing is left beside it)

LIBC = ctypes.CDLL(None)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
LIBC.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
PAGE = 4096
LEARNED_RUNS = 5


def need_writable(option, path):
    """Ends with a sentence, before anything is measured, if the results cannot be written there."""
    try:
        existed = os.path.exists(path)
        open(path, "a", encoding="utf-8").close()
        if not existed:
            os.unlink(path)
    except OSError as error:
        stop(f"{option}={path} cannot be written: {error.strerror}; name another file")


class Mapped:
    """A file, to be asked which of its pages are in memory."""

    def __init__(self, path):
        self.file = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self.file).st_size
        self.pages = (ctypes.c_ubyte * ((self.size + PAGE - 1) // PAGE))()
        self.memory = LIBC.mmap(None, self.size, 1, 1, self.file, 0)

    def resident(self):
        LIBC.mincore(self.memory, self.size, self.pages)
        return bytes(self.pages).count(1)

    def close(self):
        LIBC.munmap(self.memory, self.size)
        os.close(self.file)


def is_gone(path):
    """Whether nothing of the file is in memory; mincore answers its owner, and says yes to everything to others."""
    status = os.stat(path)
    if os.geteuid() in (0, status.st_uid) or os.access(path, os.W_OK):
        mapped = Mapped(path)
        pages = mapped.resident()
        mapped.close()
        return pages == 0
    file = os.open(path, os.O_RDONLY)
    try:
        os.preadv(file, [bytearray(1)], status.st_size - 1, os.RWF_NOWAIT)
        return False
    except BlockingIOError:
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        return True
    finally:
        os.close(file)


def evict(files):
    """Returns those that stay: who has mapped or locked a page of a file keeps it in memory."""
    for path in files:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
    return [path for path in files if not is_gone(path)]


def device_of(path):
    """The folder of the block device with a file, below /sys; None for a file system without one."""
    device = os.stat(path).st_dev
    folder = pathlib.Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}")
    if (folder / "partition").exists():
        folder = folder.resolve().parent
    return folder if (folder / "stat").exists() else None


def requests(device):
    """Reads that the device has completed, of whatever process."""
    return int((device / "stat").read_text().split()[0]) if device else 0


def run(command, cache, device):
    """Starts it without input and output: {ms, bytes read from devices, requests}."""
    null = os.open(os.devnull, os.O_RDWR)
    environment = dict(os.environ, XDG_CACHE_HOME=cache)
    before, begin = requests(device), time.perf_counter()
    process = os.posix_spawn(command[0], command, environment, file_actions=[(os.POSIX_SPAWN_DUP2, null, to) for to in range(3)])
    usage = os.wait4(process, 0)[2]
    took = time.perf_counter() - begin
    os.close(null)
    return {"ms": took * 1000, "bytes": usage.ru_inblock * 512, "requests": requests(device) - before}


def learned_files(cache):
    """The files of the only profile there."""
    for _ in range(100):
        profiles = [p for p in glob.glob(cache + "/pagewise/*") if ".partial-" not in p]
        if profiles:
            break
        time.sleep(0.05)
    else:
        stop("nothing was learned; see what LOADER --verbose --profile=auto PROGRAM says")
    lines = pathlib.Path(profiles[0]).read_text(errors="surrogateescape").split("\n")
    first = next(i for i, line in enumerate(lines) if line.startswith("files "))
    count = int(lines[first].split()[1])
    return [line.split(" ", 6)[6] for line in lines[first + 1:first + 1 + count]]


def settle(seconds=0.15):
    """A learner writes after its program has ended, and must not be measured with the next one."""
    time.sleep(seconds)


def measure(words, loaders, rounds, cache):
    words = [os.path.realpath(shutil.which(words[0])), *words[1:]]
    device = device_of(words[0])
    ways = {"native": words, **{loader: [os.path.abspath(loader), "--profile=auto", *words] for loader in loaders}}
    runs = {way: {"warm": [], "cold": []} for way in ways}
    shutil.rmtree(cache + "/pagewise", ignore_errors=True)
    first = list(ways.values())[1]
    run(first, cache, device)
    files = learned_files(cache)
    for _ in range(LEARNED_RUNS):
        evict(files)
        run(first, cache, device)
        settle()
    files = sorted(set(files) | set(learned_files(cache)))
    for _ in range(rounds):
        for way in random.sample(list(ways), len(ways)):
            stay = evict(files)
            runs[way]["cold"].append(run(ways[way], cache, device))
            runs[way]["warm"].append(run(ways[way], cache, device))
    return {"command": words, "files": len(files), "file_bytes": sum(os.path.getsize(f) for f in files), "stay": stay, "runs": runs}


def flat(result):
    """As JSON has it: each run says by whom, and whether it was cold."""
    runs = [dict(by=way, cold=how == "cold", **run) for way, hows in result["runs"].items() for how, many in hows.items() for run in many]
    return dict(result, runs=runs)


def median(runs, key):
    return statistics.median(r[key] for r in runs)


def ratio(result, way, how):
    """Against the native run of the same round."""
    native = result["runs"]["native"]["cold"]
    return statistics.median(r["ms"] / n["ms"] for r, n in zip(result["runs"][way][how], native))


def print_result(result, way):
    runs, native = result["runs"][way], result["runs"]["native"]
    name = os.path.basename(result["command"][0])
    print(f"{name:<12.12} {median(native['warm'], 'ms'):8.1f} {median(native['cold'], 'ms'):8.1f} "
          f"{median(native['cold'], 'bytes') / 2**20:7.1f} {median(native['cold'], 'requests'):6.0f} "
          f"{median(runs['warm'], 'ms'):8.1f} {median(runs['cold'], 'ms'):8.1f} "
          f"{median(runs['cold'], 'bytes') / 2**20:7.1f} {median(runs['cold'], 'requests'):6.0f} "
          f"{ratio(result, way, 'cold'):6.2f} {result['file_bytes'] / 2**20:7.1f}", flush=True)


def print_heading(way, rounds, kib):
    print(f"{way} --profile=auto, medians of {rounds} rounds, in turn; the device reads ahead {kib} KiB")
    print(f"{'':<12} {'native':^32} {'by the loader':^32} {'cold':>6} {'its':>7}")
    print(f"{'':<12} " + 2 * f"{'warm ms':>8} {'cold ms':>8} {'MiB':>7} {'reads':>6} " + f"{'ratio':>6} {'files':>7}")


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def print_means(results, way):
    ratios = [ratio(result, way, "cold") for result in results]
    read = sum(median(result["runs"][way]["cold"], "bytes") for result in results)
    whole = sum(result["file_bytes"] for result in results)
    print(f"geometric mean {geometric_mean(ratios):.2f}, the worst {max(ratios):.2f}; read: {read / whole:.2f} of the files' bytes")
    stay = sorted({path for result in results for path in result["stay"]})
    if stay:
        print(f"warning: other processes keep pages of {len(stay)} files in memory: {', '.join(map(os.path.basename, stay[:3]))}...")


def sample(command, files, cache):
    """[(ms, MiB of the files in memory)] while a cold start runs, and how long that took."""
    mapped = [Mapped(path) for path in files]
    null = os.open(os.devnull, os.O_RDWR)
    begin, points, process, took = time.perf_counter(), [], None, None
    process = os.posix_spawn(command[0], command, dict(os.environ, XDG_CACHE_HOME=cache),
                             file_actions=[(os.POSIX_SPAWN_DUP2, null, to) for to in range(3)])
    while took is None:
        if os.waitpid(process, os.WNOHANG)[0] != 0:
            took = (time.perf_counter() - begin) * 1000
        points.append(((time.perf_counter() - begin) * 1000, sum(m.resident() for m in mapped) * PAGE / 2**20))
        time.sleep(0.002)  # Asking all the time would slow down what is asked about.
    for m in mapped:
        m.close()
    os.close(null)
    return points, took


def picture(words, loader, cache, path):
    words = [os.path.realpath(shutil.which(words[0])), *words[1:]]
    files = learned_files(cache)
    ways = {"native": words, "with a profile": [os.path.abspath(loader), "--profile=auto", *words]}
    curves = {}
    for name, command in ways.items():
        evict(files)
        curves[name] = sample(command, files, cache)
    width = max(took for _, took in curves.values()) * 1.08
    height = max(mib for points, _ in curves.values() for _, mib in points) * 1.08
    colors = dict(zip(ways, ("#b34700", "#00714f")))
    at = lambda ms, mib: f"{60 + 700 * ms / width:.1f},{320 - 280 * mib / height:.1f}"
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="800" height="370" font-family="sans-serif" font-size="13">',
           '<rect width="100%" height="100%" fill="white"/>', '<path d="M60,40V320H760" fill="none" stroke="black"/>',
           f'<text x="60" y="28">MiB of {os.path.basename(words[0])}\'s files in memory</text>', '<text x="700" y="355">ms</text>']
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**3, 10**4, 10**5) if width / step <= 10)
    for tick in range(0, int(width), step):
        out.append(f'<text x="{60 + 700 * tick / width:.0f}" y="338" text-anchor="middle">{tick}</text>')
    for part in (1, 2):
        out.append(f'<text x="52" y="{324 - 140 * part}" text-anchor="end">{height * part / 2:.0f}</text>')
    for line, (name, (points, took)) in enumerate(curves.items()):
        inside = [point for point in points if point[0] <= took] or points[:1]
        out.append(f'<path d="M{" L".join(at(*point) for point in inside)}" fill="none" stroke="{colors[name]}" stroke-width="2"/>')
        out.append(f'<path d="M{at(took, 0)}V40" stroke="{colors[name]}" stroke-dasharray="4"/>')
        out.append(f'<text x="400" y="{60 + 18 * line}" fill="{colors[name]}">{name}: over after {took:.1f} ms</text>')
    pathlib.Path(path).write_text("\n".join(out) + "\n</svg>\n")


class ReadAhead:
    """The device's read-ahead, changed for as long as this lasts."""

    def __init__(self, program, kib):
        device = device_of(os.path.realpath(shutil.which(program)))
        self.knob = device / "queue/read_ahead_kb" if device else None
        self.was = self.knob.read_text().strip() if self.knob else "?"
        self.wanted = kib

    def __enter__(self):
        if self.wanted is not None:
            if self.knob is None or not os.access(self.knob, os.W_OK):
                stop("--read-ahead is for root, and for files on a device")
            self.knob.write_text(self.wanted)
        return self.wanted or self.was

    def __exit__(self, *_):
        if self.wanted is not None:
            self.knob.write_text(self.was)


def main():
    try:
        pairs, programs = getopt.getopt(sys.argv[1:], "h", ["help", "loader=", "rounds=", "read-ahead=", "json=", "picture="])
    except getopt.GetoptError as error:
        stop(f"{error}; try --help")
    options = dict(pairs)
    if "-h" in options or "--help" in options:
        return print(__doc__, end="")
    loaders = [value for name, value in pairs if name == "--loader"] or ["./hybrid_loader"]
    rounds, kib = options.get("--rounds", "7"), options.get("--read-ahead")
    if not programs:
        stop("there is no program; try --help")
    if not rounds.isdigit() or int(rounds) == 0 or not (kib or "0").isdigit():
        stop("--rounds and --read-ahead want numbers")
    for program in programs + loaders:
        if not (shlex.split(program) and shutil.which(shlex.split(program)[0])):
            stop(f"there is no program {program}; check its path, or install it")
    for option in ("--json", "--picture"):
        if option in options:
            need_writable(option, options[option])
    results = []
    with tempfile.TemporaryDirectory() as cache, ReadAhead(shlex.split(programs[0])[0], kib) as here:
        print_heading(loaders[0], rounds, here)
        for program in programs:
            results.append(measure(shlex.split(program), loaders, int(rounds), cache))
            print_result(results[-1], loaders[0])
            if program is programs[0] and "--picture" in options:
                picture(shlex.split(program), loaders[0], cache, options["--picture"])
        print_means(results, loaders[0])
    for loader in loaders[1:]:
        print_heading(loader, rounds, here)
        for result in results:
            print_result(result, loader)
        print_means(results, loader)
    if "--json" in options:
        pathlib.Path(options["--json"]).write_text(json.dumps({"read_ahead_kib": here, "programs": [flat(r) for r in results]}, indent=1) + "\n")
    return None


if __name__ == "__main__":
    main()
