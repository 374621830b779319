#!/usr/bin/env bash
#
# ports.sh ARCH: guests natively and under the loaders on a kernel for another processor, in a machine that qemu emulates.
# Compares standard output, standard error and status inside. Prints what ran, what could not, rows for docs/platforms.md, and
# last "N passed, N failed". Status 1 if a guest was not the same. What is booted is what `make ARCH=... all guests` has built.
#
# From the environment:
#   KERNEL         Debian's release (trixie)
#   PACKAGE        Debian's package that depends on the kernel (linux-image-arm64)
#   PROGRAMS       paths of the guests to run, patterns; scripts of shells always run, files with odd headers do not
#   MINUTES        after which the machines are stopped (25)
#   MACHINES       how many share the guests (2). Each uses one processor of this machine.
#   CPUS           the processors of each (1). With one, its clock counts its instructions, so that no guest's alarm depends
#                  on how busy this machine is. With more, its clock is this machine's.
#   TIMES          how often each command runs (1)
#   WAYS           default, auto for --profile=auto, and engines (all)

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 125

arch=$1
root=$PWD
place=$root/build/ports/$arch
guests=build/$arch-guests
minutes=${MINUTES:-25} machines=${MACHINES:-2} cpus=${CPUS:-1}
debian=${arch/aarch64/arm64}
suite=${KERNEL:-trixie}
machine=$place/$suite-${PACKAGE:-linux-image-$debian}
loaders=(all_at_once_loader on_demand_loader hybrid_loader)
ways=${WAYS:-default auto guard mprotect mmap userfaultfd}

# shellcheck source=tests/commands.bash
. tests/commands.bash
# shellcheck source=tests/private_apt.bash
. tests/private_apt.bash

stop() {
	echo "$0: $1" >&2
	exit 125
}

# why_not_here GUEST: prints why it does not run in this machine. Fails for a guest that runs.
why_not_here() {
	case ${1##*/} in
	residency-* | memory_smaps | memory_huge_read) echo "it looks at which pages are in memory" ;;
	memory_remap | memory_no_mappings | call_short_counts) echo "it depends on how pages are hidden" ;;
	call_raw_numbers | thread_setid | thread_timers) echo "it takes minutes under emulation" ;;
	waits_on_pages) echo "its output is different each time" ;;
	*) why_left_out "$1" ;;
	esac
}

list_guests() {
	local guest all=("$guests"/{{musl,glibc}-{static,pie,dynamic},glibc-dynamic-fixed,go,bare}/*)
	# shellcheck disable=SC2086 # patterns
	for guest in ${PROGRAMS:-${all[*]}}; do
		[ ! -x "$guest" ] || why_not_here "$guest" >/dev/null || echo "$guest"
	done
}

# list_left_out: the guests that are built and do not run, each with the reason.
list_left_out() {
	local guest reason
	for guest in "$guests"/{musl-static,glibc-static,bare}/*; do
		! reason=$(why_not_here "$guest") || echo "left out: ${guest##*/} ($reason)"
	done | sort -u
}

# sort_commands: those that take longest begin first, so that no processor waits for them at the end.
sort_commands() {
	awk '{ print (/tests\/scripts|go_guest|storm|random|thread_/ ? 0 : 1), NR, $0 }' | sort -n -k 1,1 -k 2,2 | cut -d ' ' -f 3-
}

# list_verdicts: commands that compare what execve and the loaders do with files whose headers are odd.
list_verdicts() {
	local cases="/usr/bin/python3 /tree/tests/tools/elf_cases.py"
	echo "/usr/bin/python3 /tree/tests/mutations.py --seed 69 --count 400"
	echo "$cases ${loaders[*]/#//tree/}"
	echo "$cases --option=--engine=mprotect /tree/on_demand_loader /tree/hybrid_loader"
}

# copy_python: these commands, which begin first, and what they need.
copy_python() {
	mkdir -p "$system"/usr/{bin,lib} && cp "$place/root/usr/bin/python3.13" "$system/usr/bin/python3" &&
		cp -r "$place/root/usr/lib/python3.13" "$system/usr/lib" || return
	cp --parents tests/{machine,mutant,mutations}.py tests/tools/elf_cases.py "$guests"/{bare/*,tools/elf_case} "$system/tree" || return
	ln -s "$arch-guests" "$system/tree/build/guests"
	list_verdicts | cat - "$system/commands" >"$system/all" && mv "$system/all" "$system/commands"
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
	# Shells of the other processor, which may be missing on this machine.
	PATH=$PATH:$place/root/usr/bin list_commands "${commands[@]}" | awk '++n[$1] <= 3 || /tests\/scripts\//' | sort_commands |
		awk -v times="${TIMES:-1}" '{ for (n = 0; n < times; n++) print }' | sed "s|$root/|/tree/|g" >"$system/commands"
	cp --parents "${commands[@]}" "$system/tree" && cp --parents -r tests/scripts "$system/tree" || return
	ln -s "$guests/musl-static/prog1" "$system/tree/prog1"
	[ -n "${PROGRAMS-}" ] || copy_python || return
	(cd "$system" && find . | busybox cpio -o -H newc 2>/dev/null) >"$machine/disk"
}

# boot N: what the machine N prints on its console is $machine/console.N.
boot() {
	local qemu=(qemu-system-"$arch" -M virt -smp "$cpus" -m 2048 -nodefaults -no-reboot -display none)
	case $arch in
	riscv64) qemu+=(-cpu "rv64,v=true,vlen=128") console=ttyS0 ;;
	# With pages of 16 KiB, qemu 7.2's `max` may execute what was on a page before the kernel copied it.
	*)
		case $machine in
		*16k) qemu+=(-cpu neoverse-n1) ;;
		*) qemu+=(-machine mte=on -cpu "max,pauth-impdef=on") ;;
		esac
		console=ttyAMA0
		;;
	esac
	# Four nanoseconds an instruction. A machine that waits goes to its next timer at once.
	[ "$cpus" != 1 ] || qemu+=(-icount "shift=2,sleep=off")
	timeout --foreground --kill-after=10 "$((minutes * 60))" "${qemu[@]}" -serial "file:$machine/console.$1" \
		-kernel "$machine/vmlinuz" -initrd "$machine/disk" \
		-append "console=$console quiet panic=-1 rdinit=/init SETTINGS=always MORE=120 MACHINE=$1 MACHINES=$machines EVERY=*/musl-static/* \"WAYS=$ways\"" \
		</dev/null >"$machine/qemu.log.$1" 2>&1
}

# boot_all: what all machines print is $machine/log.
boot_all() {
	local n
	rm -f "$machine"/{console,qemu.log}.*
	for ((n = 0; n < machines; n++)); do boot "$n" & done
	wait
	cat "$machine"/console.* | tr -d '\r' >"$machine/log"
}

# list_not_begun: the commands for which there was no time.
list_not_begun() {
	awk 'NR == FNR { left[$0]++; next }
		/^\+ / { sub(/^\+ [0-9]* /, ""); left[$0]-- }
		END { for (command in left) if (left[command] > 0) print "no time left for: " command }' "$machine/system/commands" "$machine/log"
}

# list_not_paged: the lazy loaders that page prog1 with no fault. Every kernel has what mprotect needs.
list_not_paged() {
	local loader
	[[ " $ways " == *" mprotect "* ]] || return
	for loader in on_demand_loader hybrid_loader; do
		grep -q "^@ serves $loader mprotect always [1-9]" "$machine/log" || echo "$loader pages nothing with mprotect"
	done
}

# count VERDICTS [LOADER WAY]: the runs with one of these verdicts.
count() {
	awk -v verdicts="^($1)\$" -v loader="${2-}" -v way="${3-}" \
		'$1 == "@" && $2 ~ verdicts && (loader == "" || $3 == loader && $4 == way) { n++ } END { print n + 0 }' "$machine/log"
}

# count_failed: the runs that were not the same, and the scripts that found a wrong verdict.
count_failed() {
	echo $(($(count 'differs|timeout') + $(grep -c '^@ verdicts [1-9]' "$machine/log")))
}

# show_row WAY: its line of the table.
show_row() {
	local loader row cells=
	row="| $arch | $(sed -n 's/^@ kernel //p' "$machine/log" | sort -u) | $(sed -n 's/^@ page //p' "$machine/log" | sort -u) | $1 |"
	for loader in "${loaders[@]}"; do
		if [ "$(count 'same|differs|timeout' "$loader" "$1")" = 0 ]; then
			row+=" |"
		else
			row+=" $(count same "$loader" "$1") same, $(count 'differs|timeout' "$loader" "$1") differ |"
			cells=1
		fi
	done
	[ -z "$cells" ] || echo "$row"
}

show() {
	local way
	sed -n 's/^- \([0-9]*\) /ran, until second \1: /p' "$machine/log"
	list_not_begun
	# Begun, and not ended when the machine was stopped.
	awk '/^[+-] / { sign = $1 == "+" ? 1 : -1; $1 = $2 = ""; open[$0] += sign }
		END { for (command in open) if (open[command] > 0) print "did not end:" substr(command, 2) }' "$machine/log"
	list_left_out
	echo "left out: choices of words beyond the first three of a guest"
	sed -n 's/^\([a-z_0-9]*\)  *\(.*\)/of x86-64 alone: \1 (\2)/p' testprogs/only/x86_64
	sed -n '/^@ missing/p; /^@ serves/p; /^@ lazy/p' "$machine/log" | sort -u
	sed -n 's/^@ verdicts [0-9]* /verdicts on files: /p' "$machine/log"
	sed -n '/^@ difference/p; /^@ slow/p; /^#/p' "$machine/log"
	echo "| architecture | kernel | page | engine |$(printf ' %s |' "${loaders[@]}")"
	for way in $ways; do show_row "$way"; done
	echo "$(count unsteady) runs are not the same natively, $(count late) take too long natively"
	list_not_paged
	echo "$(list_not_begun | wc -l) had no time left"
	echo "$(($(count same) + $(grep -c '^@ verdicts 0' "$machine/log"))) passed, $(count_failed) failed"
}

main() {
	fetch_kernel "$machine" "$suite" "${PACKAGE:-linux-image-$debian}" "$debian" || stop "the kernel cannot be fetched"
	# qemu starts no compressed image.
	! gzip -t <"$machine/vmlinuz" 2>/dev/null || { gzip -dc <"$machine/vmlinuz" >"$machine/image" && mv "$machine/image" "$machine/vmlinuz"; }
	make_disk || stop "the machine's file system cannot be written to $machine"
	boot_all
	show
	[ "$(grep -c '^@ end' "$machine/log")" = "$machines" ] || stop "did not come to its end: $machine/log, $machine/qemu.log.*"
	[ "$(count_failed)" = 0 ] && [ "$(count same)" != 0 ] && [ -z "$(list_not_paged)" ]
}

# Bash reads no line after this one, so the script may be changed while it runs.
main; exit
