/*
 * guest.h: the C library's headers that most guests need, and the helpers that guests share. A
 * guest includes it first, because it defines _GNU_SOURCE. Guests of a few lines, among them prog1
 * to prog4, name their headers themselves.
 */
#pragma once

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"
#include "word.h"

#define PAGE 4096

static inline void rest(long milliseconds)
{
	const struct timespec time = {0, milliseconds * 1000000};

	nanosleep(&time, NULL);
}

/* Ends the guest unless it has what its test needs. */
static inline void must(bool holds)
{
	if (!holds)
		exit(1);
}

/* The set of these signals. */
#define SET_OF(...) set_of((const int[]){__VA_ARGS__, 0})

static inline sigset_t set_of(const int *numbers)
{
	sigset_t set;

	sigemptyset(&set);
	while (*numbers != 0)
		sigaddset(&set, *numbers++);
	return set;
}

static inline void set_action(struct sigaction action, const int *numbers)
{
	while (*numbers != 0)
		sigaction(*numbers++, &action, NULL);
}

/* Gives these signals a handler, for HANDLE_INFO one that takes a siginfo. */
#define HANDLE(handler, flags, ...)                                                                \
	set_action((struct sigaction){.sa_handler = (handler), .sa_flags = (flags)},               \
		   (const int[]){__VA_ARGS__, 0})
#define HANDLE_INFO(handler, flags, ...)                                                           \
	set_action(                                                                                \
	    (struct sigaction){.sa_sigaction = (handler), .sa_flags = SA_SIGINFO | (flags)},       \
	    (const int[]){__VA_ARGS__, 0})

/* How a child ended, as waitpid(2) has it. */
static inline int end_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}
