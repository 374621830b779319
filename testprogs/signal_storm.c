/*
 * signal_storm: two timers interrupt a program that touches new pages and makes system calls; the
 * handlers touch new pages as well. What is computed does not depend on when they do.
 */
#include "guest.h"

#define PAGES	 200
#define HANDLERS 300

static char area[PAGES * PAGE], handler_area[2][HANDLERS * PAGE];
static const char sevens[PAGES * PAGE] = {[0 ... PAGES * PAGE - 1] = 7};
static char stack[16 * PAGE];
static volatile sig_atomic_t handled[2];

static void on_timer(int number)
{
	int which = number == SIGPROF;
	size_t at = (size_t)(handled[which] % HANDLERS) * PAGE;

	handler_area[which][at + 77] = sevens[at % sizeof(sevens)];
	if (write(-1, handler_area[which] + at, 1) != -1)
		handler_area[which][at + 78] = 1;
	handled[which]++;
}

static uint32_t use(int round, const int *ends)
{
	uint32_t sum = 0;

	for (int i = 0; i < PAGES; i++) {
		size_t at = (size_t)((i * 37 + round) % PAGES) * PAGE;
		char *page = area + at;

		page[100 + round]++;
		sum = sum * 31 + (uint32_t)page[round] + (uint32_t)sevens[at + 5];
		if (i % 4 != 0)
			continue;
		sum += (uint32_t)write(ends[1], page, 512);
		sum += (uint32_t)read(ends[0], page + 2048, 512);
	}
	return sum;
}

int main(void)
{
	const struct itimerval often = {{0, 200}, {0, 200}}, never = {0};
	const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
	uint32_t sum = 0;
	int ends[2], rounds = 0;

	must(pipe(ends) == 0);
	sigaltstack(&alternate, NULL);
	sigaction(SIGALRM, &action, NULL);
	action.sa_flags |= SA_ONSTACK;
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	while (rounds < 10)
		sum = sum * 7 + use(rounds++, ends);
	while (handled[0] < 20 || handled[1] < 1)
		getppid();
	setitimer(ITIMER_REAL, &never, NULL);
	setitimer(ITIMER_PROF, &never, NULL);
	printf("sum %u\n", sum);
	for (int which = 0; which < 2; which++)
		for (int i = 0; i < HANDLERS; i++) {
			const char *page = handler_area[which] + i * PAGE;

			if (page[77] != (i < handled[which] ? 7 : 0) || page[78] != 0)
				printf("handler %d, page %d is wrong\n", which, i);
		}
	mark();
}
