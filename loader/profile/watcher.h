/*
 * The watcher of --profile=auto: a process in addition to the program's, so that the program keeps
 * its process ID and its parent. The program's memory is held until the watcher has seen what the
 * program used.
 *
 *   loader  -- maps the program -- jumps -- the program ------------ ends
 *     | fork                     | shares memory
 *   watcher ------- waits -------|------- waits for the end -- collects -- writes, ends
 *                              holder ------------------------------ killed
 *
 * The watcher is a copy of the loader as it was before the program was mapped. It has a few
 * descriptors of its own, none of the program's descriptors, and none of the program's memory. The
 * watcher and the holder are orphans.
 */
#pragma once

#include "loader/hold/hold.h"

#include <stdbool.h>
#include <stdint.h>

/* The task of a watcher, in its own process. */
struct watcher_task {
	/*
	 * Looks at the program's memory: now and then while the program runs, and a last time if
	 * the memory is still held. The last look delays the program's visible end.
	 */
	void (*look)(void *context, const struct held *held, bool is_last);
	/* Called when the memory is gone; this may take longer. */
	void (*finish)(void *context);
	void *context;
	int *kept; /* a descriptor that finish() uses; the watcher changes its number */
};

/* A started watcher, as its loader sees it. */
struct watcher {
	int channel; /* a socket to the watcher; -1: there is none */
	int life;    /* the read end of its pipe: see struct holder_start */
	pid_t process;
};

/*
 * Why this process must not have a watcher, as a sentence that follows a colon; NULL: it may have
 * one.
 */
const char *watcher_refusal(void);

/* Starts a watcher. Returns false with errno on failure. */
bool watcher_start(const struct watcher_task *task, struct watcher *watcher);

/*
 * Called just before the jump: holds the memory, and gives the watcher the descriptors to read it,
 * and `more` (see held_send()). Returns when the watcher is ready: NULL, or why the program is not
 * watched.
 */
const char *watcher_begin(struct watcher *watcher, int more);
