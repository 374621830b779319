/* fault: handles accesses to memory that is not there. */
#include "fault.h"
#include "say.h"

#include <signal.h>
#include <stddef.h>

static bool (*serve_address)(uintptr_t address);

/* The page that is missing may be one of the program's own stack. */
static char handler_stack[64 << 10];

/* After this function the access happens again. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	struct sigaction action = {.sa_handler = SIG_DFL};

	(void)context;
	if (info->si_code == SEGV_MAPERR && serve_address((uintptr_t)info->si_addr))
		return;
	sigaction(number, &action, NULL);
}

void serve_faults(bool (*serve)(uintptr_t address))
{
	stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof(handler_stack)};
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	serve_address = serve;
	if (sigaltstack(&stack, NULL) != 0 || sigaction(SIGSEGV, &action, NULL) != 0)
		stop(STATUS_FAILED, "SIGSEGV", "no handler");
}
