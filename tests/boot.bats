#!/usr/bin/env bats
#
# The units of share/systemd, and what docs/boot.md shows of them.

load helpers

setup() {
	cd "$ROOT" || return 1
}

# shown N: the Nth block of ini of the document.
shown() {
	awk -v n="$1" '/^```/ { inside = $0 == "```ini"; count += inside; next } inside && count == n' docs/boot.md
}

# verify FILE [OPTION]: systemd has nothing to say about the unit.
verify() {
	ran any env XDG_RUNTIME_DIR="$BATS_TEST_TMPDIR" systemd-analyze verify --man=no "${@:2}" "$1"
	[ "$status" = 0 ] && [ -z "$output" ]
}

@test "systemd can read both units, which differ in where they are wanted" {
	type -P systemd-analyze >/dev/null || skip "systemd-analyze is not installed"
	verify share/systemd/user/pagewise-warm.service --user
	verify share/systemd/system/pagewise-warm.service
	diff <(grep -v '^WantedBy\|^Description' share/systemd/user/pagewise-warm.service) \
		<(grep -v '^WantedBy\|^Description' share/systemd/system/pagewise-warm.service)
	# The check itself: it finds a wrong line.
	sed 's/^Type=.*/Type=none/' share/systemd/system/pagewise-warm.service >"$BATS_TEST_TMPDIR/wrong.service"
	run verify "$BATS_TEST_TMPDIR/wrong.service"
	[ "$status" != 0 ]
}

@test "the document shows the user's unit, and a drop-in that systemd can read" {
	diff <(shown 1) <(grep -v '^# Not enabled' share/systemd/user/pagewise-warm.service)
	type -P systemd-analyze >/dev/null || skip "systemd-analyze is not installed"
	{
		printf '[Service]\nExecStart=/usr/bin/true\n'
		shown 2 | sed "s|/usr/bin/pagewise|$PWD/pagewise|; s|/usr/bin/app|/usr/bin/env|"
	} >"$BATS_TEST_TMPDIR/app.service"
	verify "$BATS_TEST_TMPDIR/app.service"
}

@test "the units' command warms the profiles of the last week, and no others" {
	XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
	mkdir -p "$XDG_CACHE_HOME/pagewise" "$BATS_TEST_TMPDIR/bin"
	ln -s "$PWD/pagewise" "$BATS_TEST_TMPDIR/bin"
	for name in used unused; do
		program=$BATS_TEST_TMPDIR/$name
		cp build/guests/glibc-static/prog3 "$program"
		sync "$program"
		./hybrid_loader --learn="$XDG_CACHE_HOME/pagewise/$name" "$program"
	done
	touch -d '8 days ago' "$XDG_CACHE_HOME/pagewise/unused"
	for unit in share/systemd/*/pagewise-warm.service; do
		evict "$BATS_TEST_TMPDIR/used" "$BATS_TEST_TMPDIR/unused"
		command=$(sed -n "s|%C|$XDG_CACHE_HOME|; s/\\\\;/;/; s/^ExecStart=//p" "$unit")
		# shellcheck disable=SC2086 # words, as systemd makes them
		ran 0 env PATH="$BATS_TEST_TMPDIR/bin:$PATH" $command
		[[ $output == "$BATS_TEST_TMPDIR/used: 1 file, "* && $output != *"/unused"* && $output != *", 0 KiB read"* ]]
	done
}

@test "what boot_warm.py cannot measure it says in a sentence" {
	expect "exit 125" python3 bench/boot_warm.py
	expect "exit 125" python3 bench/boot_warm.py --nonsense true
	ran 0 python3 bench/boot_warm.py --help
	requires root busybox
	expect "exit 125" python3 bench/boot_warm.py /nowhere/at/all
	ran 0 python3 bench/boot_warm.py --ways=nothing,profiles "busybox true"
	[[ $output == *$'\n'"nothing "* && $output == *$'\n'"profiles "* ]]
}
