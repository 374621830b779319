/*
 * Holding a program's memory beyond its end, so that what it touched can be read from the page
 * tables then. The program notices little: it keeps its process, its parent and its memory but for
 * one page, and no call or signal of its is intercepted.
 *
 *   loader     --- jumps --> the program ------------------------- ends
 *     \ shares memory
 *      holder  --- sleeps in the kernel, on a page of its own ---------------------- ends
 *        \ fork                                                                     /
 *         watcher --- waits for the program's end --- reads /proc/HOLDER --- writes, ends
 *
 * Both are children of nobody that the program could wait for.
 */
#ifndef LOADER_PROFILE_HOLD_H
#define LOADER_PROFILE_HOLD_H

#include <stdbool.h>
#include <sys/types.h>

/* What the watcher knows. It is a copy of the loader as it was when hold_memory() was called. */
struct held {
	pid_t holder; /* its /proc/PID has the program's maps and page tables, */
	int program;  /* once this descriptor (pidfd_open(2)) says that the program is over */
};

/*
 * Starts holder and watcher, which runs watch(context, held) and ends. False if that cannot be done
 * here; errno says why. The holder keeps the descriptor `kept`, unless that is -1.
 */
bool hold_memory(void (*watch)(void *context, const struct held *held), void *context, int kept);

#endif
