/* Record locks on a file: those of fcntl(2). */
#ifndef COMMON_RECORD_LOCKS_H
#define COMMON_RECORD_LOCKS_H

#include <stdbool.h>

/*
 * Whether anybody has a record lock on an open file. Whose it is cannot be said for sure: the
 * kernel tells the first one, behind which may be one of this process.
 */
bool record_locks_found(int descriptor);

#endif
