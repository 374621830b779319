/*
 * call_raw_numbers: every system call from 0 to 470, with unmapped addresses and with null
 * pointers. Each runs in a child that has no privileges and no descriptors, and must fail with the
 * same error. Calls that wait, end the process or change the machine are left out.
 */
#include "guest.h"

#define CALLS 471

/*
 * rt_sigreturn, pause, alarm, fork, vfork, exit, kill, ptrace, setsid, vhangup, sync, reboot and
 * others; those whose result is an address, an identifier or a time; priorities.
 */
static const short left_out[] __attribute__((aligned(4096))) = {
    3,	 7,   8,   12,	15,  23,  24,  34,  35,	 36,  37,  38,	39,  56,  57,  58,  59,	 60,
    61,	 62,  68,  73,	77,  91,  93,  96,  100, 101, 109, 110, 111, 112, 121, 124, 126, 128,
    129, 130, 134, 141, 144, 151, 153, 154, 155, 158, 159, 160, 161, 162, 163, 164, 165, 166,
    167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 186, 200, 201, 203, 205, 218, 219, 227,
    231, 232, 234, 246, 247, 250, 251, 261, 270, 271, 272, 273, 278, 280, 281, 285, 297, 305,
    306, 308, 313, 314, 317, 320, 321, 322, 323, 334, 424, 435, 436, 441, 442, 446, 448,
};
static int outcome[2][CALLS];

static int is_left_out(int number)
{
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (left_out[i] == number)
			return 1;
	return 0;
}

/* The child's report: the error, or 0 for success. */
static void run(int number, long argument, int *place)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		long result;

		/* The numbers 0 and 1 must not be the machine's devices, nor its processes. */
		syscall(SYS_setresgid, 65534, 65534, 65534);
		syscall(SYS_setresuid, 65534, 65534, 65534);
		syscall(436, 0, ~0U, 0);
		errno = 0;
		result =
		    syscall(number, argument, argument, argument, argument, argument, argument);
		*place = result < 0 ? errno : 0;
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (status != 0)
		*place = 1000 + status;
}

int main(void)
{
	int *shared =
	    mmap(NULL, sizeof(outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	fflush(stdout);
	for (int i = 0; i < CALLS; i++)
		for (long argument = 0; argument <= 1 && !is_left_out(i); argument++) {
			run(i, argument, shared + argument * CALLS + i);
			outcome[argument][i] = shared[argument * CALLS + i];
		}
	for (int i = 0; i < CALLS; i++)
		if (!is_left_out(i))
			printf("%d: %d %d\n", i, outcome[0][i], outcome[1][i]);
	mark();
}
