/*
 * memory_unmap: pages of static arrays that are unmapped, some touched before and some not. They
 * are gone for the program, its children and the kernel; the others stay as they were.
 */
#include "guest.h"

#define PAGES 256

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char large[256 << 20] __attribute__((aligned(PAGE)));
static const char constants[16 * PAGE] __attribute__((aligned(PAGE))) = {[1] = 1, [9 * PAGE] = 2};
static sigjmp_buf landing;
static volatile int code;

static void on_fault(int number, siginfo_t *info, void *context)
{
	code = info->si_code;
	siglongjmp(landing, 1);
}

static int is_gone(const char *place)
{
	code = 0;
	if (sigsetjmp(landing, 1) == 0)
		(void)*(const volatile char *)place;
	return code == SEGV_MAPERR;
}

static int count_gone(void)
{
	int gone = 0;

	for (int i = 0; i < PAGES; i++)
		gone += is_gone(area + i * PAGE + i);
	return gone;
}

int main(void)
{
	int ends[2];
	pid_t child;

	HANDLE_INFO(on_fault, 0, SIGSEGV);
	for (int i = 0; i < PAGES; i += 2)
		area[i * PAGE + 1] = 1;
	check("upper half", munmap(area + 128 * PAGE, 128 * PAGE) == 0);
	check("one page", munmap(area + 33 * PAGE, 1) == 0);
	check("again", munmap(area + 33 * PAGE, PAGE) == 0);
	check("constants", munmap((void *)(constants + 8 * PAGE), 2 * PAGE) == 0);
	check("constants gone", is_gone(constants + 9 * PAGE) && is_gone(constants + 8 * PAGE));
	check("constants left", !is_gone(constants + 7 * PAGE) && constants[1] == 1);
	child = fork();
	if (child == 0)
		_exit(count_gone());
	printf("child: %d gone, parent: %d gone\n", WEXITSTATUS(end_of(child)), count_gone());

	large[77 << 20] = 1;
	check("most of the large one", munmap(large + (64 << 20), 128 << 20) == 0);
	check("touched one", is_gone(large + (77 << 20)));
	check("untouched ones", is_gone(large + (64 << 20)) && is_gone(large + (192 << 20) - 1));
	check("around", !is_gone(large + (64 << 20) - 1) && !is_gone(large + (192 << 20)));
	must(pipe2(ends, O_NONBLOCK) == 0);
	printf("write: %zd\n", write(ends[1], large + (64 << 20) - 100, 200));
	check("gone", write(ends[1], large + (65 << 20), 10) == -1 && errno == EFAULT);
	check("new",
	      mmap(area + 33 * PAGE, PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == area + 33 * PAGE);
	printf("%d gone, %d\n", count_gone(), area[33 * PAGE + 1] + area[34 * PAGE + 1]);
	mark();
}
