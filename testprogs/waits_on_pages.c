/* Touches an array, prints where its whole pages are, START-END in hexadecimal, and waits for the
 * end of stdin. */
#include <stdint.h>
#include <stdio.h>

#define PAGE  4096
#define PAGES 64

static char array[PAGES * PAGE] __attribute__((aligned(PAGE)));

int main(void)
{
	for (int i = 0; i < PAGES; i++)
		array[i * PAGE] = 1;
	printf("%lx-%lx\n", (unsigned long)(uintptr_t)array,
	       (unsigned long)(uintptr_t)array + sizeof(array));
	fflush(stdout);
	while (getchar() != EOF)
		;
}
