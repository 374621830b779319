#!/bin/bash
#
# packages.sh ARCH: what `make ARCH=...` needs on a machine with another processor, in build/ports/ARCH. All of it comes from
# packages of Debian 13, unpacked. The system stays as it is, and needs gcc-ARCH-linux-gnu and no privilege.
#
#   port.mk  how the Makefile calls the tools
#   bin      gcc, musl-gcc, and the tools of binutils
#   root     libraries and guests of that architecture
#   lib      those that unit tests are linked with
#   host     a newer binutils, if the system's cannot link for that architecture
#
# Status 75: the packages cannot be fetched.

set -eu

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
arch=$1
triple=$arch-linux-gnu
place=$PWD/build/ports/$arch
root=$place/root

# shellcheck source=tests/private_apt.bash
. tests/private_apt.bash

# The name that Debian and Go have for it.
debian=${arch/aarch64/arm64}

# unpack FOLDER PACKAGE...: from the packages of $APT_CONFIG.
unpack() {
	local folder=$1 package
	shift
	rm -rf "$place/packages" && mkdir -p "$place/packages" "$folder"
	(cd "$place/packages" && apt-get -qq download "$@") || exit 75
	for package in "$place"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
	rm -rf "$place/packages"
}

# The links of a library's development package are absolute. What they name is in $root.
fetch_target() {
	configure_apt "$place/apt" trixie "$debian"
	export APT_CONFIG=$place/apt/apt.conf
	apt-get -qq update || exit 75
	unpack "$root" libelf-dev zlib1g-dev libzstd-dev libc6 linux-libc-dev musl musl-dev \
		busybox-static bash-static zsh-static "${glibc[@]}" \
		libcmocka-dev libcmocka0 libjansson-dev libjansson4 libelf1t64 zlib1g libzstd1 \
		python3.13-minimal libpython3.13-minimal libpython3.13-stdlib libexpat1 libffi8
	ln -s usr/lib "$root/lib"
	find "$root/usr/lib" -type l -lname '/*' | while read -r link; do
		ln -sf "$root$(readlink "$link")" "$link"
	done
	# gcc links it with threads.
	ln -s "$("$triple-gcc" -print-file-name=libatomic.a)" "$root/usr/lib/$arch-linux-musl"
	sed "s|/usr/lib/$arch-linux-musl|$root&|g; s|/usr/include/$arch-linux-musl|$root&|g" \
		"$root/usr/lib/$arch-linux-musl/musl-gcc.specs" >"$place/musl-gcc.specs"
}

# Older cross compilers have no start files for static PIE of glibc.
glibc=()
[ "$("$triple-gcc" -print-file-name=rcrt1.o)" != rcrt1.o ] || glibc=(libc6-dev)

# GNU ld 2.40 crashes when it links a static PIE for riscv64.
needs_binutils() {
	[ "$arch" = riscv64 ] && "$triple-ld" --version | head -n 1 | grep -qE ' 2\.([0-3][0-9]|40)(\.|$)'
}

# Its C library may be newer than the system's.
fetch_binutils() {
	local lib=$place/host/usr/lib/x86_64-linux-gnu name
	configure_apt "$place/apt" trixie amd64
	export APT_CONFIG=$place/apt/apt.conf
	apt-get -qq update || exit 75
	mapfile -t packages < <(with_dependencies "binutils-$triple")
	unpack "$place/host" "${packages[@]}"
	for name in ar as ld nm objcopy ranlib; do
		write "$name" "$lib/ld-linux-x86-64.so.2 --library-path $lib $place/host/usr/bin/$triple-$name"
	done
}

# write NAME COMMAND: a tool of $place/bin.
write() {
	printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$place/bin/$1"
	chmod +x "$place/bin/$1"
}

write_tools() {
	local name
	for name in ar as ld nm objcopy ranlib; do
		write "$name" "$triple-$name"
	done
	write gcc "$triple-gcc -B$place/bin/"
	write musl-gcc "$triple-gcc -B$place/bin/ -specs=$place/musl-gcc.specs"
}

command -v "$triple-gcc" >/dev/null || {
	echo "$0: $triple-gcc is missing: install gcc-$triple" >&2
	exit 1
}
rm -rf "${place:?}"/{bin,root,host,include,lib}
mkdir -p "$place/bin"
echo "$0: unpacks packages of Debian 13 for $debian to build/ports/$arch" >&2
fetch_target
write_tools
! needs_binutils || fetch_binutils
rm -rf "$place/apt"
mkdir "$place"/{include,lib}
ln -s "$root"/usr/include/{libelf,gelf,cmocka*,jansson*}.h "$place/include"
ln -s "$root/usr/lib/$triple"/lib{cmocka,jansson,elf}.so "$place/lib"
cat >"$place/port.mk" <<END
TOOLS := $place/bin/
MUSL_DIR := $root/usr/lib/$arch-linux-musl/
LIBELF_ARCHIVES := $root/usr/lib/$triple/libelf.a $root/usr/lib/$triple/libz.a $root/usr/lib/$triple/libzstd.a
PORT_GO := GOARCH=$debian
LIBELF_HEADERS := $place/include/libelf.h
PORT_LINK := -L$place/lib -Wl,-rpath-link,$root/usr/lib/$triple -Wl,--allow-shlib-undefined
PORT_RUN := qemu-$arch -L $root
END
[ "${#glibc[@]}" = 0 ] || cat >>"$place/port.mk" <<END
PORT_GLIBC := $root/usr/lib/$triple
PORT_GLIBC_C := -isystem $root/usr/include -isystem $root/usr/include/$triple
END
