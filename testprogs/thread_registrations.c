/*
 * thread_registrations: what a thread has registered with the kernel that points into its memory:
 * the robust futex list and the rseq area. Exec drops both. A loader whose own libc registered one
 * must take it back, or the kernel writes into memory that has become the program's. glibc
 * registers its own before main; it must then find the place free.
 */
#include "guest.h"

#define RSEQ_SIGNATURE 0x53053053

static struct {
	uint32_t words[8];
} area __attribute__((aligned(32)));

int main(void)
{
	void *head = NULL;
	size_t length = 0;

	memset(&area, 0, sizeof(area));
	syscall(SYS_get_robust_list, 0, &head, &length);
	check("a robust list is registered", head != NULL);

	long result = syscall(SYS_rseq, &area, sizeof(area), 0, RSEQ_SIGNATURE);

	printf("registering rseq: %s\n", result == 0 ? "done" : strerror(errno));
	mark();
}
