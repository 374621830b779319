/* Files of procfs, in which the program could see our handlers, hidden pages and descriptor. */
#ifndef LOADER_RESIDENT_CALLS_PROC_FILES_H
#define LOADER_RESIDENT_CALLS_PROC_FILES_H

#include "common/arch/x86_64/signal_frame.h"

#include <stdbool.h>

/*
 * Whether an open, openat or openat2 is about a file of procfs, by whatever name. Looks at the
 * file, which is there or is not; nothing is opened where the name alone says where it is.
 */
bool proc_file_is_named(const struct kernel_registers *registers);

#endif
