/*
 * Keeps a program's memory readable beyond the program's end.
 *
 * A second process, the holder, shares the memory, so that the kernel keeps it. The holder opens
 * /proc/self/maps, pagemap and mem, which needs no permission there, and sleeps in ppoll(2) from
 * then on. The caller reads those three descriptors when the program is over.
 *
 * The program can write to the page that contains the holder's code. So the holder has no right
 * that such code could use. Before the program starts, the holder has closed its descriptors, given
 * up its capabilities and blocked all signals. A filter of its own (seccomp) allows only ppoll(2).
 * Host code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A memory that is held. The descriptors are close-on-exec; the owner closes them. */
struct held {
	pid_t holder;	 /* process ID; 0: no memory is held */
	int maps;	 /* /proc/HOLDER/maps: readable until the holder ends */
	int pagemap;	 /* /proc/HOLDER/pagemap, opened with the holder's rights: readable later
			    without them */
	int memory;	 /* /proc/HOLDER/mem: readable, like pagemap, until no process shares the
			    memory */
	int caller_maps; /* maps of the process that called hold_memory(), until that process
			    ends */
};

/* How the holder is started. */
struct holder_start {
	/*
	 * The read end of a pipe. The process that watches the program has the only write end. When
	 * that process ends, in whatever way, the kernel sends SIGKILL to `victim` (O_ASYNC,
	 * F_SETSIG, fcntl(2)), even if that process has changed its user IDs since.
	 */
	int life;
	/* A process ID; 0: the holder itself. */
	pid_t victim;
	/*
	 * The process ID of this process's parent, which is the watching process. The holder
	 * becomes its child, and ends with it. 0: the holder is an orphan.
	 */
	pid_t parent;
};

/*
 * Starts a holder of the calling process's memory, and returns when its filter is in force. Returns
 * false with errno if the kernel does not permit it; then no holder is left.
 */
bool hold_memory(const struct holder_start *start, struct held *held);

/* Reads the held memory. Returns false if a part of it does not exist. */
bool held_read(const struct held *held, uint64_t address, void *to, size_t bytes);

/* Whether a held page, at this address, is all zero. Returns false for a missing page. */
bool held_is_zero(const struct held *held, uint64_t address);

/* Closes the descriptors, in a process that has passed them on. */
void held_close(const struct held *held);

/*
 * Sends the descriptors over a Unix socket, and one more unless it is negative; receives them in
 * the other process. `more` is -1 if none was sent. If no memory is held, that fact alone is sent.
 * Returns false at the end of the stream, and, with errno, on an error.
 */
bool held_send(int socket, const struct held *held, int more);
bool held_receive(int socket, struct held *held, int *more);

/*
 * Kills the holder, so that the kernel frees the memory, and waits for it. Only the holder's parent
 * may call this: the process ID of another process's child may be in use again. A process that
 * watches an orphan closes the pipe instead.
 */
void held_end(const struct held *held);
