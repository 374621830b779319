/*
 * process_clone3_checks: clone3 refuses a stack without a size, a size without a stack, and an
 * argument that is too short or too long. It also refuses a longer argument than the kernel knows,
 * unless the rest of it is zero.
 *
 * No mark on arm64: clone3() ends lazy paging.
 */
#include "guest.h"

#define SYS_CLONE3  435
#define KNOWN_BYTES 88
#define SIGNAL	    4 /* of the eight-byte words of struct clone_args */
#define STACK	    5
#define STACK_BYTES 6

static uint64_t words[2048] __attribute__((aligned(4096)));
static char stack[16 * 4096] __attribute__((aligned(4096)));
static volatile char untouched[240 * 4096];

static void try(const char *what, uint64_t length)
{
	pid_t pid;

	fflush(stdout);
	pid = (pid_t)syscall(SYS_CLONE3, words, length);
	if (pid == 0)
		_exit(7);
	printf("%s: %s, error %d", what, pid > 0 ? "a child" : "none", pid < 0 ? errno : 0);
	printf(", status %x\n", pid > 0 ? end_of(pid) : 0);
}

static void fresh(uint64_t flags)
{
	memset(words, 0, sizeof(words));
	words[0] = flags;
	words[SIGNAL] = SIGCHLD;
}

static void with_flags(uint64_t flags)
{
	fresh(flags);
	words[STACK] = (uint64_t)stack;
	try("stack without size", KNOWN_BYTES);
	fresh(flags);
	words[STACK_BYTES] = sizeof(stack);
	try("size without stack", KNOWN_BYTES);
	try("size without stack, longer", 1024);
	fresh(flags);
	try("too short", 56);
	try("nothing", 0);
	words[KNOWN_BYTES / 8 + 4] = 1;
	try("unknown word", 256);
	fresh(flags);
	try("more than a page", 4104);
	words[0] |= UINT64_C(1) << 40;
	try("unknown flag", KNOWN_BYTES);
	fresh(flags);
	words[SIGNAL] = 1000;
	try("signal 1000", KNOWN_BYTES);
}

int main(void)
{
	if (syscall(SYS_CLONE3, words, 0) < 0 && errno == ENOSYS)
		skip("no clone3 here");
	fresh(0);
	try("first version", 64);
	fresh(0);
	try("all of it", KNOWN_BYTES);
	try("zeros after it", 256);
	try("a page", 4096);
	with_flags(0);
	puts("vfork");
	with_flags(CLONE_VM | CLONE_VFORK);
	errno = 0;
	syscall(SYS_CLONE3, 8, KNOWN_BYTES);
	printf("no address: error %d\n", errno);
	mark();
	return untouched[100000];
}
