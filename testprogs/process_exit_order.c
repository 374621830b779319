/*
 * process_exit_order: the order of functions of atexit and at_quick_exit, destructors and streams.
 * Children end by exit, _exit, quick_exit, return from main or a signal, and then the parent ends.
 * Each function is on a page that was not executed before, and touches fresh pages.
 */
#include "guest.h"

enum { FUNCTIONS = 32 };

static char area[8][FUNCTIONS + 1][PAGE], buffer[2 * PAGE];
static const int constants[FUNCTIONS + 1][PAGE / sizeof(int)] = {[3] = {7}, [FUNCTIONS] = {9}};
static int status[5 * PAGE], registered, process;

__attribute__((aligned(4096))) static void at_end(void)
{
	area[process][registered][registered] = 1;
	registered--;
	if (registered % 8 == 0)
		printf("process %d: %d left, constant %d\n", process, registered,
		       constants[registered + 3][0]);
}

__attribute__((aligned(4096))) static void registers_another(void)
{
	printf("process %d: one more\n", process);
	if (process != 3)
		atexit(at_end);
	registered++;
}

__attribute__((aligned(4096))) static void quick(void)
{
	area[process][0][0] = 1;
	printf("process %d: quick, %d registered\n", process, registered);
	fflush(stdout);
}

__attribute__((destructor, aligned(4096))) static void last(void)
{
	int touched = 0;

	for (int i = 0; i <= FUNCTIONS; i++)
		touched += area[process][i][i];
	printf("process %d: destructor, %d touched\n", process, touched);
}

static int child(void)
{
	printf("process %d begins, %d registered\n", process, registered);
	if (process == 2) {
		fflush(stdout);
		printf("lost\n");
		_exit(5);
	}
	if (process == 3)
		atexit(registers_another);
	if (process == 4)
		abort();
	if (process == 5)
		return 6;
	if (process == 6)
		quick_exit(22);
	if (process == 7)
		raise(SIGTERM);
	exit(process);
}

int main(void)
{
	setvbuf(stdout, buffer + PAGE - 7, _IOFBF, PAGE);
	for (int i = 0; i < FUNCTIONS - 3; i++) {
		atexit(at_end);
		registered++;
	}
	atexit(registers_another);
	at_quick_exit(quick);
	for (int i = 1; i <= 7; i++) {
		fflush(stdout);
		pid_t pid = fork();

		if (pid == 0) {
			process = i;
			return child();
		}
		check("waited", waitpid(pid, &status[i * PAGE / 2], 0) == pid);
		printf("status %#x\n", (unsigned)status[i * PAGE / 2] & ~0x80U);
	}
	printf("parent ends, %d registered\n", registered);
	mark();
}
