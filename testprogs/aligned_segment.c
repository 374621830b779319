/*
 * aligned_segment: linked with 2 MiB pages. A static PIE must be loaded at a multiple of its
 * largest p_align, else objects with that alignment are not aligned.
 */
#include <elf.h>
#include <stdint.h>

#include "check.h"

#define ALIGNMENT 0x200000UL

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
static _Alignas(ALIGNMENT) int initialized[16] = {1, 2, 3};
static _Alignas(ALIGNMENT) int zero[16];

int main(void)
{
	check("load address", (uintptr_t)&__ehdr_start % ALIGNMENT == 0);
	check("initialized object", (uintptr_t)initialized % ALIGNMENT == 0);
	check("zero object", (uintptr_t)zero % ALIGNMENT == 0);
	printf("%d %d %d %d\n", initialized[0], initialized[1], initialized[2], zero[15]);
}
