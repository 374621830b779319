/*
 * Processes that run during a measurement. One touches memory and drops it, so that the host has
 * backed it before anything is timed. The other is the hog, which touches random pages of a large
 * area until it is ended. Both end with the row.
 */
#include "bench/experiments/access.h"
#include "bench/shared/statistics.h"
#include "common/page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOG_MOST  ((size_t)2 << 30)
#define HOG_TIMES 4u

size_t access_hog_bytes(const struct settings *settings)
{
	size_t most = reading_available() / 2;

	if (most > HOG_MOST)
		most = HOG_MOST;
	if (most / HOG_TIMES > settings->bytes)
		most = settings->bytes * HOG_TIMES;
	return page_floor(most);
}

/* A child that dies with this process, even when this one has died before the prctl. */
static pid_t fork_bound(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		reading_fail("cannot fork: %s", strerror(errno));
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
	}
	return pid;
}

/* An area whose pages are all there; NULL with errno set. */
static volatile unsigned char *touched_area(size_t bytes)
{
	volatile unsigned char *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (area == MAP_FAILED)
		return NULL;
	for (size_t at = 0; at < bytes; at += PAGE_BYTES)
		area[at] = 1;
	return area;
}

/* The fork reports by its exit status: reading_fail() there would end the row itself. */
void access_warm(size_t bytes)
{
	pid_t pid = fork_bound();
	int status;

	if (pid == 0)
		_exit(touched_area(bytes) == NULL ? 1 : 0);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status != 0)
		reading_fail("no %zu MiB of memory to make warm", bytes >> 20);
}

/* If memory runs out, the kernel should kill the hog first. */
static void offer_to_oom_killer(void)
{
	static const char most[] = "1000";
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	/* A failed write does little harm: the hog is mostly the largest process all the same. */
	if (fd >= 0 && write(fd, most, sizeof(most) - 1) < 0)
		errno = 0;
	if (fd >= 0)
		close(fd);
}

static _Noreturn void hog(uint64_t seed, size_t bytes, int ready)
{
	volatile unsigned char *area;

	offer_to_oom_killer();
	area = touched_area(bytes);
	if (area == NULL || write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		area[statistics_random(&seed) % (bytes / PAGE_BYTES) * PAGE_BYTES]++;
}

pid_t access_hog_start(const struct settings *settings, size_t bytes, size_t cpu)
{
	int ready[2];
	char nothing;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC) != 0)
		reading_fail("no pipe: %s", strerror(errno));
	pid = fork_bound();
	if (pid == 0) {
		reading_stay_on(cpu);
		hog(~settings->seed, bytes, ready[1]);
	}
	close(ready[1]);
	if (read(ready[0], &nothing, 1) != 1)
		reading_fail("the hog did not get its %zu MiB", bytes >> 20);
	close(ready[0]);
	return pid;
}

void access_hog_stop(pid_t hog)
{
	bool died = waitpid(hog, NULL, WNOHANG) != 0;

	if (died)
		reading_fail("the hog was ended early, perhaps for want of memory");
	kill(hog, SIGKILL);
	/* The hog's memory is free again before the next row starts. */
	while (waitpid(hog, NULL, 0) < 0 && errno == EINTR)
		;
}
