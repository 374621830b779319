/*
 * signal_each [NUMBER]: a child sends a signal that usually means a fault, and waits until it has
 * been handled before it sends the next one. Meanwhile threads begin and end. No signal may be
 * lost.
 *
 * A busy machine may be slow, so time does not decide. A signal counts as lost if it is neither
 * handled nor pending, although the program has made many rounds of threads since. If the program
 * makes no rounds for STANDSTILL seconds, the child reports that instead.
 *
 * No mark: a signal that comes where a thread has blocked all ends lazy paging.
 */
#include "guest.h"
#include "threads.h"

#define SIGNALS	   300
#define ROUNDS	   500 /* of threads, after which a signal that nobody has is lost */
#define STANDSTILL 50  /* seconds without a round */
#define THREADS	   2

/* Shared with the child. */
struct counts {
	volatile int handled, lost, over;
	volatile unsigned rounds;
};

static struct counts *counts;
static volatile char fresh[300][4096];

static void on_signal(int number)
{
	__atomic_add_fetch(&counts->handled, 1, __ATOMIC_SEQ_CST);
}

static void *sleep_a_little(void *argument)
{
	const struct timespec little = {.tv_nsec = 300000};

	nanosleep(&little, NULL);
	return argument;
}

/* Whether the signal waits for the first thread of the process, or for any of it. */
static bool is_pending(pid_t process, int number)
{
	char path[64], line[128];
	unsigned long set, sets = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", process);
	file = fopen(path, "r");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "SigPnd: %lx", &set) == 1 ||
		    sscanf(line, "ShdPnd: %lx", &set) == 1)
			sets |= set;
	if (file != NULL)
		fclose(file);
	return sets >> (number - 1) & 1;
}

/* Waits for the handler; false: the signal is lost. */
static bool is_handled(pid_t process, int number, int before)
{
	unsigned since = counts->rounds, seen = since;
	time_t moved = time(NULL);

	while (counts->handled == before) {
		unsigned now = counts->rounds;

		if (now != seen)
			moved = time(NULL);
		seen = now;
		if (time(NULL) - moved > STANDSTILL) {
			puts("the program stands still");
			fflush(stdout);
			kill(process, SIGKILL);
			_exit(1);
		}
		if (now - since <= ROUNDS)
			continue;
		if (!is_pending(process, number) && counts->handled == before)
			return false;
		since = now;
	}
	return true;
}

static void send_all(pid_t parent, int number)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < SIGNALS; i++) {
		int before = counts->handled;

		kill(parent, number);
		counts->lost += !is_handled(parent, number, before);
	}
	counts->over = 1;
	_exit(0);
}

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : SIGBUS;
	pid_t self = getpid();

	counts =
	    mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	HANDLE(on_signal, SA_RESTART, number);
	fresh[7][0] = 1;
	if (fork() == 0)
		send_all(self, number);
	while (!counts->over) {
		run_threads(THREADS, sleep_a_little);
		counts->rounds++;
	}
	wait(NULL);
	printf("%d signals lost\n", counts->lost);
}
