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

# units_pass ARCH: those that know no processor, under qemu's emulation of a process. What they need is unpacked first.
units_pass() {
	local status=0 log=$BATS_TEST_TMPDIR/units
	[ "$(uname -m)" != "$1" ] || skip "this machine's processor is $1"
	command -v "qemu-$1" >/dev/null || skip "qemu-$1 is missing: install qemu-user"
	command -v "$1-linux-gnu-gcc" >/dev/null || skip "$1-linux-gnu-gcc is missing: install gcc-$1-linux-gnu"
	[ -e "$ROOT/build/ports/$1/port.mk" ] || timeout 240 "$ROOT/tests/ports/packages.sh" "$1" >"$log" 2>&1 || status=$?
	case $status in
	75 | 124) skip "the libraries for $1 cannot be fetched: $(grep -m 1 '^[EW]:' "$log")" ;;
	esac
	[ "$status" != 0 ] || env -u MAKEFLAGS -u MAKELEVEL make -C "$ROOT" -s ARCH="$1" unit >"$log" 2>&1 || status=$?
	[ "$status" = 0 ] || tail -n 20 "$log"
	[ "$status" = 0 ]
	grep -q test_system_calls "$log"
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

@test "check-ports first installs what it needs; ARCH may be Debian's name" {
	local arch=aarch64 name=arm64
	[ "$(uname -m)" != aarch64 ] || arch=riscv64 name=riscv64
	env -u MAKEFLAGS -u MAKELEVEL make -C "$ROOT" --no-print-directory -n check-ports ARCH=$name >"$BATS_TEST_TMPDIR/steps"
	[ "$(head -n 1 "$BATS_TEST_TMPDIR/steps")" = "tests/install_packages.sh ports $arch" ]
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/steps")" = "tests/ports/ports.sh $arch" ]
}
