#!/usr/bin/env bats
#
# shellcheck disable=SC2030,SC2031 # each test is a subshell of its own
#
# Tools that start programs or look into them, with a loader between tool and program (docs/integration.md).

load helpers

setup_file() {
	# Runs may take long: a compiler may have to build a library that is not in the cache yet.
	export REPORT_STATUS_TIMEOUT=600
	export GO111MODULE=on GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local
	# Go compiles its library once for each way to link it; the cache is made for many users at a time.
	export GOCACHE=$ROOT/build/go-cache CARGO_HOME=$BATS_FILE_TMPDIR/cargo CARGO_NET_OFFLINE=true
	export CARGO_TERM_COLOR=never
	cp -r "$BATS_TEST_DIRNAME/integration/go" "$BATS_TEST_DIRNAME/integration/rust" "$BATS_FILE_TMPDIR"
	mv "$BATS_FILE_TMPDIR/go/go.mod.txt" "$BATS_FILE_TMPDIR/go/go.mod"
	PATH=$PATH:/usr/local/go/bin:$HOME/.cargo/bin
}

# shows TEXT...: a fixed text that the output of `run` must have.
shows() {
	local text
	for text in "$@"; do
		grep -qF -- "$text" <<<"$output" && continue
		echo "'$text' is missing in:"
		echo "$output"
		return 1
	done
}

shows_no() {
	! grep -E -- "$1" <<<"$output"
}

# ---- go ------------------------------------------------------------------------------------

# Without times. Tests that run in parallel end in any order.
go_words() {
	sed -E 's/\(?[0-9.]+m?s\)?//' "$1" | sort
}

# go_same NAME LOADER GO-ARGUMENT...: with -exec LOADER and without.
go_same() {
	local loader=$1 command=$2
	shift 2
	cd "$BATS_FILE_TMPDIR/go" || return
	record native go "$command" "$@"
	record loaded go "$command" -exec "$loader" "$@"
	for name in native loaded; do
		for part in out err; do
			go_words "$BATS_TEST_TMPDIR/$name.$part" >"$BATS_TEST_TMPDIR/words"
			mv "$BATS_TEST_TMPDIR/words" "$BATS_TEST_TMPDIR/$name.$part"
		done
	done
	same_recording native loaded
}

@test "go test -exec: the same tests pass, with subtests in parallel" {
	requires go
	export CGO_ENABLED=0
	each_loader go_same test -v -count=1 .
	grep -q '^--- PASS: TestParallel' "$BATS_TEST_TMPDIR/loaded.out"
}

@test "go test -exec: a failing test fails" {
	requires go
	export CGO_ENABLED=0
	MUST_FAIL=1 each_loader go_same test -count=1 .
	grep -q '^exit 1$' "$BATS_TEST_TMPDIR/loaded.status"
	grep -q 'asked to fail' "$BATS_TEST_TMPDIR/loaded.out"
}

go_benches() {
	record found go test -exec "$1" -run - -bench . -benchtime 20x .
	grep -Eq '^BenchmarkSum.* 20[[:space:]].*ns/op' "$BATS_TEST_TMPDIR/found.out" || { explain found; return 1; }
}

@test "go test -exec: benchmarks run" {
	requires go
	cd "$BATS_FILE_TMPDIR/go" || return
	CGO_ENABLED=0 each_loader go_benches
}

@test "go run -exec: arguments and exit status" {
	requires go
	export CGO_ENABLED=0
	each_loader go_same run . a 'b c'
	grep -q 'arguments: \[a b c\]' "$BATS_TEST_TMPDIR/loaded.out"
	each_loader go_same run . fail
	grep -q '^exit 1$' "$BATS_TEST_TMPDIR/loaded.status"
}

go_profiled() {
	rm -f example.profile
	expect "exit 0" "$1" --record=example.profile ./example.test -test.run Sum
	expect "exit 0" "$1" --verbose --profile=example.profile ./example.test -test.run Sum
	[ "$(found out)" = PASS ]
	! grep -E 'profile of (it|another)' <<<"$(found err)"
	[ "$(cut -d' ' -f1 example.profile | head -n 1)" = page-profile ]
}

@test "go test -c: a test binary that is kept runs with a profile" {
	requires go
	cd "$BATS_FILE_TMPDIR/go" || return
	CGO_ENABLED=0 go test -c -o example.test .
	only_under on_demand_loader,hybrid_loader each_loader go_profiled
}

@test "go test -race, dynamically and statically linked" {
	requires go
	export CGO_ENABLED=1
	cd "$BATS_FILE_TMPDIR/go" || return
	each_loader go_same test -race -count=1 .
	each_loader go_same test -race -count=1 -ldflags '-linkmode external -extldflags -static' .
}

# ---- cargo ---------------------------------------------------------------------------------

# cargo_same LOADER CARGO-ARGUMENT...
cargo_same() {
	local loader=$1
	shift
	cd "$BATS_FILE_TMPDIR/rust" || return
	record native cargo "$@"
	record loaded env CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="$loader" cargo "$@"
	# A runner is named in two messages of cargo's own, and threads have numbers.
	sed -i -E -e 's/finished in [0-9.]+s//; s/^thread (.*) \([0-9]+\) panicked/thread \1 panicked/' \
		-e '/^ *Running|process didn.t exit successfully|^error: test failed/d' \
		"$BATS_TEST_TMPDIR"/{native,loaded}.{out,err}
	sort -o "$BATS_TEST_TMPDIR/native.out" "$BATS_TEST_TMPDIR/native.out"
	sort -o "$BATS_TEST_TMPDIR/loaded.out" "$BATS_TEST_TMPDIR/loaded.out"
	same_recording native loaded
}

@test "cargo run and cargo test by a runner in the environment" {
	requires static_rust
	export RUSTFLAGS="-C target-feature=+crt-static" RUST_BACKTRACE=0
	(cd "$BATS_FILE_TMPDIR/rust" && cargo build -q --tests --bins)
	each_loader cargo_same run -q -- a 'b c'
	grep -qF 'arguments: ["a", "b c"], sum 6' "$BATS_TEST_TMPDIR/loaded.out"
	each_loader cargo_same run -q -- fail
	grep -q '^exit 3$' "$BATS_TEST_TMPDIR/loaded.status"
	each_loader cargo_same test -q -- --test-threads=1
	grep -q '3 passed' "$BATS_TEST_TMPDIR/loaded.out"
	MUST_FAIL=1 each_loader cargo_same test -q -- --test-threads=1
	grep -q '^exit 101$' "$BATS_TEST_TMPDIR/loaded.status"
}

cargo_configured() {
	printf '[target.x86_64-unknown-linux-gnu]\nrunner = "%s"\n%s\n' "$1" \
		'rustflags = ["-C", "target-feature=+crt-static"]' >.cargo/config.toml
	ran 0 cargo test
	shows "3 passed"
	printf '[target.x86_64-unknown-linux-gnu]\nrunner = "%s"\n' "$1" >.cargo/config.toml
	ran 0 cargo run -q --target-dir dynamic
}

@test "cargo test by a runner in .cargo/config.toml; without crt-static it is dynamic" {
	requires static_rust
	cp -r "$BATS_FILE_TMPDIR/rust" "$BATS_TEST_TMPDIR/rust"
	cd "$BATS_TEST_TMPDIR/rust" || return
	mkdir -p .cargo
	each_loader cargo_configured
}

# ---- gdb -----------------------------------------------------------------------------------

# gdb_run COMMAND... -- PROGRAM...: a session of these commands.
gdb_run() {
	local words=()
	while [ "$1" != -- ]; do
		words+=(-ex "$1")
		shift
	done
	shift
	run timeout 60 gdb -nx -batch "${script[@]}" "${words[@]}" --args "$@" </dev/null 3>&- 4>&-
}

# What GDB says once main is reached, without addresses.
after_main() {
	sed -n '/^Breakpoint [0-9]*, main/,$p' <<<"$output" | sed -E 's/0x[0-9a-f]+/ADDRESS/g; s/process [0-9]+/process N/' |
		grep -v 'automatically using hardware'
}

# gdb_same LOADER PROGRAM COMMAND...: from main on a session is the same as natively.
gdb_same() {
	local loader=$1 program=$2
	shift 2
	script=()
	gdb_run 'break main' run "$@" -- "$program"
	after_main >"$BATS_TEST_TMPDIR/native.gdb"
	grep -q 'main (' "$BATS_TEST_TMPDIR/native.gdb"
	script=(-x "$ROOT/share/gdb/loader-gdb.py")
	gdb_run 'break main' start-guest continue "$@" -- "$loader" -- "$program"
	after_main >"$BATS_TEST_TMPDIR/loaded.gdb"
	diff "$BATS_TEST_TMPDIR/native.gdb" "$BATS_TEST_TMPDIR/loaded.gdb" || {
		echo "$loader $program:" "$output"
		return 1
	}
}

@test "gdb: breakpoints, locals, a backtrace, steps, and to the end" {
	requires gdb
	for variant in "${VARIANTS[@]}"; do
		each_loader gdb_same "$GUESTS/$variant/prog4" 'bt 1' 'info locals' next 'print nowhere'
		# `delete 1` makes room: `finish` sets two hardware breakpoints of its own, and the
		# processor has four.
		each_loader gdb_same "$GUESTS/$variant/prog1" 'bt 1' next 'break puts' continue 'bt 2' 'delete 1' finish continue
	done
}

@test "gdb: a SIGSEGV of the program's own stops where it happens, and kills" {
	requires gdb
	each_loader gdb_same "$GUESTS/glibc-dynamic/prog4" continue 'info locals' continue
	each_loader gdb_same "$ROOT/prog4" continue 'bt 1' continue
	[[ $output == *"Program received signal SIGSEGV"*"in main () at"*"terminated with signal SIGSEGV"* ]]
}

gdb_quiet() {
	gdb_run start-guest continue -- "$1" "$ROOT/prog3"
	shows "entry 0x" "hello! 999999" "exited normally"
	shows_no 'SIGSEGV|SIGBUS|SIGSYS'
}

gdb_twice() {
	cp "$GUESTS/musl-pie/prog1" "$BATS_TEST_TMPDIR/a program"
	gdb_run 'break main' start-guest continue kill start-guest continue 'info proc' continue -- \
		"$1" "$BATS_TEST_TMPDIR/a program"
	[ "$(grep -c '^Breakpoint 1, main' <<<"$output")" -eq 2 ]
	shows "exe = '$BATS_TEST_TMPDIR/a program'" "exited normally"
	gdb_run start-guest -- "$1" "$BATS_TEST_TMPDIR/missing"
	shows "has not started the program"
}

gdb_take() {
	gdb_run 'break process_take_name' run take-guest 'break main' continue -- "$1" "$ROOT/prog1"
	shows "main () at testprogs/prog1.c"
	gdb_run starti take-guest -- "$1" "$ROOT/prog1"
	shows "not at the commit point"
}

gdb_pending() {
	gdb_run 'break descend' start-guest 'show breakpoint pending' 'break nosuch' continue 'bt 1' kill \
		start-guest continue -- "$1" "$GUESTS/musl-pie/deep_stack"
	[ "$(grep -c '^Breakpoint 1, descend (depth=' <<<"$output")" -eq 2 ]
	# Once the program's symbols are there, a wrong name is asked about again.
	shows "descend) pending" "pending breakpoints is auto" 'Function "nosuch" not defined'
	shows_no 'nosuch) pending'
	gdb_run 'break descend' start-guest continue kill 'break nobody_has_this' -- "$1" "$ROOT/prog1"
	shows "nobody_has_this) pending"
}

gdb_pending_as_set() {
	script=(-ex "set breakpoint pending $2" "${script[@]}")
	gdb_run 'break descend' start-guest 'show breakpoint pending' continue -- \
		"$1" "$GUESTS/musl-static/deep_stack"
	shows "pending breakpoints is $2"
}

@test "gdb: a breakpoint in a function that only the program has is hit, set before start-guest" {
	requires gdb
	script=(-x "$ROOT/share/gdb/loader-gdb.py")
	each_loader gdb_pending
	gdb_pending_as_set "$ROOT/hybrid_loader" on
	shows "Breakpoint 1, descend"
	script=(-x "$ROOT/share/gdb/loader-gdb.py")
	gdb_pending_as_set "$ROOT/hybrid_loader" off
	shows_no "Breakpoint 1, descend"
}

@test "gdb: no page fault of the loader is seen; a second run; a program that is not there" {
	requires gdb own_executable
	script=(-x "$ROOT/share/gdb/loader-gdb.py")
	each_loader gdb_quiet
	each_loader gdb_twice
	each_loader gdb_take
}

@test "gdb: the handler of a program that handles SIGSEGV is named" {
	requires gdb
	script=(-x "$ROOT/share/gdb/loader-gdb.py")
	gdb_run start-guest continue -- "$ROOT/on_demand_loader" "$GUESTS/musl-static/signal_fault_info"
	shows "SIGSEGV goes to the program's handler at 0x"
}

# gdb_attached PID COMMAND...: a session that begins with attach-guest.
gdb_attached() {
	local pid=$1 command words=()
	shift
	for command in attach-guest "$@"; do
		words+=(-ex "$command")
	done
	run "${UNDER[@]}" timeout 60 gdb -nx -batch -x "$ROOT/share/gdb/loader-gdb.py" "${words[@]}" -p "$pid" \
		</dev/null 3>&- 4>&-
}

# attach LOADER PROGRAM: to one that waits for input.
attach() {
	local pid
	mkfifo "$BATS_TEST_TMPDIR/input"
	"$1" "$2" <>"$BATS_TEST_TMPDIR/input" >/dev/null 2>&1 3>&- 4>&- &
	pid=$!
	until grep -q '^0 ' "/proc/$pid/syscall"; do
		kill -0 "$pid" || return
		sleep 0.05
	done
	gdb_attached "$pid" 'info proc' 'tbreak read' "shell echo x >$BATS_TEST_TMPDIR/input" continue 'bt 2'
	kill "$pid"
	wait "$pid" || true
	rm "$BATS_TEST_TMPDIR/input"
	shows "$2, process $pid" "exe = '$2'" "main () at testprogs/reads_input.c:15"
	shows_no 'SIGSEGV|SIGBUS|SIGSYS'
}

@test "gdb -p: symbols of the program, breakpoints in hidden text" {
	requires gdb own_executable
	for variant in "${VARIANTS[@]}"; do
		each_loader attach "$GUESTS/$variant/reads_input"
	done
}

# paused LOADER PROGRAM COMMAND...: --pause, and a session from the first instruction on.
paused() {
	local said=$BATS_TEST_TMPDIR/said pid
	: >"$said" # the one before is not to be read again
	"${UNDER[@]}" "$1" --pause "$2" >"$BATS_TEST_TMPDIR/written" 2>"$said" 3>&- 4>&- &
	until grep -q 'waits for a debugger' "$said"; do
		kill -0 $! || { cat "$said"; return 1; }
		sleep 0.02
	done
	pid=$(sed -n 's/.* process \([0-9]*\) waits .*/\1/p' "$said")
	gdb_attached "$pid" "${@:3}"
	kill -KILL $! 2>/dev/null || true # what GDB has let go of would wait for ever
	wait $! || true
	[ "$(cat "$BATS_TEST_TMPDIR/written")" = "hello!" ] || { echo "$1 $2:" "$output"; return 1; }
}

paused_hello() {
	paused "$1" "$2" 'print $rdx' 'info symbol $pc' 'tbreak main' continue 'bt 1' continue
	shows '$1 = 0' '_start in section .text' 'main () at testprogs/prog1.c:' 'exited normally'
	shows_no 'SIGSEGV|SIGBUS|SIGSYS'
}

paused_fault() {
	paused "$1" "$2" continue 'bt 1' continue
	shows '(signal SIGSEGV)' 'main () at testprogs/prog4.c:' 'terminated with signal SIGSEGV'
}

paused_everywhere() {
	local variant
	for variant in "${VARIANTS[@]}"; do
		each_loader paused_hello "$GUESTS/$variant/prog1"
		each_loader paused_fault "$GUESTS/$variant/prog4"
	done
}

@test "gdb -p and --pause: from the first instruction, and the program's own SIGSEGV stops" {
	requires gdb own_executable
	paused_everywhere
}

@test "gdb -p and --pause: the same for an ordinary user" {
	requires gdb
	requires user_namespaces
	drop_privileges
	paused_everywhere
}

# watched LOADER OPTION: the program is a child of the loader then.
watched() {
	local file=$BATS_TEST_TMPDIR/${1##*/}${2%%=*}
	gdb_run 'break main' start-guest continue 'bt 1' kill start-guest continue 'show follow-fork-mode' continue -- \
		"$1" "$2=$file" "$GUESTS/musl-pie/prog1"
	shows '_start ()' 'fork or vfork is "parent"' 'hello!' 'exited normally'
	[ "$(grep -c 'hit Breakpoint 1.*, main () at testprogs/prog1.c:' <<<"$output")" -eq 2 ]
	shows_no 'SIGSEGV|SIGBUS|SIGSYS'
	until [ -s "$file" ]; do # GDB has let go of the loader, and does not wait for it
		sleep 0.02
	done
}

@test "gdb: start-guest follows a program that the loader watches" {
	requires gdb
	script=(-x "$ROOT/share/gdb/loader-gdb.py")
	each_loader watched --stats
	only_under on_demand_loader,hybrid_loader each_loader watched --trace
	only_under on_demand_loader,hybrid_loader each_loader watched --record
}

# The kernel writes the core file, or GDB where this machine sends them elsewhere.
core_of() {
	(
		cd "$BATS_TEST_TMPDIR" || exit
		rm -f core*
		if [[ $(</proc/sys/kernel/core_pattern) == core ]]; then
			ulimit -c unlimited
			# Not by report_status, under which nothing writes a core file.
			"$1" "$2" >/dev/null 2>&1 </dev/null 3>&- 4>&- || true
		else
			paused "$1" "$2" continue 'generate-core-file core' continue
		fi
	)
}

core_shows() {
	core_of "$1" "$2"
	run gdb -nx -batch -ex 'bt 1' "$2" "$BATS_TEST_TMPDIR"/core* </dev/null 3>&- 4>&-
	shows 'terminated with signal SIGSEGV' '#0 ' 'main () at testprogs/prog4.c:'
	shows_no "warning: core file may not match"
}

@test "gdb: core files are the program's" {
	requires gdb
	for variant in "${VARIANTS[@]}"; do
		each_loader core_shows "$GUESTS/$variant/prog4"
	done
}

# ---- strace, perf, valgrind ----------------------------------------------------------------

@test "strace -f: results are unchanged, with threads, forks and signals" {
	requires strace
	under strace -f -o "$BATS_TEST_TMPDIR/trace"
	same_as_native "$ROOT/prog1"
	by_signal same_as_native "$ROOT/prog4"
	in_all_variants thread_same_pages
	in_all_variants process_fork_tree
	in_all_variants signal_altstack
}

strace_shows() {
	ran 0 strace -f -e trace=writev,exit_group -e signal='!SIGSEGV,SIGBUS,SIGSYS' "$1" "$ROOT/prog1" 2>&1
	shows 'writev(1, [{iov_base="hello!"' 'exit_group(0)'
	shows_no '^--- SIG'
	# Where huge pages always come, .bss as small as this one's is not hidden.
	run strace -f -e trace=none "$1" --huge=never "$ROOT/prog1" 2>&1
	# Debian 11's strace has no word for SYS_USER_DISPATCH.
	output=${output//si_code=0x2,/si_code=SYS_USER_DISPATCH,}
	[ "${1##*/}" = all_at_once_loader ] || shows '--- SIGSYS {si_signo=SIGSYS, si_code=SYS_USER_DISPATCH'
	[ "${1##*/}" != all_at_once_loader ] || shows_no '^--- SIG'
}

@test "strace -f: our signals are SIGSEGV, SIGBUS and SIGSYS, and can be left out" {
	requires strace
	each_loader strace_shows
}

# Long enough for cpu-clock to see it.
write_busy_program() {
	cat >"$BATS_TEST_TMPDIR/busy.c" <<-'END'
		#include <time.h>
		static volatile int numbers[300000];
		__attribute__((noinline)) static void burn(void)
		{
			for (int i = 0; i < 300000; i++)
				numbers[i] += i;
		}
		int main(void)
		{
			while (clock() < CLOCKS_PER_SEC / 5)
				burn();
			return 0;
		}
	END
	gcc -O1 -g -static -o "$BATS_TEST_TMPDIR/busy-static" "$BATS_TEST_TMPDIR/busy.c"
	gcc -O1 -g -static-pie -o "$BATS_TEST_TMPDIR/busy-pie" "$BATS_TEST_TMPDIR/busy.c"
}

perf_names() {
	local program
	for program in busy-static busy-pie; do
		perf record -q -e cpu-clock:u -o "$BATS_TEST_TMPDIR/perf.data" "$1" "$BATS_TEST_TMPDIR/$program"
		run perf report --stdio -q -i "$BATS_TEST_TMPDIR/perf.data"
		grep -Eq "$program +$program +\[\.\] burn" <<<"$output" || { echo "$output"; return 1; }
	done
}

perf_counts() {
	ran 0 perf stat -x , -e page-faults:u "$1" "$ROOT/prog1" 2>&1
	grep -Eq '^[1-9][0-9]*,,page-faults' <<<"$output"
}

@test "perf stat counts page faults, perf record names the program's functions" {
	requires perf
	perf stat -e page-faults:u true >/dev/null 2>&1 || skip "perf_event_open is not permitted here"
	each_loader perf_counts
	write_busy_program
	each_loader perf_names
}

# under_valgrind LOADER: with environments of eight lengths, on which depends where the strings lie. Debian 11's valgrind
# has lines of its own about calls that it does not know.
under_valgrind() {
	local length pad='' said=1
	[ "${1##*/}" != all_at_once_loader ] || said=0
	for ((length = 0; length < 8; length++)); do
		expect "exit 0" "${UNDER[@]}" env -i PAD="$pad" valgrind -q --tool=none "$1" --huge=never "$ROOT/prog1"
		[ "$(found out)" = "hello!" ]
		[ "$(grep -c 'left to the kernel.s paging: Valgrind' <<<"$(found err)")" -eq "$said" ]
		[ "$(found err | grep -vc '^--[0-9]*-- ')" -eq "$said" ]
		pad+=x
	done
	expect "exit 0" "${UNDER[@]}" valgrind -q --log-file=/dev/null "$1" "$GUESTS/glibc-pie/prog1"
	expect "exit 3" "${UNDER[@]}" valgrind -q --tool=none "$1" "$GUESTS/musl-pie/exit_status" 3
	run "${UNDER[@]}" valgrind -q --tool=none "$1" --stats "$ROOT/prog1"
	shows "Unsupported clone() flags"
}

@test "valgrind: every loader runs a program, and hides no page" {
	requires valgrind
	each_loader under_valgrind
	drop_privileges
	each_loader under_valgrind
	# Natively nothing is said.
	each_loader expect_silence
}

expect_silence() {
	expect "exit 0" "$1" "$ROOT/prog1"
	[ -z "$(found err)" ]
}

# ---- what starts other programs ------------------------------------------------------------

@test "nice, timeout, taskset, time, env, stdbuf" {
	for words in "nice -n 5" "timeout 60" "taskset -c 0" "time -q -f status" "env -i A=b" "nohup" "setsid -w"; do
		read -ra words <<<"$words"
		requires "${words[0]}"
		[ "${words[0]}" != time ] || words[0]=$(type -P time)
		under "${words[@]}"
		same_as_native "$GUESTS/musl-static/hello" a 'b c'
	done
}

started_by_others() {
	ran 124 timeout 0.3 "$1" "$(type -P busybox)" sleep 100
	run xargs -n 1 "$1" "$(type -P busybox)" echo <<<"a b"
	[ "$output" = $'a\nb' ]
	run find "$ROOT/testprogs" -name 'prog1.c' -exec "$1" "$(type -P busybox)" wc -l {} +
	[ "$output" = "$(busybox wc -l "$ROOT/testprogs/prog1.c")" ]
	printf 'all:\n\t@echo a | cat; readlink /proc/$$$$/exe; :\n\t@exit 3\n' >"$BATS_TEST_TMPDIR/Makefile"
	ran 2 make -f "$BATS_TEST_TMPDIR/Makefile" SHELL="$1" .SHELLFLAGS="$(type -P bash-static) -c"
	shows a "$(readlink -f "$(type -P bash-static)")" "Error 3"
}

@test "timeout, xargs, find -exec, and make's SHELL" {
	requires static_busybox bash-static own_executable
	unset MAKEFLAGS MAKELEVEL
	each_loader started_by_others
}

# ---- under_loader --------------------------------------------------------------------------

write_script() {
	cat >"$BATS_TEST_TMPDIR/script.sh" <<'END'
echo "$0 $# $1 $2"
busybox echo "a  b" "c'd" '$x' ''
./prog1 | busybox tr a-z A-Z
A=5 busybox sh -c 'echo $A $0; exit 7' name; echo "status $?"
printf '%s\n' x y | xargs -n1 busybox echo >&2
python3 -c 'print("dynamic")'
/bin/true && { ./prog4; } 2>/dev/null; echo "status $?"
./build/guests/musl-pie/exit_status 5; echo "status $?"
x=$(bash-static -c 'cat; echo $BASH_VERSION' <<<in); echo "$x"
tests/scripts/none; echo "status $?"
echo "$-"
set -e
bash-static -c 'exit 9'
echo "not reached"
END
}

under_loader_same() {
	cd "$ROOT" || return
	record native bash "$BATS_TEST_TMPDIR/script.sh" 'a b' ''
	record loaded env TMPDIR="$BATS_TEST_TMPDIR/empty" bash -c \
		'. share/shell/under_loader.sh; under_loader "$@"' bash "$@" "$BATS_TEST_TMPDIR/script.sh" 'a b' ''
	# A function's name and line stand where the script's would.
	sed -i -E 's/^.*: line [0-9]+: *[0-9]* *(Segmentation fault|.*No such file).*/\1/' "$BATS_TEST_TMPDIR"/{native,loaded}.err
	same_recording native loaded
	grep -q 'exit 9' "$BATS_TEST_TMPDIR/loaded.status"
	[ -z "$(ls "$BATS_TEST_TMPDIR/empty")" ]
}

@test "under_loader: a script does the same, and leaves nothing behind" {
	requires static_busybox bash-static python3
	mkdir "$BATS_TEST_TMPDIR/empty"
	write_script
	each_loader under_loader_same
	under_loader_same "$ROOT/on_demand_loader" --policy=counter --
}

@test "under_loader: static programs are loaded, by name, by path and from other programs" {
	requires static_busybox
	cd "$ROOT" || return
	printf '%s\n' 'busybox true' './prog1' 'echo true | xargs busybox' 'python3 -c ""' >"$BATS_TEST_TMPDIR/script.sh"
	ran 0 bash -c '. share/shell/under_loader.sh; under_loader "$@" 2>&1' bash ./on_demand_loader -v \
		"$BATS_TEST_TMPDIR/script.sh"
	[ "$(grep -c "^on_demand_loader: $(type -P busybox): map 0x400000-" <<<"$output")" -eq 2 ]
	[ "$(grep -c '^on_demand_loader: ./prog1: map 0x400000-' <<<"$output")" -eq 1 ]
	shows_no python
}

@test "under_loader: a loader or a script that is not there" {
	cd "$ROOT" || return
	expect "exit 127" bash -c '. share/shell/under_loader.sh; under_loader ./no_loader x'
	[ "$(found err)" = "under_loader: ./no_loader: not found; name a loader by its path" ]
	expect "exit 127" bash -c '. share/shell/under_loader.sh; under_loader ./hybrid_loader ./no_script'
	[ "$(found err)" = "under_loader: ./no_script: cannot be read; name a script after the loader and its options" ]
}
