/* Asks the kernel whether it would execute an open file (AT_EXECVE_CHECK, Linux 6.14). */
#pragma once

#include <stdbool.h>

/* How execve would reach the file. */
enum exec_use {
	EXEC_PROGRAM,	  /* named by the caller, or by a script's first line */
	EXEC_INTERPRETER, /* named by a program's PT_INTERP */
};

/*
 * Whether the kernel would execute the file: mode, mount flags, Landlock and other security modules
 * decide. The kernel is asked only if the process may be confined: with no_new_privs or
 * SECBIT_EXEC_RESTRICT_FILE. Returns false with errno: EACCES if it refuses; ENOSYS if it must be
 * asked and a seccomp filter answers instead; or the error of execve.
 */
bool exec_check(int descriptor, enum exec_use use);

/* Does the same for code from standard input, if SECBIT_EXEC_DENY_INTERACTIVE is set. */
bool exec_check_input(int descriptor);
