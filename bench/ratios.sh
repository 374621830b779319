#!/bin/bash
#
# ratios.sh BUILD PROGRAMS: the figures that the project wants to reach, beside those measured. BUILD is
# where the bench is built, PROGRAMS where its programs are. A missed one is no failure.
#
# ROUNDS (200): of small programs; larger ones have a tenth to a third of it.

set -eu

[ $# -eq 2 ] || {
	echo "$0: usage: $0 BUILD PROGRAMS; make ratios calls it so" >&2
	exit 125
}
bench=$1 programs=$2
rounds=${ROUNDS:-200}
[[ $rounds =~ ^[1-9][0-9]{0,5}$ ]] || {
	echo "$0: ROUNDS is a number from 1 to 999999, not '$rounds'" >&2
	exit 125
}
exec_only=$bench/rungs/exec_only
small=$programs/touch-bss-64
profiles=$(mktemp -d)
trap 'rm -rf "$profiles"' EXIT

# measure TITLE ROUNDS TARGET...
measure() {
	local title=$1 count=$2
	shift 2
	printf '\n== %s\n' "$title"
	"$bench/compare" --rounds=$((count > 3 ? count : 3)) "${@/#/--target=}"
}

# with_rss LIMIT PROGRAM...: of hybrid_loader, whose peak RSS shall stay within 256 KB of native.
with_rss() {
	local limit=$1 program
	shift
	for program; do
		targets+=("wall:$limit:./hybrid_loader:$program" "rss:256:./hybrid_loader:$program")
	done
}

for program in ./prog1 ./prog3; do
	./hybrid_loader --record="$profiles" "$program" >/dev/null
done

# By itself: after a large program small ones would find the caches cold.
measure "an empty program; native takes 0.6 of what exec_only does" "$rounds" \
	"wall/$exec_only:0.92:./all_at_once_loader:$bench/empty" \
	"wall/$exec_only:0.90:./hybrid_loader:$bench/empty" \
	"wall/$exec_only:1.15:./on_demand_loader:$bench/empty" \
	"rss:256:./hybrid_loader:$bench/empty"

targets=()
with_rss 0.75 ./prog1 ./prog3
with_rss 1.03 ./prog2
measure "the lab's programs" "$rounds" "${targets[@]}" "wall:1.15:./all_at_once_loader:./prog1" \
	"wall:0.68:./hybrid_loader --profile=$profiles:./prog1" \
	"wall:0.68:./hybrid_loader --profile=$profiles:./prog3"

targets=()
with_rss 0.8 "$small sequential write"
with_rss 1.1 "$small random write"
with_rss 1.0 "$small "{"reverse write","streams write 2","stride write 3","stride write 17"}
measure "64 MiB of .bss" $((rounds / 3)) "${targets[@]}"

measure "large .bss" $((rounds / 10)) \
	"wall:0.4:./hybrid_loader:$programs/touch-bss-256 sequential write" \
	"rss:2048:./hybrid_loader:$programs/touch-bss-256 sequential write" \
	"wall:1.1:./hybrid_loader:$programs/touch-bss-1024 few write 655" \
	"cpu:2:./hybrid_loader:$programs/touch-bss-4096 few write 10"

# What the kernel fills by 2 MiB: its setting decides what native is.
if grep -qs '\[always\]' /sys/kernel/mm/transparent_hugepage/enabled; then
	measure "huge pages always" $((rounds / 5)) \
		"wall:1.02:./hybrid_loader:./prog1" "wall:1.2:./all_at_once_loader:./prog1" \
		"wall:1.05:./hybrid_loader:$small sequential write" \
		"wall:1.05:./hybrid_loader:$programs/touch-bss-256 sequential write" \
		"wall:1.10:./hybrid_loader:$small random write" "wall:0.9:./hybrid_loader:$small every write 17" \
		"wall:0.65:./hybrid_loader:$programs/touch-bss-256 sparse write 1" \
		"wall:1.03:./hybrid_loader:$programs/arrays stream 1" "wall:1.03:./hybrid_loader:$programs/arrays stream 2" \
		"wall:1.01:./hybrid_loader:$programs/arrays gather 1" "wall:1.01:./hybrid_loader:$programs/arrays gather 2"
fi

mapfile -t real < <(bench/workloads.sh)
targets=()
for words in "${real[@]}"; do
	# shellcheck disable=SC2086 # words
	./hybrid_loader --record="$profiles" $words >/dev/null 2>&1 || true
	targets+=("wall:1.00:$exec_only:$words" "wall:1.00:./hybrid_loader:$words"
		"wall:0.96:./hybrid_loader --profile=$profiles:$words" "wall:1.08:./on_demand_loader:$words"
		"cpu:1.15:./on_demand_loader:$words")
done
targets+=("mean-wall:1.00:$exec_only:all of these" "mean-wall:1.00:./hybrid_loader:all of these"
	"mean-wall:0.96:./hybrid_loader --profile=$profiles:all of these" "mean-wall:1.08:./on_demand_loader:all of these"
	"mean-cpu:1.15:./on_demand_loader:all of these")
! path=$(command -v busybox) || targets+=("wall:1.03:./hybrid_loader:$path true")
[ ! -x build/guests/go/go_hello ] || targets+=("wall:1.05:./hybrid_loader:build/guests/go/go_hello")
measure "real programs" $((rounds / 10)) "${targets[@]}"

echo
bench/fault_parts.sh ./on_demand_loader "$bench/fault_parts"
