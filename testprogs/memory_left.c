/*
 * memory_left: changes that a program may make to its .bss before it ends: pages that it has
 * written are made unreadable, replaced, moved or unmapped. With an argument it ends by that
 * signal.
 *
 * No mark with userfaultfd: mremap() ends lazy paging.
 * No mark on arm64: mprotect() to executable memory ends lazy paging.
 */
#include "guest.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#define PAGES 8 /* of each part */
#define PART  (PAGES * PAGE)
#define BOTH  (PROT_READ | PROT_WRITE)

static char area[128 * PART] __attribute__((aligned(PAGE)));
static char *next_part = area;

/* Each part is written but for its last page, and has unwritten neighbors. */
static char *part(void)
{
	char *start = next_part += 4 * PART;

	for (int i = 0; i < PAGES - 1; i++)
		start[i * PAGE] = 'w';
	return start;
}

static void protect(void)
{
	static const int protections[] = {PROT_NONE, PROT_READ, PROT_WRITE, PROT_EXEC,
					  PROT_READ | PROT_EXEC};

	for (unsigned i = 0; i < sizeof(protections) / sizeof(protections[0]); i++)
		check("protected", mprotect(part(), PART, protections[i]) == 0);
}

/* Where there are no keys, it is as if memory had one that allows everything. */
static void protect_by_key(void)
{
	char *start = part();
	int key = (int)syscall(SYS_pkey_alloc, 0, 0);

	check("key", key < 0 || syscall(SYS_pkey_mprotect, start, PART, BOTH, key) == 0);
	check("with it", start[0] == 'w' && start[PART - 1] == 0);
	start[1] = 'k';
}

static void replace(void)
{
	int file = (int)syscall(SYS_memfd_create, "file", 0), flags = MAP_FIXED | MAP_SHARED;
	char *start = part();

	check("file", file >= 0 && ftruncate(file, PART) == 0);
	check("shared", mmap(start, PART, BOTH, flags, file, 0) == start);
	start[PAGE] = 's';
	check("remapped", remap_file_pages(start, PAGE, 0, 1, 0) == 0 && start[0] == 's');
	start = part();
	check("beyond the end", mmap(start, PART, BOTH, flags, file, PART / 2) == start);
	start[0] = 's';
	start = part();
	check("reserved", mmap(start, PART, PROT_NONE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0) == start);
}

static void attach(void)
{
	int segment = shmget(IPC_PRIVATE, PART, IPC_CREAT | 0600);
	char *start = part(), *gone = part();

	check("attached", shmat(segment, start, SHM_REMAP) == start);
	check("for a moment", shmat(segment, gone, SHM_REMAP) == gone);
	start[PAGE] = 'a';
	check("the same", gone[PAGE] == 'a' && shmdt(gone) == 0);
	shmctl(segment, IPC_RMID, NULL);
}

static void move(void)
{
	char *start = part(), *target = part();

	check("unmapped", munmap(part(), PART) == 0);
	check("moved", mremap(start, PART, PART, MREMAP_FIXED | MREMAP_MAYMOVE, target) == target);
	check("there", target[0] == 'w' && target[PART - 1] == 0);
	start = part();
	check("given back", madvise(start, PART, MADV_DONTNEED) == 0 && start[0] == 0);
}

int main(int argc, char **argv)
{
	/* A stream of touches, which a policy fills ahead. */
	for (char *at = area + sizeof(area) / 2; at < area + sizeof(area); at += PAGE)
		*at = 'w';
	protect();
	protect_by_key();
	replace();
	attach();
	move();
	check("room", next_part < area + sizeof(area) / 2);
	mprotect(area + sizeof(area) / 2, sizeof(area) / 4, PROT_NONE);
	mark();
	fflush(stdout);
	if (argc > 1)
		raise(atoi(argv[1]));
}
