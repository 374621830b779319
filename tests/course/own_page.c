/*
 * own_page: removes the permissions of a page of its .bss that it has used, touches it, and gets
 * SIGSEGV in its own handler. The same happens under a pager: after the first touch the page
 * belongs to the program.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

static volatile char area[64 * PAGE] __attribute__((aligned(PAGE)));
static volatile int signals, code;

static void permit(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	signals++;
	code = info->si_code;
	mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1)), PAGE,
		 PROT_READ | PROT_WRITE);
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = permit, .sa_flags = SA_SIGINFO};

	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 64; i++)
		area[i * PAGE] = (char)(i + 1);
	printf("64 pages touched: %d signals seen\n", signals);
	mprotect((void *)(area + 7 * PAGE), PAGE, PROT_NONE);
	area[7 * PAGE + 1] = 1;
	printf("one made PROT_NONE and touched: %d signal, %s\n", signals,
	       code == SEGV_ACCERR ? "SEGV_ACCERR" : "another code");
	printf("what was written before is there: %s\n", area[7 * PAGE] == 8 ? "yes" : "no");
	return 0;
}
