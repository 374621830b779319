#!/usr/bin/env bats
#
# Dynamically linked programs: the interpreter is loaded beside them and the process begins in it.

load helpers

DYNAMIC=(glibc-dynamic glibc-dynamic-fixed musl-dynamic)

# link COMPILER DIRECTORY [FLAG]...: testprogs/dynamic/linked.c with its libraries, which it finds beside itself.
link() {
	local compiler=$1 name libraries=$2/lib
	mkdir -p "$libraries"
	for name in first second plugin; do
		$compiler -D_GNU_SOURCE -O1 -fPIC -shared -DNAME=$name -o "$libraries/lib$name.so" "$ROOT/testprogs/dynamic/library.c"
	done
	$compiler -D_GNU_SOURCE -O1 -pthread "${@:3}" -Wl,--no-as-needed -Wl,--enable-new-dtags '-Wl,-rpath,$ORIGIN/lib' -o "$2/linked" \
		"$ROOT/testprogs/dynamic/linked.c" -L"$libraries" -lfirst -lsecond -ldl
}

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	link gcc pie
	link gcc fixed -no-pie -fno-pie
	link gcc now -Wl,-z,now -Wl,-z,relro
	link gcc lazy -Wl,-z,lazy -Wl,-z,norelro -Wl,--disable-new-dtags
	link gcc noseparate -Wl,-z,noseparate-code
	link gcc aligned -Wl,-z,max-page-size=0x200000
	link gcc text_relocations -Wl,-z,notext -fno-pic -mcmodel=large -Wl,-z,lazy
	link musl-gcc musl
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# dynamic_guest GUEST [ARG]...: as in_all_variants, each way of linking dynamically.
dynamic_guest() {
	trace_test_only
	local guest=$1 variant failed=0
	shift
	for variant in "${DYNAMIC[@]}"; do
		same_as_native "$GUESTS/$variant/$guest" "$@" || failed=1
	done
	return $failed
}

@test "libraries: constructors' order, thread-local storage, ifunc, dlopen, dlsym, \$ORIGIN, RELRO" {
	for kind in pie fixed now lazy noseparate aligned text_relocations musl; do
		same_as_native "./$kind/linked" a 'b c'
	done
	grep -q '^thread: 711$' "$BATS_TEST_TMPDIR/loaded.out"
	grep -q '^plugin: 8 10$' "$BATS_TEST_TMPDIR/loaded.out"
}

@test "libraries, with each engine, and lazy paging that never ends" {
	requires dispatch
	for kind in pie fixed musl; do
		in_every_way same_as_native "./$kind/linked"
	done
}

@test "libraries, without privileges" {
	drop_privileges "$BATS_FILE_TMPDIR/pie/linked"
	for kind in pie fixed musl; do
		same_as_native "./$kind/linked"
	done
}

@test "symbols bound at once, later, and told (LD_BIND_NOW, LD_DEBUG)" {
	under env LD_BIND_NOW=1
	same_as_native ./lazy/linked
	for loader in $LOADERS; do
		for kind in pie fixed; do
			for run in native "$loader"; do
				# All symbols are bound at once: threads that bind later write across each other.
				# shellcheck disable=SC2086 # a word or none
				LD_BIND_NOW=1 LD_DEBUG=files,bindings expect "exit 0" env ${run#native} "./$kind/linked"
				# Process numbers and addresses differ from run to run.
				cut_warning "$BATS_TEST_TMPDIR/found.err"
				found err | sed -E 's/^ *[0-9]+:/N:/; s/0x[0-9a-f]+/0x/g' >"${run##*/}.$kind"
			done
			cmp "native.$kind" "${loader##*/}.$kind"
		done
	done
	[ "$(grep -c 'binding file' native.pie)" -ge 10 ]
}

@test "LD_PRELOAD" {
	gcc -shared -fPIC -DNAME=preloaded -o preloaded.so "$ROOT/testprogs/dynamic/library.c"
	under env LD_PRELOAD="$PWD/preloaded.so"
	same_as_native ./pie/linked
	grep -q '^preloaded begins' "$BATS_TEST_TMPDIR/loaded.out"
}

@test "LD_AUDIT" {
	gcc -shared -fPIC -o audit.so "$ROOT/testprogs/dynamic/audit.c"
	# All symbols are bound at once, since threads that bind later write across each other.
	under env LD_BIND_NOW=1 LD_AUDIT="$PWD/audit.so"
	for kind in pie fixed lazy; do
		same_as_native "./$kind/linked"
		[ "$(grep -c '^object ' "$BATS_TEST_TMPDIR/loaded.err")" -ge 4 ]
	done
	# glibc before 2.35 tells no symbols that are bound at once; this program has no threads.
	gcc -Wl,-z,lazy -o audited "$ROOT/testprogs/memory_areas.c"
	under env LD_AUDIT="$PWD/audit.so"
	same_as_native ./audited
	[ "$(grep -c '^symbol ' "$BATS_TEST_TMPDIR/loaded.err")" -ge 10 ]
}

@test "the state at entry: auxiliary vector, stack" {
	under env -i A=b
	dynamic_guest auxv a 'b c'
	dynamic_guest stack_layout a 'b c'
}

@test "the registers with which the interpreter starts" {
	gcc -o entry -Wl,--dynamic-linker="$GUESTS/bare/entry_registers-pie" "$ROOT/testprogs/hello.c"
	same_as_native ./entry
}

@test "open descriptors, also where the first are closed" {
	dynamic_guest descriptors
	dynamic_guest proc_descriptors
	under sh -c 'exec "$@" <&-' sh
	dynamic_guest descriptors
}

@test "attributes of the process, mappings, signals" {
	for guest in process_attributes memory_areas signal_{dispositions,stack} thread_registrations; do
		dynamic_guest "$guest"
	done
	! has_own_executable || dynamic_guest signal_status
}

@test "protection keys, in a dynamic program" { dynamic_guest memory_keys; }

@test "brk, identity, /proc/self/exe" {
	dynamic_guest program_break
	dynamic_guest proc_identity "" "a b"
	dynamic_guest proc_exe
	dynamic_guest process_exec_self
}

@test "/proc/self/exe without privileges, and where no user namespace is to be had" {
	drop_privileges
	dynamic_guest proc_exe
	dynamic_guest process_exec_self
	under "${UNDER[@]}" "$GUESTS/tools/deny" "clone=$NAMESPACE_CHILD:EPERM" --
	dynamic_guest process_exec_self
}

@test "calls that name /proc/self/exe without privileges, and without a user namespace" {
	requires dispatch
	drop_privileges
	under "${UNDER[@]}" "$GUESTS/tools/deny" "clone=$NAMESPACE_CHILD:EPERM" --
	dynamic_guest proc_exe_calls
	in_all_variants proc_exe_calls
}

@test "threads, forks, signals, memory" {
	for guest in lifecycle process_fork process_fork_tree process_spawn process_vfork thread_local \
		thread_many thread_cancel signal_altstack signal_threads memory_protect memory_unmap vdso; do
		dynamic_guest "$guest"
	done
	dynamic_guest exit_status 42
}

@test "threads, forks, signals, with each engine" {
	requires dispatch
	for guest in process_fork thread_many thread_local signal_threads; do
		in_every_way dynamic_guest "$guest"
	done
}

@test "large .bss, and how programs die" {
	dynamic_guest prog1
	dynamic_guest prog2
	by_signal dynamic_guest prog4
	dynamic_guest huge_bss
	by_signal dynamic_guest wild_access write_null
}

@test "faults that a dynamic program handles" { dynamic_guest signal_fault_info; }

@test "a position-independent program lies two thirds up, the same without randomisation" {
	requires setarch aslr
	local native bits
	native=$(setarch -R "$GUESTS/glibc-dynamic/load_address")
	[ "$MACHINE" != x86-64 ] || [ "$native" = 0x555555554000 ]
	bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null) || bits=28
	for loader in $LOADERS; do
		# A loader that is linked with glibc has its own break there.
		readelf -h "$loader" | grep -q "UNIX - GNU" ||
			[ "$(setarch -R "$loader" "$GUESTS/glibc-dynamic/load_address")" = "$native" ]
		first=$("$loader" "$GUESTS/glibc-dynamic/load_address")
		second=$("$loader" "$GUESTS/glibc-dynamic/load_address")
		[ "$first" != "$second" ]
		((first >= native && first < native + ($(getconf PAGESIZE) << bits)))
	done
}

@test "interpreters: a static program, one at a fixed address, one by a relative path, one in /proc" {
	interpreted() {
		gcc "${@:2}" -o "program" -Wl,--dynamic-linker="$1" "$ROOT/testprogs/hello.c"
		same_as_native ./program a 'b c'
	}
	cp "$GUESTS/musl-static/hello" "$GUESTS/musl-pie/auxv" .
	interpreted "$GUESTS/musl-pie/lifecycle"
	# It takes the thread-local segment of the program for its own. On x86-64 it dies of that.
	end='*'
	[ "$(uname -m)" != x86_64 ] || end=signal
	ENDED_BY=$end interpreted "$GUESTS/glibc-pie/thread_local"
	interpreted "$GUESTS/musl-static/lifecycle"
	# An interpreter at a fixed address that lies on top of the program.
	interpreted "$GUESTS/musl-static/lifecycle" -no-pie
	interpreted hello
	interpreted ./hello
	interpreted auxv
	interpreted /proc/self/cwd/hello
	exec 99<hello
	interpreted /proc/self/fd/99
	exec 99<&-
}

@test "interpreters that execve refuses" {
	while read -r interpreter; do
		gcc -o program -Wl,--dynamic-linker="$interpreter" "$ROOT/testprogs/hello.c"
		status=0
		./program 2>/dev/null || status=$?
		expect_refusal "$status" "its interpreter $interpreter: " ./program
	done <<-END
		/nowhere
		/tmp
		/dev/null
		/etc/passwd
		$ROOT/README.md/none
	END
}

# Where huge pages always come, it hides none below 16 MiB.
@test "hybrid_loader hides .bss of 1 MiB and more" {
	requires dispatch
	local planned=("$ROOT/hybrid_loader" --huge=never --plan)
	for how in -static -pie; do
		for bytes in $((1 << 18)) $((1 << 21)); do
			gcc -x c $how -o "bss_$bytes" - <<<"char area[$bytes]; int main(void) { return area[9]; }"
		done
		expect "exit 0" "${planned[@]}" "./bss_$((1 << 18))"
		[[ $(found out) != *"hidden until"* ]]
		expect "exit 0" "${planned[@]}" --engine=guard "./bss_$((1 << 18))"
		[[ $(found out) == *"hidden until"* ]]
		expect "exit 0" "${planned[@]}" "./bss_$((1 << 21))"
		[ "$(grep -c 'hidden until' <<<"$(found out)")" -eq 1 ]
	done
	expect "exit 0" "${planned[@]}" "$ROOT/prog1"
	[[ $(found out) == *"hidden until"* ]]
}

profiled() {
	rm -f profile
	expect "exit 0" "$1" --record=profile "$GUESTS/glibc-dynamic/prog1"
	[ "$(sed -n 's/^key //p' profile | grep -cE '^build-id:[0-9a-f]+\+build-id:[0-9a-f]+$')" -eq 1 ]
	grep -qE '^10000000[0-9a-f]{2} [0-9a-f]+ w$' profile
	grep -qE '^[0-9a-f]{1,3} [0-9a-f]+ w$' profile
	LOADER_OPTIONS=--profile=profile same_as_native "$GUESTS/glibc-dynamic/prog1"
	expect "exit 0" "$1" --verbose --profile=profile "$GUESTS/glibc-dynamic/hello"
	[[ $(found err) == *"is of "*"ignored"* ]]
}

@test "a profile is of the program and its interpreter" {
	requires dispatch
	only_under on_demand_loader,hybrid_loader each_loader profiled
}

@test "one page in memory at entry under on_demand_loader: the interpreter's" {
	requires dispatch
	loader=$ROOT/on_demand_loader
	program=$GUESTS/glibc-dynamic/hello
	expect "exit 0" "$loader" --trace=trace --retire=never "$program"
	[ "$(grep -c '^region.*hidden$' trace)" -ge "$(readelf -lW "$program" "$(interpreter_of "$program")" | grep -c ' LOAD ')" ]
	ran 1 grep '^region.*native$' trace
	entry=$("$loader" --plan "$program" | sed -n '/^interpreter/,$s/^entry *//p')
	# The interpreter is not in the same 256 MiB as the program.
	bias=$(awk '$1 == "region" { high = substr($2, 1, length($2) - 7); first = first ? first : high }
		$1 == "region" && high != first { print $2; exit }' trace)
	page=$(printf '%x' $(((0x$bias + entry) >> 12)))
	awk '$4 == "fault" { print substr($5, 1, length($5) - 3) }' trace >faults
	# Other pages of the interpreter are touched by the program first.
	grep -q "^${page%???}" faults
	ran 1 grep "^$page" faults
}
