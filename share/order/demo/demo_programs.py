"""The programs of order_demo.py: where they are from, how they are built, and what they run."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLACE = ROOT / "build" / "order-demo"
FLAGS = "-O2 -w -ffunction-sections"
CC = f"gcc {FLAGS} -c"
LINK = "gcc -static -fuse-ld=lld $LINK -o $OUT"
LDFLAGS = "LDFLAGS=\"-static -fuse-ld=lld $LINK\""
GIT = ("make -s git NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 "
       f"CFLAGS='{FLAGS}'")
LINKERS = ROOT / "build" / "linkers"  # of share/order/fetch_linkers.sh
ZIG = f"ZIG_LOCAL_CACHE_DIR=$PWD/cache {LINKERS}/zig"
ZIG_LIBRARY = LINKERS / "zig.root" / "ziglang" / "lib"
RELOCATIONS = "-Wl,--emit-relocs"  # for BOLT; no part of what is loaded
# Without the function of glibc that BOLT 22 crashes with.
BOLT = f"{LINKERS}/llvm-bolt --align-functions=16 --skip-funcs='__res_context_query.*'"
REPOSITORY = str(PLACE / "git" / "repository")
VIM = ["-Nu", "NONE", "-es"]

# name: where the source is from; how it is compiled; how $OUT is linked with $LINK; the runs whose order is taken; and
# another one that is measured. {T} is a text of some KB, {S} the folder of the source.
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
              ["{ gsub(/[aeiou]/, \"\"); s = s $0 } END { print length(s) % 7, match(s, /x.z/), tolower(substr(s, 2, 9)) }", "{T}"],
              *(["-f", f"{{S}}/test/{test}.awk", f"{{S}}/test/{test}.in"] for test in (
                  "asort", "dfamb1", "fldchg", "getline4", "intprec", "nasty", "opasnidx", "prmreuse", "splitarr"))],
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
             ["-e", "print(('key=value'):match('(%w+)=(%w+)'), ('x,y'):gsub(',', ';'), os.date('%Y') ~= nil, #arg, math.max(1, 2.5))"],
             ["-e", "for _, library in pairs({string, table, math, utf8}) do for _, f in pairs(library) do pcall(f, '2', 1, 2) end end"]],
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
    "zig-fmt": ("zig:fmt", f"{ZIG} build-obj -O ReleaseFast -fno-strip -ffunction-sections -fcompiler-rt {ZIG_LIBRARY}/compiler/fmt.zig",
                f"{ZIG} ld.lld --gc-sections ${{LINK//-Wl,/}} -o $OUT fmt.o",
                [["--check", *words] for words in (
                    [f"{ZIG_LIBRARY}/std/base64.zig"], [f"{ZIG_LIBRARY}/std/ascii.zig"], [f"{ZIG_LIBRARY}/compiler/libc.zig"],
                    ["--ast-check", f"{ZIG_LIBRARY}/std/tz.zig"], ["--ast-check", f"{ZIG_LIBRARY}/std/heap.zig"],
                    ["--ast-check", f"{ZIG_LIBRARY}/std/Thread/Mutex.zig"])],
                ["--check", "--ast-check", f"{ZIG_LIBRARY}/std/unicode.zig"]),
}
