#!/usr/bin/env bats
#
# What a policy forbids to execute is not loaded either: where the process may be confined, the loaders ask the kernel
# (AT_EXECVE_CHECK). The oracle is exec under the same policy.

load helpers

setup() {
	requires exec_check
	cd "$BATS_TEST_TMPDIR" || return
	mkdir allowed forbidden
	policy
	cp "$ROOT/prog1" forbidden/program
	cp "$ROOT/prog1" allowed/program
}

# policy WORD...: ONLY runs a command where only the system, the loaders and the folder `allowed` may be executed.
policy() {
	ONLY=("$GUESTS/tools/exec_only" "$@" "$ROOT" /usr /bin /lib /lib64 allowed)
}

# refused STATUS PATTERN [OPTION]... PROGRAM: by exec and by each loader, under ONLY.
refused() {
	local status=$1 pattern=$2
	shift 2
	expect "exit $status" "${ONLY[@]}" -- "${@: -1}" || return
	refused_by_loaders "$status" "$pattern" "$@"
}

refused_by_loaders() {
	local status=$1 pattern=$2 loader
	shift 2
	for loader in $LOADERS; do
		expect "exit $status" "${ONLY[@]}" -- "$loader" "$@" &&
			is_one_line "${loader##*/}: ${*: -1}: " "$pattern" || return
		[ "$(wc -c <"$BATS_TEST_TMPDIR/found.err")" -le 230 ] || return
	done
}

# runs COMMAND...: by exec and by each loader, under ONLY.
runs() {
	under "${ONLY[@]}" --
	same_as_native "$@"
}

FORBIDS='may not be executed: a security policy forbids it \(Landlock, '

@test "a program that Landlock forbids, by any name" {
	ln -s ../forbidden/program allowed/link
	ln forbidden/program allowed/hard
	exec 7<forbidden/program
	refused 126 "^$FORBIDS" forbidden/program
	refused 126 "^$FORBIDS" "$PWD/forbidden/program"
	refused 126 "^$FORBIDS" allowed/link
	refused 126 "^$FORBIDS" /proc/self/cwd/forbidden/program
	refused 126 "^$FORBIDS" "/proc/self/root$PWD/forbidden/program"
	refused 126 "^$FORBIDS" /proc/self/fd/7
	runs allowed/program
	runs allowed/hard
}

@test "PATH: a forbidden program is passed over" {
	export PATH=$PWD/forbidden:$PATH
	refused 126 "^$FORBIDS" program
	export PATH=$PATH:$PWD/allowed
	runs program
}

@test "a script and its interpreter" {
	printf '#!allowed/program\n' | tee forbidden/script >allowed/script
	printf '#!forbidden/program\n' >allowed/calls_forbidden
	printf '#!forbidden/script\n' >allowed/calls_script
	chmod +x forbidden/script allowed/*
	refused 126 "^$FORBIDS" forbidden/script
	refused 126 "^its interpreter forbidden/program: $FORBIDS" allowed/calls_forbidden
	refused 126 "^its interpreter forbidden/script: $FORBIDS" allowed/calls_script
	runs allowed/script
}

@test "a program's interpreter, and that of --interpreter" {
	ld_so=$(realpath "$(interpreter_of "$GUESTS/glibc-dynamic/hello")")
	cp "$ld_so" forbidden/ld.so
	cp "$ld_so" allowed/ld.so
	printf 'int main(void) { return 5; }\n' >five.c
	gcc -o allowed/forbidden_one -Wl,--dynamic-linker="forbidden/ld.so" five.c
	gcc -o allowed/allowed_one -Wl,--dynamic-linker="allowed/ld.so" five.c
	refused 126 "^its interpreter forbidden/ld.so: $FORBIDS" allowed/forbidden_one
	refused_by_loaders 126 "^its interpreter forbidden/ld.so: $FORBIDS" --interpreter=forbidden/ld.so allowed/allowed_one
	runs allowed/allowed_one
	# exec cannot name another one; the loaders may.
	under
	for loader in $LOADERS; do
		expect "exit 5" "${ONLY[@]}" -- "$loader" --interpreter=allowed/ld.so allowed/forbidden_one
	done
}

@test "a program that is open for writing, where the kernel is asked" {
	exec 7>>allowed/program
	refused 126 "^may not be executed: a process has it open for writing; wait" allowed/program
	exec 7>&-
	runs allowed/program
}

@test "a program that Landlock forbids to read" {
	policy read /etc /dev /proc
	refused 126 '^may not be read: a security policy forbids it .*; permit it there$' forbidden/program
	runs allowed/program
}

@test "a kernel without AT_EXECVE_CHECK, and filters that deny execveat" {
	for answer in ENOSYS EINVAL EPERM; do
		under "$GUESTS/tools/deny" "execveat:$answer" --
		same_as_native allowed/program
		same_as_native forbidden/program
	done
}

@test "SECBIT_EXEC_RESTRICT_FILE: only a yes permits" {
	requires secure_bits
	policy bits=0x100
	refused 126 "^$FORBIDS" forbidden/program
	runs allowed/program
	for answer in ENOSYS EINVAL EPERM; do
		for loader in $LOADERS; do
			expect "exit 126" "${ONLY[@]}" -- "$GUESTS/tools/deny" "execveat:$answer" -- "$loader" allowed/program
			is_one_line "${loader##*/}: allowed/program: " "SECBIT_EXEC_RESTRICT_FILE .*; permit it in the filter$"
		done
	done
}

@test "SECBIT_EXEC_DENY_INTERACTIVE: standard input is a file that may be executed" {
	requires secure_bits
	policy bits=0x400
	for loader in $LOADERS; do
		read_from allowed/program
		expect "exit 0" "${ONLY[@]}" -- "$loader" -
		[ "$(found out)" = hello! ]
		read_from forbidden/program
		expect "exit 126" "${ONLY[@]}" -- "$loader" -
		is_one_line "${loader##*/}: -: " "SECBIT_EXEC_DENY_INTERACTIVE.*; name a file instead$"
		mkfifo -m 600 pipe."${loader##*/}" && read_from pipe."${loader##*/}"
		cat allowed/program >"$INPUT" &
		expect "exit 126" "${ONLY[@]}" -- "$loader" -
	done
}

@test "without no_new_privs and secure bits the kernel is not asked" {
	requires strace
	for loader in $LOADERS; do
		strace -o calls "$loader" allowed/program
		[ "$(grep -c '^prctl(PR_GET_NO_NEW_PRIVS' calls)" = 1 ]
		! grep execveat calls || return 1
		"${ONLY[@]}" -- strace -o calls "$loader" allowed/program
		grep -q '^execveat([0-9]*, "", .*AT_EMPTY_PATH|.*) = 0$' calls
	done
}
