/* What the two sides of a watcher hand to each other: the loader (watcher.c), and the process. */
#ifndef LOADER_PROFILE_WATCHER_PARTS_H
#define LOADER_PROFILE_WATCHER_PARTS_H

#include "loader/profile/watcher.h"

/* What a watcher begins with, in its copy of the loader's memory. */
struct making {
	const struct watcher_task *task;
	int channel; /* the watcher's end */
	int life[2]; /* the watcher keeps the write end */
	int program; /* pidfd of the loader, which becomes the program */
	pid_t program_id, between;
	long result; /* of the fork */
};

/* What the watcher says on the channel. */
enum { FIT = 'f', UNFIT = 'u' };

/* watcher_process.c: all that the process does. */
_Noreturn void watcher_run(const struct making *making);

#endif
