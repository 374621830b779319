/*
 * memory_ring_fixed: a ring that the kernel writes to, of perf events or of packets, is mapped into
 * the middle of .bss; what lies after it stays memory like any other. memory_ring_fixed
 * perf|packet WAY where WAY says how lazy paging ends, if at all: "stays", "ends".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "mark.h"
#include "word.h"

#define PAGE	    4096
#define PAGES	    240
#define RING	    100 /* where it begins */
#define RX_RING	    5
#define SOL_PACKETS 263

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));

/* As in <linux/perf_event.h>, which musl does not have: type, size, config. */
static int perf_ring(size_t *bytes)
{
	uint32_t words[32] = {1 /* software */, 112};

	*bytes = 5 * PAGE;
	return (int)syscall(SYS_perf_event_open, words, 0, -1, -1, 0);
}

static int packet_ring(size_t *bytes)
{
	/* struct tpacket_req: block size, blocks, frame size, frames. */
	uint32_t request[4] = {2 * PAGE, 2, 2048, 8};
	int ring = socket(17 /* AF_PACKET */, SOCK_RAW, 0);

	*bytes = 4 * PAGE;
	if (ring >= 0 && setsockopt(ring, SOL_PACKETS, RX_RING, request, sizeof(request)) != 0)
		return -1;
	return ring;
}

static void touch(const char *what, int first, int end)
{
	int sum = 0;

	for (int page = first; page < end; page++) {
		area[page * PAGE + 7]++;
		sum += area[page * PAGE + 7];
	}
	printf("%s: %d\n", what, sum);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int packets = strcmp(WORD(1, "perf", "packet"), "packet") == 0;
	size_t bytes;
	int ring = packets ? packet_ring(&bytes) : perf_ring(&bytes);
	char *mapped;

	if (ring < 0) {
		puts("skip: no such ring here");
		return 0;
	}
	mapped = mmap(area + RING * PAGE, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		      ring, 0);
	if (mapped == MAP_FAILED) {
		puts("skip: the ring cannot be mapped here");
		return 0;
	}
	if (strcmp(WORD(2, "stays", "ends"), "ends") == 0)
		close(open("/proc/self/stat", O_RDONLY));
	touch("before it", 40, 50);
	touch("after it", RING + (int)(bytes / PAGE), PAGES);
	check("the ring", area[RING * PAGE] == 0 || !packets);
	touch("before it", 0, RING);
	mark();
	return 0;
}
