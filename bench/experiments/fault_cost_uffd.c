/* Pages through userfaultfd: in a SIGBUS handler of the faulting thread, or in another thread. */
#include "bench/experiments/fault_cost.h"
#include "common/kernel_abi.h"
#include "common/page.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int uffd = -1; /* of all passes */

/* The source of copied pages. It is written once, so that it is not the zero page. */
static uint8_t source[MOST_PAGES * PAGE_BYTES] __attribute__((aligned(4096)));

static void open_uffd(uint64_t features)
{
	struct kernel_uffd_api api = {.api = KERNEL_UFFD_API, .features = features};

	/* Faults of user code are enough here, and need no privilege. */
	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | KERNEL_UFFD_USER_MODE_ONLY);
	if (uffd < 0)
		reading_fail("userfaultfd: %s", strerror(errno));
	if (ioctl(uffd, KERNEL_UFFDIO_API, &api) != 0)
		reading_fail("userfaultfd with features %#lx: %s", (unsigned long)features,
			     strerror(errno));
	memset(source, 2, sizeof(source));
}

static bool watch(const struct settings *settings, uint8_t *area)
{
	struct kernel_uffd_register request = {.range = {(uint64_t)area, settings->bytes},
					       .mode = KERNEL_UFFD_REGISTER_MODE_MISSING};

	return ioctl(uffd, KERNEL_UFFDIO_REGISTER, &request) == 0;
}

/* The thread lives as long as the process: there are no faults at the end. */
static void *serve_faults(void *unused)
{
	struct uffd_msg message;

	for (;;) {
		ssize_t length = read(uffd, &message, sizeof(message));

		if (length == (ssize_t)sizeof(message) && message.event == UFFD_EVENT_PAGEFAULT)
			fault_cost_serve((uint8_t *)message.arg.pagefault.address);
		else if (length >= 0 || (errno != EAGAIN && errno != EINTR))
			reading_fail("read from userfaultfd: %s", strerror(errno));
	}
	return unused;
}

bool hide_uffd_sigbus(const struct settings *settings, uint8_t *area)
{
	if (uffd < 0)
		open_uffd(KERNEL_UFFD_FEATURE_SIGBUS);
	return watch(settings, area);
}

bool hide_uffd_thread(const struct settings *settings, uint8_t *area)
{
	pthread_t thread;

	if (uffd < 0) {
		open_uffd(0);
		errno = pthread_create(&thread, NULL, serve_faults, NULL);
		if (errno != 0)
			return false;
	}
	return watch(settings, area);
}

/* UFFDIO_COPY fills the pages, and wakes the thread that waits for them. */
bool reveal_copy(uint8_t *start, size_t bytes)
{
	struct kernel_uffd_copy request = {
	    .to = (uint64_t)start, .from = (uint64_t)source, .length = bytes};

	return ioctl(uffd, KERNEL_UFFDIO_COPY, &request) == 0;
}
