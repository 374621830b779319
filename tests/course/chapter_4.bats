#!/usr/bin/env bats
#
# The exercises of docs/course/4-stack.md: what is on the stack, and who reads it.

load ../helpers

# The programs of this chapter, compiled; their names as functions would have them.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	gcc -o start_with "$ROOT/tests/course/start_with.c"
	musl-gcc -static -o show_stack "$ROOT/tests/course/show_stack.c"
	gcc -static -o with_glibc "$ROOT/tests/course/auxv_users.c"
	musl-gcc -static -o with_musl "$ROOT/tests/course/auxv_users.c"
}

# address_of PATTERN: of the first line of ./stack that matches it.
address_of() {
	local line
	line=$(grep -m 1 "$1" stack)
	echo $((${line%% *}))
}

# gap_with LOADER ARGUMENTS: argc lies at a multiple of 16; prints the bytes after AT_NULL.
gap_with() {
	local loader=$1
	shift
	# shellcheck disable=SC2086 # no loader is no word
	env -i A=b $loader ./show_stack "$@" >stack
	[ $(($(address_of 'argc =') % 16)) -eq 0 ] || return
	echo $(($(address_of 'random bytes') - $(address_of AT_NULL) - 16))
}

@test "exercise 4.1: eight bytes of padding for every other argument" {
	for loader in "" $LOADERS; do
		gaps=("$(gap_with "$loader")" "$(gap_with "$loader" a)" "$(gap_with "$loader" a b)" "$(gap_with "$loader" a b c)")
		echo "${loader:-natively}: ${gaps[*]} bytes"
		# How many there are besides depends on the name of the processor, which stands above them.
		[ "${gaps[0]} ${gaps[1]}" = "${gaps[2]} ${gaps[3]}" ]
		[ $((gaps[0] - gaps[1])) = 8 ] || [ $((gaps[1] - gaps[0])) = 8 ]
	done
}

@test "exercise 4.2: without program headers thread-local data is lost" {
	./with_musl | grep -x "thread-local variable 42"
	./start_with 5=0 ./with_musl | grep -x "thread-local variable 0"
	./with_glibc | grep -x "thread-local variable 42"
	ran any ./start_with 5=0 ./with_glibc
	[ "$output" = "ended by signal 11" ]
	for loader in $LOADERS; do
		"$loader" ./with_musl | grep -x "thread-local variable 42"
		"$loader" ./with_glibc | grep -x "thread-local variable 42"
	done
}

# secure WHAT PROGRAM: what secure_getenv says of a variable that is there.
secure() {
	A=b ./start_with "$1" "./$2" | sed -n 's/^secure_getenv("A") //p'
}

@test "exercise 4.3: both believe AT_SECURE, and only musl two different users" {
	other=$(($(id -u) + 1))
	[ "$(secure 23=0 with_musl)" = "is there" ]
	[ "$(secure 23=0 with_glibc)" = "is there" ]
	[ "$(secure 23=1 with_musl)" = "is NULL" ]
	[ "$(secure 23=1 with_glibc)" = "is NULL" ]
	[ "$(secure "11=$other" with_musl)" = "is NULL" ]
	[ "$(secure "11=$other" with_glibc)" = "is there" ]
}

# the_clock_of LIBC: with a vDSO it goes although its system call is forbidden, also under each loader; without one it stands.
the_clock_of() {
	local deny=("$GUESTS/tools/deny" clock_gettime=1:EPERM --)
	"${deny[@]}" "./with_$1" | grep -x "the clock goes"
	./start_with 33=0 "./with_$1" | grep -x "the clock goes"
	"${deny[@]}" ./start_with 33=0 "./with_$1" | grep -x "the clock stands"
	for loader in $LOADERS; do
		"${deny[@]}" "$loader" "./with_$1" | grep -x "the clock goes"
	done
}

@test "exercise 4.4: without a vDSO the clock costs a system call; loaders hand it on" {
	the_clock_of glibc
}

@test "exercise 4.4: the same of musl" {
	requires vdso_hash musl_clock
	the_clock_of musl
}
