/* Threads, processes and timers. Each step ends those that it has begun. */
#include "../guest.h"

#include "pages.h"
#include "pending.h"
#include "steps.h"

#define FUTEX_WAIT_PRIVATE 128 /* musl has no <linux/futex.h> */
#define FUTEX_WAKE_PRIVATE 129
#define TIMER_SIGNAL	   45 /* these two are nobody else's */
#define SLEEP_SIGNAL	   46
#define THREADS		   4
#define WORK		   12
#define ROUNDS		   10

static const struct timespec long_time = {20, 0};

/* ---- timers ---- */

static timer_t start_timer(int number, int value, long first, long interval)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
	const struct itimerspec times = {{0, interval}, {0, first}};
	timer_t timer;

	event.sigev_value.sival_int = value;
	expect("timer_create", timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	expect("timer_settime", timer_settime(timer, 0, &times, NULL), 0);
	return timer;
}

void step_timer(void)
{
	static const uint64_t set = UINT64_C(1) << (TIMER_SIGNAL - 1);
	int value = (int)random_below(1000);
	siginfo_t *info = pages_spare();
	timer_t timer;

	signals_block_all();
	timer = start_timer(TIMER_SIGNAL, value, 100000, 0);
	expect("taken", syscall(SYS_rt_sigtimedwait, &set, info, &long_time, 8), TIMER_SIGNAL);
	expect("code", info->si_code, SI_TIMER);
	expect("value", info->si_value.sival_int, value);
	timer_delete(timer);
	signals_unblock();
}

static int byte_ends[2];
static volatile bool writes;

static void on_sleep_signal(int number)
{
	if (writes && write(byte_ends[1], "b", 1) == 1)
		writes = false;
}

/* A sleep that a handler interrupts, or a read that goes on after it. */
void step_sleep(void)
{
	struct sigaction action = {.sa_handler = on_sleep_signal};
	bool restarts = random_one_in(2), reads = restarts || random_one_in(2);
	timer_t timer;
	char byte = 0;
	long result;

	if (byte_ends[1] == 0 && pipe(byte_ends) != 0)
		return;
	action.sa_flags = restarts ? SA_RESTART : 0;
	sigaction(SLEEP_SIGNAL, &action, NULL);
	writes = restarts;
	timer = start_timer(SLEEP_SIGNAL, 0, 300000, 3000000);
	result = reads ? read(byte_ends[0], &byte, 1) : nanosleep(&long_time, NULL);
	timer_delete(timer);
	expect("result", result < 0 ? -errno : result, restarts ? 1 : -EINTR);
	expect("byte", byte, restarts ? 'b' : 0);
}

/* ---- threads ---- */

static struct {
	unsigned number[WORK];
	uint8_t stamp[WORK];
	unsigned count;
	long sum;
	uint64_t mask;
	char gap[2 * PAGE];
} work[THREADS];

static void *do_work(void *pointer)
{
	unsigned me = (unsigned)(uintptr_t)pointer;
	struct timespec now;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &work[me].mask, 8);
	for (unsigned i = 0; i < work[me].count; i++) {
		volatile uint8_t *page = (uint8_t *)pages_address(work[me].number[i]);

		work[me].sum += page[0];
		if (i % 3 == 0)
			syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
		page[0] = page[PAGE - 1] = work[me].stamp[i];
	}
	return pointer;
}

static bool is_taken(unsigned number)
{
	for (unsigned i = 0; i < THREADS; i++)
		for (unsigned k = 0; k < work[i].count; k++)
			if (work[i].number[k] == number)
				return true;
	return false;
}

void step_threads(void)
{
	unsigned threads = 1 + (unsigned)random_below(THREADS);
	long sums[THREADS] = {0};
	pthread_t ids[THREADS];

	signals_share();
	memset(work, 0, sizeof(work));
	for (unsigned i = 0; i < threads * WORK; i++) {
		unsigned number = pages_writable_one(), me = i % threads;

		if (is_taken(number))
			continue;
		sums[me] += pages_model(number)->stamp;
		work[me].stamp[work[me].count] = (uint8_t)(1 + random_below(255));
		work[me].number[work[me].count++] = number;
	}
	signals_block_all();
	for (unsigned i = 0; i < threads; i++)
		expect("created", pthread_create(&ids[i], NULL, do_work, (void *)(uintptr_t)i), 0);
	for (unsigned i = 0; i < threads; i++) {
		expect("joined", pthread_join(ids[i], NULL), 0);
		expect("sum", work[i].sum, sums[i]);
		/*
		 * SIGKILL, SIGSTOP, the libcs' signals (32 to 34) and those of faults are not
		 * compared. A thread may be leaving lazy paging when it reads its mask.
		 */
		expect("mask", (long)(work[i].mask | UINT64_C(0x3c0040540)), -1);
		for (unsigned k = 0; k < work[i].count; k++)
			pages_stamp(work[i].number[k], work[i].stamp[k]);
	}
	signals_unblock();
}

static uint32_t *ball;

static void wait_for(uint32_t value)
{
	uint32_t now;

	while ((now = __atomic_load_n(ball, __ATOMIC_SEQ_CST)) != value)
		syscall(SYS_futex, ball, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
}

static void throw(uint32_t value)
{
	__atomic_store_n(ball, value, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, ball, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *play(void *pointer)
{
	for (uint32_t i = 0; i < ROUNDS; i++) {
		wait_for(2 * i + 1);
		throw(2 * i + 2);
	}
	return pointer;
}

void step_futex(void)
{
	pthread_t id;

	signals_share();
	ball = pages_spare();
	*ball = 0;
	signals_block_all();
	expect("created", pthread_create(&id, NULL, play, NULL), 0);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		throw(2 * i + 1);
		wait_for(2 * i + 2);
	}
	expect("joined", pthread_join(id, NULL), 0);
	expect("ball", *ball, 2 * ROUNDS);
	signals_unblock();
}

/* ---- processes ---- */

long wait_for_child(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) != child)
		if (errno != EINTR)
			return -errno;
	return status;
}

void step_vfork(void)
{
	unsigned number = pages_writable_one();
	volatile char *page = pages_address(number);
	uint8_t stamp = (uint8_t)(1 + random_below(255));
	pid_t child = vfork();

	if (child == 0) {
		page[0] = page[PAGE - 1] = (char)stamp;
		_exit(3);
	}
	expect("child", wait_for_child(child), 3 << 8);
	pages_stamp(number, stamp);
	pages_use(number, false);
}

/* A child sends a signal that has to wait. */
void step_sent(void)
{
	int number = signals_any();
	pid_t parent = getpid(), child;

	if (!(signal_mask & SIGNAL_BIT(number)) || !pending_has_room(number, false))
		return;
	child = fork();
	if (child == 0) {
		kill(parent, number);
		_exit(0);
	}
	expect("child", wait_for_child(child), 0);
	pending_add(number, false, SI_USER, 0);
}
