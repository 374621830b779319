#!/usr/bin/env bash
#
# kernels.sh [KERNEL]...: guests natively and under the loaders, with each way of hiding pages or with a profile, and with
# each setting of huge pages, on the kernels of Debian's releases, each booted in a machine that qemu emulates; by default
# on all that are listed below. KERNEL is a release (debian-12) or the beginning of its kernel's version (6.1). Prints
# tables, in Markdown, for docs/platforms.md. Status 1 if a guest was not as natively.
#
# Needs apt-get, whose lists and packages are kept apart from the system's own, qemu, and no privilege. A kernel
# is fetched once: to have a newer one, delete its folder. What is booted is what `make` has built. Takes five
# to fifteen minutes a kernel. kernels.sh --check [KERNEL]... only checks the words.
#
# From the environment:
#   KERNELS        the same as the arguments
#   FOLDER         where kernels are kept and logs written (/var/tmp/elf-loaders-kernels)
#   PROGRAMS       paths of the guests to run, patterns (prog1 to prog4, and those listed below; all of
#                  build/guests/musl-static/* take an hour); scripts of shells always run
#   DEBIAN_MIRROR  (http://deb.debian.org/debian)
#   MINUTES        after which a machine is given up (60)

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 125

root=$PWD
folder=${FOLDER:-/var/tmp/elf-loaders-kernels}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
minutes=${MINUTES:-60}
check=
[ "${1-}" != --check ] || { check=1; shift; }
read -ra kernels <<<"${*:-${KERNELS:-5.10 6.1 6.12 testing}}"
loaders=(all_at_once_loader on_demand_loader hybrid_loader)
# Each a setting of huge pages and a way, as in kernels_init.sh.
rows=(always\ {default,guard,mprotect,mmap,userfaultfd,profile} {madvise,never}\ {default,profile})
guests=(musl-static/{hello,lifecycle,jumps,call_files,call_sockets,call_short_counts,memory_areas,memory_keys}
	musl-static/{memory_fixed,memory_unmap,process_reap,thread_setid} # large arrays
	musl-static/{process_fork,process_exec,process_trace_child}
	musl-static/{signal_status,signal_storm,signal_stop,signal_altstack,signal_actions,signal_on_stack}
	musl-static/{thread_calls,thread_children,thread_crowd,thread_same_pages} glibc-pie/{hello,thread_tree})
failed=0

# shellcheck source=tests/commands.bash
. tests/commands.bash
# shellcheck source=tests/private_apt.bash
. tests/private_apt.bash

stop() {
	echo "$0: $1" >&2
	exit 125
}

# suite_of KERNEL: its name for apt.
suite_of() {
	case $1 in
	debian-11 | 5.10*) echo bullseye ;;
	debian-12 | 6.1 | 6.1.*) echo bookworm ;;
	debian-13 | 6.12*) echo trixie ;;
	debian-testing | testing | 7.*) echo testing ;;
	*) return 1 ;;
	esac
}

# Of guests that differ by engine, as docs/quirks.md says and tests of their own look at; that tell which pages
# are there; that wait for somebody to continue them; or that take minutes here.
is_not_for_us() {
	case ${1##*/} in
	memory_remap | memory_smaps | process_poke | signal_error_codes | residency-*) true ;;
	signal_continue | call_raw_numbers | memory_huge_read | memory_no_mappings | random_steps* | thread_timers) true ;;
	*) false ;;
	esac
}

list_guests() {
	local guest
	# shellcheck disable=SC2086 # patterns
	for guest in ${PROGRAMS:-prog[1-4] "${guests[@]/#/build/guests/}"}; do
		[ ! -x "$guest" ] || is_not_for_us "$guest" || echo "$guest"
	done
}

# Of the many choices of words that some guests have, the first three: emulation is slow.
thin_out() {
	awk '++n[$1] <= 3 || /tests\/scripts\//'
}

# make_disk: the file system that a machine begins with; the tree is at /tree there.
make_disk() {
	local system=$folder/system commands
	rm -rf "$system" && mkdir -p "$system"/{bin,tree} || return
	cp tests/kernels_init.sh "$system/init" && chmod 755 "$system/init"
	cp "$(command -v busybox)" "$(command -v bash-static)" "$(command -v zsh-static)" \
		build/guests/tools/compare_runs "$system/bin" || return
	mapfile -t commands < <(list_guests)
	list_commands "${commands[@]}" | thin_out | sed "s|$root/|/tree/|g" >"$system/commands"
	mapfile -t commands < <(printf '%s\n' prog1 "${commands[@]}" | sort -u)
	cp --parents -ru "${loaders[@]}" "${commands[@]}" tests/scripts "$system/tree" || return
	(cd "$system" && find . | busybox cpio -o -H newc 2>/dev/null) >"$folder/disk"
}

# boot SUITE: what it says on its console is $folder/SUITE/log. Without cmpxchg16b, which qemu 7.2 gets wrong: flags
# are overwritten, and the kernel dies of it in its own allocator.
boot() {
	local place=$folder/$1
	timeout --foreground --kill-after=10 "$((minutes * 60))" qemu-system-x86_64 -nodefaults -no-reboot -display none \
		-accel tcg,thread=multi -cpu max,-cx16 -smp 2 -m 3072 -serial "file:$place/console" \
		-kernel "$place/vmlinuz" -initrd "$folder/disk" \
		-append "console=ttyS0 quiet panic=-1 rdinit=/init" </dev/null >"$place/qemu.log" 2>&1
	tr -d '\r' <"$place/console" >"$place/log"
}

# cell LOG LOADER SETTING WAY: its place in the table.
cell() {
	awk -v loader="$2" -v setting="$3" -v way="$4" '
		$1 != "@" { next }
		$2 == "lazy" && $3 == loader && $4 == setting && way == "default" { lazy = 1 }
		$2 ~ /^(same|differs|timeout|unsteady)$/ && $3 == loader && $4 == way && $5 == setting { n[$2]++; ran = 1 }
		END {
			if (!ran) { print "not there"; exit }
			text = n["same"] + 0 " same, " n["differs"] + 0 " differ"
			if (n["timeout"]) text = text ", " n["timeout"] " too slow"
			if (n["unsteady"]) text = text ", " n["unsteady"] " unsteady"
			if (lazy) text = text "; nothing hidden"
			print text
		}' "$1"
}

# show_rows SUITE: its lines of the table.
show_rows() {
	local log=$folder/$1/log version row setting way loader
	version=$(sed -n 's/^@ kernel //p' "$log")
	for row in "${rows[@]}"; do
		read -r setting way <<<"$row"
		printf '| %s | %s | %s |' "$version" "$setting" "$way"
		for loader in "${loaders[@]}"; do
			case $loader-$way in
			*-default | *-profile | on_demand_loader-* | hybrid_loader-*)
				printf ' %s |' "$(cell "$log" "$loader" "$setting" "$way")" ;;
			*) printf ' |' ;;
			esac
		done
		printf '\n'
	done
}

# merge_rows CELL: rows that differ in that cell alone become one, which lists all values.
merge_rows() {
	awk -F '[|]' -v OFS='|' -v cell="$1" '
		{
			value = $cell
			gsub(/^ | $/, "", value)
			$cell = ""
			if (!($0 in values))
				rows[++count] = $0
			values[$0] = values[$0] (values[$0] == "" ? "" : ", ") value
		}
		END {
			for (i = 1; i <= count; i++) {
				row = rows[i]
				sub(/\|\|/, "| " values[rows[i]] " |", row)
				print row
			}
		}'
}

# test_kernel SUITE
test_kernel() {
	local log=$folder/$1/log
	if ! fetch_kernel "$folder/$1" "$1" linux-image-cloud-amd64; then
		echo "$1: its kernel cannot be fetched from $mirror (DEBIAN_MIRROR); put one at $folder/$1/vmlinuz" >&2
		failed=1
		return
	fi
	# While a kernel patches its own code, qemu 7.2 now and then shows its other processor half of it: that one dies of int3.
	for _ in 1 2 3; do
		boot "$1"
		! grep -q '^@ kernel' "$log" || break
	done
	if ! grep -q '^@ end' "$log"; then
		echo "$1: did not come to its end, in $minutes minutes at most: $log, $folder/$1/qemu.log" >&2
		failed=1
	fi
	show_rows "$1" | merge_rows 3 | merge_rows 4
	if grep -q '^@ difference' "$log"; then
		sed -n '/^@ difference/p; /^#/p' "$log" >&2
		failed=1
	fi
}

main() {
	local kernel suites=()
	for kernel in "${kernels[@]}"; do
		suites+=("$(suite_of "$kernel")") ||
			stop "unknown kernel '$kernel'; known: debian-11 (5.10), debian-12 (6.1), debian-13 (6.12), debian-testing"
	done
	[ -z "$check" ] || exit 0
	[ -x build/guests/musl-static/hello ] || stop "nothing is built: make check-kernels does it"
	for kernel in apt-get qemu-system-x86_64 busybox bash-static zsh-static; do
		command -v "$kernel" >/dev/null || stop "$kernel is missing: make check-kernels installs it"
	done
	make_disk || stop "the machines' file system cannot be written to $folder (FOLDER)"
	echo "| kernel | huge pages | pages are hidden by |$(printf ' %s |' "${loaders[@]}")"
	echo "|---|---|---|${loaders[*]/*/---|}"
	for kernel in "${suites[@]}"; do
		test_kernel "$kernel"
	done
	exit "$failed"
}

# All of it is read by now: the script may be changed while it runs.
main
