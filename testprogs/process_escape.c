/*
 * process_escape WAY [FILE]: a program that gives up its rights for good, and then writes code over
 * all memory that is not its own. The code would make FILE. No process that shares the memory may
 * run it with rights that the program no longer has.
 *
 *   ids       as root: gives up user, groups and capabilities
 *   filter    enters a filter (seccomp) that denies creat(2)
 *   stay      gives up the user where it is root's, writes its process ID, and sleeps
 *   siblings  lists other children of its parent that run
 *
 * No mark: it is about other processes, not about hidden pages.
 */
#include "guest.h"

#include <dirent.h>
#include <grp.h>

#define AREAS 256

struct area {
	unsigned long start, end;
};

static struct area areas[AREAS];
static unsigned area_count;
static unsigned char page[PAGE];

extern const unsigned char __executable_start[], _end[], payload[], payload_end[];

/* creat(path, 0600), exit_group(0); the path follows. */
__asm__(".pushsection .text\n"
	"payload:\n"
	"	lea payload_end(%rip), %rdi\n"
	"	mov $0600, %esi\n"
	"	mov $85, %eax\n"
	"	syscall\n"
	"	xor %edi, %edi\n"
	"	mov $231, %eax\n"
	"	syscall\n"
	"payload_end:\n"
	".popsection\n");

/* Records mappings that have pages and are not the program, its stack or its heap. */
static void find_areas(void)
{
	char line[512], permissions[8], name[256];
	FILE *maps = fopen("/proc/self/maps", "r");
	struct area area;

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		name[0] = '\0';
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &area.start, &area.end,
			   permissions, name) < 3 ||
		    (area.start < (unsigned long)_end &&
		     area.end > (unsigned long)__executable_start) ||
		    strcmp(name, "[heap]") == 0 || strcmp(name, "[stack]") == 0 ||
		    strcmp(name, "[vsyscall]") == 0 || strncmp(name, "[vvar", 5) == 0)
			continue;
		if (area_count < AREAS)
			areas[area_count++] = area;
	}
	if (maps != NULL)
		fclose(maps);
}

/* From any place in a page the processor comes to the payload at its end. */
static void make_page(const char *path)
{
	size_t code = (size_t)(payload_end - payload), text = strlen(path) + 1;

	memset(page, 0x90, sizeof(page));
	memcpy(page + PAGE - text, path, text);
	memcpy(page + PAGE - text - code, payload, code);
}

static void give_up_user(void)
{
	if (getuid() == 0 && (setgroups(0, NULL) != 0 || setresgid(65534, 65534, 65534) != 0 ||
			      setresuid(65534, 65534, 65534) != 0))
		exit(3);
}

/* From <linux/filter.h> and <linux/seccomp.h>, which musl lacks. */
static void enter_filter(void)
{
	static const struct {
		uint16_t code;
		uint8_t if_true, if_false;
		uint32_t value;
	} code[] = {{0x20, 0, 0, 0},
		    {0x15, 0, 1, SYS_creat},
		    {0x06, 0, 0, 0x00050000u | EPERM},
		    {0x06, 0, 0, 0x7fff0000u}};
	const struct {
		uint16_t length;
		const void *code;
	} program = {sizeof(code) / sizeof(code[0]), code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, 2, &program, 0, 0) != 0)
		exit(3);
}

/* Wakes the processes that share this memory: they run on from where they sleep. */
static void wake_sharers(void)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;

	while (processes != NULL && (entry = readdir(processes)) != NULL) {
		int process = atoi(entry->d_name);

		if (process <= 1 || process == getpid() ||
		    syscall(SYS_kcmp, getpid(), process, 1 /* KCMP_VM */, 0, 0) != 0)
			continue;
		kill(process, SIGSTOP);
		kill(process, SIGCONT);
	}
}

static long raw_call(long number, long first, long second, long third)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(first), "S"(second), "d"(third)
			 : "rcx", "r11", "memory");
	return result;
}

/* Does not use the C library, whose functions or state may lie where the code is written. */
static void write_code(void)
{
	for (unsigned i = 0; i < area_count; i++) {
		const struct area *area = &areas[i];
		unsigned long end = area->end;

		/* The trace's ring is large, and is no code. */
		if (end - area->start > 1024 * PAGE)
			end = area->start + 1024 * PAGE;
		if (raw_call(SYS_mprotect, (long)area->start, (long)(end - area->start),
			     PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
			continue;
		for (volatile uint64_t *to = (uint64_t *)area->start; to < (uint64_t *)end; to++)
			*to = ((uint64_t *)page)[(unsigned long)to % PAGE / sizeof(*to)];
	}
}

static void list_siblings(void)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;

	while (processes != NULL && (entry = readdir(processes)) != NULL) {
		char path[300], name[64], state;
		int process = atoi(entry->d_name), parent;
		FILE *stat;

		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		if (process == 0 || process == getpid() || (stat = fopen(path, "r")) == NULL)
			continue;
		if (fscanf(stat, "%*d (%63[^)]) %c %d", name, &state, &parent) == 3 &&
		    parent == getppid() && state != 'Z' && state != 'X')
			printf("%s %c\n", name, state);
		fclose(stat);
	}
}

int main(int argc, char **argv)
{
	const char *way = WORD(1, "ids", "filter", "stay", "siblings");

	if (strcmp(way, "siblings") == 0) {
		list_siblings();
		return 0;
	}
	if (strcmp(way, "stay") == 0) {
		give_up_user();
		printf("%d\n", getpid());
		fflush(stdout);
		for (;;)
			pause();
	}
	find_areas();
	make_page(argc > 2 ? argv[2] : "/made");
	if (strcmp(way, "ids") == 0)
		give_up_user();
	else
		enter_filter();
	write_code();
	wake_sharers();
	raw_call(SYS_exit_group, 0, 0, 0);
}
