#!/usr/bin/env bats
# The README says what is so: its commands run.

load helpers

# The commands of the block under "Use", without their comments.
commands() {
	sed -n '/^## Use/,/^## Where/p' "$ROOT/README.md" | sed -n '/^```sh/,/^```/p' |
		grep -v '^```' | sed 's/ *#.*//'
}

@test "the README has commands to run" { [ "$(commands | wc -l)" -ge 5 ]; }

@test "each command under 'Use' in the README runs" {
	cd "$ROOT"
	while read -r command; do
		[[ $command != *--order* ]] || has_dispatch || continue
		[[ $command != *--record=* && $command != *--profile=/tmp/* ]] || [ -n "$(engines_here)" ] || continue
		# What it writes is not in the way of other users of the machine.
		ran 0 bash -c "${command//\/tmp\//$BATS_TEST_TMPDIR/}"
		echo "$command: status $status: $output"
	done < <(commands)
}

@test "make demo builds, prints hello! and the table, and finds no difference from native" {
	ran 0 env -u MAKEFLAGS -u MAKELEVEL make -C "$ROOT" demo
	[[ $output == *hello!* && $output == *"wall time"* ]]
}

@test "every folder that the README names is there" {
	while read -r folder; do
		echo "$folder"
		[ -d "$ROOT/$folder" ]
	done < <(sed -n 's/^| `\([a-z/]*\)\/` .*/\1/p' "$ROOT/README.md")
}

@test "the README lists each command of pagewise, in its order" {
	diff <(sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' "$ROOT/share/command/commands.def") \
		<(sed -n '/^## The command pagewise/,/^## Use/s/^| `\([a-z]*\)` .*/\1/p' "$ROOT/README.md")
}

@test "every file that the course and other documents have made is one that make knows" {
	cd "$ROOT"
	targets=$(grep -rhoE --include='*.md' '(^|`)make build/[^`]*' docs | sed 's/^`//; s/^make //')
	[ "$(wc -l <<<"$targets")" -ge 5 ]
	# Braces are the shell's.
	eval "targets=($(tr '\n' ' ' <<<"$targets"))"
	for target in "${targets[@]}"; do
		env -u MAKEFLAGS -u MAKELEVEL make -n "${target/musl-release/$(cat build/libelf_libc)-release}" >/dev/null || return
	done
	run env -u MAKEFLAGS -u MAKELEVEL make -n build/guests/bare/no-such-guest
	[ "$status" -ne 0 ]
}
