/*
 * Counters through perf_event_open(2). The launcher is linked with this file, too, so it is small.
 */
#include "bench/shared/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *name;
	uint32_t type;
	uint64_t event;
} events[] = {
#define X(name, type, event) [COUNTER_##name] = {#name, type, event},
    COUNTER_EVENTS(X)
#undef X
};

/* A descriptor, or minus an error number. */
static int open_event(enum counter counter, enum counters_of whose, int group, bool user_only)
{
	bool children = whose == COUNTERS_CHILDREN;
	struct perf_event_attr attributes = {
	    .type = events[counter].type,
	    .size = sizeof(attributes),
	    .config = events[counter].event,
	    .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	    .disabled = children && group == -1,
	    .enable_on_exec = children && group == -1,
	    .inherit = children,
	    .exclude_kernel = user_only,
	    .exclude_hv = user_only,
	};
	long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* perf_event_paranoid at 2, the usual value, lets people without privilege see user mode only. */
static int open_allowed(struct counters *counters, enum counter counter, enum counters_of whose,
			int group)
{
	int fd = open_event(counter, whose, group, counters->counts.user_only);

	if ((fd != -EACCES && fd != -EPERM) || counters->counts.user_only)
		return fd;
	fd = open_event(counter, whose, group, true);
	if (fd >= 0)
		counters->counts.user_only = 1;
	return fd;
}

void counters_open(struct counters *counters, enum counters_of whose)
{
	int leader = -1;

	memset(counters, 0, sizeof(*counters));
	for (enum counter i = 0; i < COUNTER_COUNT; i++) {
		/*
		 * The kernel's own events stay out of the group. They can always be counted; the
		 * group cannot if the processor has too few counters.
		 */
		bool software = events[i].type == PERF_TYPE_SOFTWARE;
		int fd = open_allowed(counters, i, whose, software ? -1 : leader);

		counters->fd[i] = fd;
		counters->counts.error[i] = fd < 0 ? -fd : 0;
		if (!software && leader < 0 && fd >= 0)
			leader = fd;
	}
}

void counters_read(struct counters *counters, struct counts *counts)
{
	for (enum counter i = 0; i < COUNTER_COUNT; i++) {
		struct {
			uint64_t value, enabled, running;
		} seen;

		if (counters->fd[i] < 0)
			continue;
		counters->counts.error[i] = 0;
		if (read(counters->fd[i], &seen, sizeof(seen)) != (ssize_t)sizeof(seen))
			counters->counts.error[i] = errno;
		else if (seen.running < seen.enabled)
			counters->counts.error[i] = COUNTER_NOT_SCHEDULED;
		else
			counters->counts.value[i] = seen.value;
	}
	*counts = counters->counts;
}

void counters_close(struct counters *counters)
{
	for (enum counter i = 0; i < COUNTER_COUNT; i++)
		if (counters->fd[i] >= 0)
			close(counters->fd[i]);
}

const char *counter_name(enum counter counter)
{
	return events[counter].name;
}

const char *counter_reason(int32_t error)
{
	switch (error) {
	case COUNTER_NOT_SCHEDULED:
		return "the processor has too few counters for the group";
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		return "the processor or the virtual machine has none";
	case EACCES:
	case EPERM:
		return "not permitted: see /proc/sys/kernel/perf_event_paranoid";
	default:
		return strerror(error);
	}
}
