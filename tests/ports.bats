#!/usr/bin/env bats
# The loaders' code compiles for each other processor that has a folder. make check-ports runs it.

load helpers

# compiles_for ARCH: only reads headers, so that no library of that processor is needed.
compiles_for() {
	local compiler=$1-linux-gnu-gcc file flags
	[ "$(uname -m)" != "$1" ] || skip "this machine's processor is $1"
	command -v "$compiler" >/dev/null || skip "$compiler is missing: install gcc-$1-linux-gnu"
	cd "$ROOT" || return
	flags=(-std=gnu17 -Wall -Wextra -Werror -D_GNU_SOURCE -DTOOLKIT_VERSION='"1"' -fPIE -I.
		-isystem common/libelf -isystem build/include)
	for file in common/*.c common/placement/*.c common/arch/"$1"/*.[cS] loader/*.c loader/*/*.c loader/*/*/*.c \
		loader/resident/arch/"$1"/*.[cS]; do
		[ -e "$file" ] || continue
		"$compiler" "${flags[@]}" -O1 -c -o "$BATS_TEST_TMPDIR/object" "$file"
	done
}

@test "the loaders compile for aarch64" {
	compiles_for aarch64
}

# units_pass ARCH: those that know no processor, under qemu's emulation of a process.
units_pass() {
	[ "$(uname -m)" != "$1" ] || skip "this machine's processor is $1"
	command -v "qemu-$1" >/dev/null || skip "qemu-$1 is missing: install qemu-user"
	[ -e "$ROOT/build/ports/$1/lib" ] || skip "its libraries are not here: make ARCH=$1 unpacks them"
	env -u MAKEFLAGS -u MAKELEVEL make -C "$ROOT" -s ARCH="$1" unit >"$BATS_TEST_TMPDIR/units" 2>&1 || {
		tail -n 20 "$BATS_TEST_TMPDIR/units"
		return 1
	}
	grep -q test_system_calls "$BATS_TEST_TMPDIR/units"
}

@test "the loaders compile for riscv64" {
	compiles_for riscv64
}

@test "unit tests that know no processor pass on aarch64" {
	units_pass aarch64
}

@test "unit tests that know no processor pass on riscv64" {
	units_pass riscv64
}
