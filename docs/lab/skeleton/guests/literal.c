/*
 * literal: gives the kernel initialised data that nobody has touched yet. A pager that has not
 * brought it in by then hears nothing of it: the call fails with EFAULT.
 */
#include <unistd.h>

static const char message[8192] __attribute__((aligned(4096))) = "written from untouched memory\n";

int main(void)
{
	return write(STDOUT_FILENO, message, 30) != 30;
}
