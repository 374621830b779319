#!/usr/bin/env bats
#
# The command line that the three loaders share.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.

load helpers

setup() {
	cd "$ROOT" || return
}

# usage_error LOADER PATTERN [ARG]...: status 125, one line "LOADER: ..." and nothing on stdout.
usage_error() {
	expect "exit 125" "$1" "${@:3}" && is_one_line "${1##*/}: " "$2"
}

prints_help() {
	expect "exit 0" "$@"
	grep -q "^[Uu]sage: ${1##*/} \[OPTION\]\.\.\. PROGRAM \[ARG\]\.\.\." "$BATS_TEST_TMPDIR/found.out"
	[ -z "$(found err)" ]
}

@test "--help and -h print usage on stdout" {
	for loader in $LOADERS; do
		prints_help "$loader" --help
		prints_help "$loader" -h
		prints_help "$loader" -v -h ./prog1
	done
}

# options_there_are: the options of all loaders.
options_there_are() {
	sed -n 's/^OPTION(\([a-z0-9_]*\),.*/--\1/p' loader/cli/options.def | tr _ -
}

@test "--help names every option that the loader takes, and no other" {
	for loader in $LOADERS; do
		expect "exit 0" "$loader" --help
		found out | grep -o -e '--[a-z0-9-]*' | sort -u >"$BATS_TEST_TMPDIR/named"
		for option in $(options_there_are); do
			# An option that has no meaning for this loader is refused with these words.
			if "$loader" "$option" --no-such-option 2>&1 | grep -q "has no meaning here"; then
				continue
			fi
			echo "$option"
		done | sort -u >"$BATS_TEST_TMPDIR/taken"
		diff "$BATS_TEST_TMPDIR/taken" "$BATS_TEST_TMPDIR/named"
	done
}

@test "--help has 40 lines of 79 columns at most, words for each option, and three examples" {
	for loader in $LOADERS; do
		expect "exit 0" "$loader" --help
		awk 'length > 79 { print; long = 1 } END { exit long || NR > 40 }' "$BATS_TEST_TMPDIR/found.out"
		# An option and two blanks at least, or one where its name is long, and words.
		for option in $(found out | grep -oE -e '^ .{5}--[a-z0-9-]+' | grep -oE -e '--.*'); do
			found out | grep -qE -e "^ .{5}$option(=[A-Z:]+|\\[=[A-Za-z]+\\])? +[a-z.]"
		done
		[ "$(found out | tail -n 3 | grep -c "^  ${loader##*/} ")" -eq 3 ]
	done
}

@test "--version and -V print the name in one line, and what is inside in another" {
	for loader in $LOADERS; do
		for option in --version -V; do
			expect "exit 0" "$loader" "$option"
			[[ $(found out) =~ ^${loader##*/}\ [0-9]+\.[0-9] ]]
			[ "$(found out | wc -l)" -eq 2 ]
			found out | tail -n 1 | grep -Eq '^MIT license; contains libelf \(.*\), (musl|glibc) \('
			[ -z "$(found err)" ]
		done
	done
}

@test "--help, --version and --plan fail when they cannot be written, and say why" {
	requires dev_full
	for loader in $LOADERS; do
		for words in --help --version "--plan ./prog1"; do
			expect "exit 125" sh -c "exec $loader $words >/dev/full"
			is_one_line "${loader##*/}: " "standard output cannot be written to: No space left on device; redirect it elsewhere"
		done
	done
}

@test "unknown options" {
	each_loader usage_error no-such-option --no-such-option ./prog1
	each_loader usage_error x -x ./prog1
	each_loader usage_error x -vx ./prog1
}

@test "no program" {
	each_loader usage_error program
	each_loader usage_error program -v
	each_loader usage_error program --
	each_loader usage_error program --argv0=name
}

@test "an option whose value is missing, or that takes none" {
	each_loader usage_error argv0 --argv0
	each_loader usage_error plan --plan=yes ./prog1
}

@test "a wrong option: the one that was meant" {
	each_loader usage_error 'there is no option --verbse; did you mean --verbose\?$' --verbse ./prog1
	each_loader usage_error 'there is no option --Explian; did you mean --explain\?$' --Explian=json ./prog1
	each_loader usage_error 'there is no option ---stats; did you mean --stats\?$' ---stats ./prog1
	each_loader usage_error 'no option -p; did you mean --plan, with two dashes\?$' -plan ./prog1
	each_loader usage_error 'no option -t; did you mean --stats, with two dashes\?$' -stats ./prog1
	each_loader usage_error 'no option -e; did you mean --verbose, with two dashes\?$' -verbose ./prog1
	each_loader usage_error 'there is no option --xyzzy; see --help$' --xyzzy ./prog1
	each_loader usage_error 'there is no option --; see --help$' --=plan ./prog1
	# An option after a wrong one does not hide it, and options of the program are nobody's
	# mistake.
	each_loader usage_error 'did you mean --verbose\?$' --plan --verbse --help ./prog1
	under env -i
	same_as_native "$GUESTS/musl-static/hello" --verbse
}

@test "an abbreviation of several options: which ones" {
	each_loader usage_error '--s is ambiguous; did you mean --step or --stats\?$' --s ./prog1
	each_loader usage_error '--p is ambiguous; did you mean --profile, --populate, --policy, --placement, --place-hint, --plan or --pause\?$' \
		--p=x ./prog1
	for loader in $LOADERS; do
		expect "exit 0" "$loader" --verb ./prog1
		expect "exit 0" "$loader" --stat=/dev/null ./prog1
	done
}

@test "a wrong value: the one that was meant" {
	each_loader usage_error '--explain=josn is unknown; did you mean json\?$' --explain=josn ./prog1
	lazy() { only_under on_demand_loader,hybrid_loader each_loader usage_error "$@"; }
	lazy '--policy=adaptve is unknown; did you mean adaptive\?$' --policy=adaptve ./prog1
	lazy '--policy=blokc,pages=3 is unknown; did you mean block\?$' --policy=blokc,pages=3 ./prog1
	lazy '--engine=gaurd is unknown; did you mean guard\?$' --engine=gaurd ./prog1
	lazy '--guard=requier is unknown; did you mean require\?$' --guard=requier ./prog1
	lazy '--retire=nevr is unknown; did you mean never\?$' --retire=nevr ./prog1
}

@test "an option that took the program, or another option, for its value" {
	refuses() { only_under hybrid_loader each_loader usage_error "$@"; }
	refuses "--huge=./prog1 is unknown; there are auto, always and never; if ./prog1 is the program, write --huge=VALUE before it$" \
		--huge ./prog1
	cp ./prog1 "$BATS_TEST_TMPDIR/program"
	for option in --argv0 --profile --trace --record; do
		refuses "$option took ./prog1 as its value, so no program was named; write $option=VALUE" \
			"$option" ./prog1
		refuses "$option took ./prog1 as its value" "$option" ./prog1 -v
		refuses "$option took ./prog1 as its value" "$option" ./prog1 --
		refuses "$option took --stats as its value; if that is meant, write $option=--stats$" \
			"$option" --stats ./prog1
		refuses "$option took -- as its value" "$option" -- ./prog1
	done
	cmp ./prog1 "$BATS_TEST_TMPDIR/program"
	# A login shell's name is meant.
	expect "exit 0" ./hybrid_loader --argv0 -bash "$GUESTS/musl-static/hello"
	grep -qx 'argv\[0\] "-bash"' "$BATS_TEST_TMPDIR/found.out"
	expect "exit 0" ./hybrid_loader --argv0=--stats "$GUESTS/musl-static/hello"
	grep -qx 'argv\[0\] "--stats"' "$BATS_TEST_TMPDIR/found.out"
}

@test "a file without a name" {
	each_loader usage_error '--stats= names no file; write --stats=FILE' --stats= ./prog1
	each_loader usage_error '--profile= names no file' --profile= ./prog1
	each_loader usage_error '--profile= names no file' --profile '' ./prog1
	each_loader usage_error '--library-path= names no file; write --library-path=LIST' --library-path= ./prog1
	for option in --trace --record; do
		only_under on_demand_loader,hybrid_loader each_loader usage_error "$option= names no file" "$option=" ./prog1
	done
}

@test "an option again: the last one counts" {
	for loader in $LOADERS; do
		expect "exit 0" "$loader" --argv0=one --argv0 two "$GUESTS/musl-static/hello"
		grep -qx 'argv\[0\] "two"' "$BATS_TEST_TMPDIR/found.out"
	done
}

@test "an option again: each value is looked at, wherever it stands" {
	each_loader usage_error '--explain=x is unknown' --explain=json --explain=x ./prog1
	each_loader usage_error '--stats= names no file' --stats=/dev/null --stats= ./prog1
	again() {
		only_under on_demand_loader,hybrid_loader each_loader usage_error "$1=[?]" "$1=$2" "$1=?" ./prog1 &&
			only_under on_demand_loader,hybrid_loader each_loader usage_error "$1=[?]" "$1=?" "$1=$2" ./prog1
	}
	again --policy none
	again --engine mmap
	again --guard auto
	again --retire 5
}

@test "a letter that is none, and very long words" {
	long=$(printf '%0100000d' 0 | tr 0 x)
	each_loader usage_error 'there is no option' $'-\303\251' ./prog1
	each_loader usage_error 'there is no option --x{64}; see --help$' "--$long" ./prog1
	each_loader usage_error 'leave out =x{63}$' "--plan=$long" ./prog1
	only_under on_demand_loader,hybrid_loader each_loader usage_error 'there are none, .* and adaptive$' \
		"--policy=$long" ./prog1
	only_under on_demand_loader,hybrid_loader each_loader usage_error 'a number of system calls, never or auto$' \
		"--retire=$long" ./prog1
}

@test "options end at the first word that is not one" {
	under env -i
	same_as_native "$GUESTS/musl-static/hello" -v --help --argv0=x
}

@test "-- ends options" {
	under env -i
	with_options --
	same_as_native "$GUESTS/musl-static/hello" --help
	with_options "--argv0=$GUESTS/musl-static/hello" --
	same_as_native "$GUESTS/musl-static/hello"
}

# is_verbose LOADER OPTION GUEST: a line for each mapping on stderr, stdout as without it.
is_verbose() {
	local perms='[r-][w-][x-]'
	record native "$3"
	expect "exit 3" "$1" "$2" "$3" || return
	cmp "$BATS_TEST_TMPDIR/native.out" "$BATS_TEST_TMPDIR/found.out" || return
	grep -Ev "^${1##*/}: " "$BATS_TEST_TMPDIR/found.err" && return 1
	# As many as there are segments at least, each with address and length; file offsets where there are.
	[ "$(grep -Ec "0x[0-9a-f]+.*0x[0-9a-f]+.* $perms" "$BATS_TEST_TMPDIR/found.err")" -ge "$(readelf -lW "$3" | grep -c ' LOAD ')" ] &&
		grep -Eq ' r-x' "$BATS_TEST_TMPDIR/found.err" &&
		grep -Eq ' rw-.*offset 0x' "$BATS_TEST_TMPDIR/found.err"
}

@test "-v and --verbose tell each mapping on stderr and leave stdout alone" {
	for loader in $LOADERS; do
		for variant in musl-static glibc-pie; do
			for option in -v --verbose; do
				is_verbose "$loader" "$option" "$GUESTS/$variant/lifecycle" || {
					explain found "$loader" "$option" "$GUESTS/$variant/lifecycle"
					return 1
				}
			done
		done
	done
}

@test "-v keeps status and signals" {
	for loader in $LOADERS; do
		expect "exit 42" "$loader" -v "$GUESTS/musl-static/exit_status" 42
		expect "signal 11" "$loader" -v ./prog4
	done
}

@test "-v tells what could not be done without privileges" {
	drop_privileges
	# The user has no privilege, and may not make a user namespace either.
	under "${UNDER[@]}" "$GUESTS/tools/deny" "clone=$NAMESPACE_CHILD:EPERM" --
	for loader in $LOADERS; do
		expect "exit 0" "${UNDER[@]}" "$loader" -v "$PWD/prog1"
		grep -q "^${loader##*/}: $PWD/prog1: .*/proc/self/exe" "$BATS_TEST_TMPDIR/found.err" || {
			explain found "${UNDER[@]}" "$loader" -v "$PWD/prog1"
			return 1
		}
	done
}

@test "--plan prints the plan on stdout and runs nothing" {
	for loader in $LOADERS; do
		expect "exit 0" "$loader" --plan ./prog1
		echo "$loader: $(found out)"
		[ -z "$(found err)" ]
		[[ $(found out) != *hello!* ]]
		# The text segment's address, and the entry point, as readelf has them.
		text=$(readelf -lW ./prog1 | sed -n 's/^ *LOAD .* 0x0*\([0-9a-f]*\) 0x[0-9a-f]* 0x[0-9a-f]* 0x[0-9a-f]* R E .*/0x\1/p')
		[[ $(found out) == *$text* ]]
		entry=$(readelf -h ./prog1 | sed -n 's/.*Entry point address: *//p')
		[[ $(found out) == *$entry* ]]
	done
}

@test "--plan: the interpreter's mappings after the program's" {
	for loader in $LOADERS; do
		expect "exit 0" "$loader" --plan "$GUESTS/glibc-dynamic/hello"
		[[ $(found out) == *$'\n\ninterpreter    /'*", where the process begins"$'\n'"load bias "* ]]
		[ "$(grep -c '^load bias' <<<"$(found out)")" -eq 2 ]
		[ "$(grep -c '^stack' <<<"$(found out)")" -eq 1 ]
	done
}

@test "--plan refuses what cannot be loaded" {
	for loader in $LOADERS; do
		expect "exit 126" "$loader" --plan "$ROOT"
		expect "exit 127" "$loader" --plan ./no_such_program
	done
}

# has_statistics LOADER STATUS OPTION... -- PROGRAM [ARG]...: ends so, and leaves valid JSON.
has_statistics() {
	local loader=$1 status=$2 file=$BATS_TEST_TMPDIR/statistics.json
	shift 2
	rm -f "$file"
	expect "$status" "$loader" "--stats=$file" "$@" || return
	python3 - "$file" "${loader##*/}" <<-'END'
		import json, sys
		record = json.load(open(sys.argv[1]))
		print(record)
		numbers = ["faults", "resident_pages", "ahead_pages", "ahead_used", "handler_ns",
		           "peak_rss_kb"]
		for key in ["loader", "program", "policy", "engine"] + numbers:
		    assert key in record, key + " is missing"
		assert record["loader"] == sys.argv[2]
		for key in numbers:
		    assert type(record[key]) is int and record[key] >= 0, key
		assert record["ahead_used"] <= record["ahead_pages"]
		assert record["peak_rss_kb"] > 0
		if record["loader"] == "all_at_once_loader":
		    assert record["faults"] == 0 and record["resident_pages"] > 0
		elif record["faults"] > 0:
		    assert record["handler_ns"] > 0
	END
}

@test "--stats=FILE writes JSON and nothing else, and keeps stdout, stderr and status" {
	requires python3
	record native ./prog1
	for loader in $LOADERS; do
		has_statistics "$loader" "exit 0" ./prog1
		same_recording native found
		has_statistics "$loader" "exit 42" "$GUESTS/musl-static/exit_status" 42
	done
}

@test "--stats=FILE when the program dies by a signal" {
	requires python3
	record native ./prog4
	for loader in $LOADERS; do
		has_statistics "$loader" "signal 11" ./prog4
		by_signal same_recording native found
		has_statistics "$loader" "signal 9" "$GUESTS/musl-static/raise_signal" 9
	done
}

@test "--stats=FILE quotes the program's name" {
	requires python3
	name=$BATS_TEST_TMPDIR/'a "quoted" \name'
	cp ./prog1 "$name"
	for loader in $LOADERS; do
		expect "exit 0" "$loader" "--stats=$BATS_TEST_TMPDIR/statistics.json" "$name"
		python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["program"] == sys.argv[2]' \
			"$BATS_TEST_TMPDIR/statistics.json" "$name"
	done
}

@test "--stats=FILE that cannot be written is said, not ignored" {
	for loader in $LOADERS; do
		record found "$loader" "--stats=$BATS_TEST_TMPDIR/no_such_directory/file" ./prog1
		echo "$loader: $(found status): $(found err)"
		[[ $(found err) == "${loader##*/}: "* ]]
		[ "$(wc -l <"$BATS_TEST_TMPDIR/found.err")" -eq 1 ]
	done
}

@test "-s and --stats print for people on stderr at exit" {
	for loader in $LOADERS; do
		for option in -s --stats; do
			expect "exit 0" "$loader" "$option" ./prog1
			echo "$loader $option: $(found err)"
			[ "$(found out)" = "hello!" ]
			grep -qi fault "$BATS_TEST_TMPDIR/found.err"
			grep -qi rss "$BATS_TEST_TMPDIR/found.err"
		done
		expect "signal 11" "$loader" -s ./prog4
	done
}

@test "all_at_once_loader has no fault, prog1 under the others has" {
	requires python3 lazy
	declare -A faults
	for loader in $LOADERS; do
		expect "exit 0" "$loader" "--stats=$BATS_TEST_TMPDIR/statistics.json" ./prog1
		faults[${loader##*/}]=$(python3 -c \
			'import json, sys; print(json.load(open(sys.argv[1]))["faults"])' \
			"$BATS_TEST_TMPDIR/statistics.json")
		echo "${loader##*/}: ${faults[${loader##*/}]} faults"
	done
	[ "${faults[all_at_once_loader]:-0}" -eq 0 ]
	# One array of 4 000 000 bytes: 977 pages, each touched. Prediction saves most of them.
	[ "${faults[on_demand_loader]:-977}" -ge 977 ]
	[ "${faults[hybrid_loader]:-1}" -ge 1 ]
	[ "${faults[hybrid_loader]:-1}" -lt 977 ]
}

@test "--argv0=NAME" {
	for loader in $LOADERS; do
		for variant in "${VARIANTS[@]}"; do
			record native bash -c "exec -a 'another name' $GUESTS/$variant/hello one"
			record found "$loader" "--argv0=another name" "$GUESTS/$variant/hello" one
			# bash adds variables of its own: compare what is said of the arguments.
			sed -i '/^env /d; /environment variables/d' "$BATS_TEST_TMPDIR"/{native,found}.out
			same_recording native found
		done
		expect "exit 0" "$loader" --argv0= "$GUESTS/musl-static/hello"
		grep -qx 'argv\[0\] ""' "$BATS_TEST_TMPDIR/found.out"
	done
}

@test "--policy: every known one runs the programs" {
	for policy in none counter next-4 block block,pages=5 readahead \
		readahead,pages=8 leap stride adaptive; do
		with_options "--policy=$policy"
		for program in ./prog1 ./prog2 ./prog3 ./prog4 "$GUESTS/glibc-pie/heap"; do
			ENDED_BY='*' only_under on_demand_loader,hybrid_loader same_as_native "$program"
		done
	done
}

@test "--policy: an unknown one is refused, with the names of those there are" {
	only_under on_demand_loader,hybrid_loader each_loader usage_error \
		'clairvoyant.*none.*counter' --policy=clairvoyant ./prog1
	only_under on_demand_loader,hybrid_loader each_loader usage_error none --policy= ./prog1
}

@test "--policy: all_at_once_loader has nothing to predict" {
	only_under all_at_once_loader each_loader usage_error '^--policy has no' --policy=none ./prog1
	only_under all_at_once_loader each_loader usage_error '^--policy has no' --pol none ./prog1
}

@test "--stats: a program whose loader is killed dies with it" {
	requires busybox
	for loader in all_at_once_loader hybrid_loader; do
		sleeper="sleep 98.$BASHPID"
		# shellcheck disable=SC2086 # two words
		"$ROOT/$loader" --stats=/dev/null "$(command -v busybox)" $sleeper 3>&- &
		loader_id=$!
		eventually pgrep -f "busybox $sleeper\$" -P "$loader_id"
		kill -KILL "$loader_id"
		wait "$loader_id" || true
		sleeping() { pgrep -f "busybox $sleeper\$"; }
		asleep_no_more() { ! sleeping; }
		eventually asleep_no_more
	done
}

# killed_at_birth LOADER WORD...: kills the loader as soon as there is a child.
killed_at_birth() {
	local id child=
	"$1" --stats=/dev/null "$(command -v busybox)" "${@:2}" 3>&- 2>/dev/null &
	id=$!
	while [ -z "$child" ] && kill -0 "$id" 2>/dev/null; do
		read -r child 2>/dev/null <"/proc/$id/task/$id/children" || true
	done
	kill -KILL "$id" || true
	wait "$id" || true
}

@test "--stats: the same, when the program has hardly been born" {
	requires busybox
	[ -e "/proc/$$/task/$$/children" ] || skip "this kernel does not list children (CONFIG_PROC_CHILDREN)"
	sleeper="sleep 97.$BASHPID"
	for ((time = 0; time < 100; time++)); do
		# shellcheck disable=SC2086 # two words
		killed_at_birth "$ROOT/hybrid_loader" $sleeper
	done
	sleeping() { pgrep -f "busybox $sleeper\$"; }
	asleep_no_more() { ! sleeping; }
	eventually asleep_no_more
}
