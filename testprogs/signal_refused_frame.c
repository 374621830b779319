/*
 * signal_refused_frame: a handler changes its frame so that the kernel refuses the return from it,
 * and sends SIGSEGV. The program handles that, or dies.
 */
#include "guest.h"

enum change { NOTHING, MODE, MASKED, UNKNOWN, SHORT, MISSING, CHANGES };

static enum change change;
static FRESH(volatile int faults) late;

#ifdef __aarch64__
static void spoil(ucontext_t *context)
{
	uint32_t *record = (uint32_t *)context->uc_mcontext.__reserved;

	if (change == MODE)
		context->uc_mcontext.pstate |= 5;
	if (change == MASKED)
		context->uc_mcontext.pstate |= 0x80;
	if (change == UNKNOWN)
		record[0] = 0x12345678;
	if (change == SHORT)
		record[1] = 8;
	if (change == MISSING)
		record[0] = record[1] = 0;
}
#else
static void spoil(ucontext_t *context)
{
}
#endif

static void on_signal(int number, siginfo_t *info, void *context)
{
	spoil(context);
}

static void on_fault(int number)
{
	late.faults++;
	_exit(40 + late.faults);
}

static void try_return(bool handled)
{
	HANDLE_INFO(on_signal, 0, SIGUSR1);
	if (handled)
		HANDLE(on_fault, 0, SIGSEGV);
	raise(SIGUSR1);
	_exit(30 + late.faults);
}

int main(void)
{
	for (change = NOTHING; change < CHANGES; change++)
		for (int handled = 0; handled < 2; handled++) {
			pid_t child = fork();

			if (child == 0)
				try_return(handled);
			printf("change %d, handled %d: status %#x\n", change, handled,
			       end_of(child));
		}
	mark();
}
