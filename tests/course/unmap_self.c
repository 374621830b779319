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

/* munmap with the arguments as they are, and back to the caller; where the program is in a context.
 */
#if defined(__x86_64__)
#define PLACE gregs[REG_RIP]
static const unsigned char stub[] = {
    0xb8, 11,	0, 0, 0, /* mov $11, %eax */
    0x0f, 0x05,		 /* syscall */
    0xc3,		 /* ret */
};
#elif defined(__aarch64__)
#define PLACE pc
static const unsigned int stub[] = {
    0xd2801ae8, /* mov x8, #215 */
    0xd4000001, /* svc #0 */
    0xd65f03c0, /* ret */
};
#else
#define PLACE __gregs[REG_PC]
static const unsigned int stub[] = {
    0x0d700893, /* li a7, 215 */
    0x00000073, /* ecall */
    0x00008067, /* ret */
};
#endif

static void *first;

static void report(int number, siginfo_t *info, void *context)
{
	uintptr_t place = (uintptr_t)((ucontext_t *)context)->uc_mcontext.PLACE;

	(void)number;
	printf("SIGSEGV %d bytes into the stub, at the address %s\n",
	       (int)(place - (uintptr_t)first),
	       place == (uintptr_t)info->si_addr ? "of an instruction" : "of data");
	fflush(stdout);
	_exit(1);
}

static void *page_with_stub(void)
{
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(page, stub, sizeof(stub));
	mprotect(page, PAGE, PROT_READ | PROT_EXEC);
	__builtin___clear_cache(page, (char *)page + sizeof(stub));
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
