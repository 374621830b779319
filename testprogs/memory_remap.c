/*
 * memory_remap: mremap of pages of static arrays, across touched ones and untouched ones:
 * elsewhere, back, growing, shrinking, and what is left behind.
 *
 * No mark with userfaultfd: mremap() ends lazy paging.
 * No mark on arm64: mremap() to an address of its own choice ends lazy paging.
 */
#include "guest.h"
#include "gone.h"

static char area[256 * PAGE] __attribute__((aligned(PAGE)));
static char target[256 * PAGE] __attribute__((aligned(PAGE)));
static char filled[16 * PAGE] __attribute__((aligned(PAGE))) = {[2 * PAGE] = 'd', [9 * PAGE] = 'e'};

static char *move(char *from, size_t length, size_t new_length, char *to)
{
	int flags = to ? MREMAP_MAYMOVE | MREMAP_FIXED : MREMAP_MAYMOVE;

	return (char *)syscall(SYS_mremap, from, length, new_length, flags, to);
}

static int sum(const char *start, int pages)
{
	int result = 0;

	for (int i = 0; i < pages; i++)
		result += start[i * PAGE + 5];
	return result;
}

int main(void)
{
	char *moved;

	signal(SIGSEGV, on_fault);
	for (int i = 0; i < 256; i += 5)
		area[i * PAGE + 5] = 1;

	moved = move(area + 16 * PAGE, 32 * PAGE, 64 * PAGE, NULL);
	check("elsewhere", moved != MAP_FAILED && moved != area + 16 * PAGE);
	printf("sum %d, %d\n", sum(moved, 64), sum(area, 16));
	check("left", is_gone(area + 16 * PAGE) && is_gone(area + 47 * PAGE));
	check("around", !is_gone(area + 15 * PAGE) && !is_gone(area + 48 * PAGE));
	moved[5] = 100;
	check("back", move(moved, 64 * PAGE, 32 * PAGE, area + 16 * PAGE) == area + 16 * PAGE);
	printf("sum %d\n", sum(area, 256));

	target[100 * PAGE + 5] = 50;
	check("onto another", move(area + 64 * PAGE, 64 * PAGE, 64 * PAGE, target + 90 * PAGE) ==
				  target + 90 * PAGE);
	printf("sum %d\n", sum(target, 256));
	check("left", is_gone(area + 64 * PAGE) && is_gone(area + 127 * PAGE));

	check("data",
	      move(filled + 8 * PAGE, 2 * PAGE, 2 * PAGE, area + 70 * PAGE) == area + 70 * PAGE);
	check("data's contents", area[71 * PAGE] == 'e' && filled[2 * PAGE] == 'd');
	check("data left", is_gone(filled + 9 * PAGE) && !is_gone(filled + 7 * PAGE));

	check("in place", move(area + 72 * PAGE, 0, PAGE, NULL) == MAP_FAILED);
	check("shrink",
	      move(target + 200 * PAGE, 20 * PAGE, 10 * PAGE, NULL) == target + 200 * PAGE);
	check("shrunk", !is_gone(target + 209 * PAGE) && is_gone(target + 210 * PAGE));
	check("grow", mremap(target + 208 * PAGE, 2 * PAGE, 4 * PAGE, 0) == target + 208 * PAGE);
	check("grown", target[211 * PAGE] == 0 && is_gone(target + 212 * PAGE));
	check("no room", mremap(target, PAGE, 2 * PAGE, 0) == MAP_FAILED && errno == ENOMEM);
	moved = mremap(area + 130 * PAGE, 10 * PAGE, 10 * PAGE, MREMAP_MAYMOVE | 4, NULL);
	check("MREMAP_DONTUNMAP", moved != MAP_FAILED);
	if (moved != MAP_FAILED)
		printf("there %d, here %d\n", sum(moved, 10), sum(area + 130 * PAGE, 10));
	mark();
}
