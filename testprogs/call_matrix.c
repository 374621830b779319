/*
 * call_matrix: on arm64, calls in streaming mode and with a matrix (SME). A call leaves the mode. A
 * handler and a new thread begin without the matrix.
 *
 * No mark: the first such call ends lazy paging.
 */
#include "guest.h"

#include <sys/auxv.h>

#ifdef __aarch64__
#define HAS_MATRIX (UINT64_C(1) << 23) /* HWCAP2_SME */

static FRESH(volatile int touches) late;
static volatile uint64_t in_handler;

/* 1: streaming mode, 2: the matrix is there. */
static uint64_t mode(void)
{
	uint64_t value;

	__asm__ volatile("mrs	%0, s3_3_c4_c2_2" : "=r"(value));
	return value;
}

static void on_signal(int number)
{
	in_handler = mode();
	late.touches++;
}

static void *show_mode(void *nothing)
{
	return (void *)mode();
}

static void in_streaming_mode(void)
{
	uint64_t before, after;

	__asm__ volatile("msr	s0_3_c4_c3_3, xzr\n\t" /* smstart sm */
			 "mrs	%0, s3_3_c4_c2_2\n\t"
			 "mov	x8, #172\n\t" /* getpid */
			 "svc	#0\n\t"
			 "mrs	%1, s3_3_c4_c2_2\n\t"
			 "msr	s0_3_c4_c2_3, xzr" /* smstop sm */
			 : "=&r"(before), "=&r"(after)
			 :
			 : "x0", "x8", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",
			   "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15");
	printf("streaming: %lu, after a call %lu\n", before, after);
}

static void with_matrix(void)
{
	pthread_t thread;
	pid_t child;

	__asm__ volatile("msr	s0_3_c4_c5_3, xzr"); /* smstart za */
	late.touches++;
	printf("matrix: %lu\n", mode());
	raise(SIGUSR1);
	printf("in a handler %lu, then %lu\n", in_handler, mode());
	child = fork();
	if (child == 0)
		_exit((int)mode());
	printf("in a child: status %#x\n", end_of(child));
	pthread_create(&thread, NULL, show_mode, NULL);
	printf("in a thread %ld\n", result_of(thread));
	__asm__ volatile("msr	s0_3_c4_c4_3, xzr"); /* smstop za */
}

int main(void)
{
	if ((getauxval(AT_HWCAP2) & HAS_MATRIX) == 0)
		skip("no matrix extension");
	HANDLE(on_signal, 0, SIGUSR1);
	late.touches = 0;
	in_streaming_mode();
	with_matrix();
	printf("%d touches, at the end %lu\n", late.touches, mode());
}
#else
int main(void)
{
	skip("another processor");
}
#endif
