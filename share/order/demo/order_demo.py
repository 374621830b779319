#!/usr/bin/env python3
"""What an order file gives: programs of others, linked plainly and in the order of their first calls.

order_demo.py [--starts=N] [NAME]...   programs of PROGRAMS, all unless told, below build/order-demo

Sources come from Debian (apt-get source) and crates.io. Each program is compiled once with -ffunction-sections and
linked twice, statically and with lld. The order is taken from one run, and another one is measured, without any loader:
pages of text touched and mapped (share/order/demo/count_pages.c), resident memory, page faults, and N starts, warm and with
the program's file out of memory. A program that cannot be built is left out, and the reason is printed.
"""

import argparse
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLACE = ROOT / "build" / "order-demo"
APT = """Dir::Etc::SourceList "{0}/sources.list"; Dir::Etc::SourceParts "-"; Dir::State "{0}/state";
Dir::State::Lists "{0}/lists"; Dir::State::status "/dev/null"; Dir::Cache "{0}"; APT::Sandbox::User "";
"""
CC = "gcc -O2 -w -ffunction-sections -c"
LINK = "gcc -static -fuse-ld=lld $LINK -o $OUT"

# name: where the source is from; how it is compiled; how $OUT is linked with $LINK; the runs whose order is taken, and
# another one that is measured. {T} is a text of some KB.
PROGRAMS = {
    "bash": ("debian:bash", "./configure --quiet --without-bash-malloc --disable-nls CFLAGS='-O2 -w -ffunction-sections' && make -s",
             "rm -f bash && make -s bash LDFLAGS=\"-static -fuse-ld=lld $LINK\" && cp bash $OUT",
             [["-c", "for i in 1 2 3; do x=$((x+i)); done; echo ${x/6/six}; [[ a == a* ]] && type cd"],
              ["-c", "g() { case $1 in a*) return 1;; esac; }; g b && set -- {a,b}{1,2}; while shift; do :; done; printf %s\\\\n $#"]],
             ["-c", "f() { local a=$1; echo ${a%.*}; }; f name.c; case x in x) echo yes;; esac; echo {1..3}"]),
    "gawk": ("debian:gawk", "./configure --quiet --disable-nls --disable-extensions --disable-mpfr --without-readline "
             "CFLAGS='-O2 -w -ffunction-sections' && make -s -C support && make -s gawk",
             "rm -f gawk && make -s gawk LDFLAGS=\"-static -fuse-ld=lld $LINK\" && cp gawk $OUT",
             [["{ n[$1]++ } END { for (w in n) print w, n[w] }", "{T}"], ["NR % 2 { sub(/a/, \"b\"); print toupper($2) }", "{T}"]], ["/the/ { s += NF } END { print s, length($0) }", "{T}"]),
    "lua": ("debian:lua5.4", f"cd src && rm -f luac.c && for f in *.c; do {CC} -DLUA_USE_POSIX $f; done",
            f"cd src && {LINK} *.o -lm",
            [["-e", "t = {} for i = 1, 99 do t[#t + 1] = i .. 'x' end table.sort(t) print(#table.concat(t))"],
             ["-e", "local s = ('x'):rep(9):upper() for w in s:gmatch('.') do io.write(w, math.floor(2.5)) end print(os.time() > 0)"]],
            ["-e", "print(string.format('%5.2f', math.sqrt(2)), ('a b'):gsub('%a', '%0%0'))"]),
    "sqlite3": ("debian:sqlite3", "./configure --quiet --disable-tcl --disable-readline && make -s sqlite3.c shell.c && "
                f"{CC} -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION sqlite3.c shell.c",
                f"{LINK} sqlite3.o shell.o -lm",
                [[":memory:", "create table t(a, b); insert into t values (1, 2), (3, 4); select sum(a), b from t group by b;"],
                 [":memory:", "create table v(i integer primary key, s); create index w on v(s); insert into v(s) values ('a'); "
                  "update v set s = s || 'b' where i = 1; select * from v order by s;"]],
                [":memory:", "create table u(x text primary key); insert into u values ('k'); select count(*) from u where x like 'k%';"]),
    "zstd": ("debian:libzstd", "mkdir -p o && cd o && for f in ../programs/*.c ../lib/[cd]*/*.c ../lib/decompress/*.S; do "
             f"case $f in */deprecated/*) ;; *) {CC} -DXXH_NAMESPACE=ZSTD_ -I../lib -I../lib/common $f;; esac; done",
             f"cd o && {LINK} *.o",
             [["-q", "-f", "-3", "{T}", "-o", "{T}.zst"], ["-q", "-f", "-2", "{T}", "-o", "{T}.zst"]], ["-q", "-f", "-1", "{T}", "-o", "{T}.zst"]),
    "ripgrep": ("crate:ripgrep=14.1.1", "true",
                "RUSTFLAGS=-Ctarget-feature=+crt-static cargo rustc -q --release --bin rg --target x86_64-unknown-linux-gnu "
                "--config profile.release.debug=false --config profile.release.strip=false -- -Clink-arg=-fuse-ld=lld "
                "$(for word in $LINK; do echo -Clink-arg=$word; done) && cp target/x86_64-unknown-linux-gnu/release/rg $OUT",
                [["-j1", "the", "{T}"], ["-j1", "-c", "[A-Z]+", "{T}"]], ["-j1", "-n", "-i", "an? [a-z]+er", "{T}"]),
}


def run(command, **options):
    return subprocess.run(command, check=True, **options)


def fetch(source, folder):
    """The source's own files below the folder."""
    kind, name = source.split(":")
    folder.mkdir(parents=True)
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


def build(name, text):
    """Links a program plainly, takes its order, and links it in that order. Returns both."""
    source, compile_it, link, taken, _ = PROGRAMS[name]
    folder = PLACE / name
    plain, ordered = folder / "plain", folder / "ordered"
    if not plain.exists():
        run(["rm", "-rf", folder])
        fetch(source, folder)
        shell(folder, compile_it)
        shell(folder, link, LINK="", OUT=f"{plain}.new")
        os.rename(f"{plain}.new", plain)
    if ordered.exists():
        return plain, ordered
    orders = []
    for words in taken:
        orders.append(f"{folder}/order.{len(orders)}")
        run([ROOT / "pagewise", "run", f"--order={orders[-1]}", plain] + [w.replace("{T}", text) for w in words],
            stdout=subprocess.DEVNULL)
    run([ROOT / "pagewise", "order", "merge", "-o", f"{folder}/order"] + orders)
    run([ROOT / "pagewise", "order", "export", "--format=lld", f"--program={plain}", "-o", f"{folder}/order.lld",
         f"{folder}/order"])
    shell(folder, link, LINK=f"-Wl,--symbol-ordering-file={folder}/order.lld", OUT=f"{ordered}.new")
    os.rename(f"{ordered}.new", ordered)
    return plain, ordered


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


def measure(name, text, starts):
    plain, ordered = build(name, text)
    words = [w.replace("{T}", text) for w in PROGRAMS[name][4]]
    touched = [count("touched", p, words)[0] for p in (plain, ordered)]
    mapped = [count("mapped", p, words) for p in (plain, ordered)]
    warm = milliseconds((plain, ordered), words, starts, False)
    cold = milliseconds((plain, ordered), words, starts, True)
    print(f"| {name} | {text_pages(plain)} | {touched[0]} | {touched[1]} | {100 * (touched[1] / touched[0] - 1):+.0f} % "
          f"| {mapped[0][0]} to {mapped[1][0]} | {mapped[0][1]} to {mapped[1][1]} | {mapped[0][2]} to {mapped[1][2]} "
          f"| {warm[0]:.2f} to {warm[1]:.2f} | {cold[0]:.2f} to {cold[1]:.2f} |", flush=True)
    return touched[1] / touched[0], cold[1] / cold[0]


def read_ahead():
    device = os.stat(PLACE).st_dev
    try:
        return pathlib.Path(f"/sys/class/bdi/{os.major(device)}:{os.minor(device)}/read_ahead_kb").read_text().strip()
    except OSError:
        return "unknown"


def main():
    parser = argparse.ArgumentParser(usage="order_demo.py [--starts=N] [NAME]...")
    parser.add_argument("--starts", type=int, default=21)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    PLACE.mkdir(parents=True, exist_ok=True)
    text = PLACE / "text"
    text.write_text((ROOT / "docs" / "design.md").read_text())
    ctypes.CDLL(None).personality(0x0040000)  # ADDR_NO_RANDOMIZE, as far as it goes: two runs touch the same pages
    print(f"read-ahead of the device: {read_ahead()} KB; medians of {options.starts} starts\n")
    print("| program | pages of .text | touched: plain | ordered | | mapped | RSS KB | page faults | warm ms | cold ms |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    ratios = []
    for name in options.names or PROGRAMS:
        try:
            ratios.append(measure(name, str(text), options.starts))
        except (subprocess.CalledProcessError, OSError, StopIteration) as error:
            print(f"order_demo.py: {name} is left out: {error}; {PLACE / name}/log", file=sys.stderr)
    if not ratios:
        sys.exit(1)
    pages, cold = (statistics.mean(column) for column in zip(*ratios))
    print(f"\nIn the mean: text pages touched {100 * (pages - 1):+.0f} %, a cold start {100 * (cold - 1):+.0f} %")


if __name__ == "__main__":
    main()
