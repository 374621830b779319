#!/usr/bin/env bats
#
# --order: the functions of a program in the order of their first calls, and a program that notices nothing of that.

load helpers

setup() {
	requires dispatch
	LOADERS=$ROOT/on_demand_loader
	ORDER=$BATS_TEST_TMPDIR/order
	WAYS=(breakpoints sent threads forks handlers patched copied)
}

# names: those of the functions that were called, one a line, as they are in $ORDER.
names() {
	awk -F '\t' 'listed && $1 == "end" { exit } listed { for (i = 5; i <= NF; i++) print $i } $1 == "order" { listed = 1 }' "$ORDER"
}

# ordered PROGRAM [ARG]...: runs it with --order, as natively, and its order is whole.
ordered() {
	rm -f "$ORDER"
	LOADER_OPTIONS="--order=$ORDER" same_as_native "$@" || return
	[ "$(tail -n 1 "$ORDER")" = "$(printf 'end\texit')" ] && return
	echo "not the whole order:" && tail -n 1 "$ORDER"
	return 1
}

# has_steps STEP...: of the functions step_00 to step_77, the program has called these, each named once.
has_steps() {
	diff <(printf 'step_%02o\n' "$@" | sort) <(names | grep '^step_' | sort)
}

@test "first calls by threads, forked children, handlers, jumps and in copies: results as natively" {
	with_options --order=/dev/null
	for way in "${WAYS[@]}"; do
		LOADERS="$ROOT/on_demand_loader $ROOT/hybrid_loader" in_all_variants first_calls "$way"
	done
}

@test "a breakpoint of the program's own, not handled or blocked, kills it" {
	with_options --order=/dev/null
	for way in killed blocked; do
		by_signal in_all_variants first_calls "$way"
	done
}

# on_one_and_on_all COMMAND...: it runs for each $variant, with the loader on all processors and on one.
on_one_and_on_all() {
	local variant on
	requires taskset
	for variant in "${VARIANTS[@]}"; do
		for on in "" "taskset -c 0"; do
			# shellcheck disable=SC2086 # several words
			under $on
			"$@" || return
		done
	done
}

threads_once() {
	for _ in {1..12}; do
		ordered "$GUESTS/$variant/first_calls" threads && has_steps {0..63} || return
	done
}

@test "sixteen threads: each function is named once" {
	on_one_and_on_all threads_once
}

# A function is named in a child, after vfork, or in the parent.
forks_once() {
	for _ in {1..6}; do
		ordered "$GUESTS/$variant/first_calls" forks || return
		has_steps $(seq 0 4 63) $(seq 1 4 63) $(seq 2 4 63) || return
		diff <(names | grep '^step_') <(names | grep '^step_' | sort) || return
	done
}

@test "forked children and their parent: each function is named once, by the first of them" {
	on_one_and_on_all forks_once
}

@test "functions that are jumped to, in assembly, with a breakpoint of their own" {
	for variant in "${VARIANTS[@]}"; do
		ordered "$GUESTS/$variant/first_calls" handlers
		diff <(printf '%s\n' jumps jumped_to) <(names | grep -x -A 1 jumps)
		names | grep -x without_size
		ordered "$GUESTS/$variant/first_calls" breakpoints
		names | grep -x begins_with_break
	done
}

@test "a program that writes to its text: the order ends there, and says so" {
	for variant in "${VARIANTS[@]}"; do
		"$ROOT/on_demand_loader" "--order=$ORDER" "$GUESTS/$variant/first_calls" patched
		[ "$(tail -n 1 "$ORDER")" = "$(printf 'end\tone system call, mprotect')" ]
		names | grep -x main
		[ "$(names | grep -cx step_04)" = 0 ]
	done
}

@test "execve: the order ends where the first process makes one, but not where one fails, or in a child" {
	for variant in "${VARIANTS[@]}"; do
		ordered "$GUESTS/$variant/first_calls" refused
		names | grep -x step_05
		LOADER_OPTIONS="--order=$ORDER" same_as_native "$GUESTS/$variant/first_calls" execs
		names | grep -x step_05
		[ "$(tail -n 1 "$ORDER")" = "$(printf 'end\texecve')" ]
	done
}

# as_debugger PROGRAM [ARG]...: --order names the functions that GDB stops at, with a breakpoint on each, in its order.
as_debugger() {
	local entry
	readelf -sW "$1" |
		awk '($4 == "FUNC" || $4 == "IFUNC") && $7 != "UND" && $7 != "ABS" { print $2 }' |
		sort -u >"$BATS_TEST_TMPDIR/functions"
	entry=$(readelf -hW "$1" | awk '/Entry point/ { print $4 }')
	ENTRY=$entry FUNCTIONS=$BATS_TEST_TMPDIR/functions FIRST_CALLS=$BATS_TEST_TMPDIR/debugger \
		gdb -nx -batch -x "$ROOT/tests/tools/first_calls.py" --args "$@" </dev/null >"$BATS_TEST_TMPDIR/gdb" 2>&1
	"$ROOT/on_demand_loader" "--order=$ORDER" "$@" </dev/null >"$BATS_TEST_TMPDIR/out" || true
	[ "$(wc -l <"$BATS_TEST_TMPDIR/debugger")" -gt 30 ] || {
		cat "$BATS_TEST_TMPDIR/gdb"
		return 1
	}
	diff "$BATS_TEST_TMPDIR/debugger" <(awk -F '\t' 'NF >= 5 { print $1 }' "$ORDER")
}

@test "the same functions in the same order as a debugger with a breakpoint on each" {
	requires gdb g++
	as_debugger "$GUESTS/musl-static/first_calls" handlers
	as_debugger "$GUESTS/glibc-pie/lifecycle"
	as_debugger "$GUESTS/glibc-static/cpp_features"
}

# stripped: ./stripped is first_calls without symbols, ./whole is with them.
stripped() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$GUESTS/glibc-pie/first_calls" whole
	strip -o stripped whole
}

# names_of_stripped: what the loader says that the order of ./stripped has. On riscv64 it exports some functions.
names_of_stripped() {
	if nm -D stripped | grep -q ' T '; then
		echo "names only of functions that it exports"
	else
		echo "addresses without names"
	fi
}

@test "a stripped program: names of a debug file, or addresses" {
	stripped
	ordered ./whole handlers
	cp "$ORDER" expected
	LOADER_OPTIONS="--order=$ORDER --debug-file=./whole" same_as_native ./stripped handlers
	"$LOADERS" "--order=$ORDER" --debug-file=./whole ./stripped handlers
	diff <(grep -v ^program expected) <(grep -v ^program "$ORDER")
	expect "exit 0" "$LOADERS" "--order=$ORDER" ./stripped handlers
	grep -q "its order has $(names_of_stripped); with --debug-file=FILE" "$BATS_TEST_TMPDIR/found.err"
	# Each function of C has a frame; the ones in assembly here have none.
	grep -P '\tstep_' expected | cut -f 1 >steps
	[ "$(awk -F '\t' 'NF >= 5 { print $1 }' "$ORDER" | grep -xFf steps)" = "$(cat steps)" ]
	[ "$(wc -l <steps)" = 16 ]
	expect "exit 125" "$ROOT/pagewise" order export --format=lld "$ORDER"
	is_one_line "pagewise order: " 'has addresses without names, of a stripped program; make it again with --debug-file=FILE'
}

@test "a stripped program with compressed names in it, MiniDebugInfo" {
	requires xz
	stripped
	ordered ./whole handlers
	cp "$ORDER" expected
	# As Fedora makes them.
	objcopy --only-keep-debug whole debug
	nm whole | awk '$2 ~ /[tT]/ { print $3 }' >functions
	objcopy -S --keep-symbols=functions debug names
	xz names
	objcopy --add-section .gnu_debugdata=names.xz stripped
	rm names.xz
	# As docs/order.md unpacks them.
	objcopy --dump-section .gnu_debugdata=names.xz stripped copy
	xz -d names.xz
	"$LOADERS" "--order=$ORDER" --debug-file=names ./stripped handlers
	diff <(grep -P '\tstep_' expected | cut -f 1,5) <(grep -P '\tstep_' "$ORDER" | cut -f 1,5)
	[ "$(names | grep -c '^step_')" = 16 ]
}

@test "a stripped static program, whose .eh_frame has no table: addresses" {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$GUESTS/glibc-static/first_calls" whole
	strip -o stripped whole
	[ "$(readelf -SW stripped | grep -c 'eh_frame_hdr')" = 0 ]
	ordered ./whole handlers
	grep -P '\tstep_' "$ORDER" | cut -f 1 >steps
	[ "$(wc -l <steps)" = 16 ]
	expect "exit 0" "$LOADERS" "--order=$ORDER" ./stripped handlers
	[ "$(awk -F '\t' 'NF >= 5 { print $1 }' "$ORDER" | grep -xFf steps)" = "$(cat steps)" ]
	# As many as GNU readelf finds.
	[ "$(awk '$1 == "functions" { print $2 }' "$ORDER")" = "$(readelf -wF stripped | sed -n 's/.*FDE.*pc=\([0-9a-f]*\).*/\1/p' | sort -u | wc -l)" ]
}

@test "a stripped program: the folder of build-ids" {
	requires root
	stripped
	local id folder=/usr/lib/debug/.build-id
	id=$(readelf -n whole | awk '/Build ID/ { print $3 }')
	[ -n "$id" ]
	mkdir -p "$folder/${id:0:2}"
	cp whole "$folder/${id:0:2}/${id:2}.debug"
	expect "exit 0" "$LOADERS" "--order=$ORDER" ./stripped handlers
	rm "$folder/${id:0:2}/${id:2}.debug"
	[ "$(names | grep -c '^step_')" = 16 ]
}

# placed FILE: the addresses and names of an order, by address. The runtime's table has no suffixes of assembly.
placed() {
	awk -F '\t' 'NF >= 5 { sub(/\.abi0$/, "", $5); print $1, $5 }' "$1" | sort
}

@test "a stripped Go program: names that the Go runtime has" {
	requires go_guests
	cd "$BATS_TEST_TMPDIR" || return
	cp "$GUESTS/go/go_hello" whole
	strip -o stripped whole
	[ "$(readelf -SW stripped | grep -c symtab)" = 0 ]
	LOADER_OPTIONS="--order=$ORDER" same_as_native ./stripped one two
	names | grep -x main.main
	[ "$(awk -F '\t' 'NF >= 5 { print $5; exit }' "$ORDER")" = "$(nm whole |
		grep "$(readelf -hW whole | sed -n 's/.*Entry point.*0x//p') T" | cut -d ' ' -f 3)" ]
	# Threads start when the scheduler likes, so that two runs do not call quite the same functions.
	placed "$ORDER" >found
	nm whole | sed -n 's/^0*\([0-9a-f]*\) [Tt] /\1 /p' | sed 's/\.abi0$//' | sort >all
	[ "$(wc -l <found)" -gt 300 ]
	[ "$(grep -vcxFf all found)" = 0 ]
	# Nearly all: .symtab also has a few marks that are no function.
	functions=$(awk '$1 == "functions" { print $2 }' "$ORDER")
	[ $(($(wc -l <all) - functions)) -le 10 ]
}

@test "a stripped Go program with code of C" {
	requires gcc go
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' 'package main' '// static int add(int x) { return x + 1; }' 'import "C"' \
		'func main() { println(C.add(3)) }' >main.go
	CGO_ENABLED=1 GOCACHE="$ROOT/build/go-cache" go build -o whole main.go
	strip -o stripped whole
	LOADER_OPTIONS="--order=$ORDER" same_as_native ./stripped
	placed "$ORDER" | grep -x "$(nm whole | sed -n 's/^0*\(.*\) [Tt] main.main$/\1/p') main.main"
}

@test "debug files that do not fit, programs without functions, and what does not go together, are refused" {
	stripped
	expect "exit 125" "$LOADERS" --order=order --debug-file=./stripped ./whole
	is_one_line "on_demand_loader: ./whole: " 'debug-file=./stripped has no .symtab; name the program before'
	expect "exit 125" "$LOADERS" --order=order "--debug-file=$GUESTS/glibc-pie/hello" ./stripped
	is_one_line "on_demand_loader: ./stripped: " "is of another build: their build-ids differ"
	expect "exit 125" "$LOADERS" --order=order --debug-file=./none ./stripped
	is_one_line "on_demand_loader: ./stripped: " "none cannot be read: No such file"
	for other in --debug-file=./whole --order-of=./whole; do
		expect "exit 125" "$LOADERS" "$other" ./stripped
		is_one_line "on_demand_loader: " "${other%=*} is for --order=FILE, and there is no --order"
	done
	for other in --guard=none --record=profile; do
		expect "exit 125" "$LOADERS" --order=order "$other" "$GUESTS/musl-static/hello"
		is_one_line "on_demand_loader: " "--order and ${other%=profile} do not go together"
	done
	[ ! -e order ]
}

@test "a script: the order of its interpreter, which the sentences name" {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$GUESTS/glibc-pie/hello" whole
	strip -o stripped whole
	printf '#!%s\n' "$PWD/whole" >script
	chmod +x script
	expect "exit 0" "$LOADERS" "--order=$ORDER" ./script
	[ "$(cat found.err)" = "on_demand_loader: ./script: is a script: the order is that of its interpreter, $PWD/whole" ]
	names | grep -x main
	printf '#!%s\n' "$PWD/stripped" >script
	expect "exit 0" "$LOADERS" "--order=$ORDER" ./script
	grep -q "^on_demand_loader: ./script: $PWD/stripped has no .symtab: its order has $(names_of_stripped)" found.err
	# Sizes are not known.
	"$ROOT/pagewise" order show "$ORDER" >shown
	grep -q '^they begin on [0-9]* pages$' shown
}

@test "a dynamically linked program: the functions of its own file" {
	for variant in glibc-dynamic musl-dynamic; do
		[ -x "$GUESTS/$variant/lifecycle" ] || continue
		LOADER_OPTIONS="--order=$ORDER" same_as_native "$GUESTS/$variant/lifecycle"
		names | grep -x main
	done
}

# library NAME: ./main, which calls it, and loads NAME-loaded.so with dlopen. Both are linked for glibc.
library() {
	cd "$BATS_TEST_TMPDIR" || return
	printf '%s\n' '__attribute__((noinline)) int inner(int x) { return x + 1; }' \
		'int outer(int x) { return 2 * inner(x); }' 'int unused(int x) { return x; }' >library.c
	gcc -O1 -shared -fPIC -o libone.so library.c
	gcc -O1 -shared -fPIC -o libtwo.so -Douter=second -Dinner=within library.c
	printf '%s\n' '#include <dlfcn.h>' '#include <stdio.h>' '#include <unistd.h>' 'int outer(int);' 'int main(void) {' \
		'if (fork() == 0) return outer(4); sleep(0); printf("%d\\n", outer(3));' \
		'int (*second)(int) = (int (*)(int))dlsym(dlopen("./libtwo.so", RTLD_NOW), "second");' \
		'return second(1); }' >main.c
	gcc -O1 -o main main.c -L. -lone -ldl -Wl,-rpath,"$PWD"
}

@test "--order-of: a library that the program is linked with, one that it loads, one of the system's" {
	requires gcc
	library
	LOADER_OPTIONS="--order=$ORDER --order-of=./libone.so" same_as_native ./main
	diff <(printf '%s\n' outer inner) <(names | grep -x 'outer\|inner\|unused')
	LOADER_OPTIONS="--order=$ORDER --order-of=libtwo.so --library-path=$PWD" same_as_native ./main
	diff <(printf '%s\n' second within) <(names | grep -x 'second\|within\|unused')
	export LD_LIBRARY_PATH=$PWD
	LOADER_OPTIONS="--order=$ORDER --order-of=libtwo.so" same_as_native ./main
	[ "$(names | grep -cx within)" = 1 ]
	expect "exit 4" "$LOADERS" "--order=$ORDER" --order-of=libc.so.6 ./main
	[ "$(awk -F '\t' 'NF >= 5' "$ORDER" | wc -l)" -gt 20 ]
}

@test "--order-of: a stripped library: names of the functions that it exports, and addresses of the others" {
	requires gcc
	library
	gcc -O1 -shared -fPIC -fvisibility=hidden -o libone.so -x c - <<-'END'
		__attribute__((noinline)) int inner(int x) { return x + 1; }
		__attribute__((visibility("default"))) int outer(int x) { return 2 * inner(x); }
		__attribute__((visibility("default"))) int unused(int x) { return x; }
	END
	LOADER_OPTIONS="--order=$ORDER --order-of=./libone.so" same_as_native ./main
	shown() { awk -F '\t' 'NF >= 5 { print $1, $5 }' "$ORDER"; }
	shown | grep ' \(outer\|inner\)$' | sed 's/ inner/ -/' >expected
	[ "$(wc -l <expected)" = 2 ]
	strip libone.so
	expect "exit 4" "$LOADERS" "--order=$ORDER" --order-of=./libone.so ./main
	grep -q '^on_demand_loader: ./main: ./libone.so has no .symtab: its order has names only of functions that it exports; with --debug' \
		"$BATS_TEST_TMPDIR/found.err"
	diff expected <(shown | grep -xFf expected)
	[ "$(names | grep -cx 'unused\|inner')" = 0 ]
	[ "$("$ROOT/pagewise" order export --format=lld "$ORDER" 2>warning)" = outer ]
	grep -q '^pagewise order: [0-9]* of [0-9]* functions have no name, and are left out; make the order again with --debug' warning
}

@test "--order-of: what is not there, and what the program does not execute" {
	requires gcc
	library
	expect "exit 125" "$LOADERS" "--order=$ORDER" --order-of=libnone.so ./main
	is_one_line "on_demand_loader: ./main: " "order-of=libnone.so cannot be read: No such file.*; name its path"
	expect "exit 125" "$LOADERS" "--order=$ORDER" --order-of=./main.c ./main
	is_one_line "on_demand_loader: ./main: " "order-of=./main.c is no library; name one"
	expect "exit 4" "$LOADERS" "--order=$ORDER" --order-of=./libtwo.so /bin/sh -c 'exit 4'
	grep -q 'has not executed ./libtwo.so after it was loaded: its order is empty' "$BATS_TEST_TMPDIR/found.err"
}
