/*
 * The watcher of --profile=auto: a process beside the program, which keeps its process ID and its
 * parent. The program's memory is held until the watcher has seen what it used.
 *
 *   loader  -- maps the program -- jumps -- the program ------------ ends
 *     | fork                     | shares memory
 *   watcher ------- waits -------|------- waits for the end -- collects -- writes, ends
 *                              holder ------------------------------ killed
 *
 * The watcher is a copy of the loader as it was before the program was mapped. It has a few
 * descriptors of its own, none of the program's, and no memory of it. It is an orphan, and so is
 * the holder.
 */
#ifndef LOADER_PROFILE_WATCHER_H
#define LOADER_PROFILE_WATCHER_H

#include "loader/hold/hold.h"

#include <stdbool.h>
#include <stdint.h>

/* What a watcher does, in its own process. */
struct watcher_task {
	/*
	 * Looks at the program's memory, now and then while the program runs, and a last time if
	 * the memory is still held. Searching it takes at most so much processor time (ns).
	 */
	void (*look)(void *context, const struct held *held, uint64_t most);
	/* The memory is gone; this may take longer. */
	void (*finish)(void *context);
	void *context;
	int *kept; /* a descriptor that finish() uses, which gets another number */
};

/* A watcher that has been started, as its loader knows it. */
struct watcher {
	int channel; /* a socket to it; -1: there is none */
	int life;    /* the read end of its pipe: see struct holder_start */
	pid_t process;
};

/*
 * Why no watcher may be beside this process, as a sentence that goes on after a colon; NULL: one
 * may be.
 */
const char *watcher_refusal(void);

/* Starts a watcher. False with errno. */
bool watcher_start(const struct watcher_task *task, struct watcher *watcher);

/*
 * Right before the jump: has the memory held, and gives the watcher what it reads, and `more`
 * (see held_send()). Returns when the watcher is ready. NULL, or why nothing is watched.
 */
const char *watcher_begin(struct watcher *watcher, int more);

#endif
