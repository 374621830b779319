/*
 * A program's memory, kept readable beyond the program's end.
 *
 * A second process, the holder, shares the memory, so that the kernel keeps it. The holder opens
 * /proc/self/maps, pagemap and mem, which need no permission there, and sleeps in ppoll(2) from
 * then on. Its caller reads those three descriptors when the program is over.
 *
 * The program can write to the page that the holder's code is on. So the holder has no right that
 * such code could use: before the program begins, the holder has closed its descriptors, given up
 * its capabilities and blocked all signals, and a filter of its own (seccomp) allows ppoll(2)
 * alone.
 *
 * Host code.
 */
#ifndef LOADER_HOLD_H
#define LOADER_HOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A memory that is held. The descriptors are close-on-exec, and are the owner's to close. */
struct held {
	pid_t holder;	 /* process ID; 0: no memory is held */
	int maps;	 /* of /proc/HOLDER/: readable until the holder ends, */
	int pagemap;	 /* whatever rights the reader has by then */
	int memory;	 /* of /proc/HOLDER/mem; with pagemap until nothing shares the memory */
	int caller_maps; /* of the process that has called hold_memory(), until that one ends */
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
	 * The process ID of this process's parent, which is the watching process: the holder
	 * becomes its child, and ends with it. 0: the holder is an orphan.
	 */
	pid_t parent;
};

/*
 * Starts a holder of the calling process's memory, and returns when its filter is in force. False
 * with errno where the kernel does not permit it: then no holder is left.
 */
bool hold_memory(const struct holder_start *start, struct held *held);

/* Reads the held memory. False where not all of it is there. */
bool held_read(const struct held *held, uint64_t address, void *to, size_t bytes);

/* Whether a held page, at this address, is all zero. One that is not there is not. */
bool held_is_zero(const struct held *held, uint64_t address);

/* Closes the descriptors, for a process that has handed them on. */
void held_close(const struct held *held);

/*
 * Sends the descriptors, and one more unless it is negative, over a Unix socket; receives them in
 * the other process. `more` is -1 where there was none. Where no memory is held, that alone is
 * sent. False at the end of the stream, and with errno.
 */
bool held_send(int socket, const struct held *held, int more);
bool held_receive(int socket, struct held *held, int *more);

/*
 * Kills the holder, so that the kernel frees the memory, and waits for it. For its parent alone:
 * the process ID of another's child may be used again. Whoever watches an orphan closes the pipe
 * instead.
 */
void held_end(const struct held *held);

#endif
