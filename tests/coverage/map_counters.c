/*
 * MODE=coverage: puts the counters that gcc has added, those of host code and those of resident
 * code, into a file that every run shares. So none is lost: not at the jump, not where the program
 * is killed, not in a child. Where the file cannot be had, a run counts for itself.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

extern uint8_t host_counters[], host_counters_end[];
extern uint8_t resident_area[], resident_counters_end[];

static void map_over(const uint8_t *start, const uint8_t *end, int file, off_t offset)
{
	if (start < end)
		mmap((void *)start, (size_t)(end - start), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_FIXED, file, offset);
}

__attribute__((constructor)) static void map_counters(void)
{
	int file = open(COUNTERS_FILE, O_RDWR | O_CLOEXEC);

	if (file < 0)
		return;
	map_over(host_counters, host_counters_end, file, 0);
	map_over(resident_area, resident_counters_end, file, RESIDENT_COUNTERS);
	close(file);
}
