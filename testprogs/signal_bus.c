/*
 * signal_bus [default]: memory of a file beyond the file's end. The handler receives SIGBUS, and
 * then leaves by siglongjmp or makes the file longer. System calls refuse such memory, too.
 */
#include "guest.h"

/* The file is mapped in place of some of these pages. */
static char area[12 * PAGE] __attribute__((aligned(PAGE)));

static sigjmp_buf landing;
static int file;
static volatile int grow;
static volatile uintptr_t address;

static void on_signal(int number, siginfo_t *info, void *context)
{
	address = (uintptr_t)info->si_addr;
	check("number and code", number == SIGBUS && info->si_code == BUS_ADRERR);
	if (!grow)
		siglongjmp(landing, 1);
	check("longer", ftruncate(file, (grow + 2) * PAGE) == 0);
	grow = grow + 1;
}

int main(int argc, char **argv)
{
	volatile char *mapped = area + 4 * PAGE;

	file = (int)syscall(SYS_memfd_create, "file", 0);
	check("file", file >= 0 && ftruncate(file, PAGE + 10) == 0);
	check("mapped", mmap(area + 4 * PAGE, 6 * PAGE, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_FIXED, file, 0) == mapped);
	mapped[PAGE + 5000 % PAGE] = 1;
	if (strcmp(WORD(1, "handled", "default"), "default") == 0) {
		fflush(stdout);
		mapped[2 * PAGE] = 1;
	}
	HANDLE_INFO(on_signal, 0, SIGBUS);
	for (volatile int i = 2; i < 6; i++) {
		if (sigsetjmp(landing, 1) == 0)
			mapped[i * PAGE + i * 100] = 1;
		check("address", address == (uintptr_t)(mapped + i * PAGE + i * 100));
	}
	check("write", write(file, area + 6 * PAGE, 10) == -1 && errno == EFAULT);
	check("read", pread(file, area + 6 * PAGE, 10, 0) == -1 && errno == EFAULT);
	grow = 1;
	for (int i = 2; i < 6; i++)
		mapped[i * PAGE + 7] = (char)i;
	printf("grown %d times, %d\n", grow - 1, mapped[2 * PAGE + 7] + mapped[5 * PAGE + 7]);
	printf("around: %d\n", area[3 * PAGE] + area[10 * PAGE]);
	mark();
}
