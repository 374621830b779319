/*
 * Data that the two sides of a watcher exchange: the loader (watcher.c) and the watcher's process.
 */
#pragma once

#include "loader/profile/watcher.h"

/* A new watcher's data, in its copy of the loader's memory. */
struct making {
	const struct watcher_task *task;
	int channel; /* the watcher's end of the socket */
	int life[2]; /* a pipe: the watcher keeps the write end */
	int program; /* pidfd of the loader, which becomes the program */
	pid_t program_id, between;
	long result; /* result of the fork */
};

/* The watcher's answers on the channel. */
enum { FIT = 'f', UNFIT = 'u' };

/* watcher_process.c: everything that the process does. */
_Noreturn void watcher_run(const struct making *making);
