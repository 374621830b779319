#!/bin/sh
#
# probe.sh MAKE: says which C library the static libelf of this system can be linked with: "musl" if
# it can, since that starts faster, else "glibc", else "none"; nothing where nothing can be written.
# What the compiler and the linker said is in build/libelf_probe.log. An answer is kept in
# build/libelf_libc; that there is none is not, for packages may come.

set -eu
mkdir -p build
: >build/libelf_probe.log

for libc in musl glibc; do
	# A make of its own: not with the flags, such as -n, of the one that asks.
	if env -u MAKEFLAGS -u MAKELEVEL "$1" --no-print-directory LIBC=$libc MODE=release libelf_probe >>build/libelf_probe.log 2>&1; then
		echo "$libc" | tee build/libelf_libc
		exit
	fi
done
echo none
