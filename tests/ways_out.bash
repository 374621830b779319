# shellcheck shell=bash
#
# What ways_out.bats, ways_out_options.bats and those about outputs share: a message holds the remedy, and the remedy helps.

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$ROOT/prog1" good
	LAZY_LOADERS=
	for loader in $LOADERS; do
		[ "${loader##*/}" = all_at_once_loader ] || LAZY_LOADERS+=" $loader"
	done
}

# about_each FUNCTION WORD...: FUNCTION with each of LOADERS in the place of the word @, and in $loader. Without @, it is about
# the $loader that the test has set.
about_each() {
	local words=" $* " loader=${loader-}
	[[ $words == *" @ "* ]] || { "$@"; return; }
	for loader in $LOADERS; do
		"${@/#@/$loader}" || return
	done
}

# says STATUS REMEDY COMMAND...: one line of @ that is not too long and holds REMEDY.
says() {
	about_each one_says "$@"
}

one_says() {
	local status=$1 remedy=$2 line
	shift 2
	expect "exit $status" "${UNDER[@]}" "$@" || return
	is_one_line "${loader##*/}: " . || return
	line=$(<"$BATS_TEST_TMPDIR/found.err")
	[[ $line == *"$remedy"* && ${#line} -le 190 ]] && return
	echo "expected '$remedy' in at most 190 characters, not ${#line}: $line"
	return 1
}

# works COMMAND...: prog1 or a copy runs, and nothing is on stderr.
works() {
	about_each one_works "$@"
}

one_works() {
	expect "exit 0" "${UNDER[@]}" "$@" || return
	[ "$(<"$BATS_TEST_TMPDIR/found.out")" = hello! ] && [ ! -s "$BATS_TEST_TMPDIR/found.err" ] && return
	explain found "$@"
	return 1
}

# outputs_of LOADER: its options that write a file, here.
outputs_of() {
	printf '%s\n' --stats --layout
	[ "${1##*/}" = all_at_once_loader ] || echo --trace
	[ "${1##*/}" = all_at_once_loader ] || [ -z "$(engines_here)" ] || echo --record
}
