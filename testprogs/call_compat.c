/*
 * call_compat: int $0x80 from 64-bit code, whose numbers are those of i386. "plain" makes calls
 * that mean something else by the same number of x86-64; "address" gives one an untouched page of
 * .bss.
 *
 * No mark: calls of i386 end lazy paging; that they are made all the same is what it tests.
 */
#include "guest.h"
#include "gone.h"

#include <sys/utsname.h>

#define I386_GETUID  24	 /* 24 of x86-64 is sched_yield */
#define I386_GETPGRP 65	 /* semop */
#define I386_GETPPID 64	 /* semget */
#define I386_GETPID  20	 /* writev */
#define I386_UNAME   122 /* setfsuid */
#define I386_UMASK   60	 /* exit */

static char area[64 * 4096] __attribute__((aligned(4096)));

static long call_i386(long number, long argument)
{
	int result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "0"(number), "b"(argument)
			 : "r8", "r9", "r10", "r11", "memory");
	return result;
}

static void with_numbers(void)
{
	check("getuid", call_i386(I386_GETUID, 0) == (long)getuid());
	check("getppid", call_i386(I386_GETPPID, 0) == getppid());
	check("getpgrp", call_i386(I386_GETPGRP, 0) == getpgrp());
	check("getpid", call_i386(I386_GETPID, 0) == getpid());
	umask(027);
	fflush(stdout);
	printf("umask %lo", (unsigned long)call_i386(I386_UMASK, 022));
	printf(", then %lo\n", (unsigned long)umask(0));
}

static void with_address(void)
{
	struct utsname *name = (struct utsname *)(area + 20 * 4096 - 3);

	if ((uintptr_t)area >> 32 != 0)
		skip(".bss is beyond 4 GiB here");
	printf("uname %ld\n", call_i386(I386_UNAME, (long)name));
	printf("%s\n", name->sysname);
}

int main(int argc, char **argv)
{
	signal(SIGSEGV, on_fault);
	if (sigsetjmp(landing, 1) != 0)
		skip("no system calls of i386 here");
	if (strcmp(WORD(1, "plain", "address"), "address") == 0)
		with_address();
	else
		with_numbers();
	return area[9] != 0;
}
