/*
 * memory_tags: memory whose pieces of 16 bytes have tags (MTE of arm64). An access through a
 * pointer with another tag faults. Elsewhere it prints that there are none.
 *
 * No mark: lazy paging ends as soon as a program asks for tags.
 */
#include "guest.h"

#define ROOM 65536

static char area[16 * ROOM] __attribute__((aligned(ROOM)));

#ifdef __aarch64__
#include <sys/auxv.h>

#define HAS_TAGS      (1UL << 18)	    /* HWCAP2_MTE */
#define PROTECT_TAGS  0x20		    /* PROT_MTE */
#define TAGS_CONTROL  55		    /* PR_SET_TAGGED_ADDR_CTRL */
#define CHECK_AT_ONCE (1 | 2 | 0xfffe << 3) /* PR_MTE_TCF_SYNC */
#define CHECK_LATER   (1 | 4 | 0xfffe << 3) /* PR_MTE_TCF_ASYNC */

static sigjmp_buf landing;
static siginfo_t seen;

static void on_fault(int number, siginfo_t *info, void *context)
{
	seen = *info;
	siglongjmp(landing, number);
}

static char *tagged(size_t offset, unsigned long tag)
{
	return (char *)((uintptr_t)(area + offset) | tag << 56);
}

static void set_tag(char *place)
{
	__asm__ volatile(".arch armv8.5-a+memtag\n\tstg %0, [%0]" : : "r"(place) : "memory");
}

static void access_to(const char *what, volatile char *place)
{
	int number = sigsetjmp(landing, 1);

	if (number == 0) {
		*place = 5;
		getpid();
		printf("%s: %d\n", what, *place);
	} else {
		printf("%s: signal %d, code %d, offset %#lx\n", what, number, seen.si_code,
		       seen.si_addr ? (unsigned long)((char *)seen.si_addr - area) : 0);
	}
}

static void read_to(const char *what, char *place)
{
	int ends[2];
	long count;

	must(pipe(ends) == 0 && write(ends[1], "hello", 5) == 5);
	count = read(ends[0], place, 5);
	printf("%s: %ld\n", what, count < 0 ? -errno : count);
}

static void use_tags(void)
{
	struct timespec *time = (struct timespec *)tagged(4 * ROOM + 16, 7);

	HANDLE_INFO(on_fault, 0, SIGSEGV);
	must(prctl(TAGS_CONTROL, CHECK_AT_ONCE, 0, 0, 0) == 0);
	area[ROOM] = 9;
	must(mprotect(area, 8 * ROOM, PROT_READ | PROT_WRITE | PROTECT_TAGS) == 0);
	printf("kept: %d\n", area[ROOM]);
	access_to("untouched", area + 2 * ROOM);
	access_to("untouched, other tag", tagged(3 * ROOM, 3));
	for (int piece = 0; piece < 4; piece++)
		set_tag(tagged(4 * ROOM + 16 * piece, 7));
	access_to("its tag", tagged(4 * ROOM, 7));
	access_to("other tag", area + 4 * ROOM);
	read_to("call, its tag", tagged(4 * ROOM, 7));
	read_to("call, other tag", tagged(4 * ROOM, 6));
	read_to("call, untouched", area + 5 * ROOM);
	*time = (struct timespec){0, 1000};
	printf("sleep: %d\n", nanosleep(time, NULL));
	fflush(stdout);
	if (fork() == 0) {
		access_to("child, its tag", tagged(4 * ROOM, 7));
		access_to("child, other tag", area + 4 * ROOM);
		access_to("child, untouched, other tag", tagged(6 * ROOM, 2));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	must(prctl(TAGS_CONTROL, CHECK_LATER, 0, 0, 0) == 0);
	access_to("other tag, checked later", area + 4 * ROOM);
}
#endif

int main(void)
{
#ifdef __aarch64__
	if (getauxval(AT_HWCAP2) & HAS_TAGS)
		use_tags();
	else
#endif
		printf("no tags: %d\n", area[0] = 1);
}
