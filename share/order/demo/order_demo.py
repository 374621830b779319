#!/usr/bin/env python3
"""What an order file gives: programs of others, linked plainly and in the order of their first calls.

order_demo.py [--starts=N] [--read-ahead=KB] [NAME]...   programs of PROGRAMS, all by default, below build/order-demo

Sources come from Debian (apt-get source), crates.io and PyPI. Each program is compiled once with -ffunction-sections and
linked twice, statically and with lld. llvm-bolt makes a third program of the plain one. The order is taken from several
runs, and another one is measured, without any loader: pages of text touched and mapped (share/order/demo/count_pages.c),
resident memory, page faults, and N starts, warm and with the program's file out of memory. --read-ahead sets the device's
read-ahead meanwhile, which needs root. A program that cannot be built is left out, and the reason is printed.

None of the programs was left out because of its result.
"""

import argparse
import concurrent.futures
import contextlib
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

from demo_programs import BOLT, PLACE, PROGRAMS, RELOCATIONS, ROOT

APT = """Dir::Etc::SourceList "{0}/sources.list"; Dir::Etc::SourceParts "-"; Dir::State "{0}/state";
Dir::State::Lists "{0}/lists"; Dir::State::status "/dev/null"; Dir::Cache "{0}"; APT::Sandbox::User "";
"""
FETCHING = threading.Lock()


def run(command, **options):
    return subprocess.run(command, check=True, **options)


def fetch(source, folder):
    """The source's own files below the folder."""
    kind, name = source.split(":")
    folder.mkdir(parents=True)
    if kind == "zig":  # has the source of its tools
        (folder / "source").mkdir()
        return
    if kind == "crate":
        name, version = name.split("=")
        fetcher = folder / "fetcher"
        (fetcher / "src").mkdir(parents=True)
        (fetcher / "src" / "lib.rs").touch()
        (fetcher / "Cargo.toml").write_text(f'[package]\nname = "f"\nversion = "0.1.0"\n[dependencies]\n{name} = "={version}"\n')
        run(["cargo", "fetch", "-q"], cwd=fetcher)
        home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
        found = next((home / "registry" / "src").glob(f"*/{name}-{version}"))
        run(["cp", "-r", found, folder / "source"])
        return
    apt = PLACE / "apt"
    for part in ("lists/partial", "archives/partial", "state"):
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "apt.conf").write_text(APT.format(apt))
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (apt / "sources.list").write_text(f"deb-src [signed-by={keyring}] http://deb.debian.org/debian bookworm main\n")
    environment = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
    run(["apt-get", "-qq", "update"], env=environment)
    run(["apt-get", "-qq", "source", "--download-only", name], env=environment, cwd=folder, stderr=subprocess.DEVNULL)
    archive = next(f for f in folder.glob("*.orig.tar.*") if f.suffix != ".asc")
    (folder / "source").mkdir()
    run(["tar", "-xf", archive, "-C", folder / "source", "--strip-components=1"])


def shell(folder, script, **more):
    with open(folder / "log", "a") as log:
        run(["bash", "-ec", script], cwd=folder / "source", stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            env={**os.environ, **more})


def fill(name, words):
    return [word.replace("{T}", str(PLACE / "text")).replace("{S}", str(PLACE / name / "source")) for word in words]


def take_order(program, order, words):
    run([ROOT / "pagewise", "run", f"--order={order}", program] + words, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def called_pages(program, words):
    """The pages that the called functions would take side by side."""
    order = PLACE / "measured.order"
    take_order(program, order, words)
    shown = run([ROOT / "pagewise", "order", "show", order], capture_output=True, text=True).stdout
    return int(shown.split()[-1])


def printed(name, program):
    return run([program] + fill(name, PROGRAMS[name][4]), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout


def bolt(name, plain, bolted):
    """Has BOLT reorder a program. No file is made if BOLT crashes, as it may with static glibc, or its program does."""
    with contextlib.suppress(subprocess.CalledProcessError):
        shell(PLACE / name, f"{BOLT} {plain} -o {bolted}.new --reorder-functions=user --function-order=../order.bolt")
        if printed(name, f"{bolted}.new") == printed(name, plain):
            os.rename(f"{bolted}.new", bolted)


def build(name):
    """Links a program plainly, takes its order, links it in that order, and has BOLT reorder the plain one."""
    source, compile_it, link, taken, _ = PROGRAMS[name]
    folder = PLACE / name
    plain, ordered, bolted = (folder / way for way in ("plain", "ordered", "bolted"))
    if not plain.exists():
        run(["rm", "-rf", folder])
        with FETCHING:
            fetch(source, folder)
        shell(folder, compile_it)
        shell(folder, link, LINK=RELOCATIONS, OUT=f"{plain}.new")
        os.rename(f"{plain}.new", plain)
    if ordered.exists():
        return [program for program in (plain, ordered, bolted) if program.exists()]
    orders = []
    for words in taken:
        orders.append(f"{folder}/order.{len(orders)}")
        take_order(plain, orders[-1], fill(name, words))
    run([ROOT / "pagewise", "order", "merge", "-o", f"{folder}/order"] + orders)
    for linker in ("lld", "bolt"):
        run([ROOT / "pagewise", "order", "export", f"--format={linker}", f"--program={plain}", "-o", f"{folder}/order.{linker}",
             f"{folder}/order"])
    shell(folder, link, LINK=f"{RELOCATIONS} -Wl,--symbol-ordering-file={folder}/order.lld", OUT=f"{ordered}.new")
    bolt(name, plain, bolted)
    os.rename(f"{ordered}.new", ordered)
    return build(name)


def count(mode, program, words):
    output = PLACE / "count"
    run([PLACE / "count_pages", output, mode, program] + words, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return [int(number) for number in output.read_text().split()]


def evict(path):
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def milliseconds(programs, words, starts, cold):
    """The median time of a start of each program; they take turns."""
    times = {program: [] for program in programs}
    for _ in range(starts):
        for program in programs:
            if cold:
                evict(program)
            begin = time.perf_counter()
            run([program] + words, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
            times[program].append(time.perf_counter() - begin)
    return [statistics.median(times[program]) * 1000 for program in programs]


def text_pages(program):
    size = run(["size", "-A", program], capture_output=True, text=True).stdout
    return sum(int(line.split()[1]) for line in size.splitlines() if line.startswith(".text")) // 4096


def measure(name, programs, starts):
    words = fill(name, PROGRAMS[name][4])
    touched = [count("touched", program, words)[0] for program in programs]
    mapped, memory, faults = zip(*(count("mapped", program, words) for program in programs))
    warm = milliseconds(programs, words, starts, False)
    cold = milliseconds(programs, words, starts, True)
    less = [f"{number} | {100 * (number / touched[0] - 1):+.0f} %" for number in touched[1:]]
    less += ["fails |"] * (3 - len(programs))
    fields = [name, text_pages(programs[0]), touched[0], *less, called_pages(programs[0], words)]
    fields += [" / ".join(str(number) for number in column) for column in (mapped, memory, faults)]
    fields += [" / ".join(f"{number:.1f}" for number in column) for column in (warm, cold)]
    print("|", " | ".join(str(field) for field in fields), "|", flush=True)
    return [column[way] / column[0] if way < len(column) else None
            for column in (touched, mapped, memory, warm, cold) for way in (1, 2)]


def mean(column):
    ratios = [ratio for ratio in column if ratio]
    return f"{100 * (statistics.mean(ratios) - 1):+.0f} %" if ratios else "-"


def try_build(name):
    """The programs, which print the same; or None if one cannot be built."""
    try:
        programs = build(name)
        if len({printed(name, program) for program in programs}) != 1:
            raise OSError("its programs print different texts")
        return programs
    except (subprocess.CalledProcessError, OSError, StopIteration) as error:
        print(f"order_demo.py: {name} is left out: {error}; {PLACE / name}/log", file=sys.stderr)
        return None


@contextlib.contextmanager
def read_ahead(wanted):
    """The device's read-ahead in KB, changed to `wanted` for as long as this lasts."""
    number = os.stat(PLACE).st_dev
    knob = pathlib.Path(f"/sys/class/bdi/{os.major(number)}:{os.minor(number)}/read_ahead_kb")
    before = knob.read_text().strip() if knob.exists() else "unknown"
    if wanted:
        knob.write_text(wanted)
    try:
        yield wanted or before
    finally:
        if wanted:
            knob.write_text(before)


def main():
    parser = argparse.ArgumentParser(usage="order_demo.py [--starts=N] [--read-ahead=KB] [NAME]...")
    parser.add_argument("--starts", type=int, default=21)
    parser.add_argument("--read-ahead")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    PLACE.mkdir(parents=True, exist_ok=True)
    (PLACE / "text").write_text((ROOT / "docs" / "design.md").read_text())
    ctypes.CDLL(None).personality(0x0040000)  # ADDR_NO_RANDOMIZE, as far as it goes: two runs touch the same pages
    names = options.names or list(PROGRAMS)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        built = {name: programs for name, programs in zip(names, pool.map(try_build, names)) if programs}
    if not built:
        sys.exit(1)
    with read_ahead(options.read_ahead) as kilobytes:
        print(f"read-ahead of the device: {kilobytes} KB; medians of {options.starts} starts; plain / lld / BOLT\n")
        print("| program | pages of .text | touched: plain | lld | | BOLT | | called | mapped | RSS, KB | page faults | warm start, ms | cold start, ms |")
        print("|---|" + "---:|" * 12)
        ratios = [measure(name, programs, options.starts) for name, programs in built.items()]
    means = [mean(column) for column in zip(*ratios)]
    print("\nOn average, lld and BOLT: pages touched {} and {}, mapped {} and {}, RSS {} and {}, a warm start {} and {}, "
          "a cold start {} and {}".format(*means))


if __name__ == "__main__":
    main()
