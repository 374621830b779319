/*
 * call_tags: addresses with a tag in their highest byte. arm64 ignores it in accesses, and the
 * kernel in calls for mappings. Other calls refuse such addresses. Other processors have no tags.
 */
#include "guest.h"

#define ROOM	      65536
#define EXPOSE	      0x800 /* SA_EXPOSE_TAGBITS */
#define TAGGED(place) ((void *)((uintptr_t)(place) | UINT64_C(0x5a) << 56))

static char area[16 * ROOM] __attribute__((aligned(ROOM)));
static sigjmp_buf landing;
static uintptr_t address;

static void on_fault(int number, siginfo_t *info, void *context)
{
	address = (uintptr_t)info->si_addr;
	siglongjmp(landing, number);
}

static void show(const char *what, long result)
{
	printf("%s: %s\n", what, result == 0 ? "done" : strerror(errno));
}

/* A write to a place where none is allowed. */
static void fault(const char *what, volatile char *place)
{
	int number = sigsetjmp(landing, 1);

	if (number == 0)
		*place = 1;
	printf("%s: signal %d, tag %#lx, at the place: %d\n", what, number,
	       (unsigned long)(address >> 56), (char *)(address << 8 >> 8) == area);
}

static void access_tagged(void)
{
#ifdef __aarch64__
	*(volatile char *)TAGGED(area + 3 * ROOM) = 7;
	HANDLE_INFO(on_fault, 0, SIGSEGV);
	fault("hidden tag", TAGGED(area));
	HANDLE_INFO(on_fault, EXPOSE, SIGSEGV);
	fault("shown tag", TAGGED(area));
#endif
}

int main(void)
{
	struct sigaction action;
	uint64_t mask;
	stack_t stack;

	HANDLE_INFO(on_fault, 0, SIGSEGV);
	show("protect", mprotect(area, ROOM, PROT_READ));
	fault("no tag", area);
	access_tagged();
	show("action", syscall(SYS_rt_sigaction, SIGUSR1, NULL, TAGGED(&action), sizeof(mask)));
	show("mask", syscall(SYS_rt_sigprocmask, 0, NULL, TAGGED(&mask), sizeof(mask)));
	show("stack", syscall(SYS_sigaltstack, NULL, TAGGED(&stack)));
	show("pending", syscall(SYS_rt_sigpending, TAGGED(&mask), sizeof(mask)));
	show("path", access(TAGGED("/"), F_OK));
	mark();
	show("advice", madvise(TAGGED(area + 3 * ROOM), ROOM, MADV_DONTNEED));
	printf("%d\n", area[3 * ROOM]);
	show("protect tagged", mprotect(TAGGED(area + 4 * ROOM), ROOM, PROT_READ));
	printf("%d\n", area[4 * ROOM]);
	show("unmap tagged", munmap(TAGGED(area + 6 * ROOM), ROOM));
	area[8 * ROOM] = 1;
}
