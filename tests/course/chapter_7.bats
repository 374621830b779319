#!/usr/bin/env bats
#
# The exercises of docs/course/7-system-calls.md.

load ../helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# build NAME: a program from the C text on standard input.
build() {
	cat >"$1.c"
	musl-gcc -O1 -static -o "$1" "$1.c"
}

# number NAME OPTION... PROGRAM [ARG]...: what on_demand_loader's statistics say about NAME.
number() {
	local name=$1
	shift
	"$ROOT/on_demand_loader" --policy=none --stats=stats "$@" >out
	python3 -c 'import json,sys; print(json.load(open("stats"))[sys.argv[1]])' "$name"
}

build_calls() {
	musl-gcc -static -o calls "$ROOT/bench/programs/calls.c"
}

@test "exercise 7.1: each call is intercepted, with addresses or without" {
	requires lazy
	build_calls
	few=$(number calls --retire=never ./calls 10)
	many=$(number calls --retire=never ./calls 1000)
	echo "10 rounds: $few calls, 1000 rounds: $many"
	[ "$((many - few))" = 1980 ]
}

@test "exercise 7.2: lazy paging ends with the first call that is more than 64 and the faults" {
	requires lazy
	build_calls
	calls=$(number retired_after ./calls 1000)
	faults=$(number faults ./calls 1000)
	echo "$calls calls, $faults faults"
	[ "$(cat out)" = "8000 bytes" ]
	[ "$calls" = "$((64 + faults + 1))" ]
	[ "$(number retired ./calls 10)" = None ]
	[ "$(number retired --retire=never ./calls 1000)" = None ]
	[ "$(number faults --retire=never ./calls 1000)" -gt "$faults" ]
}

@test "exercise 7.3: wait4 cannot be made again" {
	build wait_twice <<-'C'
		#include <errno.h>
		#include <stdio.h>
		#include <string.h>
		#include <sys/wait.h>
		#include <unistd.h>

		static union {
			int status;
			char page[4096];
		} hidden __attribute__((aligned(4096)));

		int main(void)
		{
			pid_t child = fork();

			if (child == 0)
				_exit(7);
			for (int i = 1; i <= 2; i++) {
				pid_t got = waitpid(child, &hidden.status, 0);

				printf("%d: %s\n", i, got == child ? "child" : strerror(errno));
			}
			printf("status %d\n", WEXITSTATUS(hidden.status));
			return 0;
		}
	C
	printf '1: child\n2: No child process\nstatus 7\n' >guarded
	printf '1: Bad address\n2: No child process\nstatus 0\n' >naive
	./wait_twice | diff guarded -
	"$ROOT/on_demand_loader" ./wait_twice | diff guarded -
	"$ROOT/on_demand_loader" --guard=none ./wait_twice | diff naive -
}

@test "exercise 7.4: a SIGSEGV handler of the program's own" {
	build own_handler <<-'C'
		#include <signal.h>
		#include <stdio.h>
		#include <unistd.h>

		static volatile char pages[16][4096];

		static void on_fault(int number)
		{
			(void)number;
			_exit(3);
		}

		int main(void)
		{
			struct sigaction action = {.sa_handler = on_fault}, old;

			sigaction(SIGSEGV, &action, NULL);
			for (int i = 0; i < 16; i++)
				pages[i][0] = 1;
			sigaction(SIGSEGV, NULL, &old);
			puts(old.sa_handler == on_fault ? "its own" : "another");
			return 0;
		}
	C
	ran 0 ./own_handler
	[ "$output" = "its own" ]
	ran 3 "$ROOT/on_demand_loader" --guard=none ./own_handler
	[ "$output" = "" ]
	ran 0 "$ROOT/on_demand_loader" ./own_handler
	[ "$output" = "its own" ]
	requires lazy
	# All of its pages and what libc touches.
	[ "$(number faults ./own_handler)" -ge 16 ]
}
