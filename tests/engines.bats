#!/usr/bin/env bats
# Kernels that lack something, or sandboxes that deny it: the same results by other means.
#
# Runs without huge pages: what it expects is what becomes of a small .bss whose pages are hidden.

load helpers

DENY=$ROOT/build/guests/tools/deny

@test "without guard markers pages are hidden with mprotect, and --verbose says so" {
	requires lazy
	for loader in on_demand_loader hybrid_loader; do
		ran 0 "$DENY" madvise=102:EINVAL userfaultfd:EPERM -- "$ROOT/$loader" -v ./prog1
		[[ $output == *"hiding pages with mprotect"* && $output == *hello!* ]]
	done
}

@test "prog1 to prog4 and guests run without guard markers as with them" {
	under "$DENY" madvise=102:EINVAL userfaultfd:EPERM --
	for program in ./prog1 ./prog2 ./prog3 ./prog4; do
		ENDED_BY='*' same_as_native "$program"
	done
	for variant in "${VARIANTS[@]}"; do
		for guest in hello thread_local lifecycle jumps; do
			same_as_native "$GUESTS/$variant/$guest" a 'b c'
		done
		for way in write_text write_constant execute_data; do
			by_signal same_as_native "$GUESTS/$variant/wild_access" "$way"
		done
	done
	for guest in "$GUESTS"/bare/bss_tail-*; do
		same_as_native "$guest"
	done
}

@test "more scattered pages than vm.max_map_count has room for, without guard markers" {
	requires one_gigabyte
	for loader in on_demand_loader hybrid_loader; do
		ran 0 "$DENY" madvise=102:EINVAL userfaultfd:EPERM -- "$ROOT/$loader" --policy=none --stats=/dev/null \
			"$GUESTS/musl-static/every_second_page"
		[ "$output" = "every second page of 1 GiB" ]
	done
}

# with_map_count N COMMAND...: with N for vm.max_map_count, as far as the command can read it; not at all if N is empty.
with_map_count() {
	printf '%s' "$1" >"$BATS_TEST_TMPDIR/limit"
	unshare -rm bash -c 'mount --bind "$1" /proc/sys/vm/max_map_count && exec "${@:2}"' bash "$BATS_TEST_TMPDIR/limit" "${@:2}"
}

@test "whole regions are revealed before their pages use up half of vm.max_map_count" {
	requires user_namespaces one_gigabyte
	# A page in two is touched: each splits a mapping, with the engine guard only the first of 2 MiB does.
	while read -r engine most limit; do
		[ -n "$(engines_of "$engine")" ] || continue
		run with_map_count "$limit" "$ROOT/on_demand_loader" "--engine=$engine" --policy=none \
			"--stats=$BATS_TEST_TMPDIR/s.json" "$GUESTS/musl-static/every_second_page"
		echo "$engine, '$limit': $output"
		[ "$output" = "every second page of 1 GiB" ]
		faults=$(sed -n 's/.*"faults": \([0-9]*\).*/\1/p' "$BATS_TEST_TMPDIR/s.json")
		[ "$faults" -le "$most" ]
	done <<-END
		mprotect 120   400
		mmap     120   400
		guard    25700 400
		mprotect 16500
	END
}

@test "without MADV_POPULATE_* all pages are resident all the same" {
	under "$DENY" madvise=22:EINVAL madvise=23:EINVAL --
	for program in ./prog1 ./prog3 "$GUESTS/glibc-static/hello"; do
		same_as_native "$program"
	done
	"$DENY" madvise=22:EINVAL madvise=23:EINVAL -- "$ROOT/all_at_once_loader" \
		"--stats=$BATS_TEST_TMPDIR/s.json" ./prog1
	pages=$(sed -n 's/.*"program_pages": \([0-9]*\),.*/\1/p' "$BATS_TEST_TMPDIR/s.json")
	[ "$pages" -gt 2900 ]
	grep "\"resident_pages\": $pages," "$BATS_TEST_TMPDIR/s.json"
}

@test "without MREMAP_DONTUNMAP the last page of .data is a copy" {
	under "$DENY" mremap=7:EINVAL --
	for program in ./prog1 "$GUESTS/glibc-static/hello"; do
		same_as_native "$program"
	done
}

@test "without PR_SET_MM_MAP programs run, and --verbose says what is missing" {
	under "$DENY" prctl=35:EPERM --
	for program in ./prog1 ./prog4 "$GUESTS/glibc-static/hello" "$GUESTS/musl-pie/hello"; do
		ENDED_BY='*' same_as_native "$program"
	done
	run "$DENY" prctl=35:EPERM -- "$ROOT/hybrid_loader" -v ./prog1
	[[ $output == *"PR_SET_MM_MAP"* && $output == *hello!* ]]
}

@test "without faccessat2 (Linux before 5.8, older containers) permissions are still looked at" {
	cp ./prog1 "$BATS_TEST_TMPDIR/no"
	chmod 644 "$BATS_TEST_TMPDIR/no"
	for loader in $LOADERS; do
		for reason in ENOSYS EPERM; do
			ran 0 "$DENY" faccessat2:$reason -- "$loader" ./prog1
			ran 126 "$DENY" faccessat2:$reason -- "$loader" "$BATS_TEST_TMPDIR/no"
		done
	done
}

LAZY_LOADERS="$ROOT/on_demand_loader $ROOT/hybrid_loader"

@test "prog1 to prog4 and guests run with every engine, retired or not, as natively" {
	for program in ./prog1 ./prog2 ./prog3; do
		in_every_way same_as_native "$program"
	done
	by_signal in_every_way same_as_native ./prog4
	for guest in hello thread_local lifecycle jumps; do
		in_every_way in_all_variants "$guest" a 'b c'
	done
	for way in write_text write_constant execute_data; do
		by_signal in_every_way in_all_variants wild_access "$way"
	done
}

@test "pages come one by one with every engine" {
	# mprotect works wherever calls can be intercepted; where it does not, the engine is at fault.
	expect_warning
	[ -n "$EXPECTED_WARNING$(engines_of mprotect)" ]
	requires lazy
	for engine in $(engines_here); do
		"$ROOT/on_demand_loader" "--engine=$engine" "--stats=$BATS_TEST_TMPDIR/s.json" ./prog1
		cat "$BATS_TEST_TMPDIR/s.json"
		grep "\"engine\": \"$engine\"" "$BATS_TEST_TMPDIR/s.json"
		# prog1 touches 977 pages of its 12 MB of .bss, each of them a fault.
		[ "$(sed -n 's/.*"faults": \([0-9]*\),/\1/p' "$BATS_TEST_TMPDIR/s.json")" -ge 970 ]
	done
}

@test "records agree with /proc/self/maps after every fault and guarded call" {
	for engine in $(engines_here); do
		for loader in $LAZY_LOADERS; do
			LOADERS=$loader LOADER_OPTIONS="--verify --retire=never --engine=$engine" \
				in_all_variants memory_areas
			LOADERS=$loader LOADER_OPTIONS="--verify --retire=never --engine=$engine" \
				in_all_variants lifecycle
		done
	done
}

@test "an engine that is asked for and missing is an error, an engine nobody knows, too" {
	requires lazy
	for loader in $LAZY_LOADERS; do
		expect "exit 125" "$DENY" madvise=102:EINVAL -- "$loader" --engine=guard ./prog1
		is_one_line "${loader##*/}: ./prog1: " "the engine guard does not work here: Invalid argument"
		expect "exit 125" "$DENY" userfaultfd=0x80001:EPERM -- "$loader" --engine=userfaultfd ./prog1
		is_one_line "${loader##*/}: ./prog1: " "the engine userfaultfd does not work here"
		expect "exit 125" "$loader" --engine=magic ./prog1
		is_one_line "${loader##*/}: " "engine=magic is unknown; there are guard, mprotect"
	done
}

@test "an engine that answers 0 and does nothing is not taken" {
	requires userfaultfd
	# The calls of UFFDIO_API and UFFDIO_REGISTER.
	local answered=(madvise=102:OK ioctl=0xc018aa3f:OK ioctl=0xc020aa00:OK)
	for loader in $LAZY_LOADERS; do
		for program in ./prog1 "$GUESTS/glibc-static/jumps"; do
			"$program" >"$BATS_TEST_TMPDIR/native"
			expect "exit 0" "$DENY" "${answered[@]}" -- "$loader" -v --huge=never "--stats=$BATS_TEST_TMPDIR/s.json" "$program"
			cmp "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/found.out"
			[[ $loader == */hybrid_loader && $program != ./prog1 ]] ||
				grep '"engine": "mprotect"' "$BATS_TEST_TMPDIR/s.json"
		done
		for engine in guard userfaultfd; do
			expect "exit 125" "$DENY" "${answered[@]}" -- "$loader" "--engine=$engine" ./prog1
			is_one_line "${loader##*/}: ./prog1: " "the engine $engine does not work here: (Operation n|N)ot supported"
		done
	done
}

@test "under qemu-user, which has no markers and intercepts nothing" {
	requires qemu-x86_64
	under qemu-x86_64
	for program in ./prog1 ./prog2 ./prog3 "$GUESTS/glibc-pie/floating_point"; do
		only_under all_at_once_loader same_as_native "$program"
		"$program" >"$BATS_TEST_TMPDIR/native"
		for loader in $LAZY_LOADERS; do
			expect "exit 0" qemu-x86_64 "$loader" "$program"
			cmp "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/found.out"
			[[ $(found err) == "" || $(found err) == *"system calls cannot be intercepted"* ]]
		done
	done
	for loader in $LAZY_LOADERS; do
		expect "exit 125" qemu-x86_64 "$loader" --huge=never --guard=none ./prog1
		is_one_line "${loader##*/}: ./prog1: " "(no handler can be installed|pages cannot be hidden)"
	done
}

# same_but_a_warning PROGRAM [ARG]...: with every lazy loader as natively, but that the loader says first, in one
# line on stderr, that it hides nothing. hybrid_loader says so only where it would.
same_but_a_warning() {
	trace_test_only
	local loader warning name=$BATS_TEST_TMPDIR failed=0
	record native "$@"
	for loader in $LAZY_LOADERS; do
		warning="${loader##*/}: $1: everything is left to the kernel's paging: system calls cannot be intercepted: "
		expect "$(cat "$name/native.status")" "$DENY" prctl=59:EINVAL -- "$loader" "$@" || failed=1
		if [[ $(head -n 1 "$name/found.err") == "$warning"* ]]; then
			sed -i 1d "$name/found.err"
		elif [ "${loader##*/}" = on_demand_loader ]; then
			failed=1
		fi
		same_recording native found || failed=1
	done
	return $failed
}

@test "without dispatch nothing is hidden, every program runs, and one line on stderr says so" {
	requires dispatch static_busybox bash-static zsh-static own_executable
	local script='x=$(echo a | cat); echo $x; (exit 3); echo $?; for i in 1 2 3; do echo $i; done | sort -r; exit 7'
	for program in ./prog1 ./prog2 ./prog3 ./prog4; do
		ENDED_BY='*' same_but_a_warning "$program"
	done
	for guest in call_files call_short_counts call_futex process_wait process_spawn thread_children signal_altstack \
		signal_untouched_stack signal_actions; do
		for variant in musl-static glibc-pie; do
			same_but_a_warning "$GUESTS/$variant/$guest"
		done
	done
	same_but_a_warning "$(command -v busybox)" sh -c "$script"
	same_but_a_warning "$(command -v bash-static)" -c "$script"
	same_but_a_warning "$(command -v zsh-static)" -fc "$script"
}

@test "--guard=none hides all the same, with dispatch or without" {
	for loader in $LAZY_LOADERS; do
		for deny in "" "$DENY prctl=59:EINVAL --"; do
			# shellcheck disable=SC2086 # words
			expect "exit 0" $deny "$loader" --guard=none "--stats=$BATS_TEST_TMPDIR/s.json" ./prog1
			./prog1 | cmp - "$BATS_TEST_TMPDIR/found.out"
			[ ! -s "$BATS_TEST_TMPDIR/found.err" ]
			! grep '"faults": 0,' "$BATS_TEST_TMPDIR/s.json"
			# shellcheck disable=SC2086
			expect "signal 11" $deny "$loader" --guard=none ./prog4
			# shellcheck disable=SC2086
			expect "signal 11" $deny "$loader" --guard=none "$GUESTS/musl-static/raise_signal" 11
		done
		if env --block-signal=SEGV true 2>/dev/null; then
			expect "exit 0" env --block-signal=SEGV "$loader" --guard=none -v ./prog1
			found err | grep -q "SIGSEGV was blocked; the program starts with it unblocked"
		fi
	done
}

@test "--guard=none where the kernel says less of a fault: gVisor, User Mode Linux" {
	of_this_processor "$GUESTS/tools/faults_as"
	local kernel loader engine deny=("$DENY" prctl=59:EINVAL --) tells=$GUESTS/tools/faults_as
	./prog1 >"$BATS_TEST_TMPDIR/native"
	for kernel in gvisor uml; do
		for loader in $LAZY_LOADERS; do
			for engine in $(engines_of guard mprotect); do
				local command=("$tells" "$kernel" "${deny[@]}" "$loader" --guard=none "--engine=$engine")
				expect "exit 0" "${command[@]}" ./prog1
				cmp "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/found.out"
				expect "exit 139" "${command[@]}" ./prog4
			done
		done
	done
}

@test "--verify where nothing is mounted on /proc says so" {
	requires user_namespaces lazy
	for loader in $LAZY_LOADERS; do
		expect "exit 125" unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' sh \
			"$loader" --engine=mprotect --verify ./prog1
		is_one_line "verify: " "/proc/self/maps cannot be read; mount /proc, or leave out --verify$"
	done
}

@test "--guard=require and --record refuse to run without dispatch" {
	requires dispatch
	for loader in $LAZY_LOADERS; do
		for option in --guard=require "--record=$BATS_TEST_TMPDIR/profile"; do
			expect "exit 125" "$DENY" prctl=59:EINVAL -- "$loader" "$option" ./prog1
			is_one_line "${loader##*/}: ./prog1: " "system calls cannot be intercepted: .*Invalid argument; use Linux 5.11, or --guard"
			[ ! -e "$BATS_TEST_TMPDIR/profile" ]
			expect "exit 0" "$loader" "$option" ./prog1
			rm -f "$BATS_TEST_TMPDIR/profile"
		done
	done
}

@test "without userfaultfd everything else works" {
	under "$DENY" userfaultfd=0x80001:EPERM --
	for program in ./prog1 ./prog2 ./prog4 "$GUESTS/glibc-static/lifecycle"; do
		ENDED_BY='*' same_as_native "$program"
	done
}

@test "lazy paging ends when it no longer pays, and the statistics say why" {
	requires lazy
	# Where huge pages always come, hybrid_loader would hide nothing of these.
	for loader in $LAZY_LOADERS; do
		"$loader" --huge=never --retire=0 "--stats=$BATS_TEST_TMPDIR/s.json" ./prog1
		cat "$BATS_TEST_TMPDIR/s.json"
		grep '"retired": "system calls"' "$BATS_TEST_TMPDIR/s.json"
		grep '"retired_after": 1,' "$BATS_TEST_TMPDIR/s.json"
		"$loader" --huge=never --retire=never "--stats=$BATS_TEST_TMPDIR/s.json" ./prog1
		grep '"retired": null' "$BATS_TEST_TMPDIR/s.json"
		"$loader" --huge=never "--stats=$BATS_TEST_TMPDIR/s.json" ./prog2
		grep '"retired": null' "$BATS_TEST_TMPDIR/s.json"
	done
}

# The records and the kernel's are compared after every step; the last page of .data is kept elsewhere.
@test "megabytes of .data and .rodata, opened chunk by chunk and in one piece" {
	for area in data rodata; do
		program=$ROOT/build/bench/touch-$area-16
		for policy in none block,pages=512 block,pages=1048576; do
			for pattern in "few read 9" "reverse read"; do
				[ "$policy $pattern" != "none reverse read" ] || continue
				# shellcheck disable=SC2086 # words
				ran any "$ROOT/on_demand_loader" --verify --policy="$policy" "$program" $pattern
				# shellcheck disable=SC2086 # words
				[ "$output" = "$("$program" $pattern)" ]
			done
		done
		# shellcheck disable=SC2086 # words
		same_as_native "$program" few read 9
	done
}

@test "500 GiB of a file, all of it hidden" {
	requires addresses x86_code
	local big=$BATS_TEST_TMPDIR/big
	gcc -O1 -mcmodel=large -nostdlib -static -fno-pic -no-pie -fcf-protection=none -o "$big" \
		-Wl,--section-start=.big=0x10000000000,-z,noseparate-code,--build-id=none -x c - <<-'END'
		__attribute__((section(".big"))) const volatile unsigned char area[4096] = {65};
		void _start(void)
		{
			unsigned long sum = 0, result;
			for (unsigned long i = 0; i < 20; i++)
				sum += i + (area + (i * 25 << 30))[0];
			__asm__ volatile("syscall" : "=a"(result) : "a"(231), "D"(sum & 127) : "rcx", "r11", "memory");
		}
	END
	python3 - "$big" <<-'END'
		import struct, sys
		file = open(sys.argv[1], "r+b")
		start = file.read()
		for i in range(start[56]):
		    place = 64 + 56 * i
		    kind, flags, offset, address = struct.unpack_from("<IIQQ", start, place)
		    if kind == 1 and address >= 1 << 40:
		        file.seek(place)
		        file.write(struct.pack("<II", 1, 4))
		        file.seek(place + 32)
		        file.write(struct.pack("<QQ", 500 << 30, 500 << 30))
		        file.truncate(offset + (500 << 30))
	END
	only_under on_demand_loader,hybrid_loader same_as_native "$big"
}
