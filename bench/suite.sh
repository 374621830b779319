#!/bin/bash
#
# suite.sh COMPARE FOLDER PROGRAMS: everything that `make bench` measures, in sessions; the results of
# each go to FOLDER/SESSION.json, .csv and .md. COMPARE is the driver, PROGRAMS where its own programs
# are built.
#
# From the environment:
#   ROUNDS    rounds that measure time, in each session (20)
#   SESSIONS  only these of: programs patterns large huge arrays policies profiles engines areas
#             growth programs-always growth-always
#   MOST_MIB  the largest .bss in growth: 4096, or as much as half of the available memory

set -eu

all="programs patterns large huge arrays policies profiles engines areas growth programs-always growth-always"

stop() {
	echo "$0: $1" >&2
	exit 125
}

[ $# -eq 3 ] || stop "usage: $0 COMPARE FOLDER PROGRAMS; make bench calls it so"
compare=$1 folder=$2 programs=$3
rounds=${ROUNDS:-20}
sessions=${SESSIONS:-$all}
for session in $sessions; do
	case " $all " in *" $session "*) ;; *) stop "SESSIONS: there is no $session; there are $all" ;; esac
done
for number in "ROUNDS=$rounds" "MOST_MIB=${MOST_MIB:-1}"; do
	[[ $number =~ =[1-9][0-9]{0,5}$ ]] || stop "${number%%=*} is a number from 1 to 999999, not '${number#*=}'"
done
available=$(($(sed -n 's/^MemAvailable: *\([0-9]*\).*/\1/p' /proc/meminfo) / 1024))
most_mib=${MOST_MIB:-$((available / 2))}
every='./{all_at_once,on_demand,hybrid}_loader'
lazy='./{on_demand,hybrid}_loader'
# To compare with: a loader that does nothing but call exec.
floor=${compare%/*}/rungs/exec_only
touch=$programs/touch-bss-16
large=$programs/touch-bss-64
failed=0

# session NAME TITLE OPTION...: one run of the driver.
session() {
	local name=$1 title=$2
	shift 2
	case " $sessions " in *" $name "*) ;; *) return 0 ;; esac
	printf '\n== %s: %s\n' "$name" "$title"
	"$compare" --rounds="$rounds" --json="$folder/$name.json" --csv="$folder/$name.csv" \
		--markdown="$folder/$name.md" "$@" || failed=1
}

setting=/sys/kernel/mm/transparent_hugepage/enabled

# always session NAME ...: a session on a system that gives huge pages unasked; the system's own setting is
# put back, whatever happens.
always() {
	case " $sessions " in *" $2 "*) ;; *) return 0 ;; esac
	setting_before=$(sed 's/.*\[\(.*\)\].*/\1/' "$setting" 2>/dev/null) || setting_before=
	if ! echo always 2>/dev/null >"$setting"; then
		echo "session $2 is left out: only root can write $setting" >&2
		return 0
	fi
	trap 'echo "$setting_before" >"$setting"' EXIT
	"$@"
	echo "$setting_before" >"$setting"
	trap - EXIT
}

# The engines that work here, with commas between them. One that the kernel lacks is named.
engines() {
	local engine list=
	for engine in guard mprotect mmap userfaultfd; do
		if ./hybrid_loader --engine="$engine" ./prog3 >/dev/null 2>&1; then
			list=$list${list:+,}$engine
		else
			echo "engine $engine is left out: ./hybrid_loader --engine=$engine ./prog3 says why" >&2
		fi
	done
	echo "$list"
}

# The sizes of .bss, in MiB, that fit.
sizes() {
	local size list=
	for size in 1 4 16 64 256 1024 4096; do
		[ "$size" -gt "$most_mib" ] || list=$list${list:+,}$size
	done
	echo "$list"
}

mkdir -p "$folder"
mapfile -t real < <(bench/workloads.sh)

session programs "the lab's programs, system calls, threads, children, and real programs" \
	--matrix --counters=3 --loader="$every" --loader="$floor" ./prog{1,2,3,4} "$programs/calls 20000" "$programs/threads 4" \
	"$programs/forks 20" "${real[@]}"

always session programs-always "the lab's programs, huge pages always" \
	--matrix --loader="$every" --loader="$floor" ./prog{1,2,3}

session patterns "64 MiB of .bss, touched in different orders" --loader="$lazy" \
	"$large {sequential,reverse,random,dense} write" "$large sequential read" \
	"$large {stride write 3,stride write 17,streams write 2,sparse write 1,moving write 256}"

session large "256 MiB of .bss written in order; a few touches in 1 and 4 GiB" --loader="$lazy" \
	"$programs/touch-bss-256 sequential write" "$programs/touch-bss-1024 few write 655" \
	"$programs/touch-bss-4096 few write 10"

session huge "64 and 256 MiB of .bss, huge pages always and never" --loader="./hybrid_loader --huge={always,never}" \
	./prog{1,2,3} "$large {sequential,reverse,random} write" "$large every write 17" \
	"$programs/touch-bss-256 sparse write 1"

session arrays "three static arrays of 64 MB, threads" --matrix --loader="$lazy" \
	"$programs/arrays {stream,gather} {1,2,4}"

session policies "what is brought in beside a touched page" \
	--loader='./hybrid_loader --policy={none,counter,next-8,block,readahead,leap,stride,adaptive}' \
	"$touch {sequential,random,sparse} write 1" "$touch {stride write 3,streams write 2}" ./prog{1,2,3}

# The directory holds a profile for each program, by its key.
profiles=$folder/profiles
mkdir -p "$profiles"
with_profiles=(./prog{1,2,3} "${real[@]}")
for words in "${with_profiles[@]}"; do
	# shellcheck disable=SC2086 # words
	./hybrid_loader --record="$profiles" $words >/dev/null 2>&1 || true
done
session profiles "with what an earlier run touched in memory at entry" \
	--loader="$every --profile=$profiles" "${with_profiles[@]}"

session engines "how pages are hidden" \
	--loader="./hybrid_loader --engine={$(engines)} --policy={none,adaptive}" \
	"$touch {sequential,random} write"

session areas "16 MiB of .bss, .data and .rodata, 4 MiB of text" --matrix --loader="$every" \
	"$programs/touch-{bss-16,data-16,rodata-16,text-4} {sequential,random} read"

# As many rounds as an interval needs, since a round takes seconds where .bss is large.
[ "$rounds" -le 6 ] || rounds=6
growing=(--matrix --warmup=1 --loader="$every" "$programs/touch-bss-{$(sizes)} sparse write 1")
session growth "1 % of a .bss that grows" "${growing[@]}"
always session growth-always "the same, huge pages always" "${growing[@]}"

exit "$failed"
