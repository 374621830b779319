#!/bin/sh
#
# install_packages.sh build|check|check-all|kernels|ports ARCH: makes sure that what `make demo` (build), `make check`,
# `make check-all`, `make check-kernels` (kernels) or `make check-ports` (ports) needs is there. On Debian and Ubuntu it
# says what is missing and how much that is, and installs it; where it may not, it prints the command that does. Never
# asks, except that sudo may, on a terminal.
#
# install_packages.sh missing musl|glibc: prints what the loaders cannot be built without.
#
# Looks for commands and files, not for packages: that takes milliseconds, and finds what came
# another way.

set -eu

missing=
tried=

need() {
	case " $missing " in
	*" $1 "*) ;;
	*) missing="$missing${missing:+ }$1" ;;
	esac
}

# need_command COMMAND PACKAGE
need_command() {
	command -v "$1" >/dev/null 2>&1 || need "$2"
}

# need_commands WORD...: each is a command, or COMMAND:PACKAGE where its package has another name.
need_commands() {
	for word in "$@"; do
		need_command "${word%%:*}" "${word##*:}"
	done
}

# need_where_packaged COMMAND...: the distribution has no such package for some processors.
need_where_packaged() {
	for word in "$@"; do
		command -v "$word" >/dev/null 2>&1 || ! apt-cache show "$word" >/dev/null 2>&1 || need "$word"
	done
}

# need_file PACKAGE PATH...: one of the paths is enough. A pattern that matches nothing stays itself.
need_file() {
	package=$1
	shift
	for path in "$@"; do
		[ ! -e "$path" ] || return 0
	done
	need "$package"
}

# need_header NAME PACKAGE
need_header() {
	echo "#include <$1>" | gcc -E - >/dev/null 2>&1 || need "$2"
}

# need_static_library NAME PACKAGE: gcc prints the name alone when there is no such file.
need_static_library() {
	case $(gcc -print-file-name="lib$1.a" 2>/dev/null) in
	/*) ;;
	*) need "$2" ;;
	esac
}

need_go() {
	[ -x /usr/local/go/bin/go ] || need_command go golang-go
}

# A command that must be a static program. A dynamic one names its interpreter in its first page.
need_static_command() {
	program=$(command -v "$1" 2>/dev/null) || {
		need "$2"
		return 0
	}
	if head -c 4096 "$program" | LC_ALL=C grep -aq '/ld-'; then
		need "$2"
	fi
}

# libFuzzer and the sanitizers; their package is named after clang's version. While clang is missing,
# apt-get's lists know which one it will be; older ones have no such package, and need none.
need_clang_runtime() {
	if resources=$(clang -print-resource-dir 2>/dev/null); then
		version=${resources##*/}
		need_file "libclang-rt-${version%%.*}-dev" "$resources"/lib/*/libclang_rt.fuzzer*
		return
	fi
	package=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/libclang-rt-\1-dev/p')
	[ -z "$package" ] || ! apt-cache show "$package" >/dev/null 2>&1 || need "$package"
}

# find_missing_for_loaders LIBC
find_missing_for_loaders() {
	need_command gcc gcc
	need_header stdio.h libc6-dev
	[ "$1" = glibc ] || need_command musl-gcc musl-tools
	need_header libelf.h libelf-dev
	need_static_library elf libelf-dev
}

find_missing_for_build() {
	find_missing_for_loaders musl
	need_command pkg-config pkg-config
	need_header jansson.h libjansson-dev
	# Exercises of the course end with it.
	need_command bats bats
	# Newer elfutils compress with zstd too. When pkg-config cannot say, another package is missing
	# still, and what libelf needs is asked again after that one is there.
	needs=$(pkg-config --static --libs libelf 2>/dev/null) || needs=
	case $needs in *-lz\ * | *-lz) need_static_library z zlib1g-dev ;; esac
	case $needs in *-lzstd*) need_static_library zstd libzstd-dev ;; esac
}

# What is loaded beside our own guests, and g++ for two of those.
find_missing_programs() {
	need_command g++ g++
	need_static_command busybox busybox-static
	need_commands bash-static zsh-static
}

find_missing_for_kernels() {
	find_missing_programs
	need_commands qemu-system-x86_64:qemu-system-x86 dpkg-deb:dpkg
}

# need_cross_compiler ARCH: and libc's headers, which the compiler's package only recommends.
need_cross_compiler() {
	need_command "$1-linux-gnu-gcc" "gcc-$1-linux-gnu"
	[ "$1" = aarch64 ] && cross=arm64 || cross=$1
	need_file "libc6-dev-$cross-cross" "/usr/$1-linux-gnu/include/stdio.h"
}

# find_missing_for_ports ARCH
find_missing_for_ports() {
	need_cross_compiler "$1"
	need_commands "$1-linux-gnu-g++:g++-$1-linux-gnu" dpkg-deb:dpkg busybox:busybox-static
	need_go
	case $1 in
	aarch64) need_command qemu-system-aarch64 qemu-system-arm ;;
	*)
		# Since Debian 13 it has a package of its own.
		emulator=qemu-system-${1%64}
		apt-cache show "$emulator" >/dev/null 2>&1 || emulator=qemu-system-misc
		need_command "qemu-system-$1" "$emulator"
		;;
	esac
}

# What tests/ports.bats compiles with.
need_cross_compilers() {
	[ "$(uname -m)" = x86_64 ] || return 0
	for arch in aarch64 riscv64; do need_cross_compiler "$arch"; done
}

# At most 150 MB beyond what the build needs: docs/platforms.md.
find_missing_for_check() {
	find_missing_programs
	need_file libcmocka-dev /usr/include/cmocka.h /usr/local/include/cmocka.h
	need_commands python3 patch xz:xz-utils clang-format shellcheck setarch:util-linux setpriv:util-linux \
		unshare:util-linux pgrep:procps readelf:binutils strace mandoc zsh dpkg-deb:dpkg gdb
	need_where_packaged proot
	need_file bash-completion /usr/share/bash-completion/bash_completion
	# Programs to load.
	need_commands perl git sqlite3 curl
	need_file time /usr/bin/time
}

# What tests/run.py calls heavy, the other compiler, and what builds Debian's packages.
find_missing_for_check_all() {
	find_missing_for_check
	need_go
	need_cross_compilers
	need_file python3-matplotlib /usr/lib/python3/dist-packages/matplotlib \
		/usr/lib*/python3*/site-packages/matplotlib
	need_command clang clang
	need_clang_runtime
	[ -x "${HOME-}/.cargo/bin/cargo" ] || need_command cargo cargo
	need_where_packaged valgrind
	need_commands node:nodejs javac:default-jdk-headless qemu-x86_64:qemu-user
	# On Ubuntu perf comes with the kernel in use; on Debian 11 the file has a version.
	! grep -q '^ID=debian' /etc/os-release 2>/dev/null ||
		need_file linux-perf /usr/bin/perf /usr/bin/perf_*
	# Nothing is to skip in CI; elsewhere a source package is built by whoever has these.
	[ -z "${CI-}" ] || need_commands dh:debhelper lintian
	# Ubuntu has it as a snap only, which containers cannot install.
	! grep -q '^ID=debian' /etc/os-release 2>/dev/null || need_where_packaged chromium
}

find_missing() {
	missing=
	find_missing_for_build
	case $1 in
	build) ;;
	check-all) find_missing_for_check_all ;;
	*) "find_missing_for_$1" "${2-}" ;;
	esac
}

say() {
	echo "$0: $1" >&2
}

stop() {
	say "$1"
	exit 1
}

# stop_with_command WHY HOW: what installs it all, for those who have to type it: as root, by sudo or su.
stop_with_command() {
	update="apt-get update"
	install="apt-get install --no-install-recommends $missing"
	say "$1; this installs what is missing, and then run it again:"
	case $2 in
	root) echo "  $update; $install" >&2 ;;
	sudo) echo "  sudo $update; sudo $install" >&2 ;;
	su) echo "  su -c '$update; $install'" >&2 ;;
	esac
	exit 1
}

# With sudo's password, if there is a terminal to ask for it on.
become_root() {
	as_root=
	[ "$(id -u)" != 0 ] || return 0
	command -v sudo >/dev/null 2>&1 || stop_with_command "neither root, nor is there a sudo" su
	as_root=sudo
	sudo -n true 2>/dev/null && return 0
	if [ -n "${CI-}" ] || ! (: </dev/tty) 2>/dev/null; then
		stop_with_command "sudo wants a password, and there is no terminal to ask for it on" sudo
	fi
	say "sudo asks for your password"
	sudo -v || stop_with_command "sudo does not let you" su
}

# apt WORD...: apt-get as root, its output on stderr.
apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
		-o Dpkg::Use-Pty=0 "$@" >&2
}

# The sums that apt-get shows before it asks: how many packages, how many bytes. Asked without a lock,
# so without root. Fails if its lists do not have all of the packages.
say_how_much() {
	# shellcheck disable=SC2086 # one word a package
	sums=$(LC_ALL=C apt-get install --assume-no --no-install-recommends -o Debug::NoLocking=1 \
		$missing 2>/dev/null | grep -E 'newly installed|^Need to get|disk space will be used') ||
		return 1
	say "this installs $missing and what these need:"
	echo "$sums" | sed 's/^/  /' >&2
}

update_lists() {
	become_root
	say "fetching the lists of packages (apt-get update)"
	apt update || true
}

# A fresh image has no lists, and old ones name versions that are gone by now.
install_missing() {
	command -v apt-get >/dev/null 2>&1 ||
		stop "there is no apt-get here: install what Debian calls $missing"
	if ! say_how_much; then
		update_lists
		say_how_much || stop_with_command "apt-get knows no way to install all of them" "${as_root:-root}"
	fi
	become_root
	# shellcheck disable=SC2086 # one word a package
	apt install -y --no-install-recommends $missing && return 0
	update_lists
	# shellcheck disable=SC2086
	apt install -y --no-install-recommends $missing || stop_with_command "apt-get failed" "${as_root:-root}"
}

case ${1-} in
missing)
	find_missing_for_loaders "${2-musl}"
	echo "$missing"
	exit
	;;
build | check | check-all | kernels | ports) ;;
*)
	echo "usage: $0 build|check|check-all|kernels|ports ARCH, or $0 missing musl|glibc" >&2
	exit 125
	;;
esac

find_missing "$@"
# More than once, because pkg-config can name libelf's own needs only when it is there itself.
while [ -n "$missing" ]; do
	[ "$missing" != "$tried" ] || stop "installed, and still not found: $missing"
	tried=$missing
	install_missing
	find_missing "$@"
done
