#!/usr/bin/env bash
#
# grade.sh [OPTION]... DIRECTORY: grades a submission of the loader lab.
#
#   --json         print a report for scripts
#   --seconds=N    end each run after N seconds, 1 to 99 (5)
#   --pagers=LIST  grade only these of apager,dpager,hpager
#   --checks=LIST  make only these checks, as in --checks=auxv,entry
#   --variant=SEED grade with the numbers of one term, as variant.sh SEED prints them
#   --programs=FOLDER  build the programs of skeleton/guests in FOLDER once, for many submissions;
#                  without DIRECTORY nothing else is done
#   --help         print this text
#
# It builds a copy of DIRECTORY and runs its apager, dpager and hpager on the programs in
# skeleton/guests. It compares stdout and how each run ended with a native run. Then it checks which
# pages were in memory. The Makefile may be one folder further down. If there is none, the C files of
# DIRECTORY, such as those of solution/, are laid over the skeleton. Links that lead out of DIRECTORY
# are left out.
#
# apart.c gives `make` and every run namespaces of their own, where only the copy's files can be
# written. Every run is limited to N seconds, 1 GiB of address space and 1 MiB of output. witness.c
# checks that the pager runs the program itself, and ends a pager that does what the rules forbid.
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
checks=                    # those to make, separated by commas; empty: all
make_seconds=60
patience=3                 # runs of one pager that may be out of time before the rest is not run
as_json=
directory=
programs= # the folder of guests, witness and apart
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

# run NAME COMMAND...: apart, and within the limits. NAME.out and NAME.err are what it wrote; sets status.
run() {
	local name=$work/$1
	shift
	status=0
	{
		(
			cd "$work/here" || exit 125
			ulimit -c 0 -f "$output" -v "$address_space" || exit 125
			exec "${apart[@]}" -w "$work/said" env -i PATH=/usr/local/bin:/usr/bin:/bin EMPTY= \
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

# is_wanted CHECK
is_wanted() {
	[ -z "$checks" ] || [[ ",$checks," == *",$1,"* ]]
}

# may_run PAGER CHECK OF: false, with no points, where running it makes no sense.
may_run() {
	if ! is_wanted "$2"; then
		return 1
	elif [ ! -x "$submission/$1" ] || [ -d "$submission/$1" ]; then
		points "$1" "$2" 0 "$3" "there is no $1"
	elif [ "$out_of_time" -ge "$patience" ]; then
		points "$1" "$2" 0 "$3" "not run, because $patience runs of $1 were out of time"
	else
		return 0
	fi
	return 1
}

# run_pager PAGER GUEST [ARG]...: the guest under the pager, as NAME 'loaded'.
run_pager() {
	local pager=$1 guest=$2
	shift 2
	rm -f "$report"
	[ "${#witness[@]}" = 0 ] || witness=("$programs/witness" "$report" "$programs/guests/$guest")
	run loaded "${witness[@]}" "$submission/$pager" "$programs/guests/$guest" "$@"
	case $status in 124 | 137) out_of_time=$((out_of_time + 1)) ;; esac
}

# witnessed WORD: what the witness said by this word of the last run, of several the first.
witnessed() {
	sed -n "s/^$1 *//p" "$report" 2>/dev/null | head -n 1
}

# Why this run is worth no points, whatever came of it; or nothing. What comes after the first is of interest only
# where the run looks right: a program may have changed its constants itself, where they are writable by mistake.
cheat() {
	local found
	[ "${#witness[@]}" != 0 ] || return
	found=$(witnessed cheat)
	if [ -z "$found" ] && ! grep -qx entered "$report" 2>/dev/null; then
		found="the pager never reached the program's entry, so this is not the program's output"
	fi
	[ -n "$found" ] || found=$(witnessed altered)
	if [ -z "$found" ] && ! grep -qx ran "$report"; then
		found="the program did not run from its entry through main() to its end, so this is not its output"
	fi
	[ -z "$found" ] || echo "no points: $found"
}

# What the pager said of itself, if it said anything.
own_words() {
	[ ! -s "$work/loaded.err" ] || echo "; its message: $(excerpt "$work/loaded.err")"
}

# The commonest mistakes, in a sentence that leads to them; or nothing.
likely_mistake() {
	local found
	found=$(sed -n 's/.*\(step [0-9]* is missing.*\)/\1/p' "$work/loaded.err" | head -n 1)
	[ "$status" = 125 ] || found=
	[ -n "$found" ] || found=$(witnessed hint)
	if [ -z "$found" ] && grep -q '[1-9][0-9]* not zero' "$work/loaded.out"; then
		found="the bytes after the file's on their last page are not zero (step 2)"
	fi
	echo "$found"
}

# Why this run is not like the native one.
difference() {
	local native=$1 native_status=$2 line found where
	found=$(likely_mistake)
	if [ "$status" != "$native_status" ]; then
		where=$(witnessed died)
		echo "${found:-$(ending "$status"), in a native run $(ending "$native_status")${where:+; died $where}$(own_words)}"
		return
	fi
	line=$(cmp "$work/$native.out" "$work/loaded.out" 2>/dev/null | sed 's/.* line //')
	# Nothing: one of them goes on where the other ends.
	line=${line:-$(($(wc -l "$work/$native.out" "$work/loaded.out" | sort -n | awk '{ print $1; exit }') + 1))}
	echo "line $line of stdout: '$(excerpt "$work/loaded.out" "$line")'," \
		"in a native run '$(excerpt "$work/$native.out" "$line")'${found:+; $found}"
}

# compare PAGER GUEST OF: all points if stdout and status are those of the native run. That comes after
# the other, so that nobody can read it.
compare() {
	local arguments=() native_status loaded_status found
	may_run "$@" || return
	[ "$2" != args ] || arguments=("${arguments_of_args[@]}")
	run_pager "$1" "$2" "${arguments[@]}"
	loaded_status=$status
	run native "$programs/guests/$2" "${arguments[@]}"
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
			note="$guest: $(ending "$status"), wanted: exit 126$(own_words)"
		elif [ ! -s "$work/loaded.err" ] || [ -s "$work/loaded.out" ]; then
			note="$guest: the pager must write a message to stderr, and nothing to stdout"
		fi
		[ -z "$note" ] || break
	done
	points "$1" refuses "$([ -n "$note" ] && echo 0 || echo "$2")" "$2" "$note"
}

# The last run had the output of the dynamically linked program, which says the same as hello, and came to its entry.
runs_dynamic() {
	run native "$programs/guests/dynamic"
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
		points "$1" "$2" 0 "$3" "${found:-$(ending "$status"), and no counts on stdout$(own_words)}"
	elif [ -n "$(cheat)" ]; then
		points "$1" "$2" 0 "$3" "$(cheat)"
	elif "$5" "${numbers[@]}"; then
		points "$1" "$2" "$3" "$3"
	else
		[ "$1" = apager ] || said+=${faults:+, $faults pages by SIGSEGV}
		points "$1" "$2" 0 "$3" "$said; wanted: $6"
	fi
}

# Rules for what at_entry prints: of .rodata, .data and .bss, how many pages are there, and of how many.
all_there() { (($1 == $2 && $3 == $4 && $5 == $6)); }
# The kernel's own paging brings in nothing either, but raises no signal. Without a witness, faults is empty.
by_handler() { ((${faults:-1} > 0)); }
none_there() { by_handler && (($1 == 0 && $3 == 0 && $5 == 0)); }
# A few may have been predicted when their neighbors were touched.
little_bss_there() { (($5 <= 8)); }

# Rules for how many pages were touched, and how many are there then.
only_touched() { (($2 == $1 && ${faults:-$1} >= $1)); }
some_ahead() { by_handler && (($2 >= $1 + 4 && $2 <= 2 * $1)); }
few_in_vain() { by_handler && (($2 >= $1 && $2 <= $1 * 3 / 2)); }

# Rules of a variant. The third number is how many pages came with one touch at most.
in_blocks() { (($3 == block && $2 == ($1 + block - 1) / block * block && ${faults:-$2} * block >= $2)); }
so_far_ahead() { by_handler && (($3 == ahead + 1 && $2 <= $1 + 2 * ahead)); }

# read_variant SEED: block, ahead, walk and pages are as in variant.sh.
read_variant() {
	local numbers name value
	numbers=$(bash "$here/variant.sh" "$1") || exit 125
	while read -r name value _; do
		printf -v "$name" %s "$value"
	done <<<"$numbers"
}

# ---- what runs them ------------------------------------------------------------------------

# build_tool NAME: from NAME.c, into $programs.
build_tool() {
	gcc -std=gnu17 -D_GNU_SOURCE -O1 -o "$programs/$1" "$here/$1.c" >"$work/tool.log" 2>&1 || {
		cat "$work/tool.log" >&2
		give_up "$1.c cannot be built here"
	}
}

build_guests() {
	mkdir "$programs/guests"
	make -s -C "$here/skeleton/guests" OUT="$programs/guests" >"$work/guests.log" 2>&1 || {
		cat "$work/guests.log" >&2
		give_up "the guests cannot be built here"
	}
}

# find_apart: the command that stands before each run, and before make. Sets is_apart where there are namespaces.
find_apart() {
	[ -x "$programs/apart" ] || build_tool apart
	apart=("$programs/apart")
	is_apart=yes
	"${apart[@]}" -w "$submission" true 2>/dev/null && return
	is_apart=
	echo "${0##*/}: no namespaces here: while make and the pagers run, they can change this user's files and" \
		"this grader; processes that they leave running are still ended" >&2
	apart+=(-n)
}

# Without namespaces the Makefile can have changed whatever was built before.
build_programs() {
	if [ -z "$is_apart" ]; then
		programs=$(mktemp -d "$work/programs.XXXXXX")
		build_tool apart
		apart=("$programs/apart" -n)
	fi
	[ -x "$programs/witness" ] || build_tool witness
	[ -d "$programs/guests" ] || build_guests
}

# build_once FOLDER: for other runs of this script, too. What is half built has another name.
build_once() {
	programs=$work/programs
	mkdir "$programs"
	build_tool apart
	build_tool witness
	build_guests
	programs=$1
	if ! cp -r "$work/programs" "$1.$$" || ! { mv -T "$1.$$" "$1" 2>/dev/null || rm -rf "$1.$$"; }; then
		give_up "$1: cannot be made"
	fi
}

# find_witness: the command that stands before a pager and its program, or nothing where no process may be traced.
find_witness() {
	run loaded "$programs/witness" "$report" "$programs/guests/hello" "$programs/guests/hello"
	if grep -qx entered "$report" 2>/dev/null; then
		witness=(witness)
	else
		echo "${0##*/}: no process may be traced here, or there is no hardware breakpoint: the grader" \
			"cannot see whether a pager cheats by execve" >&2
	fi
}

# ---- the submission ------------------------------------------------------------------------

# A link may lead to the solution, or to a neighbor's files.
remove_links() {
	local link top count=0
	top=$(realpath "$directory")
	while IFS= read -r -d '' link; do
		case $(realpath -m "$directory/$link") in
		"$top"/*) ;;
		*)
			rm -f "$submission/$link"
			count=$((count + 1))
			;;
		esac
	done < <(cd "$directory" && find . -type l -print0)
	[ "$count" = 0 ] || remark+="; $count links that lead out of it are left out"
}

# copy_submission: to $submission; without a Makefile at its top, from the one folder that has one, or over the skeleton.
copy_submission() {
	local found
	timeout 60 cp -r "$directory/." "$submission" 2>/dev/null
	remove_links
	found=("$submission"/*/Makefile)
	if [ -e "$submission/Makefile" ]; then
		return
	elif [ "${#found[@]}" = 1 ] && [ -e "${found[0]}" ]; then
		remark+="; its Makefile is in $(basename "$(dirname "${found[0]}")")/"
		submission+=/$(basename "$(dirname "${found[0]}")")
	elif compgen -G "$submission/*.c" >/dev/null; then
		remark+=", laid over the skeleton, because it has no Makefile"
		cp -n "$here"/skeleton/{Makefile,*.[ch]} "$submission"
	else
		remark+=", which has no Makefile, and not exactly one folder that has one"
	fi
}

# make_apart: apart, with an environment of its own. Its temporary files are gone afterwards.
make_apart() {
	local hide=()
	[ ! -d "$here/solution" ] || hide=(-h "$here/solution")
	mkdir "$work/tmp"
	(
		cd "$submission" && ulimit -c 0 -f 65536 -v 4194304 || exit 125
		exec "${apart[@]}" -w "$work/submission" -w "$work/tmp" "${hide[@]}" \
			env -i PATH="$PATH" HOME="$work/tmp" TMPDIR="$work/tmp" LC_ALL=C \
			bash -c 'timeout -k 1 "$0" make clean; exec timeout -k 1 "$0" make -k' "$make_seconds"
	) </dev/null >"$work/build.log" 2>&1
}

# A warning is looked for in what make says, so everything is compiled again.
build_submission() {
	local of=5 made=0
	make_apart || made=$?
	rm -rf "$work/tmp"
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
}

check_apager() {
	compare apager literal 2
	counts apager "all at entry" 8 at_entry all_there "all pages"
}

check_dpager() {
	counts dpager "none at entry" 6 at_entry none_there "no page, and a handler that brings them in later"
	if [ -n "$block" ]; then
		counts dpager "block by block" 4 "batch $pages $walk" in_blocks \
			"blocks of $block pages, each by SIGSEGV"
	else
		counts dpager "page by page" 4 in_order only_touched \
			"as many pages as were touched, each by SIGSEGV"
	fi
}

check_hpager() {
	compare hpager literal 2
	counts hpager "no .bss at entry" 3 at_entry little_bss_there \
		"at most 8 pages of bss"
	if [ -n "$ahead" ]; then
		counts hpager "looks ahead" 3 "batch $pages $walk" so_far_ahead \
			"$((ahead + 1)) pages with one touch, $ahead of them ahead, going $walk"
	else
		counts hpager "looks ahead" 3 in_order some_ahead \
			"at least 4 pages more than were touched, at most twice as many, by a handler"
	fi
	counts hpager "few in vain" 2 scattered few_in_vain \
		"at most one and a half times as many pages as were touched, by a handler"
}

# ---- the report ----------------------------------------------------------------------------

# Each word of --checks was the name of a check.
all_checks_made() {
	local word words
	IFS=, read -ra words <<<"$checks"
	for word in "${words[@]}"; do
		printf '%s\n' "${results[@]}" | cut -f 2 | grep -Fqx "$word" ||
			give_up "--checks=$checks: there is no check '$word' here; docs/lab/README.md lists them"
	done
}

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

# Checks one after another that lost their points for the same reason share a line. Where they are many, their
# names stand below the reason.
report_text() {
	echo "submission: $directory$remark"
	printf '%s\n' "${results[@]}" | awk -F '\t' '
		function print_below(text, width, line, words, n, i) {
			n = split(text, words, ", ")
			line = words[1]
			for (i = 2; i <= n; i++)
				if (length(line ", " words[i]) <= width)
					line = line ", " words[i]
				else {
					print "        " line ","
					line = words[i]
				}
			print "        " line
		}
		function print_line() {
			if (checks == 0)
				return
			if (parts != printed)
				print parts
			printed = parts
			if (checks > 4) {
				printf "  %d/%d  %d checks: %s\n", points, of, checks, note
				print_below(names, 88)
			} else
				printf note == "" ? "  %d/%d  %s\n" : "  %d/%d  %-16s  %s\n", points, of, names, note
		}
		$5 == "" || $5 != note || checks == 0 {
			print_line()
			parts = last = $1
			names = $2
			split("", seen)
			checks = points = of = 0
			note = $5
		}
		checks > 0 && !($2 in seen) { names = names ", " $2 }
		$1 != last { parts = parts ", " $1 }
		{ seen[$2]; last = $1; checks++; points += $3; of += $4 }
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

read_options() {
	local word pager
	for word in "$@"; do
		case $word in
		--json) as_json=yes ;;
		--help) help ;;
		--seconds=[1-9] | --seconds=[1-9][0-9]) seconds=${word#*=} ;;
		--variant=*) read_variant "${word#*=}" ;;
		--programs=?*) programs=$(realpath -m "${word#*=}") ;;
		--checks=?*) checks=${word#*=} ;;
		--seconds*) give_up "$word: N must be 1 to 99, as in --seconds=5" ;;
		--pagers=*)
			pagers=${word#*=}
			pagers=${pagers//,/ }
			for pager in ${pagers:-none}; do
				case $pager in
				apager | dpager | hpager) ;;
				*) give_up "$word: name some of apager, dpager and hpager, separated by commas" ;;
				esac
			done
			;;
		-*) give_up "$word: no such option; --help lists them" ;;
		*)
			[ -z "$directory" ] || give_up "$word: name one DIRECTORY; grade_all.py grades many"
			directory=$word
			;;
		esac
	done
	[ -n "$directory$programs" ] || give_up "name the DIRECTORY of a submission; --help lists the options"
	[ -z "$directory" ] || [ -d "$directory" ] || give_up "$directory: is no directory; name a submission's"
}

main() {
	local pager
	read_options "$@"
	work=$(mktemp -d) || give_up "no temporary directory"
	submission=$work/submission
	report=$work/said/report
	witness=()
	remark=
	trap 'rm -rf "$work"' EXIT
	trap 'exit 125' INT TERM HUP
	mkdir "$work/here" "$work/said" "$submission"

	[ -z "$programs" ] || [ -d "$programs" ] || build_once "$programs"
	[ -n "$directory" ] || return 0
	[ -n "$programs" ] || { programs=$work/programs && mkdir "$programs"; }
	find_apart
	copy_submission
	build_submission
	build_programs
	find_witness
	for pager in $pagers; do
		check_pager "$pager"
	done
	all_checks_made
	add_up
	if [ -n "$as_json" ]; then report_json; else report_text; fi
	[ "$total" = "$full" ]
}

# bash has read all of this file before make runs, which may change it where there are no namespaces.
main "$@"
exit
