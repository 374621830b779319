#!/usr/bin/env bash
#
# grade.sh [OPTION]... DIRECTORY: what a submission of the loader lab is worth.
#
#   --json         a report for scripts
#   --seconds=N    for each run, 1 to 99 (5)
#   --pagers=LIST  of apager,dpager,hpager: the others are not graded
#   --variant=SEED with the numbers of one term, as variant.sh SEED prints them
#   --help         this text
#
# Builds a copy of DIRECTORY, runs its apager, dpager and hpager on the programs in skeleton/guests,
# and compares stdout and the way they ended with a native run; then it looks at which pages were in
# memory. The Makefile may be one folder further down. Without one, the C files of DIRECTORY, such as
# those of solution/, are laid over the skeleton.
#
# Every run is limited: N seconds, 1 GiB of address space, 1 MiB of output. witness.c looks whether the
# pager runs the program itself, and ends it if it uses execve or does something else that is forbidden.
#
# Exit status: 0 full marks, 1 fewer, 125 wrong usage or no grade at all.

set -u
export LC_ALL=C # the words of make and gcc
unset MAKEFLAGS MFLAGS MAKELEVEL

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=5
address_space=$((1 << 20)) # KiB
output=1024                # KiB
pagers="apager dpager hpager"
patience=3                 # runs of one pager that may be out of time before the rest is not run
as_json=
directory=
block= # the numbers of a variant, if there is one
ahead=
walk=
pages=

# What is compared with a native run, and its points. Arguments stand after the guest's name.
compared="hello:2 status:1 args:2 auxv:2 entry:2 data:2 walk:2 heap:1 null:2 rodata:2"
arguments_of_args=(one 'two words' '' four)

# What came of it, a line a check: PAGER CHECK POINTS OF NOTE, separated by tabs.
results=()

# ---- running -------------------------------------------------------------------------------

help() {
	sed -n '3,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
	exit 0
}

give_up() {
	echo "${0##*/}: $1" >&2
	exit 125
}

# Whatever a submission has started carries the mark in its environment, in a session of its own too.
end_leftovers() {
	local found
	found=$(grep -lszx "LAB_RUN=$mark" /proc/[0-9]*/environ | cut -d/ -f3)
	# shellcheck disable=SC2086 # one word a process
	[ -z "$found" ] || kill -KILL $found 2>/dev/null
}

clean_up() {
	end_leftovers
	rm -rf "$work"
}

# run NAME COMMAND...: within the limits. NAME.out and NAME.err are what it wrote; sets status.
run() {
	local name=$work/$1
	shift
	status=0
	{
		(
			cd "$work/here" || exit 125
			ulimit -c 0 -f "$output" -v "$address_space" || exit 125
			exec env -i PATH=/usr/local/bin:/usr/bin:/bin LAB_RUN="$mark" EMPTY= \
				timeout -k 1 "$seconds" "$@" </dev/null >"$name.out" 2>"$name.err"
		)
	} 2>/dev/null || status=$?
}

# In words, how a run ended.
ending() {
	case $1 in
	124 | 137) echo "out of time" ;;
	139) echo "SIGSEGV" ;;
	134) echo "SIGABRT" ;;
	153) echo "more than $output KiB of output" ;;
	*) echo "exit $1" ;;
	esac
}

# excerpt FILE [LINE]: that line, or the first, short and printable.
excerpt() {
	sed -n "${2:-1}p" "$1" | tr -cd ' -~' | cut -c 1-150
}

# ---- checks --------------------------------------------------------------------------------

# points PAGER CHECK POINTS OF NOTE
points() {
	local IFS=$'\t'
	results+=("$*")
}

# may_run PAGER CHECK OF: false, with no points, where running it makes no sense.
may_run() {
	if [ ! -x "$submission/$1" ] || [ -d "$submission/$1" ]; then
		points "$1" "$2" 0 "$3" "there is no $1"
	elif [ "$out_of_time" -ge "$patience" ]; then
		points "$1" "$2" 0 "$3" "not run: $patience runs of $1 were out of time"
	else
		return 0
	fi
	return 1
}

# run_pager PAGER GUEST [ARG]...: the guest under the pager, as NAME 'loaded'.
run_pager() {
	local pager=$1 guest=$2
	shift 2
	rm -f "$work/report"
	[ "${#witness[@]}" = 0 ] || witness=("$work/witness" "$work/report" "$work/guests/$guest")
	run loaded "${witness[@]}" "$submission/$pager" "$work/guests/$guest" "$@"
	case $status in 124 | 137) out_of_time=$((out_of_time + 1)) ;; esac
}

# witnessed WORD: what the witness said by this word of the last run, of several the first.
witnessed() {
	sed -n "s/^$1 *//p" "$work/report" 2>/dev/null | head -n 1
}

# Why this run is worth no points whatever came of it; or nothing.
cheat() {
	local found
	[ "${#witness[@]}" != 0 ] || return
	found=$(witnessed cheat)
	[ -z "$found" ] || found="no points: $found"
	if [ -z "$found" ] && ! grep -qx entered "$work/report" 2>/dev/null; then
		found="no points: the program's entry was never reached, so this is not the program's output"
	fi
	echo "$found"
}

# What the pager said of itself, if it said anything.
own_words() {
	[ ! -s "$work/loaded.err" ] || echo "; it said: $(excerpt "$work/loaded.err")"
}

# The commonest mistakes, in a sentence that leads to them; or nothing.
likely_mistake() {
	local found
	found=$(sed -n 's/.*\(step [0-9]* is missing.*\)/\1/p' "$work/loaded.err" | head -n 1)
	[ "$status" = 125 ] || found=
	[ -n "$found" ] || found=$(witnessed hint)
	if [ -z "$found" ] && grep -q '[1-9][0-9]* not zero' "$work/loaded.out"; then
		found="what comes after the file's bytes on their last page is not zero (step 2)"
	fi
	echo "$found"
}

# Why this run is not like the native one.
difference() {
	local native=$1 native_status=$2 line found where
	found=$(likely_mistake)
	if [ "$status" != "$native_status" ]; then
		where=$(witnessed died)
		echo "${found:-$(ending "$status"), natively $(ending "$native_status")${where:+, $where}$(own_words)}"
		return
	fi
	line=$(cmp "$work/$native.out" "$work/loaded.out" 2>/dev/null | sed 's/.* line //')
	# Nothing: one of them goes on where the other ends.
	line=${line:-$(($(wc -l "$work/$native.out" "$work/loaded.out" | sort -n | awk '{ print $1; exit }') + 1))}
	echo "line $line of stdout: '$(excerpt "$work/loaded.out" "$line")'," \
		"natively '$(excerpt "$work/$native.out" "$line")'${found:+; $found}"
}

# compare PAGER GUEST OF: all points if stdout and status are those of the native run. That comes after
# the other, so that nobody can read it.
compare() {
	local arguments=() native_status loaded_status found
	may_run "$@" || return
	[ "$2" != args ] || arguments=("${arguments_of_args[@]}")
	run_pager "$1" "$2" "${arguments[@]}"
	loaded_status=$status
	run native "$work/guests/$2" "${arguments[@]}"
	native_status=$status
	status=$loaded_status
	found=$(cheat)
	if [ "$status" != "$native_status" ] || ! cmp -s "$work/native.out" "$work/loaded.out"; then
		[ -n "$(witnessed cheat)" ] || found=$(difference native "$native_status")
	fi
	points "$1" "$2" "$([ -n "$found" ] && echo 0 || echo "$3")" "$3" "$found"
	rm -f "$work"/native.* "$work"/loaded.*
}

# refuse PAGER OF: what it cannot load ends with 126, a message, and nothing on stdout. A pager that loads
# interpreters, for extra credit, runs the dynamically linked program.
refuse() {
	local guest note=
	may_run "$1" refuses "$2" || return
	for guest in text dynamic; do
		run_pager "$1" "$guest"
		note=$(witnessed cheat)
		if [ -n "$note" ]; then
			note="no points: $note"
		elif [ "$guest $status" = "dynamic 0" ] && runs_dynamic; then
			continue
		elif [ "$status" = 125 ] && [ -n "$(likely_mistake)" ]; then
			note=$(likely_mistake)
		elif [ "$status" != 126 ]; then
			note="$guest: $(ending "$status"), not exit 126$(own_words)"
		elif [ ! -s "$work/loaded.err" ] || [ -s "$work/loaded.out" ]; then
			note="$guest: no message on stderr, or something on stdout"
		fi
		[ -z "$note" ] || break
	done
	points "$1" refuses "$([ -n "$note" ] && echo 0 || echo "$2")" "$2" "$note"
}

# The last run had the output of the dynamically linked program, which says the same as hello, and came to its entry.
runs_dynamic() {
	run native "$work/guests/dynamic"
	cmp -s "$work/native.out" "$work/loaded.out" && [ -z "$(cheat)" ]
}

# counts PAGER CHECK OF 'GUEST [ARG]...' RULE WANTED: all points if the numbers that the guest prints obey RULE.
counts() {
	local said numbers found guest
	may_run "$@" || return
	read -ra guest <<<"$4"
	run_pager "$1" "${guest[@]}"
	said=$(excerpt "$work/loaded.out")
	read -ra numbers <<<"$(tr -cs '0-9' ' ' <<<"$said")"
	found=$(witnessed cheat)
	faults=$(witnessed fault)
	if [ -n "$found" ]; then
		points "$1" "$2" 0 "$3" "no points: $found"
	elif [ "$status" != 0 ] || [ "${#numbers[@]}" -lt 2 ]; then
		found=$(likely_mistake)
		points "$1" "$2" 0 "$3" "${found:-$(ending "$status"), no counts$(own_words)}"
	elif [ -n "$(cheat)" ]; then
		points "$1" "$2" 0 "$3" "$(cheat)"
	elif "$5" "${numbers[@]}"; then
		points "$1" "$2" "$3" "$3"
	else
		points "$1" "$2" 0 "$3" "$said$([ "$1" != dpager ] || echo "${faults:+, $faults times by SIGSEGV}"); wanted: $6"
	fi
}

# Rules for what at_entry prints: of .rodata, .data and .bss, how many pages are there, and of how many.
all_there() { (($1 == $2 && $3 == $4 && $5 == $6)); }
# The kernel's own paging brings in nothing either: without a witness, faults is empty.
none_there() { (($1 == 0 && $3 == 0 && $5 == 0 && ${faults:-1} > 0)); }
# A few may have been predicted when their neighbours were touched.
little_bss_there() { (($5 <= 8)); }

# Rules for how many pages were touched, and how many are there then.
only_touched() { (($2 == $1 && ${faults:-$1} >= $1)); }
some_ahead() { (($2 >= $1 + 4 && $2 <= 2 * $1)); }
few_in_vain() { (($2 >= $1 && $2 <= $1 * 3 / 2)); }

# Rules of a variant. The third number is how many pages came with one touch at most.
in_blocks() { (($3 == block && $2 == ($1 + block - 1) / block * block && ${faults:-$2} * block >= $2)); }
so_far_ahead() { (($3 == ahead + 1 && $2 <= $1 + 2 * ahead)); }

# read_variant SEED: block, ahead, walk and pages are as in variant.sh.
read_variant() {
	local numbers name value
	numbers=$(bash "$here/variant.sh" "$1") || exit 125
	while read -r name value _; do
		printf -v "$name" %s "$value"
	done <<<"$numbers"
}

# ---- the submission ------------------------------------------------------------------------

# After the submission's Makefile has run, so that what it may have left there is gone.
build_guests() {
	rm -rf "$work/guests" && mkdir "$work/guests"
	make -s -C "$here/skeleton/guests" OUT="$work/guests" >"$work/guests.log" 2>&1 || {
		cat "$work/guests.log" >&2
		give_up "the guests cannot be built here"
	}
}

# find_witness: the command that stands before a pager and its program, or nothing where no process may be traced.
find_witness() {
	gcc -std=gnu17 -D_GNU_SOURCE -O1 -o "$work/witness" "$here/witness.c" >"$work/witness.log" 2>&1 || {
		cat "$work/witness.log" >&2
		give_up "witness.c cannot be built here"
	}
	run loaded "$work/witness" "$work/report" "$work/guests/hello" "$work/guests/hello"
	if grep -qx entered "$work/report"; then
		witness=(witness)
	else
		echo "${0##*/}: no process may be traced here: nothing looks whether a pager uses execve" >&2
	fi
}

# copy_submission: to $submission; without a Makefile at its top, from the one folder that has one, or over the skeleton.
copy_submission() {
	local found=("$directory"/*/Makefile)
	timeout 60 cp -rL "$directory/." "$submission" 2>/dev/null
	if [ -e "$directory/Makefile" ]; then
		return
	elif [ "${#found[@]}" = 1 ] && [ -e "${found[0]}" ]; then
		remark="; its Makefile is in $(basename "$(dirname "${found[0]}")")/"
		submission+=/$(basename "$(dirname "${found[0]}")")
	elif compgen -G "$directory/*.c" >/dev/null; then
		remark=", laid over the skeleton, because it has no Makefile"
		cp -n "$here"/skeleton/{Makefile,*.[ch]} "$submission"
	else
		remark=", which has no Makefile, nor has one folder in it"
	fi
}

# A warning is looked for in what make says, so everything is compiled again.
build_submission() {
	local of=5 made=0
	(
		cd "$submission" && ulimit -c 0 -f 65536 -v 4194304 || exit 125
		export LAB_RUN=$mark
		timeout -k 1 60 make clean
		exec timeout -k 1 60 make -k
	) </dev/null >"$work/build.log" 2>&1 || made=$?
	end_leftovers
	if [ ! -e "$submission/Makefile" ]; then
		points build builds 0 $of "there is no Makefile"
		points build "no warning" 0 $of "not built"
		return
	elif [ "$made" != 0 ]; then
		points build builds 0 $of "make: $(ending "$made"); $(first_error)"
		points build "no warning" 0 $of "not built"
		return
	fi
	points build builds $of $of
	if grep -q 'warning:' "$work/build.log"; then
		points build "no warning" 0 $of "$(excerpt <(grep -m 1 'warning:' "$work/build.log"))"
	else
		points build "no warning" $of $of
	fi
}

first_error() {
	excerpt <(grep -m 1 -E 'error:|\*\*\*|rror [0-9]' "$work/build.log")
}

check_pager() {
	local pager=$1 check
	out_of_time=0
	for check in $compared; do
		compare "$pager" "${check%:*}" "${check#*:}"
	done
	refuse "$pager" 2
	"check_$pager"
	end_leftovers
}

check_apager() {
	compare apager literal 2
	counts apager "all at entry" 8 at_entry all_there "all of it"
}

check_dpager() {
	counts dpager "none at entry" 6 at_entry none_there "nothing, by a handler"
	if [ -n "$block" ]; then
		counts dpager "block by block" 4 "batch $pages $walk" in_blocks \
			"blocks of $block, each by SIGSEGV"
	else
		counts dpager "page by page" 4 in_order only_touched \
			"as many as were touched, each by SIGSEGV"
	fi
}

check_hpager() {
	compare hpager literal 2
	counts hpager "no .bss at entry" 3 at_entry little_bss_there \
		"at most 8 of bss"
	if [ -n "$ahead" ]; then
		counts hpager "looks ahead" 3 "batch $pages $walk" so_far_ahead \
			"$((ahead + 1)) with one touch, $ahead of them ahead, going $walk"
	else
		counts hpager "looks ahead" 3 in_order some_ahead \
			"at least 4 more than were touched, at most twice as many"
	fi
	counts hpager "few in vain" 2 scattered few_in_vain "at most half as many again as were touched"
}

# ---- the report ----------------------------------------------------------------------------

add_up() {
	local row fields
	total=0
	full=0
	for row in "${results[@]}"; do
		IFS=$'\t' read -ra fields <<<"$row"
		total=$((total + fields[2]))
		full=$((full + fields[3]))
	done
}

# Checks one after another that lost their points for the same reason share a line.
report_text() {
	echo "submission: $directory$remark"
	printf '%s\n' "${results[@]}" | awk -F '\t' '
		function print_line() {
			if (checks == 0)
				return
			if (parts != printed)
				print parts
			printed = parts
			name = checks > 4 ? checks " checks" : names
			printf note == "" ? "  %d/%d  %s\n" : "  %d/%d  %-16s  %s\n", points, of, name, note
		}
		$5 == "" || $5 != note || checks == 0 {
			print_line()
			parts = $1
			names = $2
			checks = points = of = 0
			last = $1
			note = $5
		}
		checks > 0 { names = names ", " $2 }
		$1 != last { parts = parts ", " $1 }
		{ last = $1; checks++; points += $3; of += $4 }
		END { print_line() }'
	echo "total: $total of $full"
}

quoted() {
	printf '"%s"' "$(printf %s "$1" | tr -cd ' -~' | sed 's/[\\"]/\\&/g')"
}

report_json() {
	local row fields separator=
	printf '{"submission": %s, "points": %d, "of": %d, "checks": [' "$(quoted "$directory")" \
		"$total" "$full"
	for row in "${results[@]}"; do
		IFS=$'\t' read -ra fields <<<"$row"
		printf '%s\n  {"part": %s, "check": %s, "points": %d, "of": %d, "note": %s}' "$separator" \
			"$(quoted "${fields[0]}")" "$(quoted "${fields[1]}")" "${fields[2]}" \
			"${fields[3]}" "$(quoted "${fields[4]-}")"
		separator=,
	done
	printf '\n]}\n'
}

# ---- main ----------------------------------------------------------------------------------

for word in "$@"; do
	case $word in
	--json) as_json=yes ;;
	--help) help ;;
	--seconds=[1-9] | --seconds=[1-9][0-9]) seconds=${word#*=} ;;
	--variant=*) read_variant "${word#*=}" ;;
	--seconds*) give_up "$word: N is 1 to 99, as in --seconds=5" ;;
	--pagers=*)
		pagers=${word#*=}
		pagers=${pagers//,/ }
		for pager in ${pagers:-none}; do
			case $pager in
			apager | dpager | hpager) ;;
			*) give_up "$word: there are apager, dpager and hpager, separated by commas" ;;
			esac
		done
		;;
	-*) give_up "$word: no such option; --help lists them" ;;
	*)
		[ -z "$directory" ] || give_up "$word: one DIRECTORY at a time; grade_all.py grades many"
		directory=$word
		;;
	esac
done
[ -n "$directory" ] || give_up "a DIRECTORY is missing: the submission; --help says more"
[ -d "$directory" ] || give_up "$directory: not a directory"

work=$(mktemp -d) || give_up "no temporary directory"
mark=${work##*/}
submission=$work/submission
witness=()
remark=
trap clean_up EXIT
trap 'exit 125' INT TERM HUP
mkdir "$work/here" "$submission"

copy_submission
build_submission
build_guests
find_witness
for pager in $pagers; do
	check_pager "$pager"
done
add_up
if [ -n "$as_json" ]; then report_json; else report_text; fi
[ "$total" = "$full" ]
