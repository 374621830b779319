/* The model's handlers of ours: handlers_end(), guard_call() and what it calls. leave() follows. */
#include "tests/unit/leaving_model.h"

#include <stddef.h>

static bool must_leave(const struct model_next *next)
{
	return next->now->process != PROCESS_LAZY &&
	       next->now->threads[next->thread].state == THREAD_LAZY;
}

/* gadget_unwind(): whoever was to go on in the gadget goes on in the program. */
static void unwind(struct model_thread *me)
{
	me->resume = AT_PROGRAM;
	me->place = AT_END;
}

static void run_fault(struct model_next *next)
{
	bool leaves = must_leave(next) && next->mutation != NO_LOOK_AFTER_FAULT;

	model_go_on_at(next, leaves ? AT_END : AT_FAULT_RETURN);
}

static void run_request(struct model_next *next)
{
	unwind(model_me(model_step(next, NULL)));
}

static void run_foreign(struct model_next *next)
{
	struct model_step *step = model_step(next, NULL);

	model_me(step)->fault_blocked = false;
	unwind(model_me(step));
	step->after.handled++;
	model_system_call(step);
}

static void run_end(struct model_next *next)
{
	model_me(model_go_on_at(next, AT_END_LOOK))->news = false;
}

static void run_end_look(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_END_DEFERRED);
	struct model_thread *me = model_me(step);

	if (!must_leave(next))
		return;
	me->resume = AT_PROGRAM;
	me->place = AT_BEGIN;
}

static void run_end_deferred(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_RETURN_LOOK);
	struct model_thread *me = model_me(step);

	if (!me->deferred)
		return;
	unwind(me);
	me->deferred = me->fault_blocked = false;
	step->after.handled++;
	model_system_call(step);
}

static void run_return_look(struct model_next *next)
{
	bool news = next->now->threads[next->thread].news;

	model_go_on_at(next, news ? AT_END : AT_RETURN);
}

/* rt_sigreturn; the kernel gets the mask, and the alternate stack, from the context. */
static void run_return(struct model_next *next)
{
	struct model_step *step = model_step(next, NULL);
	struct model_thread *me = model_me(step);

	if (step->after.filter)
		step->wrong = "rt_sigreturn under the program's filter";
	me->page |= me->leaves_natively;
	me->place = me->resume;
	me->fault_blocked = false;
	me->sys_blocked = me->leaves_natively && next->thread == 1;
	me->our_stack = !me->leaves_natively;
	me->must_deliver = me->pending != SIGNAL_NONE;
}

static void run_fault_return(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_PROGRAM);

	model_me(step)->fault_blocked = false;
	model_me(step)->must_deliver = model_me(step)->pending != SIGNAL_NONE;
}

static void decide(struct model_step *step)
{
	struct model_thread *me = model_me(step);

	switch (me->call) {
	case EVENT_CALL:
		me->resume = AT_GADGET_CALL;
		me->place = AT_END;
		break;
	case EVENT_WAIT:
		me->resume = AT_GADGET_SLEEP;
		me->place = AT_END;
		break;
	case EVENT_FORK:
		me->place = AT_FORK;
		break;
	case EVENT_EXEC:
		me->place = AT_EXEC;
		break;
	case EVENT_EXIT:
		me->place = AT_EXIT;
		break;
	default:
		me->place = AT_REVEAL;
	}
}

/* A block for a new thread: one that is FREE, or that a thread has exited on. */
static void make_thread(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_END);
	struct model_thread *child;

	for (unsigned i = 0; i < MODEL_THREADS; i++) {
		child = &step->after.threads[i];
		if (child->alive ||
		    (child->state != THREAD_FREE && (child->state != THREAD_GONE || !child->named)))
			continue;
		model_change(step, i, THREAD_BORN, "state_new");
		*child =
		    (struct model_thread){.state = THREAD_BORN, .our_stack = true, .page = true};
		model_me(step)->place = AT_CLONE_JOIN;
		model_me(step)->visited = (uint8_t)i;
		return;
	}
}

static void run_call(struct model_next *next)
{
	const struct model_thread *me = &next->now->threads[next->thread];

	if (next->now->revealed)
		model_go_on_at(next, AT_REVEAL);
	else if (me->call == EVENT_CLONE)
		make_thread(next);
	else
		decide(model_step(next, NULL));
}

static void run_join(struct model_next *next)
{
	model_go_on_at(next, AT_CLONE_SPAWN);
}

static void run_spawn(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_CLONE_NAME);
	struct model_thread *child = &step->after.threads[model_me(step)->visited];

	child->alive = true;
	child->place = AT_ENTER;
	child->resume = AT_PROGRAM;
	model_system_call(step);
}

static void run_name(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_END);
	struct model_thread *child = &step->after.threads[model_me(step)->visited];

	child->named = next->mutation != BORN_NOT_NAMED;
	model_me(step)->visited = 0;
}

static void run_enter(struct model_next *next)
{
	struct model_step *step;

	model_die(next, EVENT_DEATH);
	step = model_go_on_at(next, AT_INTERCEPT);
	model_change(step, next->thread, THREAD_LAZY, "state_enter");
}

static void run_intercept(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_END);

	model_me(step)->dispatch = model_me(step)->selector = true;
	model_system_call(step);
}

static void run_fork(struct model_next *next)
{
	struct model_step *step;

	if (!model_lock_is_free(next->now))
		return;
	step = model_go_on_at(next, AT_FORK_MADE);
	step->after.lock = (uint8_t)(1 + next->thread);
	model_me(step)->fault_blocked = true;
}

/* From the child on the model is about the child alone. */
static void run_fork_made(struct model_next *next)
{
	struct model_step *parent = model_go_on_at(next, AT_END), *child;

	parent->after.lock = 0;
	model_me(parent)->fault_blocked = false;
	model_system_call(parent);
	child = model_go_on_at(next, AT_INTERCEPT);
	child->words = "fork returns in the child";
	child->after.lock = 0;
	for (unsigned i = 0; i < MODEL_THREADS; i++) {
		uint8_t state = next->now->threads[i].state;

		if (i != next->thread)
			child->after.threads[i] = (struct model_thread){
			    .state = next->mutation == FORK_KEEPS_BLOCKS ? state : THREAD_FREE};
	}
	child->after.sent = child->after.handled = 0;
	*model_me(child) = (struct model_thread){.state = THREAD_LAZY,
						 .place = AT_INTERCEPT,
						 .resume = AT_PROGRAM,
						 .alive = true,
						 .named = true,
						 .page = true,
						 .our_stack = true};
}

static void run_exec(struct model_next *next)
{
	struct model_step *step;

	if (!model_lock_is_free(next->now))
		return;
	step = model_go_on_at(next, AT_END);
	if (next->now->process != PROCESS_LAZY)
		return;
	model_change(step, next->thread, THREAD_EXECS, "state_exec_begin");
	model_me(step)->place = AT_EXEC_BLOCK;
}

static void run_exec_block(struct model_next *next)
{
	struct model_step *step = model_step(next, NULL);

	model_me(step)->fault_blocked = true;
	model_me(step)->place = model_me(step)->deferred ? AT_EXEC_BACK : AT_EXEC_WINDOW;
	model_system_call(step);
}

static void run_exec_window(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_EXEC_MADE);

	model_me(step)->fault_blocked = false;
	model_system_call(step);
}

static void run_exec_back(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_EXEC_FAILED);

	model_me(step)->fault_blocked = false;
	model_system_call(step);
}

static void run_exec_failed(struct model_next *next)
{
	if (model_lock_is_free(next->now))
		model_change(model_go_on_at(next, AT_END), next->thread, THREAD_LAZY,
			     "state_exec_failed");
}

static void (*const runs[])(struct model_next *) = {
    [AT_FAULT] = run_fault,
    [AT_FAULT_RETURN] = run_fault_return,
    [AT_REQUEST] = run_request,
    [AT_FOREIGN] = run_foreign,
    [AT_END] = run_end,
    [AT_END_LOOK] = run_end_look,
    [AT_END_DEFERRED] = run_end_deferred,
    [AT_RETURN_LOOK] = run_return_look,
    [AT_RETURN] = run_return,
    [AT_CALL] = run_call,
    [AT_CLONE_JOIN] = run_join,
    [AT_CLONE_SPAWN] = run_spawn,
    [AT_CLONE_NAME] = run_name,
    [AT_ENTER] = run_enter,
    [AT_INTERCEPT] = run_intercept,
    [AT_FORK] = run_fork,
    [AT_FORK_MADE] = run_fork_made,
    [AT_EXEC] = run_exec,
    [AT_EXEC_BLOCK] = run_exec_block,
    [AT_EXEC_WINDOW] = run_exec_window,
    [AT_EXEC_BACK] = run_exec_back,
    [AT_EXEC_FAILED] = run_exec_failed,
};

void model_run_handler(struct model_next *next, enum place place)
{
	if (place < sizeof(runs) / sizeof(runs[0]))
		runs[place](next);
	else
		model_run_leave(next, place);
}
