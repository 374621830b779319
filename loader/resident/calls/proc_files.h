/*
 * Which system calls open files of procfs. Resident; async-signal-safe; called in the handler of
 * SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/arch/call.h"

#include <stdbool.h>

/*
 * Whether an open, openat or openat2 opens a file of procfs, by any name. Such files could show the
 * program the loader's handlers, hidden pages and descriptor. The check looks at the file, whether
 * it exists or not. It opens nothing if the name alone determines where the file is; that is not so
 * for openat2.
 */
bool proc_file_is_named(const struct call *call);
