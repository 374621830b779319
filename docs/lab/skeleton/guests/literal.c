/*
 * literal: gives the kernel initialized data that was not touched before. If the pager has not
 * brought it in by then, no signal reaches the pager, and the call fails with EFAULT.
 */
#include <unistd.h>

static const char message[2 * PAGE] __attribute__((aligned(PAGE))) =
    "written from untouched memory\n";

int main(void)
{
	return write(STDOUT_FILENO, message, 30) != 30;
}
