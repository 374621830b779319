#include "loader/resident/launch.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "common/kernel_text.h"
#include "loader/resident/signals/kernel_signals.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

/*
 * PR_SET_PTRACER with this value lets every process trace this one. Otherwise Yama, a security
 * module, lets only ancestors trace a process (prctl(2)).
 */
#define ANY_PROCESS UINT64_MAX

static void say_where(const char *name)
{
	char line[256];
	uint64_t length = bytes_append(line, 0, 128, name);

	length = bytes_append(line, length, sizeof(line), "process ");
	length =
	    bytes_append_number(line, length, sizeof(line), (uint64_t)raw_syscall0(SYS_getpid));
	length = bytes_append(
	    line, length, sizeof(line),
	    " waits for a debugger (gdb -p), or SIGCONT, before its first instruction\n");
	raw_syscall3(SYS_write, 2, (uint64_t)line, length);
}

/* Whether a debugger has attached: then TracerPid in /proc/self/status is not 0. */
static bool is_traced(void)
{
	static const char word[] = "TracerPid:\t";
	char status[384]; /* TracerPid is one of the first lines */
	unsigned matched = 0;
	long length = kernel_read("/proc/self/status", status, sizeof(status));

	for (long i = 0; i < length; i++) {
		if (matched == sizeof(word) - 1)
			return status[i] != '0';
		matched = status[i] == word[matched] ? matched + 1 : status[i] == word[0];
	}
	return false;
}

void pause_for_debugger(const char *name)
{
	static const struct timespec a_moment = {.tv_nsec = 20 * 1000 * 1000};
	uint64_t only = KERNEL_SIGNAL_BIT(SIGCONT);

	kernel_mask(SIG_BLOCK, only);
	raw_syscall2(SYS_prctl, KERNEL_PR_SET_PTRACER, ANY_PROCESS);
	say_where(name);
	while (!is_traced() &&
	       raw_syscall6(SYS_rt_sigtimedwait, (uint64_t)&only, 0, (uint64_t)&a_moment,
			    KERNEL_SIGSET_SIZE, 0, 0) != SIGCONT)
		;
	raw_syscall2(SYS_prctl, KERNEL_PR_SET_PTRACER, 0);
}
