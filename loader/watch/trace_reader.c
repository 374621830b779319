#include "loader/watch/supervise.h"

#include "common/arch/syscall.h"
#include "common/clock.h"
#include "common/kernel_abi.h"
#include "common/report.h"
#include "loader/watch/call_words.h"
#include "loader/watch/explain.h"
#include "loader/watch/trace_file.h"
#include "loader/watch/trace_words.h"

#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The ring, and the reader's progress. Static, because the kernel keeps the address of `list`. The
 * program can write anything to the ring, so data that the loader relies on is kept here.
 */
static struct {
	struct trace *ring;	   /* NULL: no trace is wanted */
	const struct guest *guest; /* NULL: the program has not started */
	uint64_t taken;		   /* turns that have been read */
	uint64_t start;		   /* CLOCK_MONOTONIC, ns, before the program starts */
	uint64_t holes;		   /* events that were never finished */
	uint64_t hole_at;	   /* turn + 1 of the event that the reader waits for; 0: none */
	uint64_t since;		   /* CLOCK_MONOTONIC, ns, when that wait began */
	struct kernel_robust_list list, *entry;
} reading;

/* In the order of --only's words in options.def. */
enum only { FAULTS, PAGES, CALLS, SIGNALS, THREADS };

/* The kinds that --only selects, one bit each; without --only all kinds. */
static uint32_t wanted_kinds(const struct options *options)
{
	static const uint8_t asked_by[] = {
#define KIND(name, word, asked_by) asked_by,
#include "loader/resident/base/trace_kinds.def"
	};
	uint32_t kinds = 0;

	for (unsigned kind = 0; kind < TRACE_KINDS; kind++)
		if (options->only == 0 || (options->only >> asked_by[kind] & 1) != 0)
			kinds |= UINT32_C(1) << kind;
	return kinds;
}

bool trace_prepare(const struct guest *guest, struct error *error)
{
	void *memory;

	if (!guest->is_traced)
		return true;
	memory = mmap(NULL, sizeof(*reading.ring), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		return error_no_memory(error, "for a trace");
	reading.ring = memory;
	/* A story has all kinds, whatever --only says. */
	reading.ring->kinds =
	    guest->options.explain != EXPLAIN_NOTHING ? UINT32_MAX : wanted_kinds(&guest->options);
	call_choose_texts(reading.ring->texts);
	reading.ring->in_step = guest->options.explain != EXPLAIN_NOTHING;
	resident_trace = reading.ring;
	return true;
}

/*
 * Makes the word a robust futex of this process: the kernel marks it when the process has ended. A
 * check of the process ID would not do: a zombie still has one, and another PID namespace does not
 * know the number.
 */
static void hold(uint32_t *futex)
{
	reading.list.next = (struct kernel_robust_list *)&reading.entry;
	reading.list.futex_offset = (char *)futex - (char *)&reading.entry;
	reading.entry = &reading.list;
	raw_syscall2(SYS_set_robust_list, (uint64_t)&reading.list, sizeof(reading.list));
	__atomic_store_n(futex, (uint32_t)getpid(), __ATOMIC_SEQ_CST);
}

void trace_read_begin(const struct guest *guest, int process)
{
	reading.guest = guest;
	if (reading.ring == NULL)
		return;
	reading.start = clock_now_ns();
	hold(&reading.ring->reader);
	if (guest->options.trace != NULL)
		trace_file_begin(guest, process, reading.start);
}

/* Whether resident code can have written an event: words are looked up by its numbers. */
static bool is_possible(const struct trace_event *event)
{
	for (unsigned i = 0; i < TRACE_TEXTS; i++)
		if (event->text_bytes[i] > TRACE_TEXT_BYTES &&
		    event->text_bytes[i] != TRACE_UNREADABLE)
			return false;
	return event->kind < TRACE_KINDS && trace_detail_is_possible(event);
}

static void read_event(const struct trace_event *place)
{
	struct trace_event event = *place;

	/* The copy is checked: the program may write to the ring meanwhile. */
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (!is_possible(&event)) {
		reading.holes++;
		return;
	}
	/*
	 * Such a time does not come from this clock: a filter denied the program the clock, or the
	 * program is in another time namespace.
	 */
	if (event.time < reading.start)
		event.time = clock_now_ns();
	if (reading.guest->options.trace != NULL &&
	    (wanted_kinds(&reading.guest->options) >> event.kind & 1) != 0)
		trace_file_event(reading.guest, &event);
	if (reading.guest->options.explain != EXPLAIN_NOTHING && event.kind != TRACE_RESULT)
		explain_event(reading.guest, &event);
}

/* A writer that is alive and running finishes its event much sooner. */
#define HOLE_NANOSECONDS UINT64_C(2000000000)

/* Whether the next event will never be finished, because its writer has been killed. */
static bool is_hole(uint64_t turn)
{
	uint64_t now = clock_now_ns();

	if (reading.hole_at != turn + 1) {
		reading.hole_at = turn + 1;
		reading.since = now;
	}
	return now - reading.since > HOLE_NANOSECONDS;
}

static void go_on_after(uint64_t turn)
{
	reading.taken = turn;
	__atomic_store_n(&reading.ring->taken, turn, __ATOMIC_SEQ_CST);
	if (!reading.ring->in_step)
		return;
	__atomic_add_fetch(&reading.ring->read, 1, __ATOMIC_SEQ_CST);
	raw_syscall3(SYS_futex, (uint64_t)&reading.ring->read, KERNEL_FUTEX_WAKE, INT_MAX);
}

/*
 * Reads all finished events in order, at most as many as the ring holds. `over`: no more events are
 * written, so unfinished ones are skipped. Returns whether there was an event.
 */
static bool read_events(bool over)
{
	uint64_t first = reading.taken, turn = first;

	for (; turn < __atomic_load_n(&reading.ring->begun, __ATOMIC_ACQUIRE) &&
	       turn - first < TRACE_EVENTS;
	     turn++) {
		const struct trace_event *place = &reading.ring->events[turn % TRACE_EVENTS];

		if (__atomic_load_n(&place->turn, __ATOMIC_ACQUIRE) == turn + 1)
			read_event(place);
		else if (over || is_hole(turn))
			reading.holes++;
		else
			break;
		go_on_after(turn + 1);
	}
	return turn > first;
}

const struct timespec *trace_read_some(void)
{
	static const struct timespec patience = {.tv_nsec = 5 * 1000 * 1000}, none = {0, 0};
	uint32_t news;

	if (reading.ring == NULL)
		return NULL;
	news = __atomic_load_n(&reading.ring->news, __ATOMIC_SEQ_CST);
	if (read_events(false))
		return &none;
	trace_file_flush();
	if (!reading.ring->in_step)
		return &patience;
	raw_syscall6(SYS_futex, (uint64_t)&reading.ring->news, KERNEL_FUTEX_WAIT, news,
		     (uint64_t)&patience, 0, 0);
	return &none;
}

void trace_read_stops(bool stops)
{
	if (reading.guest != NULL && reading.ring != NULL &&
	    reading.guest->options.explain != EXPLAIN_NOTHING)
		__atomic_store_n(&reading.ring->in_step, !stops, __ATOMIC_SEQ_CST);
}

void trace_read_end(int status)
{
	if (reading.ring == NULL)
		return;
	/* Ends the writing of events: children of the program may still run. */
	__atomic_store_n(&reading.ring->reader, 0, __ATOMIC_SEQ_CST);
	read_events(true);
	if (reading.guest->options.trace != NULL)
		trace_file_end(reading.ring->lost + reading.holes, status);
	/* Holes are not reported: they come from threads that the program killed. */
	if (reading.ring->lost > 0)
		report_warning("%lu event%s missing: too many at a time", reading.ring->lost,
			       reading.ring->lost == 1 ? " is" : "s are");
	if (reading.guest->options.explain != EXPLAIN_NOTHING)
		explain_end(reading.guest, status);
}
