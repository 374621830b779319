#!/usr/bin/env bats
#
# What the first instruction of a program finds: registers, stack, auxiliary vector.

load helpers

@test "registers at _start" {
	under env -i A=b
	same_as_native "$GUESTS/bare/entry_registers-static"
	same_as_native "$GUESTS/bare/entry_registers-pie" one two
	# The values themselves, lest a native run under some instrument made the comparison easy.
	grep -qxE '(rdx|x1|fcsr) 0x0' "$BATS_TEST_TMPDIR/native.out"
	grep -qx 'stack pointer modulo 16 0x0' "$BATS_TEST_TMPDIR/native.out"
}

@test "stack alignment whatever the number of arguments and variables" {
	for arguments in "" "a" "a b" "a b c"; do
		for variables in "" "A=b" "A=b C=d"; do
			read -ra words <<<"$variables"
			under env -i "${words[@]}"
			read -ra words <<<"$arguments"
			same_as_native "$GUESTS/bare/entry_registers-static" "${words[@]}"
		done
	done
}

@test "a tracer that comes to the first instruction in single steps lets go there" {
	of_this_processor "$GUESTS/tools/steps_to"
	local program=$GUESTS/musl-static/hello entry
	requires ptrace
	cd "$BATS_TEST_TMPDIR" || return
	entry=$(readelf -hW "$program" | awk '/Entry point/ { print $NF }')
	for loader in "" $LOADERS; do
		# shellcheck disable=SC2086
		env -i "$GUESTS/tools/steps_to" "$entry" $loader "$program" >loaded
		env -i "$program" | diff - loaded
	done
}

@test "auxiliary vector: entries, order, values, and /proc/self/auxv" { in_all_variants auxv; }

@test "auxiliary vector of an unprivileged user" {
	drop_privileges
	in_all_variants auxv
}

@test "stack layout: strings contiguous and in order, up to the file name" {
	under env -i A=b "C=d e"
	in_all_variants stack_layout
	in_all_variants stack_layout "" "a longer argument" ""
	under env -i
	in_all_variants stack_layout one
}

@test "AT_RANDOM differs from run to run, and takes no system call that could be denied" {
	for loader in $LOADERS; do
		expect "exit 0" "$GUESTS/tools/deny" getrandom:EPERM -- "$loader" "$GUESTS/musl-static/random_bytes"
		first=$(found out)
		expect "exit 0" "$loader" "$GUESTS/musl-static/random_bytes"
		echo "$loader: $first and $(found out)"
		[ "${#first}" -eq 32 ]
		[ "$first" != "$(found out)" ]
	done
}
