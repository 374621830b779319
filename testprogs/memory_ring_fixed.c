/*
 * memory_ring_fixed socket|packet WAY: memory of a socket, or a ring of packets, is mapped into the
 * middle of .bss. The memory after it stays usable. WAY is "ends" if lazy paging ends before that,
 * otherwise "stays".
 */
#include "guest.h"

#include <sys/socket.h>

#define PAGES	    240
#define RING	    100 /* where it begins */
#define RX_RING	    5
#define SOL_PACKETS 263

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));

/* For data that is received without a copy. Nothing is mapped there before. */
static int socket_room(size_t *bytes)
{
	*bytes = 5 * PAGE;
	return socket(AF_INET, SOCK_STREAM, 0);
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
	int packets = strcmp(WORD(1, "socket", "packet"), "packet") == 0;
	size_t bytes;
	int ring = packets ? packet_ring(&bytes) : socket_room(&bytes);
	char *mapped;

	if (ring < 0)
		skip("no such ring here");
	mapped = mmap(area + RING * PAGE, bytes, packets ? PROT_READ | PROT_WRITE : PROT_READ,
		      MAP_SHARED | MAP_FIXED, ring, 0);
	if (mapped == MAP_FAILED)
		skip("the ring cannot be mapped here");
	if (strcmp(WORD(2, "stays", "ends"), "ends") == 0)
		close(open("/proc/self/stat", O_RDONLY));
	touch("before it", 40, 50);
	touch("after it", RING + (int)(bytes / PAGE), PAGES);
	check("the ring", !packets || area[RING * PAGE] == 0);
	touch("before it", 0, RING);
	mark();
}
