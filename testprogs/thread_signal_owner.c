/*
 * thread_signal_owner: signals queued for one thread are handled by that thread, before, while and
 * after another one is in a long system call, and then has ended.
 *
 * No mark: it makes more calls than a trace has room for.
 */
#include "guest.h"

#define NUMBER 44
#define MORE   100
/* What the kernel needs a tenth of a second for. */
#ifndef LONG_BYTES
#define LONG_BYTES (32 << 20)
#endif

static char bytes[LONG_BYTES];
static volatile bool calls, ended;
static volatile int received, elsewhere;
static __thread bool is_owner;

static void on_signal(int number, siginfo_t *info, void *context)
{
	received++;
	elsewhere += !is_owner;
}

static void *call_long(void *pointer)
{
	calls = true;
	return syscall(SYS_getrandom, bytes, sizeof(bytes), 0) > 0 ? pointer : NULL;
}

static void *own(void *pointer)
{
	siginfo_t info = {.si_code = SI_QUEUE};
	int sent = 0;

	is_owner = true;
	for (int more = 0; more < MORE; more += ended)
		sent += syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), NUMBER,
				&info) == 0;
	return received == sent ? pointer : NULL;
}

int main(void)
{
	pthread_t caller, owner;
	void *result;

	HANDLE_INFO(on_signal, SA_RESTART, NUMBER);
	must(pthread_create(&owner, NULL, own, bytes) == 0 &&
	     pthread_create(&caller, NULL, call_long, bytes) == 0);
	while (!calls)
		sched_yield();
	pthread_join(caller, &result);
	printf("long call %d\n", result == bytes);
	ended = true;
	pthread_join(owner, &result);
	printf("all %d, elsewhere %d\n", result == bytes, elsewhere);
}
