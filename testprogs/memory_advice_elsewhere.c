/*
 * memory_advice_elsewhere: outside .bss, a guard page (Linux 6.13) like the one that glibc 2.42
 * puts at each thread's stack, and memory that is given back.
 */
#include "guest.h"
#include "guard_page.h"

#define COUNT 16

static volatile char pages[300][PAGE];

int main(void)
{
	char *own =
	    mmap(NULL, COUNT * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int guarded;

	must(own != MAP_FAILED);
	for (int i = 0; i < COUNT; i++)
		own[i * PAGE] = 1;
	guarded = madvise(own, PAGE, GUARD_INSTALL) == 0;
	check("given back", madvise(own + PAGE, PAGE, MADV_DONTNEED) == 0 && own[PAGE] == 0);
	for (int i = 0; i < 300; i += 7)
		pages[i][0]++;
	mark();
	check("guarded", guarded);
	fflush(stdout);
	touch_guard(own);
}
