/*
 * unmap_self here|elsewhere: calls a few instructions that unmap a page and return. Here, it is the
 * page that they are on; elsewhere, another one.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096

/* munmap(rdi, rsi), and back to the caller. */
static const unsigned char stub[] = {
    0xb8, 11,	0, 0, 0, /* mov $11, %eax */
    0x0f, 0x05,		 /* syscall */
    0xc3,		 /* ret */
};

static void *first;

static void report(int number, siginfo_t *info, void *context)
{
	uintptr_t place = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	(void)number;
	printf("SIGSEGV %d bytes into the stub, at address %s\n", (int)(place - (uintptr_t)first),
	       place == (uintptr_t)info->si_addr ? "rip" : "of data");
	fflush(stdout);
	_exit(1);
}

static void *page_with_stub(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, stub, sizeof(stub));
	mprotect(page, PAGE, PROT_READ | PROT_EXEC);
	return page;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO};
	void *second = page_with_stub();
	long (*unmap)(void *, size_t);
	int here = argc > 1 && strcmp(argv[1], "here") == 0;

	first = page_with_stub();
	unmap = (long (*)(void *, size_t))first;
	sigaction(SIGSEGV, &action, NULL);
	printf("about to unmap the page of the %s\n", here ? "stub itself" : "other stub");
	printf("munmap returned %ld, and we are here\n", unmap(here ? first : second, PAGE));
	return 0;
}
