/*
 * thread_leave_fault WAY: lazy paging ends while other threads take SIGFPE without a system call
 * ("spin"), or one sleeps ("read"), and then is sent a signal. Handlers have no alternate stack.
 * What they find blocked is what they asked for, and a fault in or after them is handled.
 *
 * No mark: how lazy paging ends is what it tests.
 */
#include "guest.h"
#include "asleep.h"

#define THREADS 6
#define NOWHERE ((volatile char *)8)

static volatile char untouched[400 * 4096];
static __thread sigjmp_buf landing;
static volatile int zero, begun, stop, faults, blocked, reader;
static int ends[2];

static void on_fault(int number)
{
	siglongjmp(landing, 1);
}

static void touch_nowhere(int keeps_mask)
{
	if (sigsetjmp(landing, keeps_mask) == 0)
		*NOWHERE = 1;
	__atomic_add_fetch(&faults, 1, __ATOMIC_SEQ_CST);
}

static void on_signal(int number)
{
	sigset_t mask;

	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	blocked = sigismember(&mask, SIGSEGV) + 2 * sigismember(&mask, SIGBUS) +
		  4 * sigismember(&mask, SIGSYS) + 8 * sigismember(&mask, SIGUSR1) +
		  16 * sigismember(&mask, SIGTERM);
	touch_nowhere(1);
}

/* Masks are left as they are: SA_NODEFER blocks nothing. */
static void *divide(void *unused)
{
	volatile int after = 0;

	__atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST);
	while (after < 20) {
		if (stop)
			after++;
		if (sigsetjmp(landing, 0) == 0)
			zero = 77 / zero;
	}
	for (volatile int i = 0; i < 3; i++)
		touch_nowhere(0);
	return unused;
}

static void *wait_for_byte(void *unused)
{
	char byte;

	reader = (int)syscall(SYS_gettid);
	return read(ends[0], &byte, 1) < 0 && errno == EINTR ? unused : &ends;
}

static void end_lazy_paging(void)
{
	close(open("/proc/self/stat", O_RDONLY));
}

static void run_spin(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, divide, NULL);
	while (begun < THREADS)
		;
	end_lazy_paging();
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void run_read(void)
{
	pthread_t thread;
	void *result;

	asleep_begin();
	if (pipe(ends) != 0 || pthread_create(&thread, NULL, wait_for_byte, NULL) != 0)
		return;
	while (reader == 0)
		;
	wait_until_asleep(reader);
	end_lazy_paging();
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, &result);
	check("interrupted", result == NULL);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};

	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	action = (struct sigaction){.sa_handler = on_signal};
	sigaddset(&action.sa_mask, SIGTERM);
	sigaction(SIGUSR1, &action, NULL);
	if (strcmp(WORD(1, "spin", "read"), "read") == 0)
		run_read();
	else
		run_spin();
	printf("faults %d, blocked %d\n", faults, blocked);
	return untouched[30000];
}
