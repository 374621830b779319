/*
 * thread_local: initialized and zero thread-local variables, one of them with an alignment above
 * the natural one. libc builds the TLS block from PT_TLS, which it finds through AT_PHDR.
 */
#include <stdint.h>
#include <stdio.h>

#include "mark.h"

static _Thread_local int initialized = 42;
static _Thread_local char text[] = "a thread-local string";
static _Thread_local int zero[1000];
static _Thread_local _Alignas(256) double aligned = 2.5;

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		sum |= zero[i];
	printf("initialized %d\n", initialized);
	printf("text \"%s\"\n", text);
	printf("zero %s\n", sum ? "is not zero" : "is zero");
	printf("aligned %g, address modulo 256 is %d\n", aligned, (int)((uintptr_t)&aligned % 256));

	initialized++;
	zero[999] = 7;
	printf("after writing: %d %d\n", initialized, zero[999]);
	mark();
}
