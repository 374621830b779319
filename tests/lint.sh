#!/bin/sh
#
# Checks how the tree is written. Each check prints one line: "ok lint: NAME", with "# skip REASON" where it
# cannot run here, or "not ok lint: NAME", and on the lines after that what was found.

set -u
cd "$(dirname "$0")/.." || exit 125

# Functions that may be longer, as FILE:FUNCTION, separated by spaces: there are none.
long_functions=""

most_function_lines=40
most_file_lines=300

# The versions that formatted the tree and looked at its scripts. Others may see a few lines differently.
format_version=14
shellcheck_version=0.9

failed=0
scratch=$(mktemp) || exit 125
trap 'rm -f "$scratch"' EXIT

# Whether git reads a repository whose top this folder is: an unpacked archive may lie inside of another one.
is_repository() {
	[ -e .git ] && git rev-parse --is-inside-work-tree >/dev/null 2>&1
}

# Every file of the tree that git would keep, or every file there is but what is built and Debian's.
files() {
	if is_repository; then
		git ls-files --cached --others --exclude-standard
	else
		find . -type f ! -path './.git/*' ! -path './debian/*' | sed 's|^\./|/|' |
			grep -vE "^($(sed 's|/$|/.*|' .gitignore | tr '\n' '|')/[^/]*\.pyc)\$|/__pycache__/" | sed 's|^/||'
	fi | sort | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done
}

tree=$(files)

# select_files REGEX: the files whose names match.
select_files() {
	echo "$tree" | grep -E "$1"
}

# report NAME FINDINGS: ok when there are none.
report() {
	if [ -z "$2" ]; then
		echo "ok lint: $1"
	else
		echo "not ok lint: $1"
		echo "$2" | sed 's/^/# /'
		failed=1
	fi
}

skip() {
	echo "ok lint: $1 # skip $2"
}

check_format() {
	name="clang-format leaves the C files as they are"
	if ! command -v clang-format >/dev/null 2>&1; then
		skip "$name" "clang-format is not installed"
		return
	fi
	version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
	found=$(select_files '\.[ch]$' | xargs clang-format --dry-run -Werror 2>&1 |
		grep -E '^[^ ].*(error|warning):' | cut -d: -f1 | sort | uniq -c |
		sed 's/^ *\([0-9]*\) \(.*\)/\2: \1 places; clang-format -i \2/')
	if [ -n "$found" ] && [ "$version" != "$format_version" ]; then
		skip "$name" "formatted with version $format_version, this is $version"
	else
		report "$name" "$found"
	fi
}

check_shell() {
	name="shellcheck is content with the scripts"
	if ! command -v shellcheck >/dev/null 2>&1; then
		skip "$name" "shellcheck is not installed"
		return
	fi
	version=$(shellcheck --version | sed -n 's/^version: \([0-9]*\.[0-9]*\).*/\1/p')
	# SC2317, SC2329: functions that bats or a trap calls look unused.
	# SC1091: a file that is read in is checked on its own.
	# SC2016: what stands in single quotes with a $ is for another shell, awk or JavaScript.
	found=$(select_files '\.(sh|bash|bats)(\.in)?$|^\.ci/run$' |
		xargs shellcheck --format=gcc --severity=info \
			--exclude=SC2317,SC2329,SC1091,SC2016 2>&1)
	if [ -n "$found" ] && [ "$version" != "$shellcheck_version" ]; then
		skip "$name" "checked with version $shellcheck_version, this is $version"
	else
		report "$name" "$found"
	fi
}

# Bash ends a test at a command that fails, but not at one before the last && of a list. So a list stands last,
# where its status is the function's, or says what becomes of it.
check_assertions() {
	report "in tests no list of conditions is passed over when its first one fails" "$(
		select_files '\.(bats|bash)$' | xargs awk '
			said != "" && NF > 0 {
				if ($1 !~ /^}/)
					print said
				said = ""
			}
			/^\t+\[.* && \[/ && !/\|\|/ && !/&& (return|break|continue|[A-Za-z_]+=|\\)/ && !/(&&|then)$/ {
				said = FILENAME ":" FNR ": " $0
			}'
	)"
}

# A word that `requires` does not know fails the test, which may be one of the larger check alone.
check_words() {
	known=$(
		sed -n '/^requires() {/,/^}/s/^\t\t*\([a-z0-9_+ |-]*\)[)\\]$/\1/p' tests/helpers.bash | tr -d '|'
		sed -n 's/^\([a-z0-9_]*\) .*/\1/p' tests/only/* tests/lacking/*
	)
	report "requires is given words that it knows" "$(
		select_files '\.(bats|bash)$' | xargs awk -v known=" $(echo "$known" | tr -s ' \n\t' ' ') " '
			$1 == "requires" {
				for (i = 2; i <= NF && $i ~ /^[a-z0-9_+-]+$/; i++)
					if (!index(known, " " $i " "))
						print FILENAME ":" FNR ": " $i
			}'
	)"
}

# Functions of the files that resident.ld puts behind resident_guard_end, where they are called: each of these places
# has asked whether that code was copied (a trace, an order, --verify, a debugger).
left_out_asked() {
	cat <<-'END'
		loader/resident/base/order_copies.c order_find_function
		loader/resident/base/order_copies.c order_note
		loader/resident/base/trace.h trace_write
		loader/resident/base/trace.h trace_write_fault
		loader/resident/calls/ends.c order_changes
		loader/resident/calls/guard.c order_makes
		loader/resident/calls/guard.c trace_call
		loader/resident/calls/guard.c verify_pages
		loader/resident/launch.c pause_for_debugger
		loader/resident/pager/laziness.c order_end
		loader/resident/pager/laziness.c trace_retire
		loader/resident/pager/pager.c verify_pages_locked
		loader/resident/signal_managed.c order_serve
	END
}

check_left_out() {
	late=$(sed -nE 's/.*EXCLUDE_FILE\((.*)\) \*.*/\1/p' loader/resident/resident.ld | sed 's/\*//g; s#\.o#[.]c#g; s# #|#g')
	report "resident code that may be left out is called only where a check precedes the call (left_out_asked)" "$(
		{
			select_files "^loader/resident/(.*/)?($late)\$"
			select_files '^loader/resident/.*\.[ch]$' | grep -vE "/($late)\$"
		} | xargs awk -v asked="$(left_out_asked | tr ' ' ':')" -v late="/($late)\$" '
			FILENAME ~ late && /^[A-Za-z_].*\(/ {
				name = $0
				sub(/\(.*/, "", name)
				sub(/.*[ *]/, "", name)
				hidden = /^static/
			}
			FILENAME ~ late && /^\{/ && !hidden { left_out[name] = 1 }
			FILENAME !~ late && /^\t/ {
				for (name in left_out)
					if ($0 ~ "(^|[^a-z_])" name "([^a-z_]|$)" && !index(asked, FILENAME ":" name))
						print FILENAME ":" FNR ": " name
			}'
	)"
}

# Braces of functions, and of nothing else, stand at the start of a line: .clang-format sees to it.
check_functions() {
	report "no function is longer than $most_function_lines lines" "$(
		select_files '^(common|loader|bench)/.*\.[ch]$' |
			xargs awk -v most="$most_function_lines" -v allowed=" $long_functions " '
			FNR == 1 { start = 0 }
			/^[A-Za-z_].*\(/ && !start {
				name = $0
				sub(/\(.*/, "", name)
				sub(/.*[ *]/, "", name)
			}
			/^\{/ { start = FNR }
			/^\}/ && start {
				lines = FNR - start - 1
				if (lines > most && !index(allowed, " " FILENAME ":" name " "))
					print FILENAME ":" start ": " name " has " lines " lines"
				start = 0
			}'
	)"
}

check_files() {
	report "no file is longer than $most_file_lines lines" "$(
		select_files '^(common|loader|bench)/.*\.[chS]$' |
			xargs awk -v most="$most_file_lines" '
			{ lines[FILENAME]++ }
			END {
				for (file in lines)
					if (lines[file] > most)
						print file ": " lines[file] " lines"
			}'
	)"
}

# What a test or a person leaves there by mistake would be committed with the rest.
check_top() {
	report "the top folder has nothing that it should not" "$(
		echo "$tree" | cut -d / -f 1 | sort -u | grep -vxE \
			'\.(ci|clang-format|github|gitignore)|(CHANGELOG|CONTRIBUTING|README|SECURITY)\.md|CITATION\.cff|LICENSE|Makefile|bench|common|docs|loader|share|testprogs|tests'
	)"
}

check_license() {
	found=
	if ! grep -q '^MIT License$' LICENSE ||
		! grep -q '^Permission is hereby granted, free of charge' LICENSE; then
		found="it has other words"
	fi 2>/dev/null
	report "LICENSE is the MIT license" "$found"
}

# What --help takes from the tables by itself, the man page has to be told.
check_man() {
	page=docs/man/loader.1.in
	report "the man page has each option, policy and engine of the tables, and no others" "$(
		{
			sed -nE 's/^OPTION\(([a-z0-9_]+),.*/option \1/p' loader/cli/options.def | tr _ -
			sed -nE 's/^\tPOLICY\("([^"]+)".*/policy \1/p' loader/predict/predict.h
			sed -nE 's/^\tENGINE\(([a-z0-9_]+)\).*/engine \1/p' loader/resident/pager/engine.h
		} | sort >"$scratch"
		{
			sed -nE 's/^(@[a-z_]+@)?\.It @--([a-z0-9-]+)=?@.*/option \2/p' $page
			sed -n '/^\.It @--policy@/,/^\.El/s/^\.It Cm \([^ ]*\).*/policy \1/p' $page
			sed -n '/^\.It @--engine@/,/^By default/s/^\.Cm //p' $page | tr ' ' '\n' |
				sed -n 's/^\([a-z]\{2,\}\)$/engine \1/p'
		} | sort | diff "$scratch" - | sed -nE "s|^< (.*)|$page: \1 is missing|p; s|^> (.*)|$page: there is no \1|p"
	)"
}

# Of the last commit alone: those before it are as they are.
check_subject() {
	name="the last commit's subject has at most 72 characters"
	is_repository || {
		skip "$name" "no repository that git reads"
		return
	}
	subject=$(git log -1 --format=%s)
	[ "${#subject}" -le 72 ] && subject=
	report "$name" "$subject"
}

# The Makefile says it; these two must, by their formats.
check_version() {
	version=$(sed -n 's/^VERSION := //p' Makefile)
	released=$(sed -n 's/^date-released: "\(.*\)"$/\1/p' CITATION.cff)
	found=
	grep -qx "version: $version" CITATION.cff ||
		found="CITATION.cff: its version is not $version, which the Makefile has"
	[ "$(grep -m 1 '^## ' CHANGELOG.md)" = "## $version, $released" ] ||
		found="$found
CHANGELOG.md: its first heading is not '## $version, $released'"
	report "CHANGELOG.md and CITATION.cff have the version of the Makefile" "$(echo "$found" | sed '/^$/d')"
}

# Containers are named as debian:12, rows of the table as Debian 12.
check_workflow() {
	name="the workflow runs on the systems of docs/platforms.md"
	workflow=.github/workflows/check.yml
	table=$(sed -nE 's/^\| (Debian|Ubuntu) ([^, ]+), .*/\1:\2/p' docs/platforms.md | tr '[:upper:]' '[:lower:]' | sort -u)
	listed=$(sed -nE 's/^ +- ((debian|ubuntu):.*)/\1/p' "$workflow" | sort)
	report "$name" "$(for system in $table; do
		echo "$listed" | grep -qxF "$system" || echo "$workflow: $system is missing"
	done
	for system in $listed; do
		echo "$table" | grep -qxF "$system" || echo "$workflow: $system is not in docs/platforms.md"
	done)"
}

# A file includes only files of its own floor or of lower ones. The table of floors is in docs/CONTRIBUTING.md; each
# line here is a path's beginning and its floor. The longest beginning of a path decides.
floors() {
	sed -nE 's/^\| ([0-9]+) \| (`[^|]*) \|.*/\1 \2/p' docs/CONTRIBUTING.md | tr -d '`,' |
		while read -r floor names; do
			for name in $names; do
				echo "$name $floor"
			done
		done
}

# For awk, which gets the table above as `floors`.
floor_of='
	function floor_of(path, start, best, found) {
		best = found = -1
		for (start in floor)
			if (index(path, start) == 1 && length(start) > best) {
				best = length(start)
				found = floor[start]
			}
		return found
	}
	BEGIN {
		count = split(floors, word)
		for (i = 1; i < count; i += 2)
			floor[word[i]] = word[i + 1]
	}'

check_floors() {
	report "no file includes what stands above it (floors in docs/CONTRIBUTING.md)" "$(
		select_files '^(common|loader)/.*\.[chS]$' | xargs awk -v floors="$(floors)" "$floor_of"'
			/^#include "/ {
				split($0, part, "\"")
				if (floor_of(part[2]) < 0 || floor_of(part[2]) > floor_of(FILENAME))
					print FILENAME ":" FNR ": includes " part[2]
			}'
	)"
}

# Assembly includes no header of what it calls: its calls and jumps, and the addresses of functions that it takes,
# count as #include does. C files are read first, for where each function is defined. The kernel enters resident code
# in gadget.S, which continues in functions of higher floors: these alone.
entered='handler_of_signal handler_of_managed handlers_end processes_begin_thread'

check_calls() {
	report "no assembly calls what stands above it (floors in docs/CONTRIBUTING.md)" "$(
		{
			select_files '^(common|loader)/.*\.c$'
			select_files '^(common|loader)/.*\.S$'
		} | xargs awk -v floors="$(floors)" -v entered=" $entered " "$floor_of"'
			/^[A-Za-z_].*\(/ {
				name = $0
				sub(/\(.*/, "", name)
				sub(/.*[ *]/, "", name)
			}
			/^\{/ { file_of[name] = FILENAME }
			FILENAME ~ /\.S$/ && /^\t+(call|tail|j[a-z]+|bl?|lea|lla|adrp)\t/ {
				called = $1 ~ /^(lla|adrp)$/ ? $3 : $2
				sub(/[^A-Za-z_0-9].*/, "", called)
				if (called in file_of && !index(entered, " " called " ") &&
				    floor_of(file_of[called]) > floor_of(FILENAME))
					print FILENAME ":" FNR ": " $1 " " called ", which is in " file_of[called]
			}'
	)"
}

# Where a file has another name now, its code would quietly be elsewhere.
check_start() {
	report "every file that start.ld names is there" "$(
		grep -oE '\*(loader|common)/[a-z_/*]*\.o' loader/start.ld | sed 's/^\*//; s/\.o$//' |
			while read -r name; do
				echo "$tree" | grep -qE "^$(echo "$name" | sed 's|\*|[^/]+|')\.[cS]\$" || echo "loader/start.ld: $name.o"
			done
	)"
}

# What is of one processor stands below common/arch and loader/resident/arch: registers, instructions, its name, and
# numbers of system calls before 424, where those begin that are the same on all.
check_processor() {
	report "no file outside of the folders of processors knows one" "$(
		select_files '^(common|loader|share)/.*(\.[chS]|\.def)$' | grep -vE '^(common|loader/resident)/arch/' |
			xargs grep -nE -e '\b([re](ax|bx|cx|dx|si|di|bp|sp|ip|flags)|r(8|9|1[0-5])[bdw]?|[xyz]mm[0-9]*)\b|%[fg]s\b' \
				-e '(^|[^\\.])\b([wx]([0-9]|[12][0-9]|30|zr)|[as][0-9]{1,2}|tpidr[a-z0-9_]*|pstate|svc|ecall|ebreak|INT3)\b' \
				-e '__(x86_64|i386|aarch64|riscv|asm__)|\basm( volatile)? ?\(' \
				-e '\b(NUMBERED\(|(raw_)?syscall[0-9]?\(|(KERNEL_)?SYS_[A-Za-z0-9_]+[[:space:]]+)([0-9]{1,2}|[1-3][0-9]{2}|4[01][0-9]|42[0-3])\b' |
			grep -vw KERNEL_SYS_USER_DISPATCH # a code of SIGSYS
	)"
}

# Faults that can no longer be put where they belong test nothing.
check_mutants() {
	report "every line of mutants.list changes one line" "$(tests/mutants.sh --check)"
}

check_format
check_shell
check_assertions
check_words
check_floors
check_calls
check_left_out
check_functions
check_files
check_top
check_license
check_man
check_subject
check_version
check_workflow
check_start
check_processor
check_mutants
exit "$failed"
