/*
 * memory_seal: parts of arrays are sealed before they are touched. Their protection can no longer
 * change, but they can be used.
 */
#include "guest.h"

#define OWN_mseal 462

static unsigned char area[256 * PAGE] __attribute__((aligned(PAGE)));
static unsigned char filled[64 * PAGE] __attribute__((aligned(PAGE))) = {[50 * PAGE] = 2};
static const unsigned char constants[64 * PAGE] __attribute__((aligned(PAGE))) = {[5 * PAGE] = 3};

static void show(const char *what, long result)
{
	printf("%s: %s\n", what, result == 0 ? "done" : strerror(errno));
}

static void seal(const char *what, const void *start, size_t pages)
{
	show(what, syscall(OWN_mseal, start, pages * PAGE, 0));
}

int main(void)
{
	static char buffer[3 * PAGE];
	int ends[2], sum = 0;

	area[3 * PAGE] = 1;
	seal(".bss", area + 10 * PAGE, 100);
	seal("data", filled, 64);
	seal("constants", constants, 64);
	seal("misaligned", area + 1, 1);
	for (int i = 0; i < 256; i++)
		sum += ++area[i * PAGE];
	for (int i = 0; i < 64; i++)
		sum += ++filled[i * PAGE] + ((volatile const unsigned char *)constants)[i * PAGE];
	printf("sum %d\n", sum);
	show("protect", mprotect(area + 20 * PAGE, PAGE, PROT_READ));
	show("unmap", munmap(area + 20 * PAGE, PAGE));
	show("protect data", mprotect(filled, PAGE, PROT_READ));
	show("protect others", mprotect(area + 120 * PAGE, PAGE, PROT_READ));
	must(pipe(ends) == 0 && write(ends[1], "text", 4) == 4);
	printf("read: %zd\n", read(ends[0], area + 60 * PAGE - 2, 4));
	printf("%.4s %d\n", (char *)area + 60 * PAGE - 2, buffer[PAGE]);
	mark();
	show("drop", madvise(area + 20 * PAGE, PAGE, MADV_DONTNEED));
}
