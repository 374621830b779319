/*
 * reads_input: read(2) straight into fresh .bss and .data, and write(2) from there. System calls
 * touch the pages before the program does.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char in_bss[64 * 1024];
static char in_data[64 * 1024] = {1};

int main(void)
{
	ssize_t first = read(0, in_bss + 20000, 30000);
	ssize_t second = read(0, in_data + 20000, 30000);

	fprintf(stderr, "read %zd and %zd\n", first, second);
	if (first > 0 && write(1, in_bss + 20000, (size_t)first) != first)
		return 1;
	if (second > 0 && write(1, in_data + 20000, (size_t)second) != second)
		return 1;
	return memcmp(in_bss, in_bss + 1, 19999) != 0;
}
