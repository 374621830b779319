/* Record locks on a file: those of fcntl(2). */
#pragma once

#include <stdbool.h>

/*
 * Whether any process has a record lock on an open file. The owner cannot be determined: the kernel
 * reports the first lock, and a later one may be this process's.
 */
bool record_locks_found(int descriptor);
