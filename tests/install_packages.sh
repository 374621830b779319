#!/bin/sh
#
# install_packages.sh build|check: makes sure that what `make` (build) or `make check` (check) needs
# is there, and installs what is missing on Debian and Ubuntu. Looks for commands and files, not for
# packages: that takes milliseconds, and finds what came another way.

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

# need_file PACKAGE PATH...: one of the paths is enough. A pattern that matches nothing stays itself.
need_file() {
	package=$1
	shift
	for path in "$@"; do
		[ ! -e "$path" ] || return 0
	done
	need "$package"
}

# need_static_library NAME PACKAGE
need_static_library() {
	need_file "$2" "/usr/lib/$(uname -m)-linux-gnu/lib$1.a" "/usr/lib64/lib$1.a" \
		"/usr/lib/lib$1.a" "/usr/local/lib/lib$1.a"
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

# libFuzzer and the sanitizers; their package is named after clang's version.
need_clang_runtime() {
	resources=$(clang -print-resource-dir 2>/dev/null) || return 0
	version=${resources##*/}
	need_file "libclang-rt-${version%%.*}-dev" "$resources"/lib/*/libclang_rt.fuzzer*
}

find_missing_for_build() {
	need_command gcc gcc
	need_file libc6-dev /usr/include/stdio.h
	need_command pkg-config pkg-config
	need_command musl-gcc musl-tools
	need_file libelf-dev /usr/include/libelf.h /usr/local/include/libelf.h
	need_static_library elf libelf-dev
	need_file libjansson-dev /usr/include/jansson.h /usr/local/include/jansson.h
	# Newer elfutils compress with zstd too. When pkg-config cannot say, another package is missing
	# still, and what libelf needs is asked again after that one is there.
	needs=$(pkg-config --static --libs libelf 2>/dev/null) || needs=
	case $needs in *-lz\ * | *-lz) need_static_library z zlib1g-dev ;; esac
	case $needs in *-lzstd*) need_static_library zstd libzstd-dev ;; esac
}

find_missing_for_check() {
	need_command bats bats
	need_file libcmocka-dev /usr/include/cmocka.h /usr/local/include/cmocka.h
	need_command g++ g++
	need_static_command busybox busybox-static
	need_command bash-static bash-static
	need_command zsh-static zsh-static
	[ -x /usr/local/go/bin/go ] || need_command go golang-go
	need_command python3 python3
	need_file python3-matplotlib /usr/lib/python3/dist-packages/matplotlib \
		/usr/lib*/python3*/site-packages/matplotlib
	need_command clang clang
	need_clang_runtime
	need_command clang-format clang-format
	need_command shellcheck shellcheck
	need_command setarch util-linux
	need_command setpriv util-linux
	need_command pgrep procps
	need_command readelf binutils
	need_command strace strace
	need_command mandoc mandoc
	need_command zsh zsh
	need_command unshare util-linux
	need_command dpkg-deb dpkg
	need_file bash-completion /usr/share/bash-completion/bash_completion
	[ -x "${HOME-}/.cargo/bin/cargo" ] || need_command cargo cargo
	need_command gdb gdb
	need_command valgrind valgrind
	# On Ubuntu perf comes with the kernel in use; on Debian 11 the file has a version.
	! grep -q '^ID=debian' /etc/os-release 2>/dev/null ||
		need_file linux-perf /usr/bin/perf /usr/bin/perf_*
	need_file time /usr/bin/time
}

find_missing() {
	missing=
	find_missing_for_build
	if [ "$1" = check ]; then
		find_missing_for_check
	fi
}

stop() {
	echo "$0: $1; install these: $missing" >&2
	exit 1
}

# apt WORD...: apt-get as root, its output on stderr.
apt() {
	# shellcheck disable=SC2086 # nothing, or two words
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
		-o Dpkg::Use-Pty=0 "$@" >&2
}

# A fresh image has no package lists, and old lists name versions that are gone by now.
install_missing() {
	command -v apt-get >/dev/null 2>&1 || stop "there is no apt-get here"
	as_root=
	if [ "$(id -u)" != 0 ]; then
		as_root="sudo -n"
		sudo -n true 2>/dev/null || stop "neither root nor sudo without a password"
	fi
	echo "installing $missing" >&2
	for lists in /var/lib/apt/lists/*Packages*; do
		[ -e "$lists" ] || apt update || true
		break
	done
	# shellcheck disable=SC2086 # one word a package
	apt install -y --no-install-recommends $missing && return 0
	echo "once more with fresh package lists" >&2
	apt update || true
	# shellcheck disable=SC2086
	apt install -y --no-install-recommends $missing || stop "apt-get failed"
}

case ${1-} in
build | check) ;;
*)
	echo "usage: $0 build|check" >&2
	exit 125
	;;
esac

find_missing "$1"
# More than once, because pkg-config can name libelf's own needs only when it is there itself.
while [ -n "$missing" ]; do
	if [ "$missing" = "$tried" ]; then
		stop "installed, and still not found"
	fi
	tried=$missing
	install_missing
	find_missing "$1"
done
