#!/usr/bin/env bats
#
# The processes that a loader keeps beside a program: the one that holds its memory, the one that watches, and the
# loader that waits. What the program may do with them, and what of them is there when it has ended.

# shellcheck disable=SC2030,SC2031 # functions that a test calls read what `run` has found
load helpers

setup() {
	cd "$ROOT" || return 1
	HELLO=$GUESTS/musl-static/hello
	# Processes of this test have it in their environment.
	export HOLDING_TEST=$BATS_TEST_TMPDIR
	fresh_cache
}

fresh_cache() {
	XDG_CACHE_HOME=$(mktemp -d "$BATS_TEST_TMPDIR/cache.XXXXXX")
	export XDG_CACHE_HOME
	chmod 777 "$XDG_CACHE_HOME"
}

# options_of LOADER: those that keep a process, into OPTIONS.
options_of() {
	OPTIONS=(--profile=auto --stats --layout="$XDG_CACHE_HOME/layout")
	[ "${1##*/}" = all_at_once_loader ] ||
		OPTIONS+=(--trace="$XDG_CACHE_HOME/trace" --explain)
	[ "${1##*/}" = all_at_once_loader ] || [ -z "$(engines_here)" ] || OPTIONS+=(--record="$XDG_CACHE_HOME/record")
}

# with_each_option FUNCTION: calls FUNCTION LOADER OPTION for each loader and option.
with_each_option() {
	local loader option
	for loader in $LOADERS; do
		options_of "$loader"
		for option in "${OPTIONS[@]}"; do
			"$1" "$loader" "$option"
		done
	done
}

# none_run: whether no process of this test's loaders runs; zombies wait for their parent.
none_run() {
	local file
	while read -r file; do
		! grep -qsE '^[0-9]+ \((pagewise-.*|.*_loa.*|process_escape)\) [^ZX]' "${file%environ}stat" || return 1
	done < <(grep -lzsx "HOLDING_TEST=$HOLDING_TEST" /proc/[0-9]*/environ)
}

# has_ended_process PID: whether it has, waited for or not.
has_ended_process() {
	! grep -qs ") [^ZX]" "/proc/$1/stat"
}

# escapes LOADER OPTION: the program's code makes no file.
escapes() {
	local ended=0
	fresh_cache
	rm -f "$SECRET"/*
	# Its own code may be what it has written over.
	timeout "$HANGS" "${INHERITED[@]}" "${UNDER[@]}" "$1" "$2" "$GUESTS/musl-static/process_escape" "$WAY" "$SECRET/made" >/dev/null 2>&1 || ended=$?
	[ "$ended" != 124 ]
	eventually none_run
	[ -z "$(ls -A "$SECRET")" ] || { echo "$1 $2: the program has made a file" && false; }
}

# no_escape WAY: with no filter that is inherited, and with one.
no_escape() {
	of_this_processor "$GUESTS/musl-static/process_escape"
	WAY=$1 SECRET=$BATS_TEST_TMPDIR/secret
	mkdir -p "$SECRET"
	chmod 777 "$SECRET"
	[ "$WAY" != ids ] || chmod 700 "$SECRET"
	INHERITED=()
	with_each_option escapes
	INHERITED=("$GUESTS/tools/deny" ptrace:EPERM --)
	with_each_option escapes
}

@test "a program that has given up root cannot have code run that still is root" {
	requires root
	no_escape ids
}

@test "a program that has entered a filter cannot have code run without it" {
	no_escape filter
	[ "$(id -u)" = 0 ] || return 0
	drop_privileges "$GUESTS/musl-static/process_escape"
	no_escape filter
}

@test "on one processor, too, no code is run with more rights" {
	requires taskset
	under taskset -c 0
	[ "$(id -u)" != 0 ] || no_escape ids
	no_escape filter
}

# nothing_is_left LOADER OPTION
nothing_is_left() {
	local folder
	folder=$(mktemp -d "$BATS_TEST_TMPDIR/end.XXXXXX")
	cp "$HELLO" "$folder/program"
	"${UNDER[@]}" timeout 120 "$GUESTS/tools/after_end" "$COUNT" "$folder" "$folder/program" "$1" "$2" "$folder/program" \
		3>&- 4>&- 2>"$folder/err" || { echo "$1 $2" && grep after_end: "$folder/err" && false; }
}

@test "right after its end no pipe, lock, process or descriptor of a program is left" {
	COUNT=100
	with_each_option nothing_is_left
}

@test "right after its end nothing is left on one processor" {
	requires taskset
	under taskset -c 0
	COUNT=50
	with_each_option nothing_is_left
}

# dies_with_loader LOADER OPTION: also a program that has changed its user IDs.
dies_with_loader() {
	local loader
	of_this_processor "$GUESTS/musl-static/process_escape"
	# It has no end, so nobody learns from it before five seconds.
	[ "$2" != --profile=auto ] || return 0
	fresh_cache
	"${UNDER[@]}" "$1" "$2" "$GUESTS/musl-static/process_escape" stay >"$BATS_TEST_TMPDIR/id" 2>/dev/null 3>&- 4>&- &
	loader=$!
	eventually test -s "$BATS_TEST_TMPDIR/id"
	kill -KILL "$loader"
	wait "$loader" || true
	eventually has_ended_process "$(cat "$BATS_TEST_TMPDIR/id")"
	eventually none_run
	rm "$BATS_TEST_TMPDIR/id"
}

@test "a loader that is killed takes along a program that has changed its user IDs" {
	with_each_option dies_with_loader
}

@test "on one processor a loader that is killed takes the program along" {
	requires taskset
	under taskset -c 0
	with_each_option dies_with_loader
}

# killed_at_random LOADER OPTION: at any moment of a start.
killed_at_random() {
	local i loader
	of_this_processor "$GUESTS/musl-static/process_escape"
	case $2 in --stats | --profile=auto | --trace=*) ;; *) return 0 ;; esac
	for ((i = 0; i < 30; i++)); do
		fresh_cache
		"${UNDER[@]}" "$1" "$2" "$GUESTS/musl-static/process_escape" stay >/dev/null 2>&1 3>&- 4>&- &
		loader=$!
		sleep "0.00$((RANDOM % 10))"
		kill -KILL "$loader"
		wait "$loader" || true
	done
	eventually none_run
}

@test "a loader that is killed at any moment of a start leaves no process" {
	seeded
	RANDOM=$SEED
	with_each_option killed_at_random
}

# as_adopter NAME COMMAND...: the command's parent adopts orphans and has this name. The number of those that it had is
# the last line.
as_adopter() {
	"${UNDER[@]}" python3 - "$@" <<-'END'
		import ctypes, os, subprocess, sys
		libc = ctypes.CDLL(None)
		libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
		libc.prctl(15, sys.argv[1].encode(), 0, 0, 0)  # PR_SET_NAME
		program = subprocess.Popen(sys.argv[2:])
		ended = {}
		try:
		    while True:
		        process, status = os.wait()
		        ended[process] = status
		except ChildProcessError:
		    pass
		print("status", os.waitstatus_to_exitcode(ended.pop(program.pid)), flush=True)
		print("adopted", len(ended))
	END
}

# adopter LOADER
adopter() {
	of_this_processor "$GUESTS/musl-static/process_escape"
	fresh_cache
	ran any as_adopter adopter "$1" -v --profile=auto "$GUESTS/musl-static/process_escape" siblings
	[ "$(grep -c "nothing is learned from this run: .* adopts orphans .*pagewise learn" <<<"$output")" = 1 ]
	[[ $output == *$'\nstatus 0\nadopted '[01] ]]
	# The program's output: no sibling runs.
	[ "$(grep -vc '_loader: \|^status\|^adopted' <<<"$output")" = 0 ]
	eventually none_run
	[ "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 0 ]
	fresh_cache
	ran any as_adopter systemd "$1" -v --profile=auto "$GUESTS/musl-static/process_escape" siblings
	[[ $output == *"the loader learns from this run"*$'\nstatus 0\n'* ]]
	[ "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 1 ]
}

@test "what adopts orphans decides whether a run is learned from, and gets no process that runs on" {
	requires python3 learner
	for ((i = 0; i < 10; i++)); do each_loader adopter; done
}

@test "on one processor what adopts orphans gets no process that runs on" {
	requires python3 taskset learner
	under taskset -c 0
	for ((i = 0; i < 10; i++)); do each_loader adopter; done
}

# in_container LOADER: in a PID namespace, as its process 1 and as another one.
in_container() {
	local reason
	for reason in "process 1 would" "a container may end"; do
		local first=(bash -c '"$@"; exit' -)
		[[ $reason != process* ]] || first=()
		ran 0 "${UNDER[@]}" unshare --user --map-root-user -p -f "${first[@]}" "$1" -v --profile=auto "$HELLO"
		[ "$(grep -c ': nothing is learned from' <<<"$output")" = 1 ]
		[[ $output == *"nothing is learned from this run: $reason"*"pagewise learn"* ]]
		none_run
		[ "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 0 ]
	done
	expect "exit 7" "${UNDER[@]}" unshare --user --map-root-user -p -f "$1" --stats "$GUESTS/musl-static/exit_status" 7
}

@test "in a container nothing is learned, no process is left, and one sentence says why" {
	requires user_namespaces
	each_loader in_container
	requires taskset
	under taskset -c 0
	each_loader in_container
}

# learns_from_reserved LOADER
learns_from_reserved() {
	fresh_cache
	expect "exit 0" "$1" --profile=auto "$BATS_TEST_TMPDIR/program"
	eventually none_run
	[ "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 1 ]
}

@test "a program of AddressSanitizer, which reserves 16 TiB, is learned from" {
	requires gcc addresses learner
	gcc -fsanitize=address -o "$BATS_TEST_TMPDIR/program" -x c - <<<'int main(void) { return 0; }' &&
		"$BATS_TEST_TMPDIR/program" || skip "gcc has no AddressSanitizer here"
	each_loader learns_from_reserved
}

# scribbled LOADER OPTION: a program that has broken the loader's code in itself may die of it, and the loader reports.
scribbled() {
	local how number
	for number in "$SEED" $((SEED + 1)) $((SEED + 2)); do
		for how in words events; do
			expect "exit 7" "$1" "$2" "$GUESTS/tools/scribble" "$how" "$number"
		done
		rm -f "$XDG_CACHE_HOME"/{layout,trace,record}
		record found "$1" "$2" "$GUESTS/tools/scribble" all "$number"
		[[ $(found status) == "exit 7" || $(found status) == "signal "[0-9]* ]]
		case $2 in
		--stats) [[ $(found err) == *"pages in memory at exit"* ]] ;;
		--explain) [[ $(found err) == *"The end: "* ]] ;;
		--profile=auto) ;;
		*) test -s "${2#*=}" ;;
		esac
	done
}

@test "whatever a program writes over the trace and the pager's records, the loader ends as the program did" {
	seeded
	with_each_option scribbled
}

@test "where a process cannot be kept, the sentence names the cause" {
	requires learner
	# The holder would not sleep, and take all of a processor.
	expect "exit 125" "$GUESTS/tools/deny" ppoll:EPERM -- ./hybrid_loader --stats "$HELLO"
	[[ $(found err) == *"its memory cannot be held"*"ppoll(2)"* ]]
	run "$GUESTS/tools/deny" ppoll:EPERM -- ./hybrid_loader -v --profile=auto "$HELLO"
	[[ $status == 0 && $output == *"nothing is learned from this run: Operation not permitted"* ]]
	eventually none_run
	for few in {6..16}; do
		run bash -c 'ulimit -n "$0"; exec ./hybrid_loader -v --profile=auto "$1" 2>&1' "$few" "$HELLO" 3>&- 4>&-
		echo "$few: $output"
		[[ $status == 0 && $output != *"Bad file descriptor"* && $output != *"adopts orphans"* ]]
	done
}
