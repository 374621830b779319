/*
 * library: compiled several times, as -DNAME=first and so on. It has thread-local storage, a
 * function that is chosen when it is bound (ifunc), a constructor, a destructor, and data that
 * needs relocations.
 */
#include <stdio.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)	    TEXT_(a)

static __thread int mine = sizeof(TEXT(NAME));
static __thread char cleared[5000];
static const char *const names[] = {TEXT(NAME), "relocated"};

__attribute__((constructor)) static void begin(void)
{
	printf("%s begins\n", TEXT(NAME));
}

__attribute__((destructor)) static void end(void)
{
	printf("%s ends\n", TEXT(NAME));
}

/* Each thread counts for itself. */
int JOIN(NAME, _count)(void)
{
	cleared[4999]++;
	return mine++ + cleared[4999];
}

const char *const *JOIN(NAME, _names)(void)
{
	return names;
}

#ifdef __GLIBC__ /* musl's linker knows no ifunc */
static int chosen(int x)
{
	return 3 * x;
}

static int (*choose(void))(int)
{
	return chosen;
}

int JOIN(NAME, _triple)(int x) __attribute__((ifunc("choose")));
#else
int JOIN(NAME, _triple)(int x)
{
	return 3 * x;
}
#endif
