/*
 * call_vector_length: sets the length of vector registers, where the processor has lengths to
 * choose from. The kernel puts it into every signal frame.
 *
 * No mark: the call ends lazy paging.
 */
#include "guest.h"

#ifndef PR_SVE_SET_VL
#define PR_SVE_SET_VL 50
#define PR_SVE_GET_VL 51
#endif
#define PR_SME_SET 63
#define PR_SME_GET 64

static FRESH(volatile int calls) late;

static void on_signal(int number)
{
	late.calls += number == SIGUSR1;
}

static void show(const char *what, int set, int get)
{
	printf("%s at first: %d\n", what, prctl(get, 0, 0, 0, 0));
	for (unsigned long bytes = 16; bytes <= 256; bytes *= 2) {
		int result = prctl(set, bytes, 0, 0, 0);

		raise(SIGUSR1);
		printf("%s, %lu bytes: %d, now %d\n", what, bytes, result, prctl(get, 0, 0, 0, 0));
	}
}

int main(void)
{
	HANDLE(on_signal, 0, SIGUSR1);
	show("vectors", PR_SVE_SET_VL, PR_SVE_GET_VL);
	show("streaming", PR_SME_SET, PR_SME_GET);
	printf("%d signals\n", late.calls);
}
