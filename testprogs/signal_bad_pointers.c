/*
 * signal_bad_pointers: system calls that are given addresses where nothing may be read or written
 * fail with EFAULT, and no handler of SIGSEGV sees anything of it.
 */
#include "guest.h"

static char area[16 * PAGE] __attribute__((aligned(PAGE)));
static const char constants[8 * PAGE] = {[0 ... 8 * PAGE - 1] = 'c'};
static int ends[2];
static int faults;

static void on_fault(int number)
{
	faults++;
	signal(SIGSEGV, SIG_DFL);
}

static void show(const char *name, long result)
{
	if (result < 0)
		printf(", %s %s", name, errno == EFAULT ? "EFAULT" : strerror(errno));
	else
		printf(", %s %ld", name, result);
}

static void call_all(const char *what, void *bad)
{
	char drain[2 * PAGE];

	printf("%s", what);
	show("write", write(ends[1], bad, 100));
	show("drain", read(ends[0], drain, sizeof(drain)));
	if (write(ends[1], "1234567890", 10) != 10)
		printf(" (pipe)");
	show("read", read(ends[0], bad, 10));
	show("drain", read(ends[0], drain, sizeof(drain)));
	show("action", syscall(SYS_rt_sigaction, SIGUSR1, bad, NULL, 8));
	show("old action", syscall(SYS_rt_sigaction, SIGUSR2, NULL, bad, 8));
	show("mask", syscall(SYS_rt_sigprocmask, SIG_BLOCK, bad, NULL, 8));
	show("old mask", syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, bad, 8));
	show("pending", syscall(SYS_rt_sigpending, bad, 8));
	show("old stack", syscall(SYS_sigaltstack, NULL, bad));
	show("stack", syscall(SYS_sigaltstack, bad, NULL));
	show("uname", syscall(SYS_uname, bad));
	show("open", open(bad, O_RDONLY));
	show("pipe", syscall(SYS_pipe2, bad, 0));
	show("time", syscall(SYS_clock_gettime, 1, bad));
	show("writev", syscall(SYS_writev, ends[1], bad, 1));
	puts("");
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &(uint64_t){0}, NULL, 8);
	syscall(SYS_rt_sigaction, SIGUSR1, &(char[32]){0}, NULL, 8);
	syscall(SYS_sigaltstack, &(stack_t){.ss_flags = SS_DISABLE}, NULL);
}

int main(void)
{
	must(pipe2(ends, O_NONBLOCK) == 0);
	signal(SIGSEGV, on_fault);
	mprotect(area + 2 * PAGE, PAGE, PROT_NONE);
	mprotect(area + 5 * PAGE, PAGE, PROT_READ);
	munmap(area + 8 * PAGE, PAGE);
	call_all("null", NULL);
	call_all("one", (void *)1);
	call_all("kernel half", (void *)0xffff888000000000UL);
	call_all("last page", (void *)0xfffffffffffff000UL);
	call_all("end of user space", (void *)0x7ffffffffff8UL);
	call_all("non-canonical", (void *)0x4141414141414140UL);
	call_all("protected", area + 2 * PAGE + 8);
	call_all("unmapped", area + 8 * PAGE + 16);
	call_all("into protected", area + 2 * PAGE - 4);
	call_all("into unmapped", area + 8 * PAGE - 4);
	call_all("read-only", area + 5 * PAGE + 8);
	mark();
	call_all("constants", (void *)(constants + 3 * PAGE));
	call_all("text", (void *)(uintptr_t)call_all);
	call_all("good", area + 12 * PAGE);
	printf("faults %d\n", faults);
}
