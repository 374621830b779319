#!/usr/bin/env bats
#
# Where a program lies in memory, and what else lies there.

load helpers

# distinct_addresses COMMAND...: in how many places four runs found the program.
distinct_addresses() {
	for _ in 1 2 3 4; do
		"$@"
	done | sort -u | wc -l
}

@test "/proc/self/maps shows the program and nothing of the loader" {
	of_variants_that_leave only_under all_at_once_loader in_all_variants maps
}

# The shell reads its own maps by itself, in a child that it has forked. Sorted, because Debian 11's loads libraries,
# which come to lie in the hole above the vDSO (docs/quirks.md).
@test "a forked child has nothing of a loader that hides nothing" {
	requires bash-static own_executable
	local script='(while read -r _ flags _ _ _ name; do echo "$flags $name"; done </proc/$BASHPID/maps) | sort'
	export LC_ALL=C
	only_under all_at_once_loader,hybrid_loader same_as_native "$(command -v bash-static)" -c "$script"
	expect "exit 0" "$ROOT/hybrid_loader" "$(command -v bash-static)" -c "$script"
	[[ $(found out) == *"[stack]"* ]]
}

# on_overlay COMMAND...: in a folder with the loaders on an overlay of two folders, without any capability.
on_overlay() {
	mkdir -p "$BATS_TEST_TMPDIR/over"
	unshare --user --map-root-user --mount bash -c '
		mount -t tmpfs none "$0" && cd "$0" && mkdir one two both && cp $1 one &&
			mount -t overlay -o lowerdir=one:two none both && cd both && shift &&
			exec setpriv --inh-caps=-all --bounding-set=-all --securebits=+noroot "$@"' \
		"$BATS_TEST_TMPDIR/over" "$LOADERS" "$@"
}

# There the kernel never says that the file of the old executable is still mapped.
@test "a loader without privilege, on overlayfs" {
	requires user_namespaces bash-static
	local script='while read -r line; do echo "$line"; done </proc/self/maps; readlink /proc/self/exe'
	on_overlay true || skip "overlayfs cannot be mounted here"
	for loader in $LOADERS; do
		ran 0 on_overlay "./${loader##*/}" "$(command -v bash-static)" -c "$script"
		[[ $output == *bash-static*"[stack]"* ]]
		[[ $output != *"${loader##*/}"* ]]
	done
}

@test "/proc/self/maps without privileges" {
	requires user_namespaces
	drop_privileges
	only_under all_at_once_loader in_all_variants maps
}

@test "a fixed-address program is at its address" {
	same_as_native "$GUESTS/musl-static/load_address"
	same_as_native "$GUESTS/glibc-static/load_address"
}

@test "a static PIE is at a random address, at a fixed one with ASLR off" {
	requires aslr setarch
	for loader in $LOADERS; do
		for variant in musl-pie glibc-pie; do
			distinct=$(distinct_addresses "$loader" "$GUESTS/$variant/load_address")
			echo "$loader, $variant: $distinct addresses in 4 runs"
			[ "$distinct" -ge 3 ]
			distinct=$(distinct_addresses setarch -R "$loader" "$GUESTS/$variant/load_address")
			echo "$loader, $variant, ASLR off: $distinct addresses in 4 runs"
			[ "$distinct" -eq 1 ]
		done
	done
}

@test "segments aligned to 2 MiB" { in_all_variants aligned_segment; }

@test "programs run with ASLR off" {
	requires setarch
	under setarch -R
	in_all_variants lifecycle
	in_all_variants heap
	in_all_variants program_break
}

@test ".data and .bss on one page, in several layouts" {
	for layout in static pie omagic noseparate big_pages unaligned; do
		same_as_native "$GUESTS/bare/bss_tail-$layout"
	done
}

@test "programs linked at unusual addresses" {
	for place in valgrind pie_base; do
		same_as_native "$GUESTS/bare/placed-$place"
	done
}

@test "a program linked just above the lowest address" { same_as_native "$GUESTS/bare/placed-low"; }

# runs_or_refuses LOADER PROGRAM: the program runs as it should, or is refused in one sentence.
runs_or_refuses() {
	record found "${UNDER[@]}" "$@"
	case $(found status) in
	"exit 0")
		[[ $(found out) == "hello from 0x7ffff0001000" ]] ;;
	"exit 125" | "exit 126")
		is_one_line "${1##*/}: ${*: -1}: " . ;;
	*)
		explain found "$@"
		return 1 ;;
	esac
}

@test "a program linked on top of the loader runs or is refused" {
	requires x86_addresses
	requires setarch
	under setarch -R
	each_loader runs_or_refuses "$GUESTS/bare/placed-on_loader"
}

@test "programs linked where nothing can be mapped are refused" {
	requires x86_addresses
	# Natively each dies of SIGSEGV inside execve.
	for place in last_page hole kernel; do
		expect_refusal 126 . "$GUESTS/bare/placed-$place"
	done
}

# Each 64 KiB of a loader that a start comes to costs it a page fault; start.ld has what all of them run side by side.
# Where libc has its functions is another with each release.
@test "what a start runs of the loader's own stands side by side" {
	of_this_processor "$GUESTS/tools/steps_outside"
	requires lazy
	[ -z "${LOADER_OPTIONS:-}" ] || skip "other options run other functions"
	for loader in $LOADERS; do
		read -r start bytes < <(readelf -SW "$loader" | sed -n 's/.* \.start  *PROGBITS  *\([^ ]*\) [^ ]* \([^ ]*\) .*/\1 \2/p')
		address_of() { readelf -sW "$loader" | awk -v name="$1" '$8 == name { print $2 }'; }
		for program in "$GUESTS/musl-static/hello" ./prog1; do
			"$GUESTS/tools/steps_outside" "$(address_of loader_start)" "$start" "$(printf %x $((0x$start + 0x$bytes)))" \
				"$(address_of resident_area)" "$loader" "$program" >"$BATS_TEST_TMPDIR/places"
			outside=$(sed '/instructions/d' "$BATS_TEST_TMPDIR/places" | addr2line -f -e "$loader" | grep -B1 -E '/(loader|common)/') || true
			[ -z "$outside" ] || { echo "loader/start.ld does not have, for $loader:"$'\n'"$outside" && false; }
		done
	done
}

# A mapping that is cut in two, or read first and written then, costs each start microseconds (start.ld). binutils 2.44
# begins another segment after .bss, which may be no longer than the last page of the file's data.
@test "resident memory is all of a loader that has no file, and its data is written first" {
	for loader in $LOADERS; do
		symbols=$(readelf -sW "$loader")
		area=$(awk '$8 == "resident_area" { print $2; exit }' <<<"$symbols")
		entry=$(awk '$8 == "loader_start" { print $2; exit }' <<<"$symbols")
		mapfile -t segments < <(readelf -lW "$loader" | awk '$1 == "LOAD" && $7 == "RW" { print $3, $5, $6 }')
		for segment in "${segments[@]}"; do
			read -r start in_file bytes <<<"$segment"
			[ $((start + in_file)) -eq $((0x$area)) ] || [ $(((start + in_file - 1) / 4096)) -eq $(((start + bytes - 1) / 4096)) ]
		done
		[ $((start + in_file)) -eq $((0x$area)) ]
		(($(readelf -hW "$loader" | sed -n 's/.*Entry point.* 0x/0x/p') == 0x$entry))
	done
}
