#!/usr/bin/env python3
"""What an order file gives: programs of others, linked plainly and in the order of their first calls.

order_demo.py [--starts=N] [--read-ahead=KB] [NAME]...   programs of PROGRAMS, all by default, below build/order-demo

Sources come from Debian (apt-get source) and crates.io. Each program is compiled once with -ffunction-sections and
linked twice, statically and with lld. The order is taken from one run, and another one is measured, without any loader:
pages of text touched and mapped (share/order/demo/count_pages.c), resident memory, page faults, and N starts, warm and with
the program's file out of memory; --read-ahead sets the device's read-ahead meanwhile, which needs root. A program that cannot be built is left out, and the reason is printed.
"""

import argparse
import contextlib
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
FLAGS = "-O2 -w -ffunction-sections"
CC = f"gcc {FLAGS} -c"
LINK = "gcc -static -fuse-ld=lld $LINK -o $OUT"
LDFLAGS = "LDFLAGS=\"-static -fuse-ld=lld $LINK\""
GIT = ("make -s git NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 "
       f"CFLAGS='{FLAGS}'")
REPOSITORY = str(PLACE / "git" / "repository")
VIM = ["-Nu", "NONE", "-es"]

# name: where the source is from; how it is compiled; how $OUT is linked with $LINK; the runs whose order is taken; and
# another one that is measured. {T} is a text of some KB.
PROGRAMS = {
    "bash": ("debian:bash", f"./configure --quiet --without-bash-malloc --disable-nls CFLAGS='{FLAGS}' && make -s",
             f"rm -f bash && make -s bash {LDFLAGS} && cp bash $OUT",
             [["-c", "for i in 1 2 3; do x=$((x+i)); done; echo ${x/6/six}; [[ a == a* ]] && type cd"],
              ["-c", "g() { case $1 in a*) return 1;; esac; }; g b && set -- {a,b}{1,2}; while shift; do :; done; printf %s\\n $#"],
              ["-c", "while read -r a b; do n=$((n + 1)); done <{T}; export n; trap 'echo $n' EXIT; [ -f {T} ] || unset a"],
              ["-c", "a=(1 2 3); echo ${#a[@]} ${a[*]:1}; s=$(echo sub); echo ${s^^} ${s:1:2} ${t:-none} >/dev/null 2>&1"],
              ["-c", "h() { local i; for i in /etc/host*; do p=${i##*/}; echo ${p:0:4}; done; }; h | cat; until false; do break; done"],
              ["-c", "IFS=: read -r a _ </etc/passwd; select=1; ((select++)); eval echo \\$a; shopt -s nullglob; echo /no/*; exit 0"]],
             ["-c", "f() { local a=$1; echo ${a%.*}; }; f name.c; case x in x) echo yes;; esac; echo {1..3}"]),
    "gawk": ("debian:gawk", "./configure --quiet --disable-nls --disable-extensions --disable-mpfr --without-readline "
             f"CFLAGS='{FLAGS}' && make -s -C support && make -s gawk",
             f"rm -f gawk && make -s gawk {LDFLAGS} && cp gawk $OUT",
             [["{ n[$1]++ } END { for (w in n) print w, n[w] }", "{T}"], ["NR % 2 { sub(/a/, \"b\"); print toupper($2) }", "{T}"],
              ["-F,", "-v", "k=3", "NF > k { printf \"%d %s\\n\", NR, substr($1, 1, k) }", "{T}"],
              ["function f(x) { return x ? x + f(x - 1) : 0 } BEGIN { n = split(\"a b c\", w); print f(n), index(w[2], \"b\") }"],
              ["BEGIN { while ((getline l <\"{T}\") > 0) if (l ~ /a+b?$/) k += length(l); close(\"{T}\"); print k % 9 }"],
              ["{ gsub(/[aeiou]/, \"\"); s = s $0 } END { print length(s) % 7, match(s, /x.z/), tolower(substr(s, 2, 9)) }", "{T}"]],
             ["/the/ { s += NF } END { print s, length($0) }", "{T}"]),
    "git": ("debian:git", GIT, f"rm -f git; {GIT} {LDFLAGS}; cp git $OUT; [ -e ../repository ] || {{ $OUT init -q ../repository; cd ../repository; "
            f"cp {ROOT}/docs/*.md .; $OUT add .; commit='-c user.name=n -c user.email=e commit -qam'; $OUT $commit 1; rm d*; $OUT $commit 2; }}",
            [["-C", REPOSITORY, *words] for words in (["status"], ["log", "-p", "-1"], ["branch", "-v"],
                                                  ["show", "HEAD~1:order.md"], ["diff", "HEAD~1", "HEAD"],
                                                  ["log", "--stat"], ["diff", "HEAD"], ["ls-files", "-s"])],
            ["-C", REPOSITORY, "diff", "--stat", "HEAD~1"]),
    "jq": ("debian:jq", """echo '#define JQ_VERSION "demo"' >src/version.h && sed 's/["\\\\]/\\\\&/g; s/.*/"&\\\\n"/' src/builtin.jq >src/builtin.inc && """
           f"cd src && rm -f inject_errors.c && for f in *.c; do {CC} -I.. -D_GNU_SOURCE -DIEEE_8087 -DHAVE_MEMMEM -DHAVE_ISATTY "
           "-DHAVE_GMTIME_R -DHAVE_LOCALTIME_R -DHAVE_STRPTIME -DHAVE_STRFTIME -DHAVE_TIMEGM -DHAVE_MKTIME $f; done",
           f"cd src && {LINK} *.o -lm",
           [["-n", "[range(9)] | map(. * .) | add"], ["-R", "-c", "split(\" \") | map(length)", "{T}"],
            ["-R", "-s", "-r", "split(\"\\n\") | .[1:4] | @csv", "{T}"],
            ["-n", "-c", "{a: 1, b: [2, {c: null}]} | .. | numbers, (tojson | length)"],
            ["-n", "def f(x): if x > 1 then x * f(x - 1) else 1 end; [f(5), (7 % 4)] | @text"],
            ["-n", "--arg", "k", "v", "{($k): 2} | to_entries[] | .key + \"-\" + (.value | tostring) | ascii_upcase"]],
           ["-R", "-n", "-c", "[inputs | select(startswith(\"#\"))] | group_by(length) | map({n: length, first: .[0]}) | .[:3]", "{T}"]),
    "lua": ("debian:lua5.4", f"cd src && rm -f luac.c && for f in *.c; do {CC} -DLUA_USE_POSIX $f; done",
            f"cd src && {LINK} *.o -lm",
            [["-e", "t = {} for i = 1, 99 do t[#t + 1] = i .. 'x' end table.sort(t) print(#table.concat(t))"],
             ["-e", "local s = ('x'):rep(9):upper() for w in s:gmatch('.') do io.write(w, math.floor(2.5)) end print(os.time() > 0)"],
             ["-e", "for l in io.lines('{T}') do n = (n or 0) + #l end print(n, string.format('%x', n), n // 7 | 1)"],
             ["-e", "local m = setmetatable({}, {__index = function(_, k) return k .. '!' end}) print(pcall(error, m.x), select('#', 1, 2))"],
             ["-e", "local c = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i / 2) end end) print(c(), c(), tonumber('0x1p4'))"],
             ["-e", "print(('key=value'):match('(%w+)=(%w+)'), ('x,y'):gsub(',', ';'), os.date('%Y') ~= nil, #arg, math.max(1, 2.5))"]],
            ["-e", "print(string.format('%5.2f', math.sqrt(2)), ('a b'):gsub('%a', '%0%0'))"]),
    "sqlite3": ("debian:sqlite3", "./configure --quiet --disable-tcl --disable-readline && make -s sqlite3.c shell.c && "
                f"{CC} -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION sqlite3.c shell.c",
                f"{LINK} sqlite3.o shell.o -lm",
                [[":memory:", "create table t(a, b); insert into t values (1, 2), (3, 4); select sum(a), b from t group by b;"],
                 [":memory:", "create table v(i integer primary key, s); create index w on v(s); insert into v(s) values ('a'); "
                  "update v set s = s || 'b' where i = 1; select * from v order by s;"],
                 [":memory:", "with recursive c(n) as (select 1 union all select n + 1 from c where n < 9) select group_concat(n) from c;"],
                 [":memory:", "begin; create table q(a unique); insert or replace into q values (3); delete from q; commit; "
                  "select upper(substr('abc', 2)), typeof(1.5), max(a) from q where a in (1, 2);"],
                 [":memory:", "create table a(x, y); create table b(x); insert into a values (1, 'z'), (2, 'q'); insert into b select x from a; "
                  "select a.y, count(*) from a join b on a.x = b.x where a.y glob 'z*' group by a.y having count(*) > 0 limit 1;"],
                 [":memory:", ".mode csv", "create view v as select 1 as k union select 2; select * from v order by k desc;"]],
                [":memory:", "create table u(x text primary key); insert into u values ('k'); select count(*) from u where x like 'k%';"]),
    "vim": ("debian:vim", "./configure --quiet --with-features=huge --enable-gui=no --without-x --disable-nls --disable-gpm --disable-canberra "
            f"--disable-acl --disable-selinux --disable-libsodium CFLAGS='{FLAGS}' && make -s -C src vim",
            f"cd src && rm -f vim && make -s vim {LDFLAGS} && cp vim $OUT",
            [[*VIM, *words, "+w! {T}.vim", "+qa!", "{T}"] for words in (
                ["+%s/the/a/g"], ["+normal ddp", "+g/^$/d"], ["+let x = len(getline(1, 9))", "+call append(0, x)"], ["+set sw=2", "+1,5>", "+undo"],
                ["+normal ihello", "+3copy0"])],
            [*VIM, "+normal Goend", "+sort", "+w! {T}.vim", "+qa!", "{T}"]),
    "zstd": ("debian:libzstd", "mkdir -p o && cd o && for f in ../programs/*.c ../lib/[cd]*/*.c ../lib/decompress/*.S; do "
             f"case $f in */deprecated/*) ;; *) {CC} -DXXH_NAMESPACE=ZSTD_ -I../lib -I../lib/common $f;; esac; done",
             f"cd o && {LINK} *.o",
             [["-q", "-f", level, "{T}", "-o", "{T}.zst"] for level in ("-2", "-3", "-5", "-9")],
             ["-q", "-f", "-1", "{T}", "-o", "{T}.zst"]),
    "ripgrep": ("crate:ripgrep=14.1.1", "true",
                "RUSTFLAGS=-Ctarget-feature=+crt-static cargo rustc -q --release --bin rg --target x86_64-unknown-linux-gnu "
                "--config profile.release.debug=false --config profile.release.strip=false -- -Clink-arg=-fuse-ld=lld "
                "$(for word in $LINK; do echo -Clink-arg=$word; done) && cp target/x86_64-unknown-linux-gnu/release/rg $OUT",
                [["-j1", *words, "{T}"] for words in (["the"], ["-c", "[A-Z]+"], ["-w", "-o", "page|file"], ["-l", "-v", "a.?b"],
                                                    ["-i", "-n", "LOADER"], ["-S", "\\bk[^x]{2,4}\\b"])],
                ["-j1", "-n", "-i", "an? [a-z]+er", "{T}"]),
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


def fill(words):
    return [word.replace("{T}", str(PLACE / "text")) for word in words]


def take_order(program, order, words):
    run([ROOT / "pagewise", "run", f"--order={order}", program] + words, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def called_pages(program, words):
    """The pages that the called functions would take side by side."""
    order = PLACE / "measured.order"
    take_order(program, order, words)
    shown = run([ROOT / "pagewise", "order", "show", order], capture_output=True, text=True).stdout
    return int(shown.split()[-1])


def build(name):
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
        take_order(plain, orders[-1], fill(words))
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


def measure(name, starts):
    plain, ordered = build(name)
    words = fill(PROGRAMS[name][4])
    touched = [count("touched", p, words)[0] for p in (plain, ordered)]
    mapped = [count("mapped", p, words) for p in (plain, ordered)]
    warm = milliseconds((plain, ordered), words, starts, False)
    cold = milliseconds((plain, ordered), words, starts, True)
    print(f"| {name} | {text_pages(plain)} | {touched[0]} | {touched[1]} | {called_pages(plain, words)} | {100 * (touched[1] / touched[0] - 1):+.0f} % "
          f"| {mapped[0][0]} to {mapped[1][0]} | {mapped[0][1]} to {mapped[1][1]} | {mapped[0][2]} to {mapped[1][2]} "
          f"| {warm[0]:.2f} to {warm[1]:.2f} | {cold[0]:.2f} to {cold[1]:.2f} |", flush=True)
    return touched[1] / touched[0], mapped[1][0] / mapped[0][0], warm[1] / warm[0], cold[1] / cold[0]


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
    ratios = []
    with read_ahead(options.read_ahead) as kilobytes:
        print(f"read-ahead of the device: {kilobytes} KB; medians of {options.starts} starts\n")
        print("| program | pages of .text | touched: plain | ordered | called | | mapped | RSS KB | page faults | warm ms | cold ms |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        for name in options.names or PROGRAMS:
            try:
                ratios.append(measure(name, options.starts))
            except (subprocess.CalledProcessError, OSError, StopIteration) as error:
                print(f"order_demo.py: {name} is left out: {error}; {PLACE / name}/log", file=sys.stderr)
    if not ratios:
        sys.exit(1)
    means = [f"{100 * (statistics.mean(column) - 1):+.0f} %" for column in zip(*ratios)]
    print("\nIn the mean: pages touched {}, mapped {}, a warm start {}, a cold start {}".format(*means))


if __name__ == "__main__":
    main()
