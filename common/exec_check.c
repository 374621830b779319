#include "common/exec_check.h"
#include "common/kernel_abi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns 0, or -1 with errno. */
static long ask(int descriptor, const char *const *arguments)
{
	static const char *const none[] = {NULL};

	return syscall(SYS_execveat, descriptor, "", arguments, none,
		       AT_EMPTY_PATH | KERNEL_AT_EXECVE_CHECK);
}

/*
 * execve opens a PT_INTERP interpreter as it opens a program (open_exec), but security modules do
 * not check it as the program (bprm_creds_for_exec): SELinux may let a domain use ld.so and not
 * start it. do_execveat_common opens the file, reads the arguments, and then asks the modules. With
 * unreadable arguments, EFAULT shows that the file was opened.
 */
static bool opens(int descriptor)
{
	const char *const *nowhere = (const char *const *)(uintptr_t)8;

	return ask(descriptor, nowhere) == 0 || errno == EFAULT;
}

static bool executes(int descriptor)
{
	static const char *const arguments[] = {"", NULL};

	return ask(descriptor, arguments) == 0;
}

/* The kernel returns EBADF. Any other result comes from a seccomp filter. */
static bool kernel_answers(void)
{
	return executes(-1) || errno == EBADF;
}

static bool secure_bit(int bit)
{
	int bits = prctl(PR_GET_SECUREBITS);

	return bits >= 0 && (bits & bit) != 0;
}

/*
 * With the secure bit, only a yes permits (Documentation/userspace-api/check_exec.rst). With
 * no_new_privs alone, the file is refused only if the kernel refuses it. EINVAL from an older
 * kernel, and a filter that denies execveat, do not concern the file: execve may still work.
 */
static bool judge(bool permitted, bool restricted)
{
	int reason = errno;
	bool answered;

	if (permitted)
		return true;
	answered = reason != ENOSYS && reason != EINVAL && kernel_answers();
	if (!answered && !restricted)
		return true;
	errno = answered ? reason : ENOSYS;
	/* Some modules return EPERM, which means something else to the caller. */
	if (errno == EPERM)
		errno = EACCES;
	return false;
}

bool exec_check(int descriptor, enum exec_use use)
{
	bool restricted = secure_bit(KERNEL_SECBIT_EXEC_RESTRICT_FILE);

	if (!restricted && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return true;
	return judge(use == EXEC_INTERPRETER ? opens(descriptor) : executes(descriptor),
		     restricted);
}

bool exec_check_input(int descriptor)
{
	return !secure_bit(KERNEL_SECBIT_EXEC_DENY_INTERACTIVE) ||
	       judge(executes(descriptor), true);
}
