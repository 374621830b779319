#include "loader/resident/trace.h"

#include "common/arch/x86_64/syscall.h"
#include "common/clock.h"

#include <stddef.h>

struct trace *resident_trace;

static const struct timespec patience = {.tv_nsec = 100 * 1000 * 1000};

/* A place in the ring: the turn, counted from 1; 0 where the reader is too far behind. */
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

/* Gives up when the loader has been killed: nobody would ever read the event. */
static void wait_for_reader(struct trace *ring, uint64_t turn)
{
	for (;;) {
		uint32_t read = __atomic_load_n(&ring->read, __ATOMIC_SEQ_CST);

		if (!trace_has_reader(ring) ||
		    __atomic_load_n(&ring->taken, __ATOMIC_SEQ_CST) >= turn)
			return;
		raw_syscall6(SYS_futex, (uint64_t)&ring->read, KERNEL_FUTEX_WAIT, read,
			     (uint64_t)&patience, 0, 0);
	}
}

void trace_write(enum trace_kind kind, int detail, uint64_t address, uint64_t pages,
		 uint64_t instruction)
{
	struct trace *ring = resident_trace;
	struct trace_event *place;
	uint64_t now, turn;

	if (!trace_has_reader(ring))
		return;
	now = clock_now_ns();
	turn = take_turn(ring);
	if (turn == 0)
		return;
	place = &ring->events[(turn - 1) % TRACE_EVENTS];
	place->time = now;
	place->address = address;
	place->instruction = instruction;
	place->pages = pages;
	place->process = (int32_t)raw_syscall0(SYS_getpid);
	place->thread = (int32_t)raw_syscall0(SYS_gettid);
	place->kind = kind;
	place->detail = detail;
	__atomic_store_n(&place->turn, turn, __ATOMIC_RELEASE);
	/* If not in step, the reader need not be woken: it looks every few milliseconds. */
	if (ring->in_step) {
		tell_reader(ring);
		wait_for_reader(ring, turn);
	}
}

void trace_fault(enum trace_kind kind, const struct fault *fault)
{
	enum trace_access access = TRACE_READ;

	if (!fault->by_access)
		access = TRACE_NO_ADDRESS;
	else if (fault->write)
		access = TRACE_WRITE;
	else if (fault->execute)
		access = TRACE_EXECUTE;
	trace(kind, (int)access, fault->by_access ? fault->address : 0, 0, fault->instruction);
}
