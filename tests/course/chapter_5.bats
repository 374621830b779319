#!/usr/bin/env bats
#
# The exercises of docs/course/5-jump.md: how a loader leaves, and what the program begins with.

load ../helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "exercise 5.1: code that unmaps itself dies after its system call" {
	gcc -static -o unmap_self "$ROOT/tests/course/unmap_self.c"
	for loader in "" $LOADERS; do
		# shellcheck disable=SC2086 # no loader is no word
		ran 1 $loader ./unmap_self here
		[[ ${lines[1]} == "SIGSEGV "[78]" bytes into the stub, at the address of an instruction" ]]
		# shellcheck disable=SC2086
		ran 0 $loader ./unmap_self elsewhere
		[ "${lines[1]}" = "munmap returned 0, and we are here" ]
	done
}

@test "exercise 5.2: glibc calls what rdx says at exit, musl does not" {
	case $MACHINE in x86-64) register=rdx ;; arm64) register=x0 ;; *) register=a0 ;; esac
	gcc -o start_with "$ROOT/tests/course/start_with.c"
	for variant in static pie; do
		./start_with $register=0 "$GUESTS/glibc-$variant/hello" | grep "^hello!"
		ran any ./start_with $register=0x1234 "$GUESTS/glibc-$variant/hello"
		# Its output was lost: stdio writes it after the atexit functions.
		[ "$output" = "ended by signal 11" ]
		./start_with $register=0x1234 "$GUESTS/musl-$variant/hello" | grep "^hello!"
	done
}

# with_text BYTES: links a program that exits at once, with so many bytes of text in its one page.
with_text() {
	local exit=('mov $60, %eax' 'xor %edi, %edi' syscall) nop='1, 0x90'
	case $MACHINE in
	arm64) exit=('mov x8, #93' 'mov x0, #0' 'svc #0') nop='4, 0xd503201f' ;;
	riscv64) exit=('.option norvc' 'li a7, 93' 'li a0, 0' ecall) nop='4, 0x13' ;;
	esac
	printf '%s\n' '.globl _start' '.text' _start: "${exit[@]}" ".fill ($1 - (. - _start)) / ${nop%,*}, $nop" >text.S
	gcc -nostdlib -static -Wl,-z,separate-code -o text text.S
}

@test "exercise 5.3: without room for the stub the loader stays, and says so" {
	with_text 4096
	ran 0 "$ROOT/all_at_once_loader" -v ./text
	[[ $output =~ of\ the\ loader\ stay\ at.*no\ text\ page\ has\ ([0-9]+)\ bytes ]]
	stub=${BASH_REMATCH[1]}
	with_text $((4096 - stub + 4))
	run "$ROOT/all_at_once_loader" -v ./text
	[[ $status == 0 && $output == *"of the loader stay"* ]]
	with_text $((4096 - stub))
	ran 0 "$ROOT/all_at_once_loader" -v ./text
	[[ $output != *"of the loader stay"* ]]
}

# command_line COMMAND...: what busybox, run by it, finds in /proc/self/cmdline.
command_line() {
	"$@" busybox head -c 200 /proc/self/cmdline | tr '\0' ' '
}

@test "exercise 5.4: without PR_SET_MM_MAP the program runs, but /proc does not show its arguments" {
	local deny=("$GUESTS/tools/deny" prctl=35:EPERM --)
	requires static_busybox
	for loader in $LOADERS; do
		ran 0 "${deny[@]}" "$loader" -v "$ROOT/prog1"
		[[ $output == *hello!* ]]
		[[ $output == *"/proc/self/cmdline, environ and auxv stay the loader's"* ]]
		[ "$(command_line "$loader")" = "busybox head -c 200 /proc/self/cmdline " ]
		[ "$(command_line "${deny[@]}" "$loader")" != "busybox head -c 200 /proc/self/cmdline " ]
	done
}
