/*
 * The program, and the parts between it and the tested sources: gadget.S, the guard, the pager,
 * signal frames.
 */
#include "tests/unit/leaving/machine.h"

#include "common/arch/syscall.h"
#include "common/page.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/calls/birth.h"
#include "loader/resident/calls/guard.h"
#include "loader/resident/base/order.h"
#include "loader/resident/calls/processes.h"
#include "loader/resident/leaving/exec.h"
#include "loader/resident/leaving/leave.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/pager.h"
#include "loader/resident/signal_managed.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/signals/signal_calls.h"
#include "loader/resident/signals/signal_frames.h"
#include "loader/resident/handlers/signal_handlers.h"
#include "loader/resident/threads/gadget_call.h"
#include "loader/resident/threads/states.h"
#include "loader/resident/base/trace.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* Instruction pointers: after the program's call; in resident code outside the gadget. */
#define PROGRAM_PLACE UINT64_C(0x1000)
#define OUR_PLACE     ((uint64_t)machine_leave)

struct pager resident_pager;
struct guard resident_guard = {.active = true};
struct order resident_order;
struct trace *resident_trace;
int userfaultfd_descriptor = -1;

static struct task *me(void)
{
	return &machine.tasks[self];
}

static struct kernel_context context_now(uint64_t place)
{
	struct kernel_context context;

	memset(&context, 0, sizeof(context));
	context.stack = thread_stack(machine_thread(self));
	context.mask = me()->mask;
	registers_set_place(&context.registers, place);
	return context;
}

/* ---- gadget.S ------------------------------------------------------------------------------ */

_Noreturn void program_return(const struct kernel_context *context)
{
	const struct thread *thread = machine_thread(self);
	uint64_t start = thread_stack(thread).start;
	bool filters = me()->event == EVENT_FILTER || me()->event == EVENT_MILD;
	uint64_t place;

	place = registers_place(&context->registers);
	if (machine.filter)
		machine_wrong("rt_sigreturn under the program's filter");
	me()->page |= (uint64_t)context - start < PAGE_BYTES;
	me()->mask = context->mask;
	me()->our_stack = context->stack.start == start;
	me()->must_deliver = task_is_given_signal(me());
	me()->instruction = 0;
	leaving_changed();
	if (place != (uint64_t)gadget_start) {
		memset(&machine_thread(self)->saved, 0, sizeof(struct kernel_registers));
		machine_thread(self)->result = 0;
		if (me()->dispatch)
			me()->event = EVENT_NONE;
	}
	if (place == (uint64_t)gadget_start)
		machine_leave(me()->event == EVENT_WAIT ? SLEEPS : CALLS);
	machine_leave(filters && !me()->dispatch ? FILTERS : PROGRAM);
}

_Noreturn void __wrap_gadget_return(struct thread *thread, struct kernel_context *context);
_Noreturn void __wrap_gadget_return(struct thread *thread, struct kernel_context *context)
{
	do {
		me()->instruction = (uint64_t)gadget_return_look;
		if (thread->news) {
			me()->instruction = OUR_PLACE;
			handlers_end(thread, context);
		}
		me()->instruction = (uint64_t)gadget_return_look + 1;
		machine_choose("rt_sigreturn", 1);
	} while (me()->instruction == (uint64_t)gadget_return_look);
	program_return(context);
}

long __wrap_gadget_exec(const struct call *call, const uint64_t *mask);
long __wrap_gadget_exec(const struct call *call, const uint64_t *mask)
{
	unsigned way = 0;

	(void)call;
	me()->instruction = (uint64_t)gadget_exec_window;
	raw_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (uint64_t)mask, 0, KERNEL_SIGSET_SIZE, 0, 0);
	if (me()->instruction != (uint64_t)gadget_exec_abort)
		way = machine_choose("execve", 2);
	if (me()->instruction == (uint64_t)gadget_exec_abort) {
		me()->instruction = OUR_PLACE;
		return -KERNEL_RESTART;
	}
	me()->instruction = OUR_PLACE;
	if (way == 0)
		return -ENOENT;
	if (me()->pending == SENT_REQUEST)
		machine_wrong("a request is pending when the new program begins");
	machine.replaced = true;
	machine_leave(NOWHERE);
}

long __wrap_gadget_spawn(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e);
long __wrap_gadget_spawn(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	struct task *child;
	unsigned i = 0;

	(void)number, (void)a, (void)c, (void)d, (void)e;
	machine_choose("clone", 1);
	while (machine_thread(i) != (struct thread *)b)
		i++;
	child = &machine.tasks[i];
	memset(child, 0, sizeof(*child));
	child->id = machine.next_id++;
	child->mask = me()->mask;
	child->blocks = me()->blocks;
	child->alive = child->our_stack = child->page = true;
	machine_enter(i, ENTRY_BIRTH);
	return child->id;
}

/* ---- other sources that are not tested ----------------------------------------------------- */

struct signal_frame *frame_of_child(const struct thread *child,
				    const struct kernel_context *context)
{
	(void)context;
	return (struct signal_frame *)child; /* clone ignores it */
}

bool frame_push(struct thread *thread, struct kernel_context *context,
		const struct arrival *arrival, const struct kernel_sigaction *action, uint64_t mask)
{
	(void)thread, (void)arrival, (void)action, (void)mask;
	registers_set_place(&context->registers, PROGRAM_PLACE);
	machine.owed--;
	return true;
}

void signal_calls_rearm(struct process *process)
{
	(void)process;
}

void laziness_end(enum retire_reason reason, long call)
{
	(void)reason, (void)call;
	if (!machine.revealed)
		machine_choose("laziness_end", 1);
	machine.revealed = true;
}

bool pager_serve(struct pager *pager, const struct fault *fault)
{
	(void)pager, (void)fault;
	return true;
}

void pages_reveal(struct pager *pager, uint64_t start, uint64_t length)
{
	(void)pager, (void)start, (void)length;
}

uint64_t pages_object_end(const struct pager *pager, uint64_t address)
{
	(void)pager, (void)address;
	return 0;
}

bool order_serve(const siginfo_t *info, struct kernel_registers *registers)
{
	(void)info, (void)registers;
	return false;
}

void trace_write(enum trace_kind kind, int detail, uint64_t address, uint64_t pages,
		 uint64_t instruction)
{
	(void)kind, (void)detail, (void)address, (void)pages, (void)instruction;
}

void trace_write_fault(enum trace_kind kind, const struct fault *fault)
{
	(void)kind, (void)fault;
}

long birth_read(const struct call *call, struct birth *birth)
{
	(void)call;
	memset(birth, 0, sizeof(*birth));
	birth->arguments.flags =
	    me()->event == EVENT_FORK ? SIGCHLD : CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
	return 0;
}

void guard_leave(struct thread *thread, struct kernel_context *context)
{
	laziness_end(RETIRE_CALL, 0);
	leave_before(thread, context, TURN_GOES_ON, NULL);
}

static enum leaving_turn turn_before(enum event event)
{
	return event == EVENT_JOIN			      ? TURN_SLEEPS
	       : event == EVENT_FILTER || event == EVENT_MILD ? TURN_FILTERS
							      : TURN_GOES_ON;
}

bool guard_call(struct thread *thread, struct kernel_context *context)
{
	enum event event = machine.revealed ? EVENT_END : me()->event;
	struct call call = call_of(&context->registers);
	struct birth birth;
	long result;

	switch (event) {
	case EVENT_CALL:
	case EVENT_WAIT:
		gadget_enter(thread, &call, context);
		break;
	case EVENT_CLONE:
	case EVENT_FORK:
		birth_read(&call, &birth);
		call_set_result(&context->registers, processes_clone(thread, &birth, context));
		break;
	case EVENT_EXEC:
		result = exec_make(thread, &call, context->mask | thread->blocked);
		if (result == -KERNEL_RESTART)
			call_back_up(&context->registers);
		else
			call_set_result(&context->registers, result);
		break;
	case EVENT_EXIT:
		leave_by_exit(thread, 0);
	default:
		laziness_end(RETIRE_CALL, 0);
		leave_before(thread, context, turn_before(me()->event), &call);
	}
	return true;
}

/* ---- the beginnings of resident code ------------------------------------------------------- */

void program_enter(enum entry entry)
{
	struct kernel_context context = context_now(me()->instruction);
	siginfo_t info;

	if (entry == ENTRY_BIRTH) {
		struct signal_frame frame = {.context = context};

		frame.context.mask = 0;
		me()->instruction = OUR_PLACE;
		processes_begin_thread(&frame);
	}
	memset(&info, 0, sizeof(info));
	me()->instruction = OUR_PLACE;
	if (entry == ENTRY_CALL) {
		info.si_code = KERNEL_SYS_USER_DISPATCH;
		info.si_call_addr = (void *)PROGRAM_PLACE;
		info.si_arch = KERNEL_ARCHITECTURE;
		me()->mask |= OUR_MASK;
		me()->must_deliver = task_is_given_signal(me());
		handler_of_managed(SIGSYS, &info, &context);
	} else {
		info = machine_info(me()->pending);
		me()->pending = SENT_NONE;
		me()->mask = UINT64_MAX;
		handler_of_managed(SIGSEGV, &info, &context);
	}
	machine_choose("rt_sigreturn after a fault", 1);
	program_return(&context);
}

/* ---- moves --------------------------------------------------------------------------------- */

struct moves {
	struct move *list;
	unsigned count;
	uint8_t task;
};

static void add(struct moves *moves, enum event event, unsigned way)
{
	if (event == EVENT_NONE || machine.left[event] != 0)
		moves->list[moves->count++] = (struct move){
		    .task = moves->task, .event = (uint8_t)event, .way = (uint8_t)way};
}

static bool runs(unsigned i, enum thread_state state)
{
	return machine_thread(i)->state == state;
}

/* The thread's turn in the order of enum leaving_turn, by what the program has done. */
static unsigned order_of(unsigned i)
{
	const struct task *task = &machine.tasks[i];

	if (!task->alive || (task->event == EVENT_JOIN && !task->changed))
		return 0;
	return i == 0 ? 3 : task->began ? 2 : 1;
}

/* Whether the thread leaves last. The program installs a filter only in that thread. */
static bool goes_last(unsigned task)
{
	for (unsigned i = 0; i < THREADS; i++)
		if (i != task && order_of(i) >= order_of(task))
			return false;
	return true;
}

static void program_can(struct moves *moves, const struct task *task)
{
	static const uint8_t calls[] = {EVENT_CALL,   EVENT_WAIT, EVENT_END,  EVENT_JOIN,
					EVENT_FILTER, EVENT_MILD, EVENT_EXIT, EVENT_CLONE,
					EVENT_EXEC,   EVENT_FORK};

	if (!task->dispatch || machine_thread(moves->task)->selector == 0) {
		if (goes_last(moves->task))
			add(moves, EVENT_NATIVE, 0);
		return;
	}
	if (!machine.revealed)
		add(moves, EVENT_TOUCH, 0);
	for (unsigned i = 0; i < sizeof(calls); i++)
		add(moves, calls[i], 0);
	add(moves, EVENT_JOIN, 1);
}

static void resident_can(struct moves *moves, const struct task *task)
{
	bool in_exec = task->instruction == (uint64_t)gadget_exec_window;

	if (runs(moves->task, THREAD_BORN) || in_exec)
		add(moves, EVENT_DEATH, 0);
	if (moves->task == KILLED)
		add(moves, EVENT_KILL, 0);
	if (task_goes_on(task))
		for (unsigned way = 0; way < task->ways; way++)
			add(moves, EVENT_NONE, way);
}

static void task_can(struct moves *moves, const struct task *task)
{
	if (task_is_given_signal(task)) {
		add(moves, EVENT_NONE, WAY_SIGNAL);
		if (task->must_deliver || task->pending == SENT_FAULT)
			return;
	}
	switch ((enum spot)task->place) {
	case PROGRAM:
		program_can(moves, task);
		break;
	case FILTERS:
		add(moves, EVENT_NONE, 0);
		break;
	case CALLS:
		add(moves, EVENT_DEATH, 0);
		add(moves, EVENT_NONE, 0);
		break;
	case SLEEPS:
		add(moves, EVENT_DEATH, 0);
		add(moves, EVENT_WAKE, 0);
		break;
	case RUNS:
		resident_can(moves, task);
		break;
	case NOWHERE:
		break;
	}
}

unsigned program_moves(struct move *list)
{
	struct moves moves = {.list = list};

	for (; moves.task < THREADS && !machine.replaced; moves.task++) {
		const struct task *task = &machine.tasks[moves.task];

		if (!task->alive)
			continue;
		task_can(&moves, task);
		/* While one is pending, the kernel drops the next, as it does without a loader. */
		if (task->pending == SENT_NONE)
			add(&moves, EVENT_SIGNAL, 0);
	}
	return moves.count;
}

static void enter(enum entry entry, uint64_t instruction)
{
	me()->instruction = instruction;
	machine_enter(self, entry);
	machine_resume(self, 0);
}

/* Delivers the pending signal to a thread that is not in resident code. */
static void give_signal(struct task *task)
{
	bool in_gadget = task->place == CALLS || task->place == SLEEPS;

	if (machine.restored & KERNEL_SIGNAL_BIT(SIGSEGV)) {
		if (task->pending == SENT_REQUEST)
			machine_wrong("a request reaches the program's handler");
		machine.owed -= task->pending == SENT_FOREIGN;
		task->pending = SENT_NONE;
		task->must_deliver = false;
		return;
	}
	task->must_deliver = false;
	enter(ENTRY_SIGNAL, in_gadget ? (uint64_t)gadget_start : PROGRAM_PLACE);
}

static void call(struct task *task, enum event event, bool changed)
{
	task->changed = changed;
	if (task->mask & KERNEL_SIGNAL_BIT(SIGSYS))
		machine_wrong("SIGSYS is blocked, so an intercepted call kills the thread");
	task->event = (uint8_t)event;
	enter(ENTRY_CALL, PROGRAM_PLACE);
}

static void go_on(struct task *task, uint8_t way)
{
	if (way == WAY_SIGNAL && task->place != RUNS) {
		give_signal(task);
	} else if (task->place == RUNS) {
		task->must_deliver = false;
		machine_resume(self, way);
	} else {
		machine.filter |= task->place == FILTERS && task->event == EVENT_FILTER;
		task->place = PROGRAM;
		task->event = task->dispatch ? EVENT_NONE : task->event;
		memset(&machine_thread(self)->saved, 0, sizeof(struct kernel_registers));
		machine_thread(self)->result = 0;
		task->must_deliver = task_is_given_signal(task);
	}
}

static void make_move(struct move move)
{
	struct task *task = &machine.tasks[move.task];

	self = move.task;
	if (move.event != EVENT_NONE)
		machine.left[move.event]--;
	switch ((enum event)move.event) {
	case EVENT_TOUCH:
		if (task->pending == SENT_NONE)
			task->pending = SENT_FAULT;
		task->must_deliver = true;
		break;
	case EVENT_NATIVE:
		machine.filter = true;
		break;
	case EVENT_DEATH:
	case EVENT_KILL:
		machine_bury(self);
		break;
	case EVENT_SIGNAL:
		task->pending = SENT_FOREIGN;
		machine.owed++;
		break;
	case EVENT_NONE:
	case EVENT_WAKE:
		go_on(task, move.way);
		break;
	default:
		call(task, move.event, move.way != 0);
	}
}

void program_move(struct move move)
{
	bool asked = resident_process.asked;

	make_move(move);
	machine.tasks[move.task].began |= resident_process.asked && !asked;
}
