#!/usr/bin/env bash
#
# soak.sh [SECONDS]: random guests, loaders, engines and options for so long (600), natively and under
# the loader; stdout, stderr and the way of ending must be the same. Status 1 if there was a difference;
# what was different is kept, and said how to repeat.
#
# From the environment:
#   SEED     of the choices: the one of an earlier run makes the same choices in the same order
#   LOADERS  by default the three in the repository's root

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125

root=$PWD
seconds=${1:-600}
if ! [[ $seconds =~ ^[0-9]+$ && ${SEED:=$((RANDOM * 32768 + RANDOM))} =~ ^[0-9]+$ ]]; then
	echo "usage: [SEED=NUMBER] $0 [SECONDS]" >&2
	exit 125
fi
# Subshells have random numbers of their own: every choice is made in this one.
RANDOM=$SEED
read -ra loaders <<<"${LOADERS:-$root/all_at_once_loader $root/on_demand_loader $root/hybrid_loader}"
report_status=$root/build/guests/tools/report_status
runs=0 differences=0
export REPORT_STATUS_TIMEOUT=60

for file in "$report_status" "${loaders[@]}"; do
	if [ ! -x "$file" ]; then
		echo "$0: $file is missing" >&2
		exit 125
	fi
done
kept=$(mktemp -d) || exit 125

# Of guests whose output is different each time, that the loaders refuse, or that take minutes.
is_left_out() {
	case ${1##*/} in
	random_bytes | load_address | auxv | maps | stack_layout | program_break | every_second_page) true ;;
	placed-* | proc_* | signal_status | memory_many_mappings | huge_bss) true ;;
	*) false ;;
	esac
}

# words_of GUEST: what it may be given, one a line; each guest is also run without.
words_of() {
	case $1 in
	hello) echo 'one two' ;;
	cpp_*) echo uncaught ;;
	execute_data) printf '%s\n' bss stack ;;
	wild_access)
		printf '%s\n' write_null unmapped non_canonical kernel_half jump_null jump_non_canonical \
			stack_overflow divide_by_zero illegal_instruction ;;
	signal_overflow) echo exit ;;
	signal_bus | signal_pipe) echo default ;;
	signal_sent) printf '%s\n' {handled,ignored,blocked,killed,queued,unblocked}\ {4,5,7,8,11,31} ;;
	signal_fatal)
		printf '%s\n' handled ignored blocked default reset no_alternate_stack \
			bad_alternate_stack bad_stack_pointer ;;
	signal_abort) printf '%s\n' default returns jumps ignored blocked handler fault ;;
	signal_exec) printf '%s\n' caught ignored blocked pending fork vfork spawn system ;;
	thread_ends) printf '%s\n' robust main_first exit fault ;;
	go_guest)
		printf '%s\n' goroutines garbage processes signals faults sockets timers files panic \
			crash die ;;
	esac
}

# list_commands: every guest with every choice of words, scripts with their shells; one a line.
list_commands() {
	local guest script
	for guest in build/guests/{musl,glibc}-*/* build/guests/{bare,go}/* prog[1-4]; do
		if [ ! -x "$guest" ] || is_left_out "$guest"; then
			continue
		fi
		echo "$root/$guest"
		words_of "${guest##*/}" | sed "s|^|$root/$guest |"
	done
	for script in "$root"/tests/scripts/*; do
		case $script in
		*.sh) echo "busybox sh $script" ;;
		*.bash) echo "bash-static $script" ;;
		*.zsh) echo "zsh-static -f $script" ;;
		esac
	done | while read -r shell words; do
		! command -v "$shell" >/dev/null || echo "$shell $words"
	done
}

# pick WORD...: one of them, as $REPLY.
pick() {
	local at=$((RANDOM % $# + 1))
	REPLY=${!at}
}

# pick_loader: $loaded is one with options at random; all_at_once_loader has none of these.
pick_loader() {
	pick "${loaders[@]}" && loaded=("$REPLY")
	pick default guard mprotect mmap userfaultfd
	[ "$REPLY" = default ] || loaded+=("--engine=$REPLY")
	pick auto never 0 1 2 5 17 64 && loaded+=("--retire=$REPLY")
	pick none counter readahead next-4 block leap stride adaptive adaptive && loaded+=("--policy=$REPLY")
	case ${loaded[0]} in
	*all_at_once_loader) loaded=("${loaded[0]}") ;;
	esac
}

# run NAME COMMAND...: in a directory of its own, which nothing is left in.
run() {
	local name=$kept/$1
	shift
	rm -rf "$kept/work" && mkdir "$kept/work" && cd "$kept/work" || exit 125
	"$report_status" "$name.status" "$@" >"$name.out" 2>"$name.err" </dev/null
	cd "$root" || exit 125
}

# same NAME NAME
same() {
	local part
	for part in status out err; do
		cmp -s "$kept/$1.$part" "$kept/$2.$part" || return
	done
}

# A program that differs between native runs tells nothing.
is_steady() {
	for _ in 1 2 3; do
		run again "$@"
		same native again || return
	done
}

# show_parts: what differs between native and loaded.
show_parts() {
	local part
	echo "  ended: natively $(cat "$kept/native.status"), loaded $(cat "$kept/loaded.status")"
	for part in out err; do
		diff -a "$kept/native.$part" "$kept/loaded.$part" | head -n 8 | cut -c 1-160 |
			sed "s/^/  $part: /"
	done
}

# keep_difference LOADER...: behind it $command, the program. How often it comes tells a race from
# a plain mistake.
keep_difference() {
	local case=$kept/$differences again=0 part
	mkdir "$case"
	echo "different: $* ${command[*]}   ($case)" | tee "$case/command"
	show_parts
	mv "$kept"/{native,loaded}.{status,out,err} "$case"
	for _ in 1 2 3 4 5; do
		run again "$@" "${command[@]}"
		for part in status out err; do
			cmp -s "$case/native.$part" "$kept/again.$part" && continue
			again=$((again + 1))
			break
		done
	done
	echo "  again: $again of 5 times"
}

compare() {
	run native "${command[@]}"
	run loaded "${loaded[@]}" "${command[@]}"
	runs=$((runs + 1))
	! same native loaded && is_steady "${command[@]}" || return 0
	differences=$((differences + 1))
	keep_difference "${loaded[@]}"
}

finish() {
	echo "soak: $runs runs, $differences differences, SEED=$SEED"
	rm -rf "$kept"/work "$kept"/*.{status,out,err}
	rmdir "$kept" 2>/dev/null || echo "soak: kept in $kept"
	exit $((differences > 0))
}
trap finish INT TERM

mapfile -t commands < <(list_commands)
echo "soak: ${#commands[@]} programs, $seconds seconds, SEED=$SEED"
end=$((SECONDS + seconds))
while ((SECONDS < end)); do
	pick "${commands[@]}"
	read -ra command <<<"$REPLY"
	pick_loader
	case "${loaded[*]##*/} ${command[0]##*/}" in
	# It tells which pages are there, and here all of them are.
	"all_at_once_loader residency-"*) ;;
	# docs/quirks.md: mremap of memory that came in pieces.
	*--engine=mmap*" memory_remap") ;;
	*) compare ;;
	esac
done
finish
