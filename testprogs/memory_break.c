/*
 * memory_break: the break right after an untouched .bss. It grows and shrinks, and its memory is
 * given to the kernel before it was touched. It never takes memory of .bss.
 */
#include "guest.h"
#include "gone.h"

static char area[300 * PAGE] __attribute__((aligned(PAGE)));
static char output[PAGE];
extern char end[];

static char *set_break(char *address)
{
	return (char *)syscall(SYS_brk, address);
}

int main(void)
{
	char *start = set_break(NULL), *page = (char *)(((uintptr_t)start + PAGE - 1) & -PAGE);
	int zero = open("/dev/zero", O_RDONLY);
	pid_t child;

	/* No malloc, which would move the break. */
	setvbuf(stdout, output, _IOFBF, sizeof(output));
	signal(SIGSEGV, on_fault);
	check("a page grown", set_break(page + PAGE) == page + PAGE);
	check("two more bytes", set_break(page + PAGE + 2) == page + PAGE + 2);
	check("read", read(zero, page + 100, 2 * PAGE - 100) == 2 * PAGE - 100);
	check("usable", !is_gone(page) && !is_gone(page + 2 * PAGE - 1));
	check("beyond", is_gone(page + 2 * PAGE));
	page[0] = 'a';
	check("64 MiB", set_break(page + (64 << 20)) == page + (64 << 20));
	check("contents", page[0] == 'a' && page[(64 << 20) - 1] == 0);
	memset(page + PAGE, 'b', 3 * PAGE);
	check("shrunk", set_break(page + PAGE) == page + PAGE && is_gone(page + PAGE));
	check("grown", set_break(page + 4 * PAGE) == page + 4 * PAGE);
	check("empty", page[0] == 'a' && page[PAGE] == 0 && page[3 * PAGE] == 0);
	/* The break cannot be before its start; .bss is untouched here. */
	check("bss", set_break(area + 200 * PAGE) == page + 4 * PAGE);
	check("bss is there", !is_gone(area + 299 * PAGE) && !is_gone(end - 1));
	child = fork();
	if (child == 0) {
		int right = set_break(page + 8 * PAGE) == page + 8 * PAGE;

		_exit(right + (page[7 * PAGE] == 0) + (area[150 * PAGE] == 0));
	}
	printf("child: %d\n", WEXITSTATUS(end_of(child)));
	check("parent", set_break(NULL) == page + 4 * PAGE && is_gone(page + 7 * PAGE));
	check("all given back", set_break(start) == start);
	check("gone", is_gone(page) && !is_gone(area + 280 * PAGE));
	check("too far", set_break((char *)0x7ffffffff000) == start);
	mark();
}
