/* --pause. */
#ifndef LOADER_RESIDENT_PAUSE_H
#define LOADER_RESIDENT_PAUSE_H

/*
 * Says the process ID on standard error, behind `name`, and waits until a debugger has attached or
 * SIGCONT comes, which is taken. Blocks SIGCONT for the calling thread.
 */
void pause_for_debugger(const char *name);

#endif
