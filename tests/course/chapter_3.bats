#!/usr/bin/env bats
#
# The exercises of docs/course/3-plan.md.

load ../helpers
load patch

# mapping_of LOADER PROGRAM HEADER: runs it; address is where that program header was mapped, end the end of it.
mapping_of() {
	address=
	expect "exit 0" "$1" -v "$2" || return
	read -r address end < <(found err |
		sed -n "s/.*: map \(0x[0-9a-f]*\)-\(0x[0-9a-f]*\),.*file data of program header $3, .*/\1 \2/p")
	echo "${1##*/}: header $3 of ${2##*/} is at ${address:-no address}"
	[ -n "$address" ]
}

header_is_at_bias() {
	local program=$GUESTS/musl-pie/load_address
	mapping_of "$1" "$program" "$(first_segment "$program")" && [ "$(found out)" = "$address" ]
}

entry_is_in_text() {
	local program=$GUESTS/musl-pie/auxv text entry
	text=$(first_segment "$program" 5)
	mapping_of "$1" "$program" "$text" || return
	entry=$((address - $(number "$program" "$(phdr "$text" 16)" 8) + $(number "$program" 24 8)))
	[ "$entry" -ge $((address)) ] && [ "$entry" -lt $((end)) ] &&
		found out | grep -qx 'AT_ENTRY is _start: yes'
}

@test "exercise 3.1: the load bias" {
	local program=$GUESTS/musl-pie/load_address
	[ "$(number "$program" "$(phdr "$(first_segment "$program")" 16)" 8)" = 0 ]
	each_loader header_is_at_bias
	each_loader entry_is_in_text
}

@test "exercise 3.2: the tail of the last file page" {
	local program=$ROOT/prog1 data end
	data=$(first_segment "$program" 6)
	end=$(($(number "$program" "$(phdr "$data" 16)" 8) + $(number "$program" "$(phdr "$data" 32)" 8)))
	expect "exit 0" "$ROOT/all_at_once_loader" --plan "$program"
	found out | grep -q "cleared from $(printf '0x%x' "$end") on"
	# There is something to clear.
	end=$(($(number "$program" "$(phdr "$data" 8)" 8) + $(number "$program" "$(phdr "$data" 32)" 8)))
	[ "$(number "$program" "$end" 4)" != 0 ]
	same_as_native "$GUESTS/bare/bss_tail-static"
	grep -qx '0 bytes of .bss not zero at entry' "$BATS_TEST_TMPDIR/native.out"

	patched read_only "$(phdr "$data" 4)" '\04'
	expect "exit 0" "$ROOT/all_at_once_loader" --plan "$BATS_TEST_TMPDIR/read_only"
	found out | grep -q " r--  file .* $data "
	found out | grep -q " rw-  zero-filled .* $data "
	! found out | grep -q 'cleared' || return
	exec_says "signal 11" "$BATS_TEST_TMPDIR/read_only"
	by_signal same_as_native "$BATS_TEST_TMPDIR/read_only"
}

# move_string: in copy, the instruction lea DISPLACEMENT(%rip), %rdi that takes the address of "hello!" gets
# the one on the page where segment 3 begins.
move_string() {
	python3 - "$ROOT/prog1" "$BATS_TEST_TMPDIR/copy" <<-'PYTHON'
		import struct, sys
		content = bytearray(open(sys.argv[1], "rb").read())
		headers = [struct.unpack_from("<IIQQQQQQ", content, 64 + 56 * i) for i in range(4)]
		(_, _, text, text_address, _, size, _, _), rodata, data = headers[1:]
		string = content.index(b"hello!\0") - rodata[2] + rodata[3]
		# The distance of two places where the same page of the file is.
		move = (data[3] - data[2]) - (rodata[3] - rodata[2])
		moved = 0
		for at in range(text, text + size - 7):
		    target, = struct.unpack_from("<i", content, at + 3)
		    if content[at:at + 3] == b"\x48\x8d\x3d" and \
		       text_address + at - text + 7 + target == string:
		        struct.pack_into("<i", content, at + 3, target + move)
		        moved += 1
		open(sys.argv[2], "wb").write(content)
		print(f"{moved} instructions moved by {move:#x}")
		sys.exit(moved != 1 or move != 0x1000)
	PYTHON
}

@test "exercise 3.3: a page of the file at two addresses" {
	requires python3 x86_code
	move_string
	chmod +x "$BATS_TEST_TMPDIR/copy"
	same_as_native "$BATS_TEST_TMPDIR/copy"
	grep -qx 'hello!' "$BATS_TEST_TMPDIR/native.out"
}

is_on_2_mib() {
	local program=$GUESTS/musl-pie/aligned_segment
	for _ in 1 2 3; do
		mapping_of "$1" "$program" "$(first_segment "$program")" && [ $((address % 0x200000)) -eq 0 ] || return
	done
}

@test "exercise 3.4: load biases of 2 MiB" {
	local program=$GUESTS/musl-pie/aligned_segment
	[ "$(number "$program" "$(phdr "$(first_segment "$program")" 48)" 8)" = $((0x200000)) ]
	each_loader is_on_2_mib
}

@test "exercise 3.5: an offset that is at another place in its page" {
	patched offset "$(phdr 1 8)" '\020'
	exec_says "signal 11" "$BATS_TEST_TMPDIR/offset"
	expect_refusal 126 "at different places in their pages" "$BATS_TEST_TMPDIR/offset"
}
