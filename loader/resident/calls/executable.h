/* The program's own file under its names in /proc, where the kernel would show ours. */
#ifndef LOADER_RESIDENT_CALLS_EXECUTABLE_H
#define LOADER_RESIDENT_CALLS_EXECUTABLE_H

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Whether a program may ask for its own file: then it has one of its names, or the beginning of
 * one, somewhere in its constants.
 */
bool executable_is_wanted(int descriptor);

/* A name of our file in /proc becomes that of the program's. False: go on. */
bool executable_call(struct thread *thread, struct kernel_context *context);

#endif
