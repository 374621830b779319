/* The model's program, with the gadget and what the kernel does when either calls it. */
#include "tests/unit/leaving_model.h"

#include <stddef.h>

/* The thread leaves the kernel after a call that the program has made itself. */
static void leave_kernel(struct model_step *step)
{
	struct model_thread *me = model_me(step);

	me->must_deliver = me->pending != SIGNAL_NONE && !me->fault_blocked;
}

static struct model_step *event(struct model_next *next, enum model_event event, const char *words)
{
	struct model_step *step;

	if (next->now->left[event] == 0)
		return NULL;
	step = model_step(next, words);
	step->is_event = true;
	step->after.left[event]--;
	return step;
}

/* The kernel drops the fault's signal if another one is pending; the fault comes again after it. */
static void touch(struct model_next *next)
{
	struct model_step *step;

	if (next->now->revealed)
		return;
	step = event(next, EVENT_TOUCH, "touches a hidden page");
	if (step == NULL)
		return;
	if (model_me(step)->pending == SIGNAL_NONE)
		model_me(step)->pending = SIGNAL_FAULT;
	leave_kernel(step);
}

static void call(struct model_next *next, enum model_event number, const char *words)
{
	struct model_step *step = event(next, number, words);
	struct model_thread *me;

	if (step == NULL)
		return;
	me = model_me(step);
	if (me->sys_blocked)
		step->wrong = "a call that is sent to us kills, because SIGSYS is blocked";
	me->call = (uint8_t)number;
	me->resume = AT_PROGRAM;
	me->place = AT_CALL;
	leave_kernel(step);
}

/* Which thread is last in the order of enum leaving_turn, from what the program has done. */
static unsigned order_of(const struct model_thread *thread, bool is_main)
{
	if (!thread->alive || thread->call == EVENT_JOIN)
		return 0;
	return is_main ? 3 : thread->began ? 2 : 1;
}

/* The program sets a filter in the one thread that goes last. */
static void set_filter_natively(struct model_next *next)
{
	const struct model_thread *threads = next->now->threads;
	unsigned order = order_of(&threads[next->thread], next->thread == 0);
	struct model_step *step;

	for (unsigned i = 0; i < MODEL_THREADS; i++)
		if (i != next->thread && order_of(&threads[i], i == 0) >= order)
			return;
	step = event(next, EVENT_NATIVE, "sets a filter natively");
	if (step != NULL)
		step->after.filter = true;
}

static void run_program(struct model_next *next)
{
	static const struct {
		enum model_event number;
		const char *words;
	} calls[] = {
	    {EVENT_CALL, "makes a short call"},
	    {EVENT_WAIT, "makes a call that may wait"},
	    {EVENT_END, "makes a call that ends lazy paging"},
	    {EVENT_JOIN, "is about to wait until another thread wakes it"},
	    {EVENT_FILTER, "is about to set a filter for all threads"},
	    {EVENT_MILD, "is about to set a mild filter for all threads"},
	    {EVENT_EXIT, "makes the call exit"},
	    {EVENT_EXEC, "makes the call execve"},
	    {EVENT_CLONE, "makes the call clone"},
	    {EVENT_FORK, "makes the call fork"},
	};
	const struct model_thread *me = &next->now->threads[next->thread];

	if (!me->dispatch || !me->selector) {
		set_filter_natively(next);
		return;
	}
	touch(next);
	for (unsigned i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		call(next, calls[i].number, calls[i].words);
}

void model_die(struct model_next *next, enum model_event number)
{
	struct model_step *step = event(next, number, "is killed without notice");
	struct model_thread *me;

	if (step == NULL)
		return;
	me = model_me(step);
	step->after.sent -= me->pending == SIGNAL_FOREIGN;
	step->after.sent -= me->deferred;
	me->pending = SIGNAL_NONE;
	me->alive = me->deferred = false;
}

static void return_from_call(struct model_next *next, enum model_event number)
{
	struct model_step *step;

	model_die(next, EVENT_DEATH);
	if (number == EVENT_CALL) {
		leave_kernel(model_go_on_at(next, AT_PROGRAM));
		return;
	}
	step = event(next, number, "is woken");
	if (step != NULL) {
		model_me(step)->place = AT_PROGRAM;
		leave_kernel(step);
	}
}

static void run_exec_made(struct model_next *next)
{
	struct model_step *step;

	model_die(next, EVENT_DEATH);
	model_go_on_at(next, AT_EXEC_BACK);
	step = model_step(next, "execve replaces the program");
	step->after.replaced = true;
	if (model_me(step)->pending == SIGNAL_REQUEST)
		step->wrong = "a request is pending when the new program begins";
}

void model_run_program(struct model_next *next, enum place place)
{
	switch (place) {
	case AT_PROGRAM:
		run_program(next);
		break;
	case AT_FILTER:
		model_go_on_at(next, AT_PROGRAM)->after.filter = true;
		break;
	case AT_GADGET_CALL:
		return_from_call(next, EVENT_CALL);
		break;
	case AT_GADGET_SLEEP:
		return_from_call(next, EVENT_WAKE);
		break;
	case AT_EXEC_MADE:
		run_exec_made(next);
		break;
	default:
		break;
	}
}
