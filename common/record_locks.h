/* Record locks on a file: those of fcntl(2). */
#ifndef COMMON_RECORD_LOCKS_H
#define COMMON_RECORD_LOCKS_H

#include <stdbool.h>

/*
 * Whether anybody has a record lock on an open file. Nobody can say for sure whose lock it is: the
 * kernel names the first one, and a later one may be this process's.
 */
bool record_locks_found(int descriptor);

#endif
