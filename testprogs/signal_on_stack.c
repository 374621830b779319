/*
 * signal_on_stack: handlers with SA_ONSTACK run on an alternate stack of untouched pages, nested
 * ones below on the same; SS_AUTODISARM makes it free again while a handler runs. A handler's
 * context names another stack; a frame has no siginfo without SA_SIGINFO.
 */
#include "guest.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif
#define SIZE ((size_t)(32 * 4096))

static FRESH(char bytes[SIZE]) stacks[6];

static sigjmp_buf landing;
static unsigned flags_in_handler;
static void *previous;

static int stack_of(const void *address)
{
	for (int i = 0; i < 6; i++)
		if ((uintptr_t)address - (uintptr_t)stacks[i].bytes < SIZE)
			return i;
	return -1;
}

static void use(int i, unsigned flags)
{
	const stack_t stack = {.ss_sp = stacks[i].bytes, .ss_size = SIZE, .ss_flags = (int)flags};

	if (syscall(SYS_sigaltstack, &stack, NULL) != 0)
		puts("refused");
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;
	stack_t now;
	char local = 0;

	syscall(SYS_sigaltstack, NULL, &now);
	printf("signal %d on stack %d, siginfo on %d, flags %#x, context says %d and %#x\n", number,
	       stack_of(&local), stack_of(info), (unsigned)now.ss_flags,
	       stack_of(interrupted->uc_stack.ss_sp), (unsigned)interrupted->uc_stack.ss_flags);
	if (previous)
		check("below the interrupted one", (uintptr_t)&local < (uintptr_t)previous);
	previous = &local;
	if (number == SIGUSR1)
		raise(SIGUSR2);
	if (number == SIGUSR2 && flags_in_handler != 0) {
		previous = NULL;
		use(5, 0);
		raise(SIGTERM);
	}
	if (number == SIGSEGV)
		siglongjmp(landing, 1);
	previous = NULL;
}

static void name_another(int number, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_stack.ss_sp = stacks[5].bytes;
}

/*
 * The stack that a handler's context names becomes the alternate stack, unless the handler runs on
 * it.
 */
static void return_to_another(int flags, unsigned stack_flags)
{
	stack_t now;

	HANDLE_INFO(name_another, flags, SIGHUP);
	use(4, stack_flags);
	raise(SIGHUP);
	sigaltstack(NULL, &now);
	printf("the next stack is %d, flags %#x\n", stack_of(now.ss_sp), (unsigned)now.ss_flags);
}

static void count_changed(int number, siginfo_t *info, void *context)
{
	const char *bytes = (const char *)info;
	int changed = 0;

	/* arm64 passes it only with SA_SIGINFO. Otherwise the register keeps its value. */
	if (stack_of(info) != 4) {
		printf("signal %d: no siginfo is passed\n", number);
		return;
	}
	for (size_t i = 0; i < sizeof(*info); i++)
		changed += bytes[i] != 'a';
	printf("signal %d without a siginfo: %d bytes written\n", number, changed);
}

static void ask_for_no_siginfo(void)
{
	struct sigaction action = {.sa_sigaction = count_changed, .sa_flags = SA_ONSTACK};

	use(4, 0);
	memset(stacks[4].bytes, 'a', SIZE);
	sigaction(SIGHUP, &action, NULL);
	raise(SIGHUP);
}

int main(void)
{
	const stack_t none = {.ss_flags = SS_DISABLE};

	/*
	 * Before the first sigaltstack, a context's stack depends on the program that ran before
	 * execve.
	 */
	sigaltstack(&none, NULL);
	HANDLE_INFO(on_signal, SA_ONSTACK, SIGUSR1, SIGUSR2, SIGTERM, SIGSEGV);
	raise(SIGTERM);
	for (int i = 0; i < 2; i++) {
		use(i, 0);
		raise(SIGTERM);
		raise(SIGUSR1);
	}
	use(2, SS_AUTODISARM);
	raise(SIGTERM);
	raise(SIGUSR1);
	flags_in_handler = 1;
	use(3, SS_AUTODISARM);
	raise(SIGUSR2);
	raise(SIGTERM);
	return_to_another(0, 0);
	return_to_another(SA_ONSTACK, 0);
	return_to_another(SA_ONSTACK, SS_AUTODISARM);
	ask_for_no_siginfo();
	mark();

	/* Left by a jump it is free again; one that disarms stays disarmed. */
	flags_in_handler = 0;
	for (unsigned flags = 0;; flags = SS_AUTODISARM) {
		use(4, flags);
		previous = NULL;
		if (sigsetjmp(landing, 1) == 0)
			raise(SIGSEGV);
		previous = NULL;
		raise(SIGTERM);
		if (flags != 0)
			break;
	}
}
