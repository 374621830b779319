/*
 * /proc/self/exe, which must name the program's file. Resident; async-signal-safe; called in the
 * handler of SIGSYS unless a comment says otherwise.
 */
#pragma once

#include "loader/resident/arch/call.h"

#include <stdbool.h>

/*
 * Called before the jump. Whether a program may ask for its own file. Such a program has one of the
 * file's names in /proc, or the start of one, among its constants.
 */
bool executable_is_wanted(int descriptor);

/*
 * If an argument of a call names the loader's file in /proc, the program means its own file. Then
 * this answers the call, or changes the argument. Returns false if the call has still to be made.
 */
bool executable_answers(struct call *call, long *result);
