#include "loader/watch/trace_reader.h"

#include "common/arch/x86_64/syscall.h"
#include "common/clock.h"
#include "common/kernel_abi.h"
#include "common/page.h"
#include "common/report.h"
#include "loader/watch/call_words.h"
#include "loader/watch/explain.h"
#include "loader/watch/trace_file.h"

#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

static struct trace *ring; /* NULL: none is wanted */
static const struct guest *the_guest;
static uint64_t holes; /* events that nobody finished */

#define KIND(name) (1U << TRACE_##name)

/* The kinds that --only asks for; all of them without it. */
static uint32_t wanted_kinds(const struct options *options)
{
	/* In the order of the words in options.def. */
	static const uint32_t groups[] = {
	    KIND(FAULT) | KIND(FATAL),
	    KIND(REVEAL) | KIND(POPULATE) | KIND(HUGE) | KIND(RETIRE),
	    KIND(CALL) | KIND(RESULT),
	    KIND(SIGNAL),
	    KIND(THREAD) | KIND(THREAD_EXIT) | KIND(FORK) | KIND(EXEC),
	};
	uint32_t kinds = 0;

	for (unsigned i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (options->only == 0 || (options->only >> i & 1) != 0)
			kinds |= groups[i];
	return kinds;
}

bool trace_prepare(const struct guest *guest, struct error *error)
{
	void *memory;

	if (!guest->is_traced)
		return true;
	memory = mmap(NULL, sizeof(*ring), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return error_no_memory(error, "for a trace");
	ring = memory;
	/* A story is whole. */
	ring->kinds =
	    guest->options.explain != EXPLAIN_NOTHING ? UINT32_MAX : wanted_kinds(&guest->options);
	call_choose_texts(ring->texts);
	ring->in_step = guest->options.explain != EXPLAIN_NOTHING;
	return true;
}

/*
 * Makes the word a robust futex of this process: the kernel marks it when the process has ended.
 * Asking for the process ID would not do: a zombie has one, and another PID namespace does not know
 * it.
 */
static void hold(uint32_t *futex)
{
	static struct kernel_robust_list *entry;
	static struct kernel_robust_list list;

	list.next = (struct kernel_robust_list *)&entry;
	list.futex_offset = (char *)futex - (char *)&entry;
	entry = &list;
	raw_syscall2(SYS_set_robust_list, (uint64_t)&list, sizeof(list));
	__atomic_store_n(futex, (uint32_t)getpid(), __ATOMIC_SEQ_CST);
}

void trace_begin(void)
{
	if (ring == NULL)
		return;
	ring->start = clock_now_ns();
	hold(&ring->reader);
	resident_trace = ring;
}

void trace_read_begin(const struct guest *guest, int process)
{
	the_guest = guest;
	if (ring != NULL && guest->options.trace != NULL)
		trace_file_begin(guest, process);
}

bool trace_is_read(void)
{
	return ring != NULL;
}

static void read_event(const struct trace_event *place)
{
	struct trace_event event = *place;

	/* The program could not read the clock (denied by a filter), or is in another time
	 * namespace. */
	if (event.time < ring->start)
		event.time = clock_now_ns();
	if (the_guest->options.trace != NULL &&
	    (wanted_kinds(&the_guest->options) >> event.kind & 1) != 0)
		trace_file_event(the_guest, &event);
	if (the_guest->options.explain != EXPLAIN_NOTHING && event.kind != TRACE_RESULT)
		explain_event(the_guest, &event);
}

/* Time enough for any writer that is still alive and running. */
#define HOLE_NANOSECONDS UINT64_C(2000000000)

/* Whether the next event will never be finished, because its writer has been killed. */
static bool is_hole(uint64_t turn)
{
	static uint64_t since, waited_for = UINT64_MAX;
	uint64_t now = clock_now_ns();

	if (waited_for != turn) {
		waited_for = turn;
		since = now;
	}
	return now - since > HOLE_NANOSECONDS;
}

static void go_on_behind(uint64_t turn)
{
	__atomic_store_n(&ring->taken, turn, __ATOMIC_SEQ_CST);
	if (!ring->in_step)
		return;
	__atomic_add_fetch(&ring->read, 1, __ATOMIC_SEQ_CST);
	raw_syscall3(SYS_futex, (uint64_t)&ring->read, KERNEL_FUTEX_WAKE, INT_MAX);
}

/*
 * Reads all finished events, in order. `over`: nobody writes any more, so unfinished ones are
 * passed over. Returns whether there was any.
 */
static bool read_events(bool over)
{
	uint64_t first = ring->taken, turn = first;

	for (; turn < __atomic_load_n(&ring->begun, __ATOMIC_ACQUIRE); turn++) {
		const struct trace_event *place = &ring->events[turn % TRACE_EVENTS];

		if (__atomic_load_n(&place->turn, __ATOMIC_ACQUIRE) == turn + 1)
			read_event(place);
		else if (over || is_hole(turn))
			holes++;
		else
			break;
		go_on_behind(turn + 1);
	}
	return turn > first;
}

struct timespec trace_read_some(void)
{
	static const struct timespec patience = {.tv_nsec = 5 * 1000 * 1000}, none = {0, 0};
	uint32_t news = __atomic_load_n(&ring->news, __ATOMIC_SEQ_CST);

	if (read_events(false))
		return none;
	trace_file_flush();
	if (!ring->in_step)
		return patience;
	raw_syscall6(SYS_futex, (uint64_t)&ring->news, KERNEL_FUTEX_WAIT, news, (uint64_t)&patience,
		     0, 0);
	return none;
}

void trace_read_end(int status)
{
	if (ring == NULL)
		return;
	/* From here on no event is written: children of the program may still run. */
	__atomic_store_n(&ring->reader, 0, __ATOMIC_SEQ_CST);
	read_events(true);
	if (the_guest->options.trace != NULL)
		trace_file_end(ring->lost + holes, status);
	/* Holes are not mentioned: they are threads that the program had killed. */
	if (ring->lost > 0)
		report_warning("%lu events are not told: too many at a time", ring->lost);
	if (the_guest->options.explain != EXPLAIN_NOTHING)
		explain_end(the_guest, status);
}
