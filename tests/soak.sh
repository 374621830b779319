#!/usr/bin/env bash
#
# soak.sh [SECONDS]: random guests, engines and options for so long (600), natively and under a
# loader; stdout, stderr and the way of ending must be the same. SEED=N repeats the choices of an
# earlier run. Status 1 if there was a difference; what was different is kept.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125

seconds=${1:-600}
RANDOM=${SEED:=$((RANDOM * 32768 + RANDOM))}
kept=$(mktemp -d)
report_status=build/guests/tools/report_status
runs=0 differences=0
export REPORT_STATUS_TIMEOUT=60

# Of guests whose output is different each time, that the loaders refuse, or that take minutes.
is_left_out() {
	case ${1##*/} in
	random_bytes | load_address | auxv | maps | stack_layout | program_break | every_second_page) true ;;
	placed-* | proc_* | signal_status | memory_many_mappings | huge_bss) true ;;
	*) false ;;
	esac
}

# one_of WORD...
one_of() {
	shift $((RANDOM % $#))
	echo "$1"
}

run() {
	local name=$kept/$1
	shift
	"$report_status" "$name.status" "$@" >"$name.out" 2>"$name.err" </dev/null
}

same() {
	local part
	for part in status out err; do
		cmp -s "$kept/$1.$part" "$kept/$2.$part" || return
	done
}

# A guest that differs between two native runs tells nothing.
compare() {
	local guest=$1 case
	shift
	run native "$guest"
	run loaded "$@" "$guest"
	runs=$((runs + 1))
	! same native loaded || return 0
	run again "$guest"
	same native again || return 0
	differences=$((differences + 1))
	case=$kept/$differences
	mkdir "$case"
	mv "$kept"/native.* "$kept"/loaded.* "$case"
	echo "different: $* $guest   ($case)"
}

guests=()
for guest in build/guests/{musl,glibc}-*/* build/guests/bare/* ./prog[1-4]; do
	is_left_out "$guest" || guests+=("$guest")
done
echo "soak: ${#guests[@]} guests, $seconds seconds, SEED=$SEED"
end=$((SECONDS + seconds))
while ((SECONDS < end)); do
	compare "${guests[RANDOM % ${#guests[@]}]}" "./$(one_of on_demand_loader hybrid_loader)" \
		"--engine=$(one_of guard mprotect mmap userfaultfd)" \
		"--retire=$(one_of auto never 0 1 2 5 17 64)" \
		"--policy=$(one_of none counter readahead)"
done
echo "soak: $runs runs, $differences differences"
((differences > 0)) || rm -r "$kept"
((differences == 0))
