/* --pause: waits for a debugger right before the program's first instruction. */
#ifndef LOADER_RESIDENT_PAUSE_H
#define LOADER_RESIDENT_PAUSE_H

/*
 * Writes `name` and the process ID to standard error, and waits until a debugger has attached or
 * SIGCONT is sent, which it consumes. Blocks SIGCONT for the calling thread.
 */
void pause_for_debugger(const char *name);

#endif
