/* The machine's threads and its kernel. */
#include "tests/unit/leaving/machine.h"

#include "common/page.h"
#include "loader/resident/arch/gadget.h"
#include "loader/resident/pager/pages.h"
#include "loader/resident/signals/kernel_signals.h"
#include "loader/resident/handlers/signal_handlers.h"
#include "loader/resident/signal_managed.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>

#define BLOCK_BYTES 16384
#define STACK_BYTES 4096 /* the most that one step needs */
#define FIRST_ID    100

#define TIME	      1		    /* sleeps_on: the thread waits for time to pass */
#define LONG_SLEEP_NS (1000 * 1000) /* such a sleep is not part of a loop that waits */

struct machine machine;
unsigned self;

/* For one step: the way that the thread goes, and whether a handler interrupts another one. */
static unsigned way_now;
static bool nested;
static const char *wrong_now;

static _Alignas(BLOCK_BYTES) uint8_t blocks[THREADS][BLOCK_BYTES];
static void *explorer[5];

/* For each block: a thread before its first step. */
static struct {
	void *jump[5];
	uint8_t stack[1024];
	size_t length;
} beginnings[THREADS];

static struct task *me(void)
{
	return &machine.tasks[self];
}

struct thread *machine_thread(unsigned task)
{
	return thread_of_address((uint64_t)blocks[task]);
}

void machine_wrong(const char *what)
{
	wrong_now = wrong_now != NULL ? wrong_now : what;
}

const char *machine_wrong_now(void)
{
	const char *wrong = wrong_now;

	wrong_now = NULL;
	return wrong;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static __attribute__((noinline)) _Noreturn void jump(void **to)
{
	__builtin_longjmp(to, 1);
}

/* Returns to the caller of machine_resume(). */
static __attribute__((noinline)) void pause_here(void **here)
{
	if (__builtin_setjmp(here) == 0)
		jump(explorer);
}

static __attribute__((noinline)) void go_on(void **there)
{
	if (__builtin_setjmp(explorer) == 0)
		jump(there);
}

/* The first function on each stack. */
static void begin(void)
{
	pause_here(beginnings[self].jump);
	program_enter(me()->entry);
	abort();
}

static __attribute__((noinline)) void run_context(ucontext_t *context)
{
	if (__builtin_setjmp(explorer) == 0)
		setcontext(context);
}

void machine_prepare(void)
{
	static ucontext_t context;

	resident_threads.block_bytes = BLOCK_BYTES;
	resident_threads.managed = MANAGED_PAGES;
	resident_threads.chunk_count = 1;
	resident_threads.chunks[0].start = (uint64_t)blocks;
	resident_threads.chunks[0].end = (uint64_t)blocks + sizeof(blocks);
	for (self = 0; self < THREADS; self++) {
		uint8_t *end = (uint8_t *)machine_thread(self), *pointer;

		getcontext(&context);
		context.uc_stack.ss_sp = blocks[self];
		context.uc_stack.ss_size = (size_t)(end - blocks[self]);
		makecontext(&context, begin, 0);
		run_context(&context);
		pointer = beginnings[self].jump[2];
		beginnings[self].length = (size_t)(end - pointer);
		if (beginnings[self].length > sizeof(beginnings[self].stack))
			abort();
		memcpy(beginnings[self].stack, pointer, beginnings[self].length);
	}
}

void machine_enter(unsigned task, enum entry entry)
{
	struct task *its = &machine.tasks[task];
	uint8_t *pointer = beginnings[task].jump[2];

	memcpy(its->jump, beginnings[task].jump, sizeof(its->jump));
	memcpy(pointer, beginnings[task].stack, beginnings[task].length);
	its->place = RUNS;
	its->entry = (uint8_t)entry;
	its->ways = 1;
	its->doing = "begins in resident code";
}

_Noreturn void machine_leave(enum spot place)
{
	me()->place = (uint8_t)place;
	memset(me()->jump, 0, sizeof(me()->jump));
	me()->ways = 0;
	me()->looks_again = me()->stale = false;
	me()->doing = NULL;
	jump(explorer);
}

siginfo_t machine_info(enum sent sent)
{
	siginfo_t info = {.si_signo = SIGSEGV};

	info.si_code = sent == SENT_REQUEST ? SI_QUEUE
		       : sent == SENT_FAULT ? SEGV_ACCERR
					    : SI_TKILL;
	if (sent == SENT_REQUEST)
		info.si_value.sival_ptr = &resident_pager;
	return info;
}

/* A handler interrupts resident code, and runs to its end, below on the same stack. */
static void take_signal(void)
{
	siginfo_t info = machine_info(me()->pending);
	struct kernel_context context;

	memset(&context, 0, sizeof(context));
	if (machine.restored & KERNEL_SIGNAL_BIT(SIGSEGV))
		machine_wrong(me()->pending == SENT_REQUEST
				  ? "a request reaches the program's handler"
				  : "the program's handler interrupts the loader's");
	if (me()->pending == SENT_FOREIGN)
		machine.owed -= machine_thread(self)->deferred != 0;
	me()->pending = SENT_NONE;
	me()->must_deliver = false;
	registers_set_place(&context.registers, me()->instruction);
	context.mask = me()->mask;
	me()->mask = UINT64_MAX;
	nested = true;
	handler_of_managed(SIGSEGV, &info, &context);
	nested = false;
	me()->mask = context.mask;
	me()->instruction = registers_place(&context.registers);
}

static struct task *task_of(int32_t id)
{
	for (unsigned i = 0; i < THREADS; i++)
		if (machine.tasks[i].alive && machine.tasks[i].id == id)
			return &machine.tasks[i];
	return NULL;
}

/* A thread in a loop that waits goes on only if the state has changed since its last look. */
bool task_goes_on(const struct task *task)
{
	if (!task->looks_again || task->sleeps_on == 0)
		return true;
	if (task->sleeps_on == (uint64_t)&resident_process.state && !machine.deaths)
		return false;
	if (task->sleeps_on == TIME || task->sleeps_on == (uint64_t)&resident_process.state)
		return task->stale;
	return task_of((int32_t)(*(uint32_t *)task->sleeps_on & INT32_MAX)) == NULL;
}

bool task_is_given_signal(const struct task *task)
{
	return task->pending != SENT_NONE && (task->mask & KERNEL_SIGNAL_BIT(SIGSEGV)) == 0;
}

unsigned machine_choose(const char *doing, unsigned ways)
{
	if (nested)
		return 0;
	me()->doing = doing;
	me()->ways = (uint8_t)ways;
	for (pause_here(me()->jump); way_now == WAY_SIGNAL; pause_here(me()->jump))
		take_signal();
	return way_now;
}

/*
 * ---- what is no step ----
 *
 * If other threads cannot tell whether an access came a moment earlier or later, it need not end a
 * step. That saves states. It does end a step where the thread may be killed before it.
 */

static bool may_die(void)
{
	uint32_t state = machine_thread(self)->state;

	return (machine.left[EVENT_KILL] != 0 && self == KILLED) ||
	       (machine.left[EVENT_DEATH] != 0 && (state == THREAD_BORN || state == THREAD_EXECS));
}

/* Whether a block may get another thread. */
static bool may_be_born(void)
{
	bool born = machine.left[EVENT_CLONE] != 0;

	for (unsigned i = 0; i < THREADS; i++)
		born |= machine.tasks[i].alive && machine.tasks[i].event == EVENT_CLONE;
	return born;
}

/* Whether the program may install a filter next. Threads do that when the process is NATIVE. */
static bool may_be_filtered(void)
{
	bool filters = machine.left[EVENT_NATIVE] != 0;

	for (unsigned i = 0; i < THREADS; i++)
		filters |= machine.tasks[i].alive && machine.tasks[i].event == EVENT_FILTER;
	return filters && !machine.filter && resident_process.state == PROCESS_NATIVE;
}

/* Whether no other thread will change this word. */
static bool is_settled(const void *word)
{
	if (word == &resident_process.state)
		return resident_process.state == PROCESS_NATIVE ||
		       (resident_process.lock & INT32_MAX) == (uint32_t)me()->id;
	for (unsigned i = 0; i < THREADS; i++) {
		const struct thread *thread = machine_thread(i);
		uint32_t state = thread->state;

		if (word == &thread->state)
			return i == self || state == THREAD_NATIVE ||
			       ((state == THREAD_FREE || state == THREAD_GONE) && !may_be_born());
	}
	return false;
}

void leaving_step(const void *word, bool reads, const char *function)
{
	bool first = me()->has_taken;

	if (reads && !machine.reads_are_steps)
		return;
	me()->has_taken = false;
	if (may_die() || !(first || (reads && is_settled(word))))
		machine_choose(function, 1);
}

bool leaving_taken(void);
bool leaving_taken(void)
{
	me()->has_taken = true;
	return true;
}

/* The release of a lock ends no step: others could have made theirs before the step under it. */
void leaving_release(const char *function)
{
	if (may_die())
		machine_choose(function, 1);
}

void leaving_changed(void)
{
	for (unsigned i = 0; i < THREADS; i++)
		machine.tasks[i].stale |=
		    machine.tasks[i].alive && machine_thread(i)->state == THREAD_LEAVING;
}

void machine_resume(unsigned task, unsigned way)
{
	uint8_t *pointer = machine.tasks[task].jump[2];

	/* Bytes of an earlier way below the stack would make the same state look different. */
	memset(pointer - STACK_BYTES, 0, STACK_BYTES);
	self = task;
	way_now = way;
	go_on(machine.tasks[task].jump);
}

/* ---- the kernel ---------------------------------------------------------------------------- */

static int32_t group(void)
{
	return machine.tasks[0].id != 0 ? machine.tasks[0].id : me()->id;
}

void machine_bury(unsigned task)
{
	struct task *its = &machine.tasks[task];
	struct thread *thread = machine_thread(task);

	machine.owed -= its->pending == SENT_FOREIGN;
	machine.owed -= thread->deferred != 0;
	thread->deferred = 0;
	its->pending = SENT_NONE;
	its->alive = false;
	its->place = NOWHERE;
	memset(its->jump, 0, sizeof(its->jump));
	its->sleeps_on = 0;
	self = task;
	leaving_changed();
}

static long sys_sigprocmask(int how, const uint64_t *set)
{
	me()->mask = how == SIG_BLOCK	  ? me()->mask | *set
		     : how == SIG_UNBLOCK ? me()->mask & ~*set
					  : *set;
	return 0;
}

static long sys_sigaction(int number, const struct kernel_sigaction *action)
{
	if (may_die())
		machine_choose("restores a handler", 1);
	if (resident_process.state == PROCESS_NATIVE)
		machine_wrong("the handlers are restored twice");
	if (action->handler != gadget_on_managed)
		machine.restored |= KERNEL_SIGNAL_BIT(number);
	return 0;
}

static long sys_queue_signal(int32_t id, const siginfo_t *info)
{
	struct task *to;
	bool request = info->si_code == SI_QUEUE;

	machine_choose("sends a signal", 1);
	to = task_of(id);
	if (to == NULL)
		return -ESRCH;
	if (to->pending == SENT_NONE)
		to->pending = request ? SENT_REQUEST : SENT_FOREIGN;
	else
		machine.owed -= !request;
	return 0;
}

/* Sleeps until another thread has changed the state: an earlier look would find the same. */
static void look_again(const char *doing)
{
	me()->looks_again = true;
	machine_choose(doing, 1);
	me()->looks_again = false;
}

static long sys_futex_wait(uint32_t *word, uint32_t value)
{
	machine_choose("FUTEX_WAIT", 1);
	if (*word != value)
		return -EAGAIN;
	me()->sleeps_on = (uint64_t)word;
	look_again("sleeps");
	if (word == &resident_process.state)
		me()->stale = false;
	if (me()->sleeps_on == 0)
		return 0;
	me()->sleeps_on = 0;
	return -ETIMEDOUT;
}

static unsigned sleepers(uint64_t word)
{
	unsigned count = 0;

	for (unsigned i = 0; i < THREADS; i++)
		count += machine.tasks[i].sleeps_on == word;
	return count;
}

static long sys_futex_wake(uint64_t word, unsigned most)
{
	unsigned ways = most == 1 ? THREADS - 1 : 1, first = 0;

	if (may_die())
		first = machine_choose("FUTEX_WAKE", ways);
	else if (ways > 1 && sleepers(word) > 1)
		first = machine_choose("FUTEX_WAKE", ways);

	for (unsigned i = 0; i < THREADS - 1 && most > 0; i++) {
		unsigned other = (self + 1 + (first + i) % (THREADS - 1)) % THREADS;
		struct task *task = &machine.tasks[other];

		if (task->sleeps_on == word) {
			task->sleeps_on = 0;
			most--;
		}
	}
	return 0;
}

static void ask_for_death(void)
{
	bool exits = machine.left[EVENT_KILL] + machine.left[EVENT_DEATH] != 0;

	for (unsigned i = 0; i < THREADS; i++)
		exits |= machine.tasks[i].alive && machine.tasks[i].event == EVENT_EXIT;
	if (exits)
		machine_choose("asks whether a thread is gone", 1);
}

/* Reads of one byte ask whether a thread has memory; reads of a word, whether a futex changed. */
static long sys_vm_readv(int32_t id, const struct iovec *to)
{
	if (to->iov_len == 1) {
		ask_for_death();
		return task_of(id) != NULL ? 1 : -ESRCH;
	}
	*(uint32_t *)to->iov_base = me()->changed;
	return (long)to->iov_len;
}

static long sys_tkill(int32_t id)
{
	ask_for_death();
	return task_of(id) != NULL || machine.forked ? 0 : -ESRCH;
}

static long sys_mincore(uint64_t page, uint8_t *present)
{
	const struct task *task = &machine.tasks[(page - (uint64_t)blocks) / BLOCK_BYTES];

	if (!task->page)
		machine_choose("mincore", 1);
	*present = task->page;
	return 0;
}

/*
 * After a fork the machine is either the parent or the child. The child has one thread, and the
 * IDs in its other blocks are those of its parent's threads.
 */
static long sys_fork(void)
{
	struct task *child = me();

	if (machine_choose("fork", 2) == 0)
		return machine.next_id++;
	for (unsigned i = 0; i < THREADS; i++)
		if (i != self)
			memset(&machine.tasks[i], 0, sizeof(machine.tasks[i]));
	child->id = machine.next_id++;
	child->pending = SENT_NONE;
	child->dispatch = child->must_deliver = child->began = false;
	machine.owed = 0;
	machine.forked = true;
	return 0;
}

static _Noreturn void sys_exit(void)
{
	machine_choose("exit", 1);
	me()->exited = true;
	machine_bury(self);
	machine_leave(NOWHERE);
}

static long call_kernel(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	switch (number) {
	case SYS_gettid:
		return me()->id;
	case SYS_getpid:
		return group();
	case SYS_rt_sigprocmask:
		return sys_sigprocmask((int)a, (const uint64_t *)b);
	case SYS_rt_sigaction:
		return sys_sigaction((int)a, (const struct kernel_sigaction *)b);
	case SYS_rt_tgsigqueueinfo:
		return sys_queue_signal((int32_t)b, (const siginfo_t *)d);
	case SYS_futex:
		return b == KERNEL_FUTEX_WAIT ? sys_futex_wait((uint32_t *)a, (uint32_t)c)
					      : sys_futex_wake(a, (unsigned)c);
	case SYS_tgkill: /* to the group's first thread, which exists as long as any other */
		return (int32_t)a == group() ? 0 : -ESRCH;
	case SYS_tkill:
		return sys_tkill((int32_t)a);
	case SYS_process_vm_readv:
		return sys_vm_readv((int32_t)a, (const struct iovec *)b);
	case SYS_kcmp:
		return 0;
	case SYS_madvise:
		me()->page = false;
		return 0;
	case SYS_mincore:
		return sys_mincore(a, (uint8_t *)c);
	case SYS_prctl:
		me()->dispatch = b == KERNEL_PR_SYS_DISPATCH_ON;
		return 0;
	case SYS_nanosleep:
		if (((const struct timespec *)a)->tv_nsec >= LONG_SLEEP_NS) {
			machine_choose("sleeps", 1);
			return 0;
		} /* fall through */
	case SYS_sched_yield:
		me()->sleeps_on = TIME;
		look_again("waits for its turn");
		me()->stale = false;
		me()->sleeps_on = 0;
		return 0;
	case SYS_clone:
		return sys_fork();
	case SYS_mmap: /* asks for more blocks */
		return -ENOMEM;
	case SYS_exit:
		sys_exit();
	default:
		fprintf(stderr, "the model has no system call %ld\n", number);
		abort();
	}
}

long leaving_syscall(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
		     uint64_t f)
{
	long result;

	(void)e, (void)f;
	if (may_be_filtered())
		machine_choose("a system call", 1);
	result = call_kernel(number, a, b, c, d);
	if (machine.filter && number != SYS_exit)
		machine_wrong("the loader makes a system call under the program's filter");
	if (!nested && task_is_given_signal(me()))
		take_signal();
	return result;
}

/* ---- states -------------------------------------------------------------------------------- */

/* Copies memory to the saved state or, with `back`, from it. Returns the next offset. */
static unsigned pass(uint8_t *kept, unsigned at, void *memory, size_t length, bool back)
{
	if (back)
		memcpy(memory, kept + at, length);
	else if (at + length > KEPT_MAX)
		abort();
	else
		memcpy(kept + at, memory, length);
	return at + (unsigned)length;
}

static unsigned pass_thread(uint8_t *kept, unsigned at, unsigned task, bool back)
{
	uint8_t *thread = (uint8_t *)machine_thread(task);
	size_t before = offsetof(struct thread, deferred_info),
	       after = offsetof(struct thread, has_temporary_mask);
	uint8_t *stack = machine.tasks[task].jump[2];

	at = pass(kept, at, thread, before, back);
	at = pass(kept, at, thread + after, sizeof(struct thread) - after, back);
	if (((struct thread *)thread)->awaited)
		at = pass(kept, at,
			  blocks[task] + PAGE_BYTES - offsetof(struct kernel_context, stack),
			  sizeof(struct kernel_context), back);
	if (stack != NULL)
		at = pass(kept, at, stack, (size_t)(thread - stack), back);
	return at;
}

static unsigned pass_all(uint8_t *kept, bool back)
{
	unsigned at = pass(kept, 0, &machine, sizeof(machine), back);

	at = pass(kept, at, &resident_process, offsetof(struct process, actions), back);
	at = pass(kept, at, &resident_threads.lock, sizeof(uint32_t), back);
	at = pass(kept, at, &resident_pager.lock, sizeof(uint32_t), back);
	for (unsigned i = 0; i < THREADS; i++)
		at = pass_thread(kept, at, i, back);
	return at;
}

unsigned machine_keep(uint8_t *to)
{
	return pass_all(to, false);
}

void machine_go_back(const uint8_t *from)
{
	pass_all((uint8_t *)from, true);
}

static void handle(int number, void *info, void *context)
{
	(void)number, (void)info, (void)context;
}

void machine_begin(const struct scenario *scenario)
{
	memset(&machine, 0, sizeof(machine));
	memset(&resident_process, 0, sizeof(resident_process));
	memcpy(machine.left, scenario->events, sizeof(machine.left));
	machine.reads_are_steps = scenario->reads_are_steps;
	resident_threads.lock = resident_pager.lock = 0;
	resident_process.wrapped = MANAGED_PAGES;
	for (int number = 1; number <= SIGNAL_MAX; number++)
		resident_process.actions[number].handler = handle;
	for (unsigned i = 0; i < THREADS; i++) {
		struct thread *thread = machine_thread(i);
		struct task *task = &machine.tasks[i];

		memset(thread, 0, sizeof(*thread));
		if (i < scenario->first || i >= scenario->threads)
			continue;
		*thread = (struct thread){.selector = 1,
					  .named = true,
					  .state = THREAD_LAZY,
					  .id = FIRST_ID + (int32_t)i,
					  .group = FIRST_ID,
					  .process = &resident_process,
					  .stack.flags = SS_DISABLE,
					  .blocked = i == 1 ? KERNEL_SIGNAL_BIT(SIGSYS) : 0};
		task->id = thread->id;
		task->blocks = i == 1;
		task->place = PROGRAM;
		task->alive = task->dispatch = task->our_stack = task->page = true;
	}
	machine.next_id = FIRST_ID + THREADS;
	machine.deaths =
	    (machine.left[EVENT_KILL] | machine.left[EVENT_DEATH] | machine.left[EVENT_ASKS]) != 0;
	if (machine.left[EVENT_ASKS] != 0) {
		resident_process.state = PROCESS_LEAVING;
		resident_process.lock = (uint32_t)machine.tasks[KILLED].id;
		machine.revealed = true;
		machine_bury(KILLED);
	}
}
