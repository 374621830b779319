/*
 * memory_guard WAY: guard pages (Linux 6.13) in .bss are still guarded after many calls. WAY is how
 * they came there: by process_madvise ("process", Linux 6.15), by mremap of pages that were guarded
 * elsewhere ("moved"), or by an advice that is valid only as an int ("int").
 *
 * No mark: each of the three ends lazy paging.
 */
#include "guest.h"
#include "guard_page.h"

#include <sys/uio.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif

#define LENGTH (8L * PAGE)

static volatile char pages[2048][PAGE] __attribute__((aligned(PAGE)));

static int guard_by_process(void *place)
{
	struct iovec range = {place, LENGTH};
	long self = syscall(SYS_pidfd_open, getpid(), 0);

	return syscall(SYS_process_madvise, self, &range, 1, GUARD_INSTALL, 0) == LENGTH;
}

static int guard_moved(void *place)
{
	void *own = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return own != MAP_FAILED && madvise(own, LENGTH, GUARD_INSTALL) == 0 &&
	       mremap(own, LENGTH, LENGTH, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "process", "moved", "int");
	char *place = (char *)pages[2000];
	int guarded;

	if (strcmp(way, "process") == 0)
		guarded = guard_by_process(place);
	else if (strcmp(way, "moved") == 0)
		guarded = guard_moved(place);
	else
		guarded = syscall(SYS_madvise, place, LENGTH, (1L << 32) | GUARD_INSTALL) == 0;
	printf("guarded: %d\n", guarded);
	fflush(stdout);
	for (int i = 0; i < 500; i++)
		syscall(SYS_getppid);
	touch_guard(place + PAGE);
	puts(guarded ? "it is gone" : "it cannot be guarded here");
}
