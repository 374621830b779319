/*
 * /proc/self/exe, which must name the program's file. Resident; async-signal-safe; called in the
 * handler of SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/threads/thread.h"

#include <stdbool.h>

/*
 * Called before the jump. Whether a program may ask for its own file. Such a program has one of the
 * file's names in /proc, or the start of one, among its constants.
 */
bool executable_is_wanted(int descriptor);

/*
 * Answers or makes a call whose argument names the loader's file in /proc, which must name the
 * program's file instead. Returns false if no argument does; the guard then continues.
 */
bool executable_call(struct thread *thread, struct kernel_context *context);
