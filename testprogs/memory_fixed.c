/*
 * memory_fixed: MAP_FIXED mappings, anonymous ones and of files, in place of pages of static arrays
 * that were touched or were not; MAP_FIXED_NOREPLACE.
 */
#include "guest.h"

#define BOTH (PROT_READ | PROT_WRITE)

static char area[128 * PAGE] __attribute__((aligned(PAGE)));
static char large[128 << 20] __attribute__((aligned(PAGE)));
static char filled[8 * PAGE] __attribute__((aligned(PAGE))) = {[5] = 'd', [5 * PAGE] = 'e'};
static const char constants[8 * PAGE] __attribute__((aligned(PAGE))) = {[PAGE] = 'c'};
static const volatile char *const shown = constants;

static int placed(const void *place, size_t length, int protection, int flags, int file)
{
	return mmap((void *)place, length, protection, flags, file, 0) == place;
}

static int end_of_child(volatile char *place)
{
	pid_t child = fork();

	if (child == 0) {
		(*place)++;
		_exit(*place);
	}
	return end_of(child);
}

int main(void)
{
	const int fixed = MAP_PRIVATE | MAP_FIXED, anonymous = fixed | MAP_ANONYMOUS;
	int file = (int)syscall(SYS_memfd_create, "file", 0);

	must(file >= 0 && write(file, "abcdefghij", 10) == 10 && ftruncate(file, 8 * PAGE) == 0);
	for (int i = 0; i < 128; i += 2)
		area[i * PAGE] = 'a';
	check("anonymous", placed(area + 8 * PAGE, 8 * PAGE, BOTH, anonymous, -1));
	check("none", placed(area + 20 * PAGE, 3 * PAGE, PROT_NONE, anonymous, -1));
	check("read only", placed(area + 30 * PAGE, 3 * PAGE, PROT_READ, anonymous, -1));
	check("file", placed(area + 40 * PAGE, 2 * PAGE, BOTH, fixed, file));
	check("shared file",
	      placed(area + 51 * PAGE, 2 * PAGE, BOTH, MAP_SHARED | MAP_FIXED, file));
	check("data", placed(filled + 4 * PAGE, PAGE, BOTH, anonymous, -1));
	check("constants", placed(constants + PAGE, PAGE, BOTH, fixed, file));
	check("large", placed(large + (32 << 20), 64 << 20, BOTH, anonymous | MAP_NORESERVE, -1));

	printf("%d %d %d\n", area[8 * PAGE], area[9 * PAGE], area[16 * PAGE]);
	printf("%.10s, %.10s\n", area + 40 * PAGE, area + 51 * PAGE);
	area[40 * PAGE + 1] = 'x';
	area[51 * PAGE + 2] = 'y';
	printf("%.10s, %.10s\n", area + 40 * PAGE, area + 51 * PAGE);
	printf("%c%c, %c, %c\n", shown[PAGE], shown[PAGE + 9], filled[5], filled[5 * PAGE]);
	printf("children: %d %d %d %d\n", end_of_child(area + 20 * PAGE),
	       end_of_child(area + 31 * PAGE), end_of_child(area + 33 * PAGE),
	       end_of_child(area + 51 * PAGE + 20));
	printf("the shared one: %d\n", area[51 * PAGE + 20]);
	for (int i = 0; i < 128; i += 16)
		large[(i << 20) + 4095]++;
	printf("large: %d\n", large[4095] + large[(48 << 20) + 4095] + large[(112 << 20) + 4095]);

	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	check("occupied", mmap(area + 61 * PAGE, PAGE, BOTH, flags, -1, 0) == MAP_FAILED);
	check("EEXIST", errno == EEXIST);
	check("as it was", area[61 * PAGE] == 0 && area[62 * PAGE] == 'a');
	munmap(area + 61 * PAGE, PAGE);
	check("free", placed(area + 61 * PAGE, PAGE, BOTH, flags, -1));
	check("a hint", mmap(area + 71 * PAGE, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
			    area + 71 * PAGE);
	check("as it was", area[71 * PAGE] == 0 && area[72 * PAGE] == 'a');
	mark();

	char *hole = large + (8 << 20), *grows = hole + 62 * PAGE;
	munmap(hole, 64 * PAGE);
	check("grows", placed(grows, PAGE, BOTH, anonymous | MAP_GROWSDOWN, -1));
	printf("child, near the pages below: %d\n", end_of_child(grows - 8));
}
