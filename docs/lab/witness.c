/*
 * witness REPORT PROGRAM PAGER [ARG]...: runs `PAGER ARG...` and looks whether PAGER itself runs
 * PROGRAM, the static program that it is to load. It ends as PAGER does. REPORT gets lines of a
 * word and what belongs to it:
 *
 *   cheat SENTENCE   PAGER did what the rules forbid, and was ended
 *   entered          it came to PROGRAM's entry, with an empty standard output
 *   fault NUMBER     so many touches raised SIGSEGV or SIGBUS
 *   hint SENTENCE    the first thing at the entry that is not as a program expects it
 *   died WHERE       the SIGSEGV that ended it
 *
 * Two kernel interfaces do the looking. A seccomp filter stops the system calls that the rules
 * forbid before they happen; it goes wherever PAGER goes. ptrace is told of them, of signals, and
 * of a hardware breakpoint at the entry.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_openat2 /* Linux 5.6; glibc 2.31, of Debian 11, has no name for it */
#define SYS_openat2 437
#endif

#define PAGE	     4096ul
#define MAX_SEGMENTS 16
#define MAX_FILTER   256
#define FAILED	     125

enum offence { NONE, EXECUTES, FORKS, CHANGES_FILES, DISTURBS, SENDS, FOREIGN };

static const char *const sentences[] = {
    [EXECUTES] = "it uses execve or a relative of it, which the rules forbid",
    [FORKS] = "it makes another process, which the rules forbid",
    [CHANGES_FILES] = "it writes to files, which no pager has to",
    [DISTURBS] = "it reaches into another process, which no pager has to",
    [SENDS] = "it sends a signal to another process, which no pager has to",
    [FOREIGN] = "it makes system calls that are not those of x86-64",
};

/* System calls that are offences whatever their arguments are, and `kill` and its relatives, whose
 * target counts. */
static const struct {
	int number;
	enum offence offence;
} forbidden[] = {
    {SYS_execve, EXECUTES},
    {SYS_execveat, EXECUTES},
    {SYS_fork, FORKS},
    {SYS_vfork, FORKS},
    {SYS_creat, CHANGES_FILES},
    {SYS_truncate, CHANGES_FILES},
    {SYS_unlink, CHANGES_FILES},
    {SYS_unlinkat, CHANGES_FILES},
    {SYS_rename, CHANGES_FILES},
    {SYS_renameat, CHANGES_FILES},
    {SYS_renameat2, CHANGES_FILES},
    {SYS_link, CHANGES_FILES},
    {SYS_linkat, CHANGES_FILES},
    {SYS_symlink, CHANGES_FILES},
    {SYS_symlinkat, CHANGES_FILES},
    {SYS_chmod, CHANGES_FILES},
    {SYS_fchmodat, CHANGES_FILES},
    {SYS_openat2, CHANGES_FILES},
    {SYS_io_uring_setup, DISTURBS},
    {SYS_ptrace, DISTURBS},
    {SYS_process_vm_writev, DISTURBS},
    {SYS_pidfd_open, DISTURBS},
    {SYS_kill, SENDS},
    {SYS_tkill, SENDS},
    {SYS_tgkill, SENDS},
    {SYS_rt_sigqueueinfo, SENDS},
    {SYS_rt_tgsigqueueinfo, SENDS},
};

struct segment {
	uint64_t start, file_end, end, offset;
	uint32_t flags;
};

/* What PROGRAM's headers say. Without segments: it is none that a pager has to load. */
static struct {
	int file;
	uint64_t entry, headers, header_count;
	struct segment segments[MAX_SEGMENTS];
	size_t count;
} program;

static struct {
	pid_t process;
	bool started; /* the one execve, by which PAGER begins, was made */
	bool entered;
	long faults;
	uint64_t last_fault;
	enum offence offence;
	const char *trick;
} run;

static FILE *report;
static int hints;

/* ---- the program ----------------------------------------------------------------------------- */

static void read_segment(const Elf64_Phdr *header, uint64_t headers_offset)
{
	struct segment *segment = &program.segments[program.count++];

	*segment = (struct segment){.start = header->p_vaddr,
				    .file_end = header->p_vaddr + header->p_filesz,
				    .end = header->p_vaddr + header->p_memsz,
				    .offset = header->p_offset,
				    .flags = header->p_flags};
	if (headers_offset >= header->p_offset &&
	    headers_offset - header->p_offset < header->p_filesz)
		program.headers = header->p_vaddr + headers_offset - header->p_offset;
}

static void read_program(const char *path)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	program.file = open(path, O_RDONLY | O_CLOEXEC);
	if (pread(program.file, &header, sizeof(header), 0) != sizeof(header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return;
	program.entry = header.e_entry;
	program.header_count = header.e_phnum;
	for (size_t i = 0; i < header.e_phnum && program.count < MAX_SEGMENTS; i++)
		if (pread(program.file, &segment, sizeof(segment),
			  (off_t)(header.e_phoff + i * sizeof(segment))) == sizeof(segment) &&
		    segment.p_type == PT_LOAD)
			read_segment(&segment, header.e_phoff);
}

/* ---- the filter ------------------------------------------------------------------------------ */

static struct sock_filter filter[MAX_FILTER];
static unsigned short filter_length;

static void add(unsigned short code, uint32_t value, unsigned char if_so, unsigned char if_not)
{
	filter[filter_length++] = (struct sock_filter){code, if_so, if_not, value};
}

static void load(size_t offset)
{
	add(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(uint32_t action)
{
	add(BPF_RET | BPF_K, action, 0, 0);
}

/* The system call `number`, if one of `bits` is set in its argument, is the offence. */
static void add_flags(int number, int argument, uint32_t bits, enum offence offence)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
	load(offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
	add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
	answer(SECCOMP_RET_TRACE | offence);
	answer(SECCOMP_RET_ALLOW);
}

/* A new thread is allowed, a new process is not, nor one that ptrace would not see. */
static void add_clone(void)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
	answer(SECCOMP_RET_ERRNO | ENOSYS); /* its flags are in memory; libc turns to clone() */
	add(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 5);
	load(offsetof(struct seccomp_data, args));
	add(BPF_JMP | BPF_JSET | BPF_K, CLONE_UNTRACED, 1, 0);
	add(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
	answer(SECCOMP_RET_TRACE | FORKS);
	answer(SECCOMP_RET_ALLOW);
}

static void build_filter(void)
{
	load(offsetof(struct seccomp_data, arch));
	add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	answer(SECCOMP_RET_TRACE | FOREIGN);
	load(offsetof(struct seccomp_data, nr));
	add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* x32 */
	answer(SECCOMP_RET_TRACE | FOREIGN);
	for (size_t i = 0; i < sizeof(forbidden) / sizeof(*forbidden); i++) {
		add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)forbidden[i].number, 0, 1);
		answer(SECCOMP_RET_TRACE | forbidden[i].offence);
	}
	add_flags(SYS_open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, CHANGES_FILES);
	add_flags(SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, CHANGES_FILES);
	add_clone();
	answer(SECCOMP_RET_ALLOW);
}

/* ---- what is looked at ----------------------------------------------------------------------- */

__attribute__((format(printf, 1, 2))) static void hint(const char *format, ...)
{
	va_list values;

	if (hints++ > 0)
		return;
	va_start(values, format);
	fputs("hint ", report);
	vfprintf(report, format, values);
	fputc('\n', report);
	va_end(values);
}

static bool peek(uint64_t address, void *place, size_t size)
{
	char path[64];
	int file;
	ssize_t got;

	snprintf(path, sizeof(path), "/proc/%d/mem", run.process);
	file = open(path, O_RDONLY | O_CLOEXEC);
	got = pread(file, place, size, (off_t)address);
	close(file);
	return got == (ssize_t)size;
}

static uint64_t word_at(uint64_t address)
{
	uint64_t value = 0;

	peek(address, &value, sizeof(value));
	return value;
}

/* The standard output of PAGER is still the file that this process has for it. */
static bool same_output(struct stat *own)
{
	char path[64];
	struct stat theirs;

	snprintf(path, sizeof(path), "/proc/%d/fd/1", run.process);
	return fstat(1, own) == 0 && stat(path, &theirs) == 0 && own->st_dev == theirs.st_dev &&
	       own->st_ino == theirs.st_ino;
}

static void look_at_registers(const struct user_regs_struct *registers)
{
	const struct {
		const char *name;
		uint64_t value;
	} zero[] = {{"rdx", registers->rdx}, {"rax", registers->rax}, {"rbx", registers->rbx},
		    {"rcx", registers->rcx}, {"rsi", registers->rsi}, {"rdi", registers->rdi},
		    {"rbp", registers->rbp}, {"r8", registers->r8},   {"r9", registers->r9},
		    {"r10", registers->r10}, {"r11", registers->r11}, {"r12", registers->r12},
		    {"r13", registers->r13}, {"r14", registers->r14}, {"r15", registers->r15}};

	if (registers->rsp % 16 != 0)
		hint("at the entry the stack is not aligned: rsp is not a multiple of 16 (steps 3 "
		     "and 4)");
	for (size_t i = 0; i < sizeof(zero) / sizeof(*zero); i++)
		if (zero[i].value != 0)
			hint("at the entry %s is not 0%s (step 4)", zero[i].name,
			     i == 0 ? ": glibc calls it as a function at exit" : "");
}

/* Goes over pointers to the NULL after them. 0: there is none near. */
static uint64_t after_null(uint64_t address)
{
	for (int i = 0; i < 4096; i++, address += 8)
		if (word_at(address) == 0)
			return address + 8;
	return 0;
}

static void look_at_vector(uint64_t address)
{
	bool seen = false;

	for (int i = 0; i < 64 && word_at(address) != AT_NULL; i++, address += 16) {
		uint64_t value = word_at(address + 8);

		seen |= word_at(address) == AT_PHDR;
		if (word_at(address) == AT_PHDR && value != program.headers)
			hint("at the entry AT_PHDR is not 0x%lx, where the program's headers are "
			     "(steps 1 and 3)",
			     program.headers);
		if (word_at(address) == AT_PHNUM && value != program.header_count)
			hint("at the entry AT_PHNUM is not %lu, the number of the program's "
			     "headers (step 3)",
			     program.header_count);
		if (word_at(address) == AT_ENTRY && value != program.entry)
			hint("at the entry AT_ENTRY is not 0x%lx, the program's entry (step 3)",
			     program.entry);
	}
	if (!seen)
		hint("at the entry there is no AT_PHDR after the NULL that ends the environment "
		     "(step 3)");
}

static void look_at_stack(uint64_t stack)
{
	uint64_t count = word_at(stack);
	uint64_t environment = after_null(stack + 8);

	if (environment != stack + 8 * (count + 2))
		hint("at the entry the word at rsp, argc, is %lu, but the argv after it has not so "
		     "many (step 3)",
		     count);
	else
		look_at_vector(after_null(environment));
}

/* What of the last page with bytes of the file comes after them is zero, where it is writable. */
static void look_at_tails(void)
{
	static const char zeros[PAGE];
	char tail[PAGE];

	for (size_t i = 0; i < program.count; i++) {
		const struct segment *segment = &program.segments[i];
		uint64_t size = -segment->file_end % PAGE;

		if ((segment->flags & PF_W) && segment->end > segment->file_end &&
		    peek(segment->file_end, tail, size) && memcmp(tail, zeros, size) != 0)
			hint("the page at 0x%lx: what comes after the file's bytes, from 0x%lx, is "
			     "not zero (step 2)",
			     segment->file_end & -PAGE, segment->file_end);
	}
}

static void at_entry(void)
{
	struct user_regs_struct registers;
	struct stat output;

	ptrace(PTRACE_GETREGS, run.process, NULL, &registers);
	if (registers.rip != program.entry)
		return;
	ptrace(PTRACE_POKEUSER, run.process, offsetof(struct user, u_debugreg[7]), 0);
	if (!same_output(&output) || output.st_size != 0)
		run.trick = "before the program's entry something was written to standard output, "
			    "or it was replaced";
	run.entered = true;
	look_at_registers(&registers);
	look_at_stack(registers.rsp);
	look_at_tails();
}

/* Pages of code that are in memory must be the file's, the one of the entry among them. */
static bool is_the_program(void)
{
	char memory[PAGE], bytes[PAGE];
	bool entry_seen = false;

	for (size_t i = 0; i < program.count; i++) {
		const struct segment *segment = &program.segments[i];

		if (!(segment->flags & PF_X))
			continue;
		for (uint64_t at = segment->start; at < segment->file_end;
		     at = (at & -PAGE) + PAGE) {
			size_t size = PAGE - at % PAGE;

			size = size < segment->file_end - at ? size : segment->file_end - at;
			if (!peek(at, memory, size))
				continue;
			if (pread(program.file, bytes, size,
				  (off_t)(segment->offset + at - segment->start)) !=
				(ssize_t)size ||
			    memcmp(memory, bytes, size) != 0)
				return false;
			entry_seen |= program.entry >= at && program.entry < at + size;
		}
	}
	return entry_seen;
}

static void at_exit(unsigned long status)
{
	struct stat output;

	if (run.trick == NULL && run.entered && !is_the_program())
		run.trick = "the code in memory is not that of the program";
	else if (run.trick == NULL && run.entered && !same_output(&output))
		run.trick = "standard output was replaced";
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV)
		fprintf(report, "died at address 0x%lx, %s the program's entry\n", run.last_fault,
			run.entered ? "after" : "before");
}

/* ---- the tracer ------------------------------------------------------------------------------ */

static void at_start(void)
{
	ptrace(PTRACE_POKEUSER, run.process, offsetof(struct user, u_debugreg[0]), program.entry);
	ptrace(PTRACE_POKEUSER, run.process, offsetof(struct user, u_debugreg[7]), 1);
}

/* The filter has stopped thread `thread` before a system call. */
static void at_call(pid_t thread)
{
	struct user_regs_struct registers;
	unsigned long offence = 0;

	ptrace(PTRACE_GETEVENTMSG, thread, NULL, &offence);
	ptrace(PTRACE_GETREGS, thread, NULL, &registers);
	if (offence == EXECUTES && !run.started)
		run.started = true;
	else if (offence != SENDS ||
		 ((pid_t)registers.rdi != run.process && (pid_t)registers.rdi != thread))
		run.offence = (enum offence)offence;
}

/* Returns the signal that the thread is to get. */
static int at_signal(pid_t thread, int number)
{
	siginfo_t info = {0};

	ptrace(PTRACE_GETSIGINFO, thread, NULL, &info);
	if (number == SIGTRAP && info.si_code == TRAP_HWBKPT) {
		at_entry();
		return 0;
	}
	if ((number == SIGSEGV || number == SIGBUS) && info.si_code > 0) {
		run.faults++;
		run.last_fault = (uint64_t)info.si_addr;
	}
	return number == SIGSTOP ? 0 : number;
}

/* What one stop means. Returns the signal to go on with. */
static int at_stop(pid_t thread, int status)
{
	unsigned long message = 0;

	switch (status >> 16) {
	case PTRACE_EVENT_SECCOMP:
		at_call(thread);
		return 0;
	case PTRACE_EVENT_EXEC:
		at_start();
		return 0;
	case PTRACE_EVENT_EXIT:
		ptrace(PTRACE_GETEVENTMSG, thread, NULL, &message);
		if (thread == run.process)
			at_exit(message);
		return 0;
	case 0:
		return at_signal(thread, WSTOPSIG(status));
	default:
		return 0;
	}
}

static int follow(void)
{
	int status = 0;
	pid_t thread;

	while ((thread = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			int number = at_stop(thread, status);

			if (run.offence != NONE)
				return status;
			ptrace(PTRACE_CONT, thread, NULL, number);
		} else if (thread == run.process) {
			return status;
		}
	}
	return status;
}

static void start(char **command)
{
	struct sock_fprog program_of_filter = {filter_length, filter};

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(FAILED);
	raise(SIGSTOP);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program_of_filter) != 0)
		_exit(FAILED);
	execv(command[0], command);
	_exit(126);
}

static void write_report(void)
{
	if (run.offence != NONE)
		fprintf(report, "cheat %s\n", sentences[run.offence]);
	else if (run.trick != NULL)
		fprintf(report, "cheat %s\n", run.trick);
	if (run.entered)
		fputs("entered\n", report);
	fprintf(report, "fault %ld\n", run.faults);
	fclose(report);
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc < 4 || (report = fopen(argv[1], "we")) == NULL)
		return FAILED;
	/* The time limit kills whoever waits for a program that hangs: the hint is told by then. */
	setlinebuf(report);
	read_program(argv[2]);
	build_filter();
	run.process = fork();
	if (run.process == 0)
		start(argv + 3);
	if (waitpid(run.process, &status, __WALL) != run.process || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, run.process, NULL,
		   PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP |
		       PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
		       PTRACE_O_TRACEVFORK) != 0)
		return FAILED;
	ptrace(PTRACE_CONT, run.process, NULL, 0);
	status = follow();
	if (run.offence != NONE)
		kill(run.process, SIGKILL);
	write_report();
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}
