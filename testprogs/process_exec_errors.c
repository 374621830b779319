/*
 * process_exec_errors: execve that fails leaves everything as it was: handlers, mask, alternate
 * stack, descriptors, and pages that were not touched yet.
 */
#include "guest.h"

static char stack[16 * PAGE], pages[64 * PAGE], later[64 * PAGE];
static char area[8 * PAGE] __attribute__((aligned(PAGE)));
static const char huge[40 * PAGE] = {[0 ... 40 * PAGE - 2] = 'x'};
static const char long_name[2 * PAGE] = {[0] = '/', [1 ... 2 * PAGE - 2] = 'n'};
static const char *const good[] = {"a", "b", NULL}, *const with_huge[] = {"a", huge, NULL};
static const char *const wild[] = {"a", (char *)0x10, NULL};
static const char *const kernels[] = {"a", (char *)0xffff888000000000, NULL};
static sigjmp_buf landing;
static volatile int handled, faults;

static void on_signal(int number)
{
	char local;

	if (number == SIGSEGV) {
		faults++;
		siglongjmp(landing, 1);
	}
	handled += 1 + ((uintptr_t)&local - (uintptr_t)stack < sizeof(stack)) * 10;
}

static void attempt(const char *what, const char *path, const void *argv, const void *envp)
{
	static int number;

	syscall(SYS_execve, path, argv, envp);
	printf("%s: %s\n", what, strerror(errno));
	raise(SIGUSR1);
	if (sigsetjmp(landing, 1) == 0)
		*(volatile char *)8 = 1;
	pages[number++ * PAGE + 5]++;
}

static void attempt_all(const char *self, int garbage)
{
	char path[64];
	/* The array ends where its page ends, and the next page may not be read. */
	const char **unended = (const char **)(area + 3 * PAGE) - 2;

	attempt("nowhere", "/nowhere/at/all", good, good);
	attempt("directory", "/", good, good);
	attempt("device", "/dev/null", good, good);
	attempt("below a file", "/dev/null/a", good, good);
	attempt("empty path", area, good, good);
	attempt("long path", long_name, good, good);
	attempt("null path", NULL, good, good);
	attempt("wild path", (char *)0x10, good, good);
	attempt("wild array", self, (void *)0x18, good);
	attempt("wild environment", self, good, (void *)0xffff888000000000);
	attempt("wild string", self, wild, good);
	attempt("kernel's string", self, good, kernels);
	attempt("large string", self, with_huge, good);
	mprotect(area + 3 * PAGE, PAGE, PROT_NONE);
	unended[0] = unended[1] = "a";
	attempt("no end", self, unended, good);
	memset(area + 3 * PAGE - 40, 'y', 24);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", garbage);
	attempt("garbage", path, good, good);
}

int main(int argc, char **argv)
{
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	int garbage = (int)syscall(SYS_memfd_create, "garbage", 0), sum = 0;
	sigset_t set = SET_OF(SIGTERM);

	if (argc > 1 || write(garbage, "no program at all\n", 18) != 18)
		return 1;
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaltstack(&alternate, NULL);
	HANDLE(on_signal, SA_ONSTACK, SIGUSR1, SIGSEGV);
	fchmod(garbage, 0755);
	attempt_all(argv[0], garbage);
	mark();
	sigaddset(&set, SIGBUS);
	sigprocmask(SIG_BLOCK, &set, NULL);
	attempt_all(argv[0], garbage);
	for (int i = 0; i < 64; i++)
		sum += pages[i * PAGE + 5] + ++later[i * PAGE];
	printf("handled %d, faults %d, sum %d, mask %d%d%d\n", handled, faults, sum,
	       is_blocked(SIGTERM), is_blocked(SIGBUS), is_blocked(SIGSEGV));
}
