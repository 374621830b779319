#!/usr/bin/env bats
#
# The exercises of docs/course/2-elf.md.

load ../helpers
load patch

@test "exercise 2.1: EI_CLASS is for tools" {
	patched class 4 '\01'
	readelf -h "$BATS_TEST_TMPDIR/class" 2>/dev/null | grep -q 'Class: *ELF32'
	# riscv64's kernel compares the class.
	if ("$BATS_TEST_TMPDIR/class") >/dev/null 2>&1; then
		same_as_native "$BATS_TEST_TMPDIR/class"
		grep -qx 'hello!' "$BATS_TEST_TMPDIR/native.out"
	else
		exec_says "exit 126" "$BATS_TEST_TMPDIR/class"
		expect_refusal 126 'has EI_CLASS 1, not 2: ' "$BATS_TEST_TMPDIR/class"
	fi
}

@test "exercise 2.2: ET_DYN moves code that was linked for one place" {
	patched dyn 16 '\03'
	expect "exit 0" "$ROOT/all_at_once_loader" --plan "$BATS_TEST_TMPDIR/dyn"
	found out | grep -q 'ET_DYN'
	by_signal same_as_native "$BATS_TEST_TMPDIR/dyn"
	[ "$(cat "$BATS_TEST_TMPDIR/native.status")" = "signal 11" ]
}

@test "exercise 2.3: what is in the segment but not in the file" {
	local program=$ROOT/prog1 data end bss_address bss_size unfiled
	data=$(first_segment "$program" 6)
	unfiled=$(($(number "$program" "$(phdr "$data" 40)" 8) - $(number "$program" "$(phdr "$data" 32)" 8)))
	end=$(($(number "$program" "$(phdr "$data" 16)" 8) + $(number "$program" "$(phdr "$data" 32)" 8)))
	read -r bss_address bss_size < <(readelf -SW "$program" |
		sed -n 's/.* \.bss *NOBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/0x\1 0x\2/p')
	echo "$unfiled bytes from $end on; .bss has $((bss_size)) from $((bss_address)) on"
	[ "$unfiled" -gt $((12 * 1000 * 1000 - 1)) ]
	[ "$unfiled" -eq $((bss_address + bss_size - end)) ]
	[ $((bss_address - end)) -lt 32 ]
}

@test "exercise 2.4: the end of the last PT_LOAD is enough" {
	local program=$ROOT/prog1 data size
	data=$(first_segment "$program" 6)
	size=$(($(number "$program" "$(phdr "$data" 8)" 8) + $(number "$program" "$(phdr "$data" 32)" 8)))
	[ "$size" -lt "$(stat -c %s "$program")" ]
	head -c "$size" "$program" >"$BATS_TEST_TMPDIR/short"
	head -c $((size / 4096 * 4096)) "$program" >"$BATS_TEST_TMPDIR/too_short"
	chmod +x "$BATS_TEST_TMPDIR/short" "$BATS_TEST_TMPDIR/too_short"
	same_as_native "$BATS_TEST_TMPDIR/short"
	grep -qx 'hello!' "$BATS_TEST_TMPDIR/native.out"
	exec_says "signal 11" "$BATS_TEST_TMPDIR/too_short"
	expect_refusal 126 "^ends at 0x[0-9a-f]*000, but program header $data" "$BATS_TEST_TMPDIR/too_short"
}
