/* random_bytes: prints the 16 bytes of AT_RANDOM. They must differ from run to run. */
#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
	const unsigned char *bytes = (const unsigned char *)getauxval(AT_RANDOM);

	for (int i = 0; i < 16; i++)
		printf("%02x", bytes[i]);
	puts("");
}
