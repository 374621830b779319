/* load_address: prints the address of its ELF header: fixed, or random for a static PIE. */
#include <elf.h>
#include <stdio.h>

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

int main(void)
{
	printf("%p\n", (const void *)&__ehdr_start);
}
