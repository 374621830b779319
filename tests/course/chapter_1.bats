#!/usr/bin/env bats
#
# The exercises of docs/course/1-exec.md.

load ../helpers
load patch

@test "exercise 1.1: no permission, a folder, no file" {
	cp "$ROOT/prog1" "$BATS_TEST_TMPDIR/plain"
	chmod 644 "$BATS_TEST_TMPDIR/plain"
	exec_says "exit 126" "$BATS_TEST_TMPDIR/plain"
	found err | grep -q "Permission denied"
	expect_refusal 126 "^may not be executed" "$BATS_TEST_TMPDIR/plain"
	exec_says "exit 126" "$BATS_TEST_TMPDIR"
	expect_refusal 126 "^is a directory" "$BATS_TEST_TMPDIR"
	exec_says "exit 127" "$BATS_TEST_TMPDIR/absent"
	expect_refusal 127 "^no such file" "$BATS_TEST_TMPDIR/absent"
}

@test "exercise 1.2: an error, a death inside execve, a death after it" {
	patched phentsize 54 '\071'
	exec_says "exit 126" "$BATS_TEST_TMPDIR/phentsize"
	found err | grep -q "Exec format error"
	expect_refusal 126 "^has e_phentsize 57" "$BATS_TEST_TMPDIR/phentsize"

	patched filesz "$(phdr 1 34)" '\0377'
	exec_says "signal 11" "$BATS_TEST_TMPDIR/filesz"
	expect_refusal 126 "^has p_filesz .* above p_memsz" "$BATS_TEST_TMPDIR/filesz"

	patched entry 24 '\0\0\0\020'
	exec_says "signal 11" "$BATS_TEST_TMPDIR/entry"
	by_signal same_as_native "$BATS_TEST_TMPDIR/entry"
}

@test "exercise 1.3: no descriptor more" {
	same_as_native "$GUESTS/musl-static/descriptors"
	grep -q '^0: ' "$BATS_TEST_TMPDIR/native.out"
}

@test "exercise 1.4: comm and cmdline under a long name" {
	cp "$GUESTS/musl-static/proc_identity" "$BATS_TEST_TMPDIR/a_name_longer_than_comm"
	same_as_native "$BATS_TEST_TMPDIR/a_name_longer_than_comm" one
	grep -qx 'comm a_name_longer_t' "$BATS_TEST_TMPDIR/native.out"
	grep -qx 'cmdline is argv: yes' "$BATS_TEST_TMPDIR/native.out"
}
