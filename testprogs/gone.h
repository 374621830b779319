/*
 * gone.h: for guests that go on after a fault, or ask whether memory is still there. They give
 * SIGSEGV the handler on_fault.
 */
#pragma once

#include <setjmp.h>

static sigjmp_buf landing;

static void on_fault(int number)
{
	siglongjmp(landing, 1);
}

static inline int is_gone(volatile char *place)
{
	if (sigsetjmp(landing, 1) == 0) {
		(void)*place;
		return 0;
	}
	return 1;
}
