/* huge_bss: 1 GiB of .bss, read and written at its ends and in the middle. All of it must be zero.
 */
#include <stdio.h>

#define SIZE (1UL << 30)

static volatile unsigned char huge[SIZE];

int main(void)
{
	const unsigned long places[] = {0, 1, 4095, 4096, SIZE / 2, SIZE - 4097, SIZE - 1};
	const int count = sizeof(places) / sizeof(places[0]);

	for (int i = 0; i < count; i++)
		printf("before: huge[%lu] is %d\n", places[i], huge[places[i]]);
	for (int i = 0; i < count; i++)
		huge[places[i]] = (unsigned char)(i + 1);
	for (int i = 0; i < count; i++)
		printf("after: huge[%lu] is %d\n", places[i], huge[places[i]]);
}
