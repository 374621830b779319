/*
 * lifecycle: constructors, destructors and atexit handlers that print. The psABI makes rdx at entry
 * a function to register with atexit. If a loader leaves anything but 0 there, glibc programs call
 * it after main.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor(200))) static void construct_second(void)
{
	puts("constructor, priority 200");
}

__attribute__((constructor(150))) static void construct_first(void)
{
	puts("constructor, priority 150");
}

__attribute__((destructor)) static void destroy(void)
{
	puts("destructor");
}

static void handler_one(void)
{
	puts("atexit handler registered first");
}

static void handler_two(void)
{
	puts("atexit handler registered second");
}

int main(void)
{
	atexit(handler_one);
	atexit(handler_two);
	puts("main");
	return 3;
}
