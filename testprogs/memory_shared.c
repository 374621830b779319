/*
 * memory_shared: shared memory in place of untouched pages of static arrays, by mmap and by shmat.
 * It also tests what children see of it, and of private pages that were untouched before fork.
 *
 * No mark on arm64: shmat() with SHM_REMAP ends lazy paging.
 */
#include "guest.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#define BOTH (PROT_READ | PROT_WRITE)

static char area[256 * PAGE] __attribute__((aligned(PAGE)));
static char deep[256 * PAGE] __attribute__((aligned(PAGE)));
static struct shmid_ds segments[200] __attribute__((aligned(PAGE)));
static const char name[] = "shared";

/* Every generation writes to pages that its ancestors did not touch. */
static int generation(int depth)
{
	int status = 0;

	deep[(depth * 20 + 1) * PAGE] = (char)depth;
	if (depth < 8) {
		pid_t child = fork();

		if (child == 0)
			_exit(generation(depth + 1));
		waitpid(child, &status, 0);
	}
	for (int i = 0; i <= 8; i++)
		status += (deep[(i * 20 + 1) * PAGE] != (i <= depth ? i : 0)) << 8;
	return (status >> 8) + deep[(depth * 20 + 2) * PAGE];
}

int main(void)
{
	int file = (int)syscall(SYS_memfd_create, name, 0), segment;
	char *shared = area + 64 * PAGE, *other;
	pid_t child;

	must(file >= 0 && ftruncate(file, 16 * PAGE) == 0);
	check("shared", mmap(shared, 16 * PAGE, BOTH, MAP_SHARED | MAP_FIXED, file, 0) == shared);
	other = mmap(NULL, 16 * PAGE, BOTH, MAP_SHARED, file, 0);
	check("anonymous",
	      mmap(area + 100 * PAGE, 8 * PAGE, BOTH, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
		   0) == area + 100 * PAGE);
	shared[5 * PAGE] = 'p';
	child = fork();
	if (child == 0) {
		shared[6 * PAGE] = 'c';
		area[101 * PAGE + 1] = 'd';
		area[150 * PAGE] = 'e';
		_exit(other[5 * PAGE]);
	}
	waitpid(child, &segment, 0);
	printf("%c%c%c%d\n", WEXITSTATUS(segment), other[6 * PAGE], area[101 * PAGE + 1],
	       area[150 * PAGE]);

	segment = shmget(IPC_PRIVATE, 8 * PAGE, IPC_CREAT | 0600);
	check("segment", segment >= 0);
	check("occupied", shmat(segment, area + 200 * PAGE, 0) == (void *)-1 && errno == EINVAL);
	check("attached", shmat(segment, area + 200 * PAGE, SHM_REMAP) == area + 200 * PAGE);
	other = shmat(segment, NULL, 0);
	check("status", shmctl(segment, IPC_STAT, &segments[67]) == 0);
	printf("%d attached, %zu bytes\n", (int)segments[67].shm_nattch, segments[67].shm_segsz);
	shmctl(segment, IPC_RMID, NULL);
	child = fork();
	if (child == 0) {
		area[203 * PAGE] = 's';
		_exit(0);
	}
	waitpid(child, NULL, 0);
	printf("%c, around %d\n", other[3 * PAGE], area[199 * PAGE] + area[208 * PAGE]);
	check("detached", shmdt(area + 200 * PAGE) == 0 && shmdt(other) == 0);
	printf("generations: %d wrong\n", generation(0));
	mark();
}
