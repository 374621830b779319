/* The state of the model: its beginning, its invariants, and what the kernel does about signals. */
#include "tests/unit/leaving_model.h"

#include <stdio.h>
#include <string.h>

struct table_step {
	uint8_t from, to;
	const char *by, *words;
	bool taken;
};

static struct table_step table[] = {
#define STEP(from, to, by) {THREAD_##from, THREAD_##to, #by, #from " -> " #to " by " #by, false},
#include "loader/resident/threads/states.def"
};

#define TABLE_STEPS (sizeof(table) / sizeof(table[0]))

static const char *const state_names[] = {
#define STATE(name) #name,
#include "loader/resident/threads/states.def"
};

static const char *const place_words[] = {
#define PLACE(name, words) words,
#include "tests/unit/leaving_places.def"
};

struct model_thread *model_me(struct model_step *step)
{
	return &step->after.threads[step->thread];
}

struct model_step *model_step(struct model_next *next, const char *words)
{
	struct model_step *step = &next->steps[next->count++];
	struct model_thread *me;

	step->after = *next->now;
	step->thread = (uint8_t)next->thread;
	step->wrong = NULL;
	step->is_event = false;
	me = model_me(step);
	step->words = words != NULL ? words : place_words[me->place];
	me->must_deliver = false;
	return step;
}

struct model_step *model_go_on_at(struct model_next *next, enum place place)
{
	struct model_step *step = model_step(next, NULL);

	model_me(step)->place = (uint8_t)place;
	return step;
}

void model_change(struct model_step *step, unsigned thread, enum thread_state to, const char *by)
{
	uint8_t *state = &step->after.threads[thread].state;

	for (unsigned i = 0; i < TABLE_STEPS; i++)
		if (table[i].from == *state && table[i].to == to && strcmp(table[i].by, by) == 0) {
			table[i].taken = true;
			*state = (uint8_t)to;
			return;
		}
	fprintf(stderr, "%s -> %s by %s\n", state_names[*state], state_names[to], by);
	*state = (uint8_t)to;
	step->wrong = "this step is not in states.def";
}

void model_system_call(struct model_step *step)
{
	struct model_thread *me = model_me(step);

	me->must_deliver = me->pending != SIGNAL_NONE && !me->fault_blocked;
	if (step->after.filter)
		step->wrong = "a system call of ours under the program's filter";
}

bool model_took_all_steps(const char **missing)
{
	for (unsigned i = 0; i < TABLE_STEPS; i++)
		if (!table[i].taken && table[i].to != THREAD_FREE) {
			*missing = table[i].words;
			return false;
		}
	return true;
}

struct model model_begin(const struct model_scenario *scenario)
{
	struct model model;

	memset(&model, 0, sizeof(model));
	memcpy(model.left, scenario->events, sizeof(model.left));
	for (unsigned i = 0; i < scenario->threads; i++) {
		model.threads[i].state = THREAD_LAZY;
		model.threads[i].place = model.threads[i].resume = AT_PROGRAM;
		model.threads[i].alive = model.threads[i].dispatch = true;
		model.threads[i].selector = model.threads[i].our_stack = true;
		model.threads[i].named = model.threads[i].page = true;
	}
	return model;
}

bool model_has_to_leave(const struct model_thread *thread)
{
	return thread->state == THREAD_BORN || thread->state == THREAD_LAZY ||
	       thread->state == THREAD_EXECS;
}

/* Whether a block is not a thread of the process yet: its process is not set. */
static bool is_joining(const struct model *model, unsigned block)
{
	for (unsigned i = 0; i < MODEL_THREADS; i++)
		if (model->threads[i].alive && model->threads[i].place == AT_CLONE_JOIN &&
		    model->threads[i].visited == block)
			return true;
	return false;
}

bool model_some_have_to_leave(const struct model *model, enum model_mutation mutation)
{
	for (unsigned i = 0; i < MODEL_THREADS; i++) {
		const struct model_thread *thread = &model->threads[i];

		if (model_has_to_leave(thread) && !is_joining(model, i) &&
		    (thread->state != THREAD_BORN || mutation != BORN_NOT_WAITED_FOR))
			return true;
	}
	return false;
}

bool model_lock_is_free(const struct model *model)
{
	return model->lock == 0 || !model->threads[model->lock - 1].alive;
}

static bool is_in_program(const struct model_thread *thread)
{
	return thread->alive && thread->place == AT_PROGRAM;
}

/* Whether a thread that has begun on this block has exited. */
static bool has_exited(const struct model_thread *thread)
{
	return !thread->alive && thread->place == AT_NOWHERE && thread->state != THREAD_BORN;
}

static const char *wrong_with_native(const struct model *model, const struct model_thread *thread,
				     bool blocks)
{
	if (thread->state != THREAD_NATIVE)
		return "a thread runs natively, and its state is another";
	if (model->process != PROCESS_NATIVE || !model->restored)
		return "a thread runs natively before the handlers are the program's";
	if (thread->sys_blocked != blocks || thread->fault_blocked)
		return "a thread runs natively without the program's mask";
	if (thread->deferred)
		return "a thread runs natively, and we keep a signal of it";
	if (thread->dispatch || thread->our_stack)
		return "a thread runs natively with our alternate stack, or with dispatch";
	return NULL;
}

const char *model_wrong(const struct model *model)
{
	unsigned lazy = 0, natively = 0;
	const char *wrong = NULL;

	if (model->replaced)
		return NULL;
	for (unsigned i = 0; i < MODEL_THREADS; i++) {
		const struct model_thread *thread = &model->threads[i];

		lazy += model_has_to_leave(thread);
		if (has_exited(thread) && model_has_to_leave(thread))
			return "a thread has exited, and its block stays in use";
		if (is_in_program(thread) && !(thread->dispatch && thread->selector)) {
			wrong = wrong_with_native(model, thread, i == 1);
			natively++;
		}
		if (wrong != NULL)
			return wrong;
	}
	if (natively != 0 && lazy != 0)
		return "a thread runs natively beside one that has to leave";
	return NULL;
}

/* In a process that is not LAZY, a thread that nobody has asked goes on where nobody waits for it:
 * whoever began has been killed. */
static bool may_stay(const struct model *model, const struct model_thread *thread)
{
	if (!thread->alive)
		return true;
	if (thread->pending != SIGNAL_NONE)
		return false;
	if (thread->place == AT_GADGET_SLEEP)
		return !model->asked;
	return thread->place == AT_PROGRAM && (!model->asked || thread->state == THREAD_NATIVE);
}

bool model_is_final(const struct model *model)
{
	if (model->replaced)
		return true;
	for (unsigned i = 0; i < MODEL_THREADS; i++)
		if (!may_stay(model, &model->threads[i]))
			return false;
	return model->sent == model->handled;
}

static bool in_our_code(const struct model_thread *thread)
{
	return thread->place >= AT_FAULT;
}

/* A nested handler notes that a signal came; a look right before the return is made again. */
static void note(struct model_next *next, struct model_step *step, enum model_signal signal)
{
	struct model_thread *me = model_me(step);

	me->news = true;
	if (signal == SIGNAL_FOREIGN) {
		step->after.sent -= me->deferred;
		me->deferred = true;
	}
	if (me->place == AT_RETURN && next->mutation != NO_RESTART_OF_RETURN)
		me->place = AT_RETURN_LOOK;
}

static void deliver(struct model_next *next)
{
	struct model_step *step = model_step(next, "is given its pending signal");
	struct model_thread *me = model_me(step);
	enum model_signal signal = me->pending;

	me->pending = SIGNAL_NONE;
	if (step->after.restored) {
		step->after.handled += signal == SIGNAL_FOREIGN;
		if (signal == SIGNAL_REQUEST)
			step->wrong = "a request reaches the program's handler";
		else if (in_our_code(me))
			step->wrong = "the program's handler runs on top of ours";
		return;
	}
	if (me->place == AT_EXEC_MADE) {
		note(next, step, signal);
		me->place = AT_EXEC_BACK;
		me->call = EVENT_CALL;
		return;
	}
	if (in_our_code(me)) {
		note(next, step, signal);
		return;
	}
	me->resume = me->place == AT_PROGRAM ? AT_PROGRAM : me->place;
	me->fault_blocked = true;
	me->place = signal == SIGNAL_FAULT     ? AT_FAULT
		    : signal == SIGNAL_REQUEST ? AT_REQUEST
					       : AT_FOREIGN;
}

static void next_of_thread(struct model_next *next)
{
	const struct model_thread *me = &next->now->threads[next->thread];

	if (!me->alive)
		return;
	if (me->pending != SIGNAL_NONE && !me->fault_blocked) {
		deliver(next);
		if (me->must_deliver || me->pending == SIGNAL_FAULT)
			return;
	}
	if (in_our_code(me))
		model_run_handler(next, me->place);
	else
		model_run_program(next, me->place);
}

/* Somebody outside sends a signal. The kernel drops it if one is pending, natively as well. */
static void send_signal(struct model_next *next)
{
	const struct model_thread *thread = &next->now->threads[next->thread];
	struct model_step *step;

	if (!thread->alive || next->now->left[EVENT_SIGNAL] == 0 ||
	    thread->pending != SIGNAL_NONE || thread->place == AT_NOWHERE)
		return;
	step = model_step(next, "is sent a signal from outside");
	step->is_event = true;
	model_me(step)->must_deliver = thread->must_deliver;
	model_me(step)->pending = SIGNAL_FOREIGN;
	step->after.left[EVENT_SIGNAL]--;
	step->after.sent++;
}

unsigned model_next(const struct model *model, enum model_mutation mutation,
		    struct model_step steps[MODEL_STEPS_MAX])
{
	struct model_next next = {.now = model, .mutation = mutation, .steps = steps};

	for (; next.thread < MODEL_THREADS && !model->replaced; next.thread++) {
		next_of_thread(&next);
		send_signal(&next);
	}
	return next.count;
}

void model_print(const struct model *model)
{
	static const char *const processes[] = {"LAZY", "LEAVING", "NATIVE"};
	static const char *const signals[] = {"", ", request pending", ", fault pending",
					      ", signal pending"};

	fprintf(stderr, "    %-8s%s%s |", processes[model->process],
		model->lock != 0 ? ", locked" : "", model->restored ? ", restored" : "");
	for (unsigned i = 0; i < MODEL_THREADS; i++)
		if (model->threads[i].alive)
			fprintf(stderr, " %u: %s%s;", i, state_names[model->threads[i].state],
				signals[model->threads[i].pending]);
	fprintf(stderr, "\n");
}
