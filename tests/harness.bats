#!/usr/bin/env bats
#
# The comparison itself: a loader that changes something must be caught, one that does not, passes.

load helpers

# stand_in BODY: LOADERS is one shell script that gets the program and its arguments as "$@".
stand_in() {
	LOADERS=$BATS_TEST_TMPDIR/stand_in
	printf '#!/bin/sh\n%s\n' "$1" >"$LOADERS"
	chmod +x "$LOADERS"
	with_options
	under env -i A=b
}

# caught PART COMMAND...: the comparison fails, and says that PART differs.
caught() {
	local part=$1
	shift
	ran any same_as_native "$@"
	[ "$status" -ne 0 ]
	[[ $output == *"$part differs"* ]]
	[[ $output == *"command: "*"stand_in"* ]]
}

# nothing_compared REASON COMMAND...: COMMAND fails, and says why there is nothing to compare with, not what differs.
nothing_compared() {
	local reason=$1
	shift
	ran any "$@"
	[ "$status" -ne 0 ]
	[[ $output == *"the run 'native' $reason: there is nothing to compare with"* ]]
	[[ $output != *"differs"* ]]
}

@test "a loader that runs the program passes, silently" {
	stand_in 'exec "$@"'
	for guest in "exit_status 0" "exit_status 42" "raise_signal 11" aborts lifecycle; do
		read -ra words <<<"$guest"
		ENDED_BY='*' ran 0 same_as_native "$GUESTS/musl-static/${words[0]}" "${words[@]:1}"
		[ -z "$output" ]
	done
}

@test "changed stdout is caught" {
	stand_in '"$@" | sed s/main/MAIN/; exit 3'
	caught out "$GUESTS/musl-static/lifecycle"
}

@test "an additional line on stderr is caught" {
	stand_in 'echo loading >&2; exec "$@"'
	caught err "$GUESTS/musl-static/lifecycle"
}

@test "the warning that calls cannot be intercepted is no difference where it is expected: once, and first" {
	# shellcheck disable=SC2034 # expect_warning's
	local EXPECTED_WARNING='cannot be intercepted'
	stand_in 'echo "$0: $1: calls cannot be intercepted: EINVAL" >&2; exec "$@"'
	ran 0 same_as_native "$GUESTS/musl-static/lifecycle"
	expect "exit 3" "$LOADERS" "$GUESTS/musl-static/lifecycle"
	[ -z "$(found err)" ]
	# It leaves O_APPEND on its outputs.
	ran 0 same_as_native "$(type -P make)" -f /dev/null nothing
	stand_in 'for line in 1 2; do echo "calls cannot be intercepted" >&2; done; exec "$@"'
	caught err "$GUESTS/musl-static/lifecycle"
	stand_in 'echo loading >&2; echo "calls cannot be intercepted" >&2; exec "$@"'
	caught err "$GUESTS/musl-static/lifecycle"
	unset EXPECTED_WARNING
	stand_in 'echo "calls cannot be intercepted" >&2; exec "$@"'
	caught err "$GUESTS/musl-static/lifecycle"
}

@test "another exit status is caught" {
	stand_in '"$@"; exit 0'
	caught status "$GUESTS/musl-static/exit_status" 42
}

@test "exit status 139 in place of death by SIGSEGV is caught" {
	stand_in '"$@" 2>&1; exit $?'
	by_signal caught status "$GUESTS/musl-static/raise_signal" 11
	[[ $output == *"exit 139"* ]]
}

@test "a loader that never ends is killed and caught" {
	stand_in 'exec sleep 1000'
	REPORT_STATUS_TIMEOUT=1 caught status "$GUESTS/musl-static/lifecycle"
	[[ $output == *timeout* ]]
}

@test "a native run that had to be killed is compared with nothing" {
	stand_in 'exec "$@"'
	export REPORT_STATUS_TIMEOUT=1
	ran any same_as_native sleep 1000
	[ "$status" -ne 0 ]
	[[ $output == *"the native run of sleep had to be killed after 1 seconds: there is nothing to compare with"* ]]
	[[ $output != *"differs"* ]]
	record native sleep 1000
	record loaded true
	ran any same_recording native loaded
	[ "$status" -ne 0 ]
	[ "$output" = "the run 'native' had to be killed by the time limit: there is nothing to compare with" ]
}

@test "a guest that does not know its word is compared with nothing" {
	stand_in 'exec "$@"'
	for guest in musl-static/signal_abort glibc-pie/signal_abort; do
		nothing_compared "did not know what its words mean: unknown word 'wild'" same_as_native "$GUESTS/$guest" wild
	done
	nothing_compared "did not know what its words mean: unknown word 'wild'" in_all_variants signal_sent wild 11
	record native "$GUESTS/musl-static/signal_abort" wild
	record loaded "$GUESTS/musl-static/signal_abort" wild
	nothing_compared "did not know what its words mean: unknown word 'wild'" same_recording native loaded
}

@test "a native run that a signal ends, unannounced, is compared with nothing; so is an exit where a signal was announced" {
	stand_in 'exec "$@"'
	local announced="a signal is announced with by_signal"
	nothing_compared "ended by 'signal 11', and the test wants 'exit': $announced" same_as_native "$GUESTS/musl-static/raise_signal" 11
	by_signal same_as_native "$GUESTS/musl-static/raise_signal" 11
	nothing_compared "ended by 'exit 3', and the test wants 'signal': $announced" by_signal same_as_native "$GUESTS/musl-static/lifecycle"
	same_as_native "$GUESTS/musl-static/lifecycle"
}

@test "one that is killed takes its children with it" {
	cd "$BATS_TEST_TMPDIR"
	REPORT_STATUS_TIMEOUT=1 "$GUESTS/tools/report_status" status \
		sh -c '(sleep 1000; :) & echo $! >child; wait' 3>&-
	[ "$(cat status)" = timeout ]
	[ ! -e "/proc/$(cat child)" ]
}

@test "a refusal in more than one line, or in other words, is caught" {
	stand_in 'echo "stand_in: $1: is a text" >&2; echo "and more" >&2; exit 126'
	run expect_refusal 126 'text' /bin/true
	[ "$status" -ne 0 ]
	stand_in 'echo "stand_in: $1: is a text" >&2; exit 126'
	ran 0 expect_refusal 126 'text' /bin/true
	run expect_refusal 126 'directory' /bin/true
	[ "$status" -ne 0 ]
	run expect_refusal 127 'text' /bin/true
	[ "$status" -ne 0 ]
}

@test "a program runs natively once where it is repeated, and again in another environment" {
	cd "$BATS_TEST_TMPDIR"
	stand_in 'echo x >>loaded; [ "$(wc -l <loaded)" != "$(cat odd)" ] || echo odd'
	printf '#!/bin/sh\necho x >>native\n' >program
	chmod +x program
	echo none >odd
	LIGHT='' repeated 3 same_as_native ./program
	[ "$(wc -l <native) $(wc -l <loaded)" = "1 3" ]
	same_as_native ./program
	[ "$(wc -l <native) $(wc -l <loaded)" = "2 4" ]
	twice() {
		A=1 same_as_native ./program && A=2 same_as_native ./program && A=2 same_as_native ./program
	}
	LIGHT='' repeated 2 twice
	[ "$(wc -l <native) $(wc -l <loaded)" = "4 10" ]
	echo 13 >odd
	LIGHT='' ran 1 repeated 5 same_as_native ./program
	[[ $output == *"failed at run 3 of 5"* ]]
}

@test "a guest that was not built is caught" {
	stand_in 'exec "$@"'
	run same_as_native "$GUESTS/musl-static/no_such_guest"
	[ "$status" -ne 0 ]
	[[ $output == *"does not run natively"* ]]
	run in_all_variants no_such_guest
	[ "$status" -ne 0 ]
}

@test "without guests a test says what builds them" {
	mkdir "$BATS_TEST_TMPDIR/tests"
	cp "$ROOT/tests/helpers.bash" "$BATS_TEST_TMPDIR/tests"
	printf 'load helpers\n@test "one" { true; }\n' >"$BATS_TEST_TMPDIR/tests/one.bats"
	ran 0 bats "$BATS_TEST_TMPDIR/tests/one.bats"
	[[ $output == *"# the programs of the tests are missing: make guests builds them"* ]]
	mkdir -p "$BATS_TEST_TMPDIR/build/guests/tools"
	ln -s /bin/true "$BATS_TEST_TMPDIR/build/guests/tools/compare_runs"
	ran 0 bats "$BATS_TEST_TMPDIR/tests/one.bats"
	[[ $output != *"missing"* ]]
}

@test "lazy paging that ends before a guest's mark is caught" {
	requires lazy
	of_this_processor "$GUESTS/musl-static/call_files"
	ran 0 reaches_its_mark "$ROOT/on_demand_loader" "$GUESTS/musl-static/call_files" --retire=never
	ran any reaches_its_mark "$ROOT/on_demand_loader" "$GUESTS/musl-static/call_files" --retire=5
	[ "$status" -ne 0 ]
	[[ $output == *"call_files: no mark with on_demand_loader --retire=5: 5 calls seen, the last "*'"retired": "system calls", "retired_after": 6, '* ]]
	ran any reaches_its_mark "$ROOT/on_demand_loader" "$GUESTS/musl-static/signal_status"
	[ "$status" -ne 0 ]
}

@test "an input that is missing is caught" {
	stand_in 'exec "$@"'
	read_from "$BATS_TEST_TMPDIR/no_such_input"
	ran any same_as_native "$GUESTS/musl-static/reads_input"
	[ "$status" -ne 0 ]
	[[ $output == *no_such_input* ]]
}

@test "requires fails on an unknown word" {
	run requires unheard_of
	[ "$status" -ne 0 ]
}

@test "only_under: a loader that there is not is no reason to compare nothing" {
	ran 1 only_under hybrid_lodaer true
	[ "$output" = "only_under: there is no loader 'hybrid_lodaer'" ]
}

@test "files side by side: each test has its line, a failure its details, and none goes missing" {
	requires python3
	cd "$BATS_TEST_TMPDIR"
	printf '@test "%s" { %s; }\n' good true wrong false later 'skip "why"' >one.bats
	printf '#!/bin/sh\necho 1..2\necho "ok 1 first"\n' >two.sh
	printf '#!/bin/sh\necho "ok 1 only"\nexit 3\n' >three.sh
	chmod +x two.sh three.sh
	ran 1 "$ROOT/tests/run.py" --jobs=2 one.bats two.sh three.sh
	for line in 'ok [0-9] one: good' 'not ok [0-9] one: wrong' "#   .*' failed" 'ok [0-9] one: later # skip.* why.*' \
		'ok [0-9] two: first' 'not ok [0-9] two: all tests of the file' '# 1 of 2 ended; wait status 0' \
		'ok [0-9] three: only' 'not ok [0-9] three: all tests of the file' '# 1 of None ended; wait status 768' '1\.\.7'; do
		[ "$(grep -c "^$line" <<<"$output")" = 1 ]
	done
	ran 125 "$ROOT/tests/run.py" one.bats nowhere.bats
	[ "$output" = "run.py: nowhere.bats: no such file: name files of tests, as tests/calls.bats" ]
	ran 125 "$ROOT/tests/run.py" --jobs=2
	[ "$output" = "usage: run.py [--jobs=N] [--light] [--only=REGEX] FILE..." ]
}

@test "light: no repetition, two variants, no test that requires what only make check-all installs" {
	requires python3
	cd "$BATS_TEST_TMPDIR"
	{
		echo "load $ROOT/tests/helpers.bash"
		printf '@test "%s" {\n\t%s\n\t%s\n}\n' 'once [of 3]: \$LIGHT' "repeated 3 sh -c 'echo >>count'" 'echo ${VARIANTS[*]} >variants' \
			once 'requires python3 node' false
		echo '@test "in one line" { requires node; }'
	} >light.bats
	mkdir installed && ln -s /bin/true installed/node
	PATH=$PWD/installed:$PATH
	ends 0 "$ROOT/tests/run.py" --light light.bats
	[ "$(grep -c '^ok' out)" = 1 ]
	[ "$(wc -l <count)" = 1 ]
	[ "$(cat variants)" = "musl-static glibc-pie" ]
	ends 0 "$ROOT/tests/run.py" --light --only='>>co' light.bats
	ends 2 "$ROOT/tests/run.py" --light --only=node light.bats
	ends 1 env -u LIGHT "$ROOT/tests/run.py" light.bats
	[ "$(wc -l <count)" = 5 ]
	LIGHT=1 PATH=$BATS_TEST_TMPDIR ran 1 requires node
	[[ $output == "node is not installed, and make check should have installed it"* ]]
}

@test "each program that a test requires is heavy, or make check installs it" {
	local word words heavy
	words=$(sed -n '/^\t\tg++ | gcc/,/)$/p' "$ROOT/tests/helpers.bash" | tr -d ')\\|\n')
	heavy=$(sed -n 's/^HEAVY = {\(.*\)}$/\1/p' "$ROOT/tests/run.py" | tr -d '",')
	# What every system has, in util-linux, coreutils and procps.
	for word in $words; do
		[[ " $heavy nice timeout taskset prlimit env stdbuf nohup setsid " == *" $word "* ]] ||
			awk -v "word=$word" '/^find_missing_for_check_all/ { exit }
				$1 ~ /^need_/ || /^\t\t/ {
					for (i = 1; i <= NF; i++) {
						sub(/:.*/, "", $i)
						found = found || $i == word || $i == "/usr/bin/" word
					}
				}
				END { exit !found }' "$ROOT/tests/install_packages.sh" && continue
		echo "$word: neither in HEAVY (tests/run.py) nor in find_missing_for_check"
		return 1
	done
	[ "$(wc -w <<<"$words")" -ge 25 ]
}

@test "a word that make cannot use is refused before anything is installed or built" {
	cd "$ROOT"
	for words in "fuzz SECONDS=x" "fuzz SECONDS=0" "fuzz SECONDS=1h"; do
		# shellcheck disable=SC2086 # words
		ran 2 fresh_make $words
		[[ $output == *"SECONDS is a whole number above 0, not '${words#*=}'"* ]]
	done
	ran 2 fresh_make check-kernels KERNELS=foo
	[[ ${lines[0]} == "tests/kernels.sh: unknown kernel 'foo'; known: debian-11"* && $output != *install* ]]
}

@test "below a folder that is root's alone, an ordinary user gets a copy of guests and loaders" {
	requires root setpriv
	local closed=$BATS_TEST_TMPDIR/closed open
	open=$(mktemp -d)
	install -D -t "$closed/build/guests/musl-static" "$GUESTS/musl-static/hello"
	install -D -t "$closed" "$ROOT/hybrid_loader"
	chmod 700 "$closed"
	under env -i
	# In a shell of its own, with a folder for the run of its own.
	output=$(export BATS_RUN_TMPDIR=$open
		ROOT=$closed GUESTS=$closed/build/guests LOADERS=$closed/hybrid_loader
		cd "$closed"
		drop_privileges
		"${UNDER[@]}" ./hybrid_loader "$GUESTS/musl-static/hello"
		"${UNDER[@]}" "$LOADERS" "$GUESTS/musl-static/hello")
	echo "$output"
	rm -rf "$open"
	[ "$(grep -c '^hello! argc 1$' <<<"$output")" -eq 2 ]
}
