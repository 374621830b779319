/* marker: writes to a page, puts a guard marker on it and removes that again; what is left? */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE	      4096
#define GUARD_INSTALL 102 /* MADV_GUARD_INSTALL, Linux 6.13 */
#define GUARD_REMOVE  103

int main(void)
{
	volatile char *page =
	    mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	page[0] = 42;
	printf("written: %d\n", page[0]);
	if (madvise((void *)page, PAGE, GUARD_INSTALL) != 0 ||
	    madvise((void *)page, PAGE, GUARD_REMOVE) != 0) {
		printf("no guard markers: %s\n", strerror(errno));
		return 1;
	}
	printf("hidden and revealed again: %d\n", page[0]);
	return 0;
}
