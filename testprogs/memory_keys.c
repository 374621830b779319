/*
 * memory_keys: protection keys (pkeys(7)). A handler begins with the kernel's default rights, and
 * the program's rights are back after it. System calls take addresses in memory with a key. One
 * access is forbidden by its key.
 */
#include "guest.h"

#include <sys/uio.h>

#define PKEY_ALLOC  330
#define PKEY_CHANGE 329
#define SEGV_BY_KEY 4
#define DENIED	    3 /* of a key's two bits */

static char pages[64 * PAGE] __attribute__((aligned(PAGE)));
static unsigned rights_in_handler;
static int code;
static void *place;

static unsigned rights(void)
{
	unsigned eax, edx;

	__asm__ volatile("rdpkru" : "=a"(eax), "=d"(edx) : "c"(0));
	return eax;
}

static void set_rights(unsigned value)
{
	__asm__ volatile("wrpkru" : : "a"(value), "c"(0), "d"(0) : "memory");
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	rights_in_handler = rights();
	if (number != SIGSEGV)
		return;
	code = info->si_code;
	place = info->si_addr;
	syscall(PKEY_CHANGE, (uintptr_t)place & -(uintptr_t)PAGE, PAGE, PROT_READ | PROT_WRITE, 0);
}

static void *show_rights(void *name)
{
	pages[40 * PAGE] = 1;
	printf("%s: %x\n", (char *)name, rights());
	return NULL;
}

/* The vector has a key that the program has the right to; what it points to was never touched. */
static void call_by_vector(int key)
{
	struct iovec *vector = (struct iovec *)(pages + 8 * PAGE);
	int ends[2];

	check("key", syscall(PKEY_CHANGE, vector, PAGE, PROT_READ | PROT_WRITE, key) == 0);
	vector[0] = (struct iovec){pages + 20 * PAGE, 2};
	vector[1] = (struct iovec){pages + 30 * PAGE, 2};
	check("pipe", pipe(ends) == 0 && write(ends[1], "abcd", 4) == 4);
	check("readv", readv(ends[0], vector, 2) == 4);
	printf("%.2s %.2s\n", pages + 20 * PAGE, pages + 30 * PAGE);
}

int main(void)
{
	int key = (int)syscall(PKEY_ALLOC, 0, 0);
	pthread_t thread;

	if (key < 0)
		skip("no protection keys here");
	setvbuf(stdout, NULL, _IONBF, 0);
	HANDLE_INFO(on_signal, 0, SIGUSR1, SIGSEGV);
	printf("rights: %x\n", rights());
	call_by_vector(key);
	kill(getpid(), SIGUSR1);
	printf("in a handler: %x, then: %x\n", rights_in_handler, rights());
	set_rights(rights() | (unsigned)DENIED << (2 * key));
	pages[50 * PAGE] = 1;
	printf("after a fault: %x\n", rights());
	pages[8 * PAGE + 5] = 1;
	check("denied", code == SEGV_BY_KEY && place == pages + 8 * PAGE + 5);
	printf("in its handler: %x, then: %x\n", rights_in_handler, rights());
	mark();
	pthread_create(&thread, NULL, show_rights, "a thread");
	pthread_join(thread, NULL);
	if (fork() == 0) {
		show_rights("a child");
		_exit(0);
	}
	wait(NULL);
}
