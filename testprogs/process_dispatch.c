/*
 * process_dispatch: Syscall User Dispatch by the program itself, as emulators use it. The selector
 * byte is on a fresh page, and the handler answers the system calls.
 *
 * No mark: the test is that the program's own dispatch ends lazy paging.
 */
#include "guest.h"
#include "machine/machine.h"

#define SET_DISPATCH 59
#define ANSWER	     (INT64_C(1) << 40) /* no process has this ID */

static FRESH(volatile char selector) byte;
static char pages[64 * PAGE];
static volatile int caught, wrong;

static void on_call(int number, siginfo_t *info, void *pointer)
{
	byte.selector = 0;
	wrong += number != SIGSYS || info->si_code != 2;
	pages[caught++ * PAGE] = 1;
	if (info->si_syscall == SYS_getppid)
		SAVED_RESULT(pointer) = ANSWER;
	else
		SAVED_RESULT(pointer) = -EPERM;
}

static long by_program(long number)
{
	long result;

	byte.selector = 1;
	result = syscall(number);
	byte.selector = 0;
	return result;
}

int main(void)
{
	int sum = 0;
	pid_t child;

	HANDLE_INFO(on_call, 0, SIGSYS);
	if (prctl(SET_DISPATCH, 1, 0, 0, &byte.selector) != 0) {
		printf("%s\n", strerror(errno));
		return 0;
	}
	for (int i = 0; i < 10; i++)
		printf("%ld ", by_program(SYS_getppid));
	printf("\n%ld, %s\n", by_program(SYS_sync), strerror(errno));
	check("not one's own", syscall(SYS_getppid) != ANSWER);
	for (int i = 0; i < 64; i++)
		sum += pages[i * PAGE] + pages[i * PAGE + 1]++;
	printf("caught %d, wrong %d, sum %d\n", caught, wrong, sum);
	fflush(stdout);
	/* A child begins without dispatch. */
	child = fork();
	if (child == 0)
		_exit(by_program(SYS_getppid) == ANSWER);
	printf("child: %#x\n", end_of(child));
	check("off", prctl(SET_DISPATCH, 0, 0, 0, 0) == 0);
	check("off, indeed", by_program(SYS_getppid) != ANSWER);
}
