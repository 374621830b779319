/*
 * process_seccomp WAY: fresh pages after the program has forbidden itself almost every system call.
 * In a native run the pages need no system call.
 *
 * No mark: the test is that a filter ends lazy paging.
 */
#include "guest.h"

#define PAGES 200

/* From <linux/filter.h> and <linux/seccomp.h>, which musl lacks. */
#define LOAD                                                                                       \
	{                                                                                          \
		0x20, 0, 0, 0                                                                      \
	}
#define RETURN(what)                                                                               \
	{                                                                                          \
		0x06, 0, 0, what                                                                   \
	}
#define UNLESS(number)                                                                             \
	{                                                                                          \
		0x15, 0, 1, number                                                                 \
	}
#define ALLOW(number) UNLESS(number), RETURN(OWN_ALLOW)
#define OWN_KILL      0x80000000u
#define OWN_TRAP      0x00030000u
#define OWN_ERRNO     0x00050000u
#define OWN_ALLOW     0x7fff0000u
#define OWN_STRICT    1
#define OWN_FILTER    1

struct instruction {
	uint16_t code;
	uint8_t if_true, if_false;
	uint32_t value;
};

static unsigned char pages[PAGES * PAGE];
static unsigned char filled[PAGES * PAGE] = {[9] = 1, [150 * PAGE] = 2};
static const unsigned char constants[PAGES * PAGE] = {[5 * PAGE] = 3, [160 * PAGE] = 4};
static volatile int trapped;

static const struct instruction strict[] = {LOAD,
					    ALLOW(SYS_read),
					    ALLOW(SYS_write),
					    ALLOW(SYS_rt_sigreturn),
					    ALLOW(SYS_exit),
					    ALLOW(SYS_exit_group),
					    RETURN(OWN_KILL)};
static const struct instruction refuse[] = {LOAD, ALLOW(SYS_write), ALLOW(SYS_rt_sigreturn),
					    ALLOW(SYS_exit_group), RETURN(OWN_ERRNO | EPERM)};
static const struct instruction trap[] = {LOAD, UNLESS(SYS_getppid), RETURN(OWN_TRAP | 7),
					  RETURN(OWN_ALLOW)};

static void on_trap(int number, siginfo_t *info, void *context)
{
	trapped += number == SIGSYS && info->si_code == 1 && info->si_syscall == SYS_getppid &&
		   info->si_errno == 7;
	pages[(PAGES - 1) * PAGE + 9] = 1;
}

static int filter(const struct instruction *code, size_t length)
{
	const struct {
		uint16_t length;
		const struct instruction *code;
	} program = {(uint16_t)length, code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	       syscall(SYS_seccomp, OWN_FILTER, 0, &program) != 0;
}

#define FILTER(code) filter(code, sizeof(code) / sizeof(*code))

static void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		syscall(SYS_exit, 9);
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "strict", "filter", "refuse", "trap");
	int failed = 1;
	unsigned sum = 0;

	HANDLE_INFO(on_trap, 0, SIGSYS);
	if (strcmp(way, "strict") == 0)
		failed = prctl(PR_SET_SECCOMP, OWN_STRICT);
	else if (strcmp(way, "filter") == 0)
		failed = FILTER(strict);
	else if (strcmp(way, "refuse") == 0)
		failed = FILTER(refuse);
	else if (strcmp(way, "trap") == 0)
		failed = FILTER(trap);
	say(failed ? "no seccomp\n" : "under seccomp\n");
	for (int i = 0; i < PAGES; i++)
		sum += ++pages[i * PAGE] + filled[i * PAGE + 9] + ++filled[i * PAGE] +
		       ((volatile const unsigned char *)constants)[i * PAGE];
	say(sum == PAGES * 2 + 1 + 2 + 3 + 4 ? "sum is right\n" : "sum is wrong\n");
	if (strcmp(way, "trap") == 0) {
		syscall(SYS_getppid);
		say(trapped == 1 && pages[(PAGES - 1) * PAGE + 9] ? "trapped\n" : "not trapped\n");
	}
	if (strcmp(way, "refuse") == 0)
		say(syscall(SYS_getppid) == -1 && errno == EPERM ? "refused\n" : "not refused\n");
	/* exit_group is forbidden in strict mode. */
	syscall(SYS_exit, 6);
	return 1;
}
