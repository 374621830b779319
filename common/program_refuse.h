/* Why exec would refuse a file before it reads the contents, and what the user can do. */
#pragma once

#include "common/error.h"

/*
 * Sets the sentence for a program that could not be opened, and returns false. `name` is as the
 * user typed it, `path` is the file found by that name. `search_path` is the list of folders for
 * names without a slash. `reason` is the errno of execve, with two exceptions. EPERM means that the
 * file may be executed and not read; ENOSYS means that a seccomp filter denies the answer to
 * exec_check().
 */
bool program_refuse(const char *name, const char *path, const char *search_path, int reason,
		    struct error *error);
