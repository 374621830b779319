#include "loader/resident/base/trace.h"

#include "common/arch/bytes.h"
#include "common/arch/syscall.h"
#include "common/clock.h"
#include "common/kernel_abi.h"
#include "common/page.h"
#include "loader/resident/arch/gadget.h"

struct trace *resident_trace;

static const struct timespec patience = {.tv_nsec = 100 * 1000 * 1000};

/* Takes a turn, a number from 1 on, for a place in the ring. Returns 0 if the ring is full. */
static uint64_t take_turn(struct trace *ring)
{
	uint64_t begun = __atomic_load_n(&ring->begun, __ATOMIC_RELAXED);

	do {
		if (begun - __atomic_load_n(&ring->taken, __ATOMIC_ACQUIRE) >= TRACE_EVENTS) {
			__atomic_add_fetch(&ring->lost, 1, __ATOMIC_RELAXED);
			return 0;
		}
	} while (!__atomic_compare_exchange_n(&ring->begun, &begun, begun + 1, true,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return begun + 1;
}

static void tell_reader(struct trace *ring)
{
	__atomic_add_fetch(&ring->news, 1, __ATOMIC_SEQ_CST);
	raw_syscall3(SYS_futex, (uint64_t)&ring->news, KERNEL_FUTEX_WAKE, 1);
}

/* Whether a reader is there to read the events. */
static bool has_reader(const struct trace *ring)
{
	return (__atomic_load_n(&ring->reader, __ATOMIC_SEQ_CST) & KERNEL_FUTEX_OWNER) != 0;
}

/*
 * Waits until the reader has read this event. Stops waiting if the loader has been killed: then no
 * reader is left. Also stops waiting when the loader itself is stopped (`in_step` is false then).
 * This process may be the one that has to continue the loader.
 */
static void wait_for_reader(struct trace *ring, uint64_t turn)
{
	for (;;) {
		uint32_t read = __atomic_load_n(&ring->read, __ATOMIC_SEQ_CST);

		if (!has_reader(ring) || !__atomic_load_n(&ring->in_step, __ATOMIC_SEQ_CST) ||
		    __atomic_load_n(&ring->taken, __ATOMIC_SEQ_CST) >= turn)
			return;
		raw_syscall6(SYS_futex, (uint64_t)&ring->read, KERNEL_FUTEX_WAIT, read,
			     (uint64_t)&patience, 0, 0);
	}
}

static bool is_wanted(const struct trace *ring, enum trace_kind kind)
{
	return (ring->kinds >> kind & 1) != 0 && has_reader(ring);
}

/* Fills in the IDs and the time, and writes the event to the ring. */
static void publish(struct trace *ring, struct trace_event *event)
{
	struct trace_event *place;
	uint64_t turn;

	event->time = clock_now_ns();
	turn = take_turn(ring);
	if (turn == 0)
		return;
	event->turn = 0;
	event->process = (int32_t)raw_syscall0(SYS_getpid);
	event->thread = (int32_t)raw_syscall0(SYS_gettid);
	place = &ring->events[(turn - 1) % TRACE_EVENTS];
	*place = *event;
	__atomic_store_n(&place->turn, turn, __ATOMIC_RELEASE);
	/* If not in step, the reader need not be woken: it checks every few milliseconds. */
	if (ring->in_step) {
		tell_reader(ring);
		wait_for_reader(ring, turn);
	}
}

void trace_write(enum trace_kind kind, int detail, uint64_t address, uint64_t pages,
		 uint64_t instruction)
{
	struct trace_event event = {.address = address,
				    .instruction = instruction,
				    .pages = pages,
				    .kind = kind,
				    .detail = detail};

	if (is_wanted(resident_trace, kind))
		publish(resident_trace, &event);
}

/*
 * Copies up to `most` bytes, one page at a time, because the next page may be missing. Returns how
 * many.
 */
static uint8_t copy_text(char *to, uint64_t from, uint64_t most, bool counted)
{
	uint64_t length = 0;

	while (length < most) {
		uint64_t part = PAGE_BYTES - from % PAGE_BYTES;

		if (part > most - length)
			part = most - length;
		if (gadget_copy(to + length, (const void *)from, part) != 0)
			return TRACE_UNREADABLE;
		for (from += part; part > 0; part--, length++)
			if (!counted && to[length] == '\0')
				return (uint8_t)length;
	}
	return (uint8_t)length;
}

static void copy_texts(const struct trace *ring, uint64_t number, struct trace_event *event)
{
	for (unsigned i = 0; number < TRACE_CALLS && i < TRACE_TEXTS && ring->texts[number][i] != 0;
	     i++) {
		uint8_t text = ring->texts[number][i];
		bool counted = (text & TRACE_TEXT_COUNTED) != 0;
		uint64_t *argument = &event->arguments[(text & TRACE_TEXT_ARGUMENT) - 1];
		uint64_t most = TRACE_TEXT_BYTES;

		if (counted && argument[1] < most)
			most = argument[1];
		event->text_bytes[i] = copy_text(event->texts[i], argument[0], most, counted);
	}
}

void trace_retire(int reason, long call, uint64_t pages)
{
	struct trace_event event = {
	    .pages = pages, .kind = TRACE_RETIRE, .detail = reason, .arguments = {(uint64_t)call}};

	if (is_wanted(resident_trace, TRACE_RETIRE))
		publish(resident_trace, &event);
}

/* Copies the texts before it takes a turn: revealing a page of a text is an event of its own. */
void trace_call(struct traced_call *last, uint64_t result, const struct call *call, uint64_t pages)
{
	struct trace *ring = resident_trace;
	struct trace_event event = {.instruction = call->place,
				    .pages = pages,
				    .kind = TRACE_CALL,
				    .detail = (int)call->number};

	if (last->open)
		trace_write(TRACE_RESULT, (int)last->number, result, 0, 0);
	last->number = call->number;
	/* After a handler's return the result register holds a value of the program's. */
	last->open = call->number != SYS_rt_sigreturn;
	if (!is_wanted(ring, TRACE_CALL))
		return;
	bytes_copy(event.arguments, call->arguments, sizeof(event.arguments));
	copy_texts(ring, call->number, &event);
	publish(ring, &event);
}

void trace_write_fault(enum trace_kind kind, const struct fault *fault)
{
	enum trace_access access = TRACE_READ;

	if (!fault->by_access)
		access = TRACE_NO_ADDRESS;
	else if (fault->write)
		access = TRACE_WRITE;
	else if (fault->execute)
		access = TRACE_EXECUTE;
	trace_write(kind, (int)access, fault->by_access ? fault->address : 0, 0,
		    fault->instruction);
}
