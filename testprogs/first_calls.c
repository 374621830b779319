/*
 * first_calls WAY: functions that are called for the first time: by threads at the same time, by
 * forked children, in handlers, by jumps, in copies of the text. It also uses a breakpoint's
 * instruction and SIGTRAP, as --order does itself.
 *
 * No mark: it is about text, of which --order hides nothing.
 */
#include "guest.h"
#include "machine/machine.h"

#define CALLED __attribute__((noinline, noclone, used))

/* Functions step_00 to step_77: each is called by its place in the table alone. */
#define STEP(n)                                                                                    \
	static CALLED int step_##n(int x)                                                          \
	{                                                                                          \
		__asm__ volatile("" : "+r"(x));                                                    \
		return x + 0##n;                                                                   \
	}
#define EIGHT(do, n)                                                                               \
	do                                                                                         \
	(n##0) do(n##1) do(n##2) do(n##3) do(n##4) do(n##5) do(n##6) do(n##7)
#define ALL(do)                                                                                    \
	EIGHT(do, 0)                                                                               \
	EIGHT(do, 1)                                                                               \
	EIGHT(do, 2) EIGHT(do, 3) EIGHT(do, 4) EIGHT(do, 5) EIGHT(do, 6) EIGHT(do, 7)
#define NAME(n) step_##n,
#define STEPS	64
ALL(STEP)
static int (*const volatile steps[STEPS])(int) = {ALL(NAME)};

/* Functions in assembly: one that begins with a breakpoint, one that is only jumped to. */
#define AT(name, code) #name ": " code
#define FUNCTION(name, code)                                                                       \
	__asm__(".text\n.type " #name ", @function\n" AT(name, code) ".size " #name ", .-" #name   \
								     "\n")
FUNCTION(begins_with_break, BREAK "\n" RETURN_NUMBER(7));
FUNCTION(jumps, JUMP_TO("jumped_to"));
FUNCTION(jumped_to, RETURN_NUMBER(8));
/* One without a size, and code that is written over it. */
__asm__(".text\n.type without_size, @function\n" AT(without_size, RETURN_NUMBER(9))
	    AT(other_code, RETURN_NUMBER(10)) AT(other_code_end, ""));
#pragma GCC visibility push(hidden)
extern const char other_code[], other_code_end[];
int begins_with_break(void);
int jumps(void);
int without_size(void);
#pragma GCC visibility pop

static volatile sig_atomic_t handled, code, in_handler;
static volatile uintptr_t after;

static void on_trap(int number, siginfo_t *info, void *context)
{
	handled++;
	code = info->si_code;
	after = (uintptr_t)SAVED_PLACE(context);
	if (code > 0)
		SAVED_PLACE(context) += BREAK_REPEATS;
}

static void on_signal(int number)
{
	in_handler += steps[number % STEPS](0);
}

static void handle_trap(void)
{
	HANDLE_INFO(on_trap, 0, SIGTRAP);
}

/* Whether the address in the context is the one after the instruction depends on the processor. */
static void breakpoints(void)
{
	handle_trap();
	__asm__ volatile(BREAK ::: "memory");
	printf("%d handled, code %#x\n", handled, code);
	printf("returns %d, %d handled, after %d\n", begins_with_break(), handled,
	       (int)(after - (uintptr_t)begins_with_break));
	printf("returns %d\n", begins_with_break());
	printf("%d handled\n", handled);
}

static void sent(void)
{
	sigset_t set = SET_OF(SIGTRAP), pending;

	handle_trap();
	kill(getpid(), SIGTRAP);
	printf("%d handled, code %d\n", handled, code);
	syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
	printf("%d handled, code %d\n", handled, code);
	signal(SIGTRAP, SIG_IGN);
	kill(getpid(), SIGTRAP);
	handle_trap();
	printf("%d handled\n", handled);
	sigprocmask(SIG_BLOCK, &set, NULL);
	printf("step %d\n", steps[1](0));
	raise(SIGTRAP);
	sigpending(&pending);
	printf("%d handled, pending %d\n", handled, sigismember(&pending, SIGTRAP));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	printf("%d handled, step %d\n", handled, steps[2](0));
}

static void killed(int block)
{
	sigset_t set;

	sigfillset(&set);
	if (block) {
		handle_trap();
		sigprocmask(SIG_BLOCK, &set, NULL);
	}
	printf("step %d\n", steps[3](0));
	fflush(stdout);
	__asm__ volatile(BREAK ::: "memory");
}

static void *run_steps(void *first)
{
	intptr_t sum = 0;

	for (int i = 0; i < STEPS; i++)
		sum += steps[(i * 5 + (intptr_t)first) % STEPS](0);
	return (void *)sum;
}

static void threads(void)
{
	pthread_t threads[16];
	intptr_t sum = 0;

	for (intptr_t i = 0; i < 16; i++)
		pthread_create(&threads[i], NULL, run_steps, (void *)(i / 4));
	for (int i = 0; i < 16; i++)
		sum += result_of(threads[i]);
	printf("%d\n", (int)sum);
}

static int in_child(int step, pid_t child)
{
	int status = 0;

	if (child == 0)
		_exit(steps[step](0));
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static void forks(void)
{
	int sum = 0;

	for (int i = 0; i < STEPS; i += 4) {
		sum += in_child(i, fork());
		sum += in_child(i + 1, vfork());
		sum += steps[i](0) + steps[i + 2](0);
	}
	printf("%d\n", sum);
}

static void in_handlers(void)
{
	for (int number = SIGRTMIN; number < SIGRTMIN + 16; number++) {
		signal(number, on_signal);
		raise(number);
	}
	printf("%d\n", in_handler);
	printf("%d\n", jumps() + without_size());
}

/* The program writes to its own text: what it wrote is executed, and the rest is as it was. */
static void patched(void)
{
	uint8_t *page = (uint8_t *)((uintptr_t)without_size & ~(uintptr_t)(PAGE - 1));
	char *code_of = (char *)(uintptr_t)without_size;
	size_t bytes = (size_t)(other_code_end - other_code);

	mprotect(page, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	printf("begins with %#x\n", code_of[0]);
	memcpy(code_of, other_code, bytes);
	__builtin___clear_cache(code_of, code_of + bytes);
	printf("%d %d\n", without_size(), steps[4](0));
}

/* Calls the steps on a page of the text in a copy of that page; then a breakpoint next to it. */
static void call_copy(int protection)
{
	uint8_t *text = (uint8_t *)((uintptr_t)steps[8] & ~(uintptr_t)(PAGE - 1));
	uint8_t *copy =
	    mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;

	memcpy(copy, text, PAGE);
	memcpy(copy + PAGE, (CODE_WORD[])BREAK_AND_RETURN, 2 * sizeof(CODE_WORD));
	__builtin___clear_cache((char *)copy, (char *)copy + 2 * PAGE);
	mprotect(copy, 2 * PAGE, protection);
	for (int i = 0; i < STEPS; i++) {
		uintptr_t offset = (uintptr_t)steps[i] - (uintptr_t)text;

		if (offset < PAGE - 32)
			sum += ((int (*)(int))(uintptr_t)(copy + offset))(i)-steps[i](i) + 1;
	}
	((void (*)(void))(uintptr_t)(copy + PAGE))();
	printf("%s, %d handled\n", sum > 0 ? "called" : "none", handled);
}

static void copied(void)
{
	handle_trap();
	call_copy(PROT_READ | PROT_EXEC);
	call_copy(PROT_READ | PROT_WRITE | PROT_EXEC);
}

static char *const printed[] = {"sh", "-c", "echo another program", NULL};

static void *fail_to_exec(void *unused)
{
	execve("/", printed, environ);
	return unused;
}

/* execve in a child, and where it fails, in the main thread and in a second one. */
static void refused(void)
{
	pthread_t second;
	pid_t child = fork();

	if (child == 0)
		execve("/bin/sh", printed, environ);
	waitpid(child, NULL, 0);
	pthread_create(&second, NULL, fail_to_exec, NULL);
	pthread_join(second, NULL);
	execve("/", printed, environ);
	printf("%s, step %d\n", strerror(errno), steps[5](0));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "breakpoints", "sent", "killed", "blocked", "threads", "forks",
			       "handlers", "patched", "copied", "refused", "execs");

	switch (way[0]) {
	case 'b':
		if (way[1] == 'r')
			breakpoints();
		else
			killed(1);
		break;
	case 'c':
		copied();
		break;
	case 'e':
		refused();
		execve("/bin/sh", printed, environ);
		return 1;
	case 'r':
		refused();
		break;
	case 's':
		sent();
		break;
	case 'k':
		killed(0);
		break;
	case 't':
		threads();
		break;
	case 'f':
		forks();
		break;
	case 'h':
		in_handlers();
		break;
	default:
		patched();
	}
}
