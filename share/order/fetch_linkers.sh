#!/bin/bash
#
# fetch_linkers.sh: puts into build/linkers what the tests of order files link with and most systems lack: GNU ld (2.43 or
# later) and llvm-bolt of Debian testing, and Zig from PyPI. Needs apt-get and pip, no privilege.
#
#   build/linkers/ld         for gcc -Bbuild/linkers
#   build/linkers/llvm-bolt
#   build/linkers/zig

set -eu

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
place=$PWD/build/linkers
# shellcheck source=tests/private_apt.bash
. tests/private_apt.bash
mkdir -p "$place/debian.root"
cd "$place"

fetch_debian() {
	local bolt
	configure_apt "$place" testing
	export APT_CONFIG=$place/apt.conf
	apt-get -qq update
	bolt=$(apt-cache search --names-only '^bolt-[0-9]+$' | sed 's/ .*//' | sort -V | tail -n 1)
	with_dependencies binutils-x86-64-linux-gnu "$bolt" | xargs apt-get -qq download
	for package in ./*.deb; do dpkg-deb -x "$package" debian.root; done
	rm -rf ./*.deb lists archives state apt.conf sources.list
	wrap ld usr/bin/x86_64-linux-gnu-ld.bfd
	wrap llvm-bolt "usr/lib/llvm-${bolt#bolt-}/bin/llvm-bolt"
}

# wrap NAME PROGRAM: a script that starts a program of Debian testing with its C library, which may be newer than the system's.
wrap() {
	cat >"$1" <<-END
		#!/bin/sh
		lib=$place/debian.root/usr/lib/x86_64-linux-gnu
		exec \$lib/ld-linux-x86-64.so.2 --library-path \$lib $place/debian.root/$2 "\$@"
	END
	chmod +x "$1"
}

fetch_zig() {
	pip download -q --no-deps --only-binary :all: --dest . ziglang==0.13.0
	python3 -m zipfile -e ziglang-*.whl zig.root
	rm -f ziglang-*.whl
	printf '#!/bin/sh\nexport ZIG_GLOBAL_CACHE_DIR=%s/zig.cache\nexec %s/zig.root/ziglang/zig "$@"\n' "$place" "$place" >zig
	chmod +x zig zig.root/ziglang/zig
}

{ ./ld --version && ./llvm-bolt --version; } >/dev/null 2>&1 || fetch_debian
./zig version >/dev/null 2>&1 || fetch_zig
./ld --version | head -n 1
./llvm-bolt --version | head -n 1
echo "Zig $(./zig version)"
