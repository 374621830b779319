/*
 * frame_numbers BINS: touches pages of .data and .bss in no particular order, and looks up their
 * frames in /proc/self/pagemap. It prints how many pages there are, how many have the color of
 * their page number, and the least and greatest number of pages of a color. It checks the contents,
 * too.
 */
#include "guest.h"

#define PAGES 192

static unsigned char data[PAGES * PAGE]
    __attribute__((aligned(PAGE))) = {[0] = 1, [100 * PAGE] = 2};
static unsigned char bss[PAGES * PAGE] __attribute__((aligned(PAGE)));

static struct {
	unsigned pages, right, colors[4096];
} found;

static void look(int pagemap, const unsigned char *page, unsigned bins)
{
	uint64_t entry = 0, number = (uintptr_t)page / PAGE, frame;

	if (pread(pagemap, &entry, sizeof(entry), (off_t)(number * sizeof(entry))) != sizeof(entry))
		exit(2);
	frame = entry & ((UINT64_C(1) << 55) - 1);
	found.pages += frame != 0;
	found.right += frame != 0 && frame % bins == number % bins;
	found.colors[frame % bins] += frame != 0;
}

int main(int argc, char **argv)
{
	unsigned bins = argc > 1 ? (unsigned)atoi(argv[1]) : 0, least = PAGES, most = 0;
	int pagemap;

	if (bins < 1 || bins > 4096)
		return 2;
	for (unsigned i = 0; i < PAGES; i++)
		bss[i * 83 % PAGES * PAGE + i] = (unsigned char)i;
	for (unsigned i = 0; i < PAGES; i++)
		must(bss[i * 83 % PAGES * PAGE + i] == (unsigned char)i);
	must(data[0]++ == 1 && data[100 * PAGE]++ == 2 && data[101 * PAGE]++ == 0);
	pagemap = open("/proc/self/pagemap", O_RDONLY);
	for (unsigned i = 0; i < PAGES; i++) {
		look(pagemap, bss + i * PAGE, bins);
		if (i == 0 || i == 100 || i == 101)
			look(pagemap, data + i * PAGE, bins);
	}
	for (unsigned i = 0; i < bins; i++) {
		least = found.colors[i] < least ? found.colors[i] : least;
		most = found.colors[i] > most ? found.colors[i] : most;
	}
	printf("%u pages, %u of their color, each color %u to %u times\n", found.pages, found.right,
	       least, most);
}
