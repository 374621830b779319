#!/usr/bin/env bash
#
# ports.sh ARCH: guests natively and under the loaders on a kernel for another processor, in a machine that qemu emulates.
# Compares standard output, standard error and status inside. Prints what ran, a row for docs/platforms.md, and last
# "N passed, N failed". Status 1 if a guest was not the same. What is booted is what `make ARCH=... all guests` has built.
#
# From the environment:
#   KERNEL         Debian's release (trixie)
#   PACKAGE        Debian's package that depends on the kernel (linux-image-arm64)
#   PROGRAMS       paths of the guests to run, patterns; scripts of shells always run
#   MINUTES        after which a machine is given up (25); the last five begin no further guest

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 125

arch=$1
root=$PWD
place=$root/build/ports/$arch
guests=build/$arch-guests
minutes=${MINUTES:-25}
debian=${arch/aarch64/arm64}
suite=${KERNEL:-trixie}
machine=$place/$suite-${PACKAGE:-linux-image-$debian}
loaders=(all_at_once_loader on_demand_loader hybrid_loader)

# shellcheck source=tests/commands.bash
. tests/commands.bash
# shellcheck source=tests/private_apt.bash
. tests/private_apt.bash

stop() {
	echo "$0: $1" >&2
	exit 125
}

# Guests that look at a way of hiding pages, that wait for another process, or that take minutes here.
is_not_for_us() {
	case ${1##*/} in
	call_short_counts | thread_setid | memory_remap | memory_smaps | call_raw_numbers | memory_huge_read | memory_no_mappings | thread_timers) true ;;
	*) false ;;
	esac
}

list_guests() {
	local guest patterns
	patterns="$guests/*/hello $guests/*/prog[1-4] $guests/go/* $guests/musl-static/* $guests/*dynamic*/*"
	for guest in hello lifecycle jumps 'process_*' signal_altstack 'thread_*'; do
		patterns+=" $guests/*pie/$guest $guests/glibc-static/$guest"
	done
	# shellcheck disable=SC2086 # patterns
	for guest in ${PROGRAMS:-$patterns}; do
		[ ! -x "$guest" ] || is_not_for_us "$guest" || echo "$guest"
	done
}

# make_disk: the file system that the machine begins with; the tree is at /tree there.
make_disk() {
	local system=$machine/system commands lib=$place/root/usr/lib
	rm -rf "$system" && mkdir -p "$system"/{bin,tree,lib/"$arch-linux-gnu"} || return
	cp tests/kernels_init.sh "$system/init" && chmod 755 "$system/init"
	cp -L "$place"/root/usr/bin/{busybox,bash-static,zsh-static} "$guests/tools/compare_runs" "$system/bin" || return
	cp -L "$lib"/ld-*.so.1 "$system/lib" && cp -L "$lib/$arch-linux-gnu"/*.so.[0-9] "$system/lib/$arch-linux-gnu" || return
	cp build/"$arch"-musl-release/loader/*_loader "$system/tree" || return
	mapfile -t commands < <({ echo "$guests/musl-static/prog1"; list_guests; } | awk "!seen[\$0]++")
	[ -x "${commands[0]}" ] || stop "nothing is built: make check-ports ARCH=$arch does it"
	list_commands "${commands[@]}" | awk '++n[$1] <= 3 || /tests\/scripts\//' | sed "s|$root/|/tree/|g" >"$system/commands"
	cp --parents "${commands[@]}" "$system/tree" && cp --parents -r tests/scripts "$system/tree" || return
	ln -s "$guests/musl-static/prog1" "$system/tree/prog1"
	(cd "$system" && find . | busybox cpio -o -H newc 2>/dev/null) >"$machine/disk"
}

# boot: what it says on its console is $machine/log.
boot() {
	local qemu=(qemu-system-"$arch" -M virt -smp 2 -m 3072 -nodefaults -no-reboot -display none)
	case $arch in
	riscv64) qemu+=(-cpu "rv64,v=true,vlen=128") console=ttyS0 ;;
	*) qemu+=(-cpu "max,pauth-impdef=on") console=ttyAMA0 ;;
	esac
	timeout --foreground --kill-after=10 "$((minutes * 60))" "${qemu[@]}" -serial "file:$machine/console" \
		-kernel "$machine/vmlinuz" -initrd "$machine/disk" \
		-append "console=$console quiet panic=-1 rdinit=/init SETTINGS=always BUDGET=$((minutes * 60 - 300)) \"WAYS=default auto\"" \
		</dev/null >"$machine/qemu.log" 2>&1
	tr -d '\r' <"$machine/console" >"$machine/log"
}

# count VERDICTS [LOADER]: the runs with one of these verdicts.
count() {
	awk -v verdicts="^($1)\$" -v loader="${2-}" \
		'$1 == "@" && $2 ~ verdicts && (loader == "" || $4 == loader) { n += $3 } END { print n + 0 }' "$machine/log"
}

show() {
	local loader row
	row="| $arch | $(sed -n 's/^@ kernel //p' "$machine/log") |"
	sed -n 's/^+ [0-9.]* /ran: /p; s/^- /no time left for: /p' "$machine/log"
	sed -n '/^@ difference/p; /^@ timeout/p; /^#/p' "$machine/log"
	for loader in "${loaders[@]}"; do
		row+=" $(count same "$loader") same, $(count 'differs|timeout' "$loader") differ |"
	done
	echo "| architecture | kernel |$(printf ' %s |' "${loaders[@]}")"
	echo "$row"
	echo "$(count unsteady) runs are not the same natively"
	echo "$(count same) passed, $(count 'differs|timeout') failed"
}

main() {
	fetch_kernel "$machine" "$suite" "${PACKAGE:-linux-image-$debian}" "$debian" || stop "the kernel cannot be fetched"
	# qemu starts no compressed image.
	! gzip -t <"$machine/vmlinuz" 2>/dev/null || { gzip -dc <"$machine/vmlinuz" >"$machine/image" && mv "$machine/image" "$machine/vmlinuz"; }
	make_disk || stop "the machine's file system cannot be written to $machine"
	boot
	show
	grep -q '^@ end' "$machine/log" || stop "did not come to its end: $machine/log, $machine/qemu.log"
	[ "$(count 'differs|timeout')" = 0 ] && [ "$(count same)" != 0 ]
}

# All of it is read by now: the script may be changed while it runs.
main
exit
