/* The model's leave() and leave_by_exit(). */
#include "tests/unit/leaving_model.h"

#include <stddef.h>

static void call_and_go_on_at(struct model_next *next, enum place place, bool blocked)
{
	struct model_step *step = model_go_on_at(next, place);

	model_me(step)->fault_blocked = blocked;
	model_system_call(step);
}

static void run_reveal(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_BEGIN);

	step->after.revealed = true;
}

static void run_begin(struct model_next *next)
{
	struct model_step *step;
	bool begins =
	    next->mutation == ASKS_ONCE ? next->now->process == PROCESS_LAZY : !next->now->asked;

	if (!model_lock_is_free(next->now))
		return;
	step = model_go_on_at(next, begins ? AT_VISIT : AT_UNBLOCK);
	model_me(step)->began = begins;
	model_me(step)->visited = 0;
	if (!begins)
		return;
	step->after.process = PROCESS_LEAVING;
	if (next->mutation != ASKS_AFTER_RELEASE)
		step->after.lock = (uint8_t)(1 + next->thread);
}

static bool is_asked(const struct model_next *next, const struct model_thread *other)
{
	return other->state == THREAD_LAZY ||
	       (next->mutation == ASKS_EXECS && other->state == THREAD_EXECS);
}

static void run_visit(struct model_next *next)
{
	struct model_step *step = model_step(next, NULL);
	struct model_thread *me = model_me(step);
	unsigned i = me->visited;

	if (i == MODEL_THREADS) {
		me->place = AT_BEGUN;
	} else if (i == next->thread) {
		me->visited++;
	} else if (is_asked(next, &next->now->threads[i])) {
		me->place = AT_VISIT_ASK;
	} else {
		me->visited++;
	}
}

static void run_visit_ask(struct model_next *next)
{
	struct model_step *step;
	struct model_thread *asked;

	model_die(next, EVENT_KILL);
	step = model_go_on_at(next, AT_VISIT);
	asked = &step->after.threads[model_me(step)->visited++];
	if (asked->alive && asked->pending == SIGNAL_NONE)
		asked->pending = SIGNAL_REQUEST;
	model_system_call(step);
}

static void run_begun(struct model_next *next)
{
	struct model_step *step;

	model_die(next, EVENT_KILL);
	step = model_go_on_at(next, AT_UNBLOCK);
	step->after.asked = true;
	if (step->after.lock == 1 + next->thread)
		step->after.lock = 0;
}

static void run_unblock(struct model_next *next)
{
	call_and_go_on_at(next, AT_BLOCK, next->mutation == NO_TAKING_BACK);
}

static void run_block(struct model_next *next)
{
	call_and_go_on_at(next, AT_GIVE_AWAY, true);
}

static void give_away(struct model_step *step)
{
	struct model_thread *me = model_me(step);

	if (me->deferred && me->pending != SIGNAL_NONE)
		step->after.sent--;
	else if (me->deferred)
		me->pending = SIGNAL_FOREIGN;
	me->deferred = false;
}

static void run_give_away(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_NO_DISPATCH);

	if (next->mutation != DEFERRED_KEPT)
		give_away(step);
	model_system_call(step);
}

static void run_no_dispatch(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_LEAVE);

	model_me(step)->dispatch = model_me(step)->selector = false;
	model_me(step)->leaves_natively = true;
	model_system_call(step);
}

/* Whoever exits does not wait. */
static bool exits(const struct model_next *next)
{
	return !next->now->threads[next->thread].leaves_natively;
}

static enum leaving_turn turn_of(const struct model_thread *me, bool is_main, bool sleeps)
{
	if (me->call == EVENT_FILTER || me->call == EVENT_MILD)
		return TURN_FILTERS;
	if (me->call == EVENT_JOIN && sleeps)
		return TURN_SLEEPS;
	if (is_main)
		return TURN_MAIN;
	return me->began ? TURN_BEGAN : TURN_GOES_ON;
}

static void run_leave(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_LAST);

	model_me(step)->turn = (uint8_t)turn_of(model_me(step), next->thread == 0,
						next->mutation != SLEEPER_GOES_LAST);
	model_change(step, next->thread, THREAD_LEAVING, "state_leave");
	if (exits(next) && next->mutation == EXIT_GOES_FIRST)
		model_me(step)->state = THREAD_GONE;
}

static void run_last(struct model_next *next)
{
	bool last = next->now->process == PROCESS_LEAVING &&
		    !model_some_have_to_leave(next->now, next->mutation);
	struct model_step *step;

	model_die(next, EVENT_KILL);
	if (!model_lock_is_free(next->now))
		return;
	step = model_go_on_at(next, last ? AT_RESTORE : exits(next) ? AT_EXIT_STEP : AT_BARRIER);
	if (last)
		step->after.lock = (uint8_t)(1 + next->thread);
}

/* Whoever is killed in here has restored a part, which does no harm. */
static void run_restore(struct model_next *next)
{
	struct model_step *step;

	model_die(next, EVENT_KILL);
	step = model_go_on_at(next, AT_FINISH);
	if (next->now->process == PROCESS_NATIVE)
		step->wrong = "the handlers are restored twice";
	step->after.restored = true;
	model_system_call(step);
}

static void run_finish(struct model_next *next)
{
	model_die(next, EVENT_KILL);
	model_go_on_at(next, AT_FINISH_WAKE)->after.process = PROCESS_NATIVE;
}

static void run_finish_wake(struct model_next *next)
{
	struct model_step *step;

	model_die(next, EVENT_KILL);
	step = model_go_on_at(next, exits(next) ? AT_EXIT_STEP : AT_BARRIER);
	step->after.lock = 0;
	model_system_call(step);
}

/* state_bury_dead() */
static void bury(struct model_next *next)
{
	struct model_step *step = model_step(next, "state_bury_dead");

	for (unsigned i = 0; i < MODEL_THREADS; i++) {
		const struct model_thread *dead = &step->after.threads[i];

		if (!dead->alive && (dead->state != THREAD_BORN || dead->named) &&
		    model_has_to_leave(dead))
			model_change(step, i, THREAD_GONE, "state_bury_dead");
	}
	model_me(step)->place = AT_LAST;
}

static void run_barrier(struct model_next *next)
{
	if (next->now->process == PROCESS_NATIVE || next->mutation == NO_BARRIER)
		model_go_on_at(next, AT_WORD);
	else if (model_lock_is_free(next->now) && next->mutation != DEAD_NOT_BURIED &&
		 (next->mutation != FINISHES_ONCE ||
		  model_some_have_to_leave(next->now, next->mutation)))
		bury(next);
}

static void run_word(struct model_next *next)
{
	const struct model_thread *me = &next->now->threads[next->thread];
	struct model_thread *changed;

	model_go_on_at(next, AT_TURN);
	if (me->turn != TURN_SLEEPS)
		return;
	model_system_call(&next->steps[next->count - 1]);
	/* Or the word has changed, and the call returns at once. */
	changed = model_me(model_go_on_at(next, AT_TURN));
	changed->call = EVENT_END;
	if (next->mutation != SLEEPER_DOES_NOT_LOOK)
		changed->turn = (uint8_t)turn_of(changed, next->thread == 0, false);
}

static bool is_on_its_way(const struct model_next *next, const struct model_thread *other)
{
	return other->state == THREAD_LEAVING ||
	       (other->state == THREAD_NATIVE && other->awaited && !other->page &&
		next->mutation != WAITS_FOR_STATES_ONLY);
}

static bool goes_first(const struct model_next *next, unsigned i)
{
	const struct model_thread *other = &next->now->threads[i];
	const struct model_thread *me = &next->now->threads[next->thread];

	if (other->turn == me->turn)
		return other->turn == TURN_FILTERS &&
		       (i < next->thread || next->mutation == FILTERS_WAIT_FOR_EACH_OTHER);
	return other->turn < me->turn;
}

static bool others_go_first(const struct model_next *next)
{
	for (unsigned i = 0; i < MODEL_THREADS; i++)
		if (i != next->thread && next->now->threads[i].alive && goes_first(next, i) &&
		    is_on_its_way(next, &next->now->threads[i]))
			return true;
	return false;
}

static bool skips_turn(const struct model_next *next)
{
	uint8_t turn = next->now->threads[next->thread].turn;

	return (turn == TURN_FILTERS && next->mutation == FILTER_DOES_NOT_WAIT) ||
	       (turn == TURN_MAIN && next->mutation == MAIN_DOES_NOT_WAIT) ||
	       (turn == TURN_BEGAN && next->mutation == BEGAN_DOES_NOT_WAIT);
}

/* The look may be a system call. */
static void run_turn(struct model_next *next)
{
	bool waits = others_go_first(next) && !skips_turn(next);

	model_system_call(model_go_on_at(next, waits ? AT_TURN_YIELD : AT_AWAITED));
}

static void run_turn_yield(struct model_next *next)
{
	call_and_go_on_at(next, AT_TURN, true);
}

static void run_awaited(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_GO);

	for (unsigned i = 0; i < MODEL_THREADS; i++)
		if (i != next->thread && next->now->threads[i].state == THREAD_LEAVING &&
		    next->now->threads[i].alive)
			model_me(step)->awaited = true;
	if (model_me(step)->awaited)
		model_me(step)->place = AT_EMPTY;
}

static void run_empty(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_GO);

	model_me(step)->page = next->mutation == PAGE_NOT_EMPTIED;
	model_system_call(step);
}

static void run_go(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_END);
	struct model_thread *me = model_me(step);

	model_change(step, next->thread, THREAD_NATIVE, "state_go");
	me->resume = me->call == EVENT_FILTER ? AT_FILTER : AT_PROGRAM;
}

/* Natively, too, a signal that waits for one thread ends with that. */
static void run_exit(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_LEAVE);
	struct model_thread *me = model_me(step);

	me->fault_blocked = true;
	if (next->mutation == EXIT_DOES_NOT_LEAVE)
		me->place = AT_EXIT_CALL;
	step->after.sent -= me->deferred;
	me->deferred = false;
	model_system_call(step);
}

static void run_exit_step(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_EXIT_CALL);

	if (model_me(step)->state != THREAD_GONE)
		model_change(step, next->thread, THREAD_GONE, "state_exit");
}

/* The program's own call. */
static void run_exit_call(struct model_next *next)
{
	struct model_step *step = model_go_on_at(next, AT_NOWHERE);
	struct model_thread *me = model_me(step);

	step->after.sent -= me->pending == SIGNAL_FOREIGN;
	me->pending = SIGNAL_NONE;
	me->alive = false;
}

static void (*const runs[])(struct model_next *) = {
    [AT_EXIT] = run_exit,
    [AT_EXIT_STEP] = run_exit_step,
    [AT_EXIT_CALL] = run_exit_call,
    [AT_REVEAL] = run_reveal,
    [AT_BEGIN] = run_begin,
    [AT_VISIT] = run_visit,
    [AT_VISIT_ASK] = run_visit_ask,
    [AT_BEGUN] = run_begun,
    [AT_UNBLOCK] = run_unblock,
    [AT_BLOCK] = run_block,
    [AT_GIVE_AWAY] = run_give_away,
    [AT_NO_DISPATCH] = run_no_dispatch,
    [AT_LEAVE] = run_leave,
    [AT_LAST] = run_last,
    [AT_RESTORE] = run_restore,
    [AT_FINISH] = run_finish,
    [AT_FINISH_WAKE] = run_finish_wake,
    [AT_BARRIER] = run_barrier,
    [AT_WORD] = run_word,
    [AT_TURN] = run_turn,
    [AT_TURN_YIELD] = run_turn_yield,
    [AT_AWAITED] = run_awaited,
    [AT_EMPTY] = run_empty,
    [AT_GO] = run_go,
};

void model_run_leave(struct model_next *next, enum place place)
{
	runs[place](next);
}
