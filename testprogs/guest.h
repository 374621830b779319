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

/* Computes for that long. It makes no system call where there is a vDSO. */
static inline void spin_for(long nanoseconds)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec <
	       nanoseconds);
}

/* Ends the guest unless it has what its test needs. */
static inline void must(bool holds)
{
	if (!holds)
		exit(1);
}

/* Ends the guest where this machine lacks what it tests. */
static inline _Noreturn void skip(const char *reason)
{
	printf("skip: %s\n", reason);
	exit(0);
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

/* In a mask of the kernel's. */
#define BIT(number) (1UL << ((number)-1))

/* What this thread blocks. */
static inline uint64_t mask_now(void)
{
	uint64_t mask = 0;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof(mask));
	return mask;
}

static inline int is_blocked(int number)
{
	return (mask_now() & BIT(number)) != 0;
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

/* In a structure, a gap of two pages before a member: it is on pages that nothing else touches. */
#define APART		    APART_BY(__COUNTER__)
#define APART_BY(number)    APART_NAMED(number)
#define APART_NAMED(number) char gap##number[2 * PAGE];
/* A structure of one member, with such gaps on both sides. */
#define FRESH(...)                                                                                 \
	struct {                                                                                   \
		APART __VA_ARGS__;                                                                 \
		APART char end;                                                                    \
	}

/* What a thread returned. */
static inline long result_of(pthread_t thread)
{
	void *result;

	pthread_join(thread, &result);
	return (long)result;
}

/* How a child ended, as waitpid(2) has it. */
static inline int end_of(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}
