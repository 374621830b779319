/*
 * memory_protect: mprotect of pages that were touched and of pages that were not. A handler lifts
 * one protection after the other; a child finds the same ones.
 */
#include "guest.h"

#define PAGES 600

static char area[PAGES * PAGE] __attribute__((aligned(PAGE)));
static char filled[20 * PAGE] __attribute__((aligned(PAGE))) = {[3 * PAGE] = 'd', [9 * PAGE] = 'e'};
static const char constants[20 * PAGE] __attribute__((aligned(PAGE))) = {[5 * PAGE] = 'c'};
static volatile int faults, wrong;

static void on_fault(int number, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)info->si_addr & -(uintptr_t)PAGE;

	faults++;
	wrong += info->si_code != SEGV_ACCERR;
	mprotect((void *)page, PAGE, PROT_READ | PROT_WRITE);
}

/* How a child ends that reads or writes there. */
static int end_of_child(volatile char *place, int writes)
{
	pid_t child = fork();

	if (child == 0) {
		signal(SIGSEGV, SIG_DFL);
		if (writes)
			*place = 'x';
		_exit(*place == 'x');
	}
	return end_of(child);
}

static void show(const char *what, volatile char *place)
{
	printf("%s: read %d, write %d\n", what, end_of_child(place, 0), end_of_child(place, 1));
}

int main(void)
{
	volatile char *bytes = area;
	int sum = 0, ends[2];

	for (int i = 0; i < 300; i += 3)
		bytes[i * PAGE] = 'a';
	check("none", mprotect(area + 10 * PAGE, 100 * PAGE, PROT_NONE) == 0);
	check("read", mprotect(area + 110 * PAGE, 100 * PAGE, PROT_READ) == 0);
	check("data", mprotect(filled + 8 * PAGE, 3 * PAGE, PROT_READ) == 0);
	check("constants", mprotect((char *)constants + 4 * PAGE, 2 * PAGE, PROT_NONE) == 0);
	show("none", bytes + 50 * PAGE);
	show("none, touched", bytes + 51 * PAGE + 1);
	show("read", bytes + 150 * PAGE + 4095);
	show("read, touched", bytes + 153 * PAGE);
	show("neighbor", bytes + 210 * PAGE);
	show("data", filled + 9 * PAGE);
	show("constants", (volatile char *)constants + 5 * PAGE);
	show("constants before", (volatile char *)constants + 3 * PAGE);
	must(pipe2(ends, O_NONBLOCK) == 0);
	check("write", write(ends[1], area + 50 * PAGE, 1) == -1 && errno == EFAULT);
	check("write 1", write(ends[1], area + 150 * PAGE, 1) == 1);
	check("read back", read(ends[0], area + 150 * PAGE, 1) == -1 && errno == EFAULT);

	HANDLE_INFO(on_fault, 0, SIGSEGV);
	for (int i = 0; i < PAGES; i++)
		sum += bytes[i * PAGE + 8] + (bytes[i * PAGE] == 'a');
	printf("%d faults by reading, %d wrong, sum %d\n", faults, wrong, sum);
	for (int i = 0; i < PAGES; i++)
		bytes[i * PAGE + 8]++;
	filled[9 * PAGE]++;
	check("constants", ((volatile const char *)constants)[5 * PAGE] == 'c');
	printf("%d faults by writing, %d wrong, %c\n", faults, wrong, filled[9 * PAGE]);
	check("all", mprotect(area, sizeof(area), PROT_READ | PROT_WRITE) == 0);
	sum = 0;
	for (int i = 0; i < PAGES; i++)
		sum += bytes[i * PAGE + 8];
	printf("sum %d\n", sum);
	check("misaligned", syscall(SYS_mprotect, area + 1, 1, PROT_READ) == -1 && errno == EINVAL);
	mark();
}
