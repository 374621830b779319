/*
 * memory_limit: a program that may have no more address space continues with what it has: fresh
 * pages, signals, children, and threads on stacks of its own. In a native run none of these needs
 * more.
 *
 * No mark: setting the limit ends lazy paging, and the test is that nothing is missing then.
 */
#include "guest.h"
#include "threads.h"

#define PAGES	200
#define THREADS 8
#define STACK	(64 * 1024)

static unsigned char pages[PAGES * PAGE], others[PAGES * PAGE];
static unsigned char filled[PAGES * PAGE] = {[9] = 1};
static char stacks[THREADS][STACK] __attribute__((aligned(PAGE)));
static char alternate[STACK];
static volatile int handled;

static void on_signal(int number)
{
	handled += number;
	pages[150 * PAGE + 8]++;
}

static void *work(void *pointer)
{
	long me = (long)pointer, sum = 0;

	for (int i = (int)me; i < PAGES; i += THREADS)
		sum += ++others[i * PAGE] + filled[i * PAGE + 9];
	return (void *)sum;
}

static long run_small_threads(void)
{
	pthread_attr_t attributes;
	pthread_t threads[THREADS];

	pthread_attr_init(&attributes);
	for (long i = 0; i < THREADS; i++) {
		pthread_attr_setstack(&attributes, stacks[i], STACK);
		if (pthread_create(&threads[i], &attributes, work, (void *)i) != 0)
			return -1;
	}
	return join_threads(THREADS, threads);
}

int main(void)
{
	const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
	const struct rlimit limit = {1, RLIM_INFINITY};
	int sum = 0;
	pid_t child;

	printf("now\n");
	fflush(stdout);
	check("limited", setrlimit(RLIMIT_AS, &limit) == 0 && setrlimit(RLIMIT_DATA, &limit) == 0);
	check("no more",
	      mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED &&
		  errno == ENOMEM);
	sigaltstack(&stack, NULL);
	HANDLE(on_signal, SA_ONSTACK, SIGUSR1, SIGSEGV);
	raise(SIGUSR1);
	raise(SIGSEGV);
	for (int i = 0; i < PAGES; i += 2)
		sum += ++pages[i * PAGE];
	printf("handled %d, sum %d\n", handled, sum);
	printf("threads %ld\n", run_small_threads());
	fflush(stdout);
	child = fork();
	if (child == 0) {
		for (int i = 0; i < PAGES; i++)
			sum += ++pages[i * PAGE];
		raise(SIGUSR1);
		_exit((sum + handled) % 256);
	}
	printf("child: %#x\n", end_of(child));
}
