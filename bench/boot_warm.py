#!/usr/bin/env python3
"""boot_warm.py [OPTION]... 'PROGRAM ARGUMENTS'...: what a warmer brings in after a boot, and what starts still read then.

Each program is learned from. Then all of their files are evicted, as a boot leaves them; a warmer runs; each program is
started once. For root, who may evict and count the pages of all files.

  nothing    the starts read everything themselves
  vmtouch    vmtouch -t, given every file of the profiles: it reads whole files
  preload    the daemon, after it has watched three rounds of the starts. Its cycle is 1 second instead of 20, and it may
             see all paths; otherwise its configuration is the packaged one
  profiles   pagewise profile warm, given the profiles

  --ways=A,B       these alone
  --json=FILE      everything that was measured
  --preload=FILE   the daemon, where it is not in PATH
"""

import getopt
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from cold import Mapped, PAGE, evict, learned_files, need_writable, run  # noqa: E402
from results import stop  # noqa: E402

PAGEWISE = "./pagewise"
LEARNED_RUNS = 3
PRELOAD_CONF = """[model]
cycle = 1
usecorrelation = true
minsize = 2000000
memtotal = -10
memfree = 50
memcached = 0
[system]
doscan = true
dopredict = {predict}
autosave = 3600
mapprefix = /
exeprefix = /
processes = 30
sortstrategy = 3
"""


def resident(files):
    total = 0
    for path in files:
        mapped = Mapped(path)
        total += mapped.resident() * PAGE
        mapped.close()
    return total


def learn(commands, folder):
    """A profile for each program, and all files that they name."""
    profiles, files = [], set()
    for number, words in enumerate(commands):
        cache = folder / str(number)
        place = cache / "pagewise"
        place.mkdir(parents=True)
        for _ in range(LEARNED_RUNS):
            subprocess.run([PAGEWISE, "learn", f"--output={place}", "--", *words], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            evict(learned_files(str(cache)))
        profiles.append(str(next(place.iterdir())))
        files |= set(learned_files(str(cache)))
    return profiles, sorted(files)


def start_all(commands):
    """Bytes that each start reads from devices, and its time."""
    return [dict(run(words, os.devnull, None), program=os.path.basename(words[0])) for words in commands]


class Preload:
    """The daemon with a state of its own, for as long as this lasts."""

    def __init__(self, program, folder, predict):
        conf = folder / "preload.conf"
        conf.write_text(PRELOAD_CONF.format(predict=predict))
        self.state = folder / "preload.state"
        self.daemon = subprocess.Popen([program, "-f", "-n", "0", "-c", conf, "-s", self.state, "-l", folder / "preload.log"])

    def __enter__(self):
        return self

    def save(self):
        self.daemon.send_signal(signal.SIGUSR2)
        time.sleep(1)
        return self.state.read_text() if self.state.exists() else ""

    def __exit__(self, *_):
        self.daemon.terminate()
        self.daemon.wait()


def warm_by_preload(program, folder, commands, files):
    with Preload(program, folder, "false") as daemon:
        time.sleep(2)
        for _ in range(3):
            start_all(commands)
        state = daemon.save()
    known = [words[0] for words in commands if f"file://{words[0]}" in state]
    evict(files)
    with Preload(program, folder, "true"):
        time.sleep(10)
    return {"knows": len(known)}


def warm(way, commands, profiles, files, options, folder):
    if way == "nothing":
        return {}
    if way == "preload":
        return warm_by_preload(options.get("--preload", "preload"), folder, commands, files)
    command = [shutil.which("vmtouch"), "-q", "-t", *files] if way == "vmtouch" else [os.path.abspath(PAGEWISE), "profile", "warm", *profiles]
    if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode != 0:
        stop(f"{way} failed")
    return {}


def measure(way, commands, profiles, files, options, folder):
    stay = evict(files)
    before, begin = resident(files), time.perf_counter()
    warmed = warm(way, commands, profiles, files, options, folder)
    # Reading ahead goes on after the warmer has ended.
    last, now, end = -1, resident(files), time.perf_counter()
    while now != last:
        time.sleep(0.3)
        last, now = now, resident(files)
        end = end if now == last else time.perf_counter()
    ms = (end - begin) * 1000 if way in ("vmtouch", "profiles") else None
    return {"way": way, "warmer": warmed, "warm_ms": ms, "brought_in": now - before, "stay": stay, "starts": start_all(commands)}


def print_result(result, count):
    starts = result["starts"]
    ms = "-" if result["warm_ms"] is None else f"{result['warm_ms']:.0f}"
    print(f"{result['way']:<9} {result['brought_in'] / 2**20:10.1f} {ms:>8} "
          f"{sum(s['bytes'] for s in starts) / 2**20:11.1f} {sum(s['ms'] for s in starts):8.0f}", flush=True)
    if "knows" in result["warmer"]:
        print(f"          preload has seen {result['warmer']['knows']} of {count} programs")


def main():
    try:
        pairs, programs = getopt.getopt(sys.argv[1:], "h", ["help", "ways=", "json=", "preload="])
    except getopt.GetoptError as error:
        stop(f"{error}; try --help")
    options = dict(pairs)
    if "-h" in options or "--help" in options:
        return print(__doc__, end="")
    commands = [shlex.split(program) for program in programs]
    if not commands or os.geteuid() != 0:
        stop("name programs, as root; try --help")
    for words in commands:
        if not shutil.which(words[0]):
            stop(f"there is no program {words[0]}; check its path, or install it")
        words[0] = os.path.realpath(shutil.which(words[0]))
    if "--json" in options:
        need_writable("--json", options["--json"])
    results = []
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = pathlib.Path(name)
        profiles, files = learn(commands, folder)
        print(f"{len(commands)} programs, {len(files)} files of {sum(os.path.getsize(f) for f in files) / 2**20:.0f} MiB; "
              f"load {os.getloadavg()[0]:.1f}")
        print(f"{'':<9} {'brought in':>10} {'ms':>8} {'starts read':>11} {'ms':>8}   (MiB)")
        for way in options.get("--ways", "nothing,vmtouch,preload,profiles").split(","):
            results.append(measure(way, commands, profiles, files, options, folder))
            print_result(results[-1], len(commands))
    if "--json" in options:
        pathlib.Path(options["--json"]).write_text(json.dumps(results, indent=1) + "\n")
    return None


if __name__ == "__main__":
    main()
