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

# shellcheck source=tests/commands.bash
. tests/commands.bash

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

# keep_difference LOADER...: after it $command, the program. How often it comes tells a race from
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
	if [ "$(cat "$kept/native.status")" = timeout ]; then
		echo "not compared: ${command[*]} had to be killed natively after $REPORT_STATUS_TIMEOUT seconds"
		return
	fi
	run loaded "${loaded[@]}" "${command[@]}"
	runs=$((runs + 1))
	! same native loaded && is_steady "${command[@]}" || return 0
	differences=$((differences + 1))
	keep_difference "${loaded[@]}"
}

finish() {
	echo "soak: $runs runs, $differences differences, SEED=$SEED"
	[ "$differences" = 0 ] || echo "soak: again: SEED=$SEED tests/soak.sh $seconds"
	rm -rf "$kept"/work "$kept"/*.{status,out,err}
	rmdir "$kept" 2>/dev/null || echo "soak: kept in $kept"
	exit $((differences > 0))
}
trap finish INT TERM

mapfile -t commands < <(list_commands build/guests/{musl,glibc}-*/* build/guests/{bare,go}/* prog[1-4])
# With another seed each time: there is more to be found in these.
for _ in {1..20}; do
	commands+=("$root"/build/guests/{musl,glibc}-{static,pie}/random_steps)
done
echo "soak: ${#commands[@]} programs, $seconds seconds, SEED=$SEED"
end=$((SECONDS + seconds))
while ((SECONDS < end)); do
	pick "${commands[@]}"
	read -ra command <<<"$REPLY"
	[[ $REPLY != */random_steps ]] || command+=($((RANDOM * 32768 + RANDOM)))
	pick_loader
	case "${loaded[*]##*/} ${command[0]##*/}" in
	# residency prints which pages are present: under all_at_once_loader all of them are.
	"all_at_once_loader residency-"*) ;;
	# docs/quirks.md: mremap of memory that was mapped in pieces.
	*--engine=mmap*" memory_remap") ;;
	# Also there: smaps has the flag gu for what guard markers hid.
	*--retire=*" memory_smaps") ;;
	# Also there: once lazy paging has ended, contexts show the processor's last exception.
	*--retire=*" signal_leftovers" | *--retire=*" signal_error_codes") ;;
	*) compare ;;
	esac
done
finish
