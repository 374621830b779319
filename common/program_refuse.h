/* Why exec would refuse a file before it looks into it, and what the user can do. */
#ifndef COMMON_PROGRAM_REFUSE_H
#define COMMON_PROGRAM_REFUSE_H

#include "common/error.h"

/*
 * Sets the sentence for a program that could not be opened, and returns false. `name` is as the
 * user typed it; `path` is what was found of that name; `search_path` is the list of folders that
 * names without a slash are looked up in. `reason` is the errno of execve, but EPERM means that the
 * file may be executed and not read, and ENOSYS that a seccomp filter denies exec_check() an
 * answer.
 */
bool program_refuse(const char *name, const char *path, const char *search_path, int reason,
		    struct error *error);

#endif
