/*
 * witness REPORT PROGRAM PAGER [ARG]...: runs `PAGER ARG...` and checks that PAGER itself runs
 * PROGRAM, the static program that it has to load. It ends as PAGER does. It writes lines to
 * REPORT, each a word and its value:
 *
 *   cheat SENTENCE   PAGER did what the rules forbid, and was ended
 *   entered          PAGER came to PROGRAM's entry, with an empty standard output
 *   altered WHAT     the program's code or data in memory differ from the file's
 *   ran              PAGER also came to PROGRAM's main() and, unless a signal ended it, to _exit()
 *   fault NUMBER     how many pages of PROGRAM a handler brought in
 *   hint SENTENCE    the first thing at the entry that differs from what a program expects
 *   died WHERE       the address of the SIGSEGV that ended PAGER
 *
 * It uses two kernel interfaces. A seccomp filter, which PAGER cannot remove, stops the system
 * calls that the rules forbid before they happen. ptrace reports these calls, signals, and a
 * hardware breakpoint, which moves from the entry to main() and then to _exit().
 *
 * A page counts once as brought in by a handler, on four conditions: an instruction of PROGRAM
 * touched it after the entry; it was not in memory; the kernel sent SIGSEGV or SIGBUS for that
 * touch; and the page is in memory at the end. A page that the kernel brings in raises no signal.
 *
 * Registers at the entry that are not zero become zero where PROGRAM has a main(), so that such a
 * program runs to its end. A program without main() sees them as PAGER left them.
 */
#include "machine/machine.h"

#include <errno.h>
#include <fcntl.h>
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Since Linux 5.6, 5.6, 5.10, 5.12 and 6.6. glibc 2.31, of Debian 11, has no names for them. */
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

#define PAGE	     ((uint64_t)sysconf(_SC_PAGESIZE))
#define LARGEST_PAGE 65536
#define MAX_SEGMENTS 16
#define MAX_FILTER   256
#define MAX_SYMBOLS  65536
#define PRESENT	     63 /* the bit of an entry of /proc/PID/pagemap */
#define FAILED	     125

enum offense { NONE, EXECUTES, FORKS, CHANGES_FILES, DISTURBS, SENDS, FORGES, FOREIGN };

static const char *const sentences[] = {
    [EXECUTES] = "it uses execve or a relative of it, which the rules forbid",
    [FORKS] = "it makes another process, which the rules forbid",
    [CHANGES_FILES] = "it writes to files, which no pager needs to do",
    [DISTURBS] = "it reaches into another process, which no pager needs to do",
    [SENDS] = "it sends a signal to another process, which no pager needs to do",
    [FORGES] = "it sends a signal with contents of its own, which no pager needs to do",
    [FOREIGN] = "it makes system calls of another architecture, not of " MACHINE_NAME,
};

/* System calls that are offenses whatever their arguments are. For `kill` and its relatives the
 * target counts. */
static const struct {
	int number;
	enum offense offense;
} forbidden[] = {
    {SYS_execve, EXECUTES},
#ifdef SYS_fork /* newer architectures have only later forms of these */
    {SYS_fork, FORKS},
    {SYS_vfork, FORKS},
    {SYS_creat, CHANGES_FILES},
    {SYS_unlink, CHANGES_FILES},
    {SYS_rename, CHANGES_FILES},
    {SYS_link, CHANGES_FILES},
    {SYS_symlink, CHANGES_FILES},
    {SYS_chmod, CHANGES_FILES},
    {SYS_mkdir, CHANGES_FILES},
    {SYS_mknod, CHANGES_FILES},
    {SYS_rmdir, CHANGES_FILES},
#endif
    {SYS_truncate, CHANGES_FILES},
    {SYS_unlinkat, CHANGES_FILES},
    {SYS_renameat, CHANGES_FILES},
    {SYS_renameat2, CHANGES_FILES},
    {SYS_linkat, CHANGES_FILES},
    {SYS_symlinkat, CHANGES_FILES},
    {SYS_fchmodat, CHANGES_FILES},
    {SYS_fchmodat2, CHANGES_FILES},
    {SYS_mkdirat, CHANGES_FILES},
    {SYS_mknodat, CHANGES_FILES},
    {SYS_openat2, CHANGES_FILES},
    {SYS_open_by_handle_at, CHANGES_FILES},
    {SYS_mount, DISTURBS},
    {SYS_move_mount, DISTURBS},
    {SYS_mount_setattr, DISTURBS},
    {SYS_umount2, DISTURBS},
    {SYS_pivot_root, DISTURBS},
    {SYS_chroot, DISTURBS},
    {SYS_setns, DISTURBS},
    {SYS_unshare, DISTURBS},
    {SYS_io_uring_setup, DISTURBS},
    {SYS_ptrace, DISTURBS},
    {SYS_process_vm_writev, DISTURBS},
    {SYS_process_madvise, DISTURBS},
    {SYS_pidfd_open, DISTURBS},
    {SYS_pidfd_getfd, DISTURBS},
    {SYS_kill, SENDS},
    {SYS_tkill, SENDS},
    {SYS_tgkill, SENDS},
    {SYS_rt_sigqueueinfo, FORGES},
    {SYS_rt_tgsigqueueinfo, FORGES},
    {SYS_pidfd_send_signal, FORGES},
};

struct segment {
	uint64_t start, file_end, end, offset;
	uint32_t flags;
	bool *served; /* a page each, from that of start on: touched while it was not in memory */
};

enum milestone { ENTRY, MAIN, EXIT, MILESTONES };

/* What PROGRAM's headers say. No pager has to load a file without segments. */
static struct {
	int file;
	uint64_t headers, header_count;
	uint64_t milestones[MILESTONES]; /* addresses; 0 where PROGRAM has no such function */
	bool has_interpreter;
	struct segment segments[MAX_SEGMENTS];
	size_t count;
} program;

static struct {
	pid_t process;
	bool started;  /* the one execve, by which PAGER begins, was made */
	bool in_place; /* PAGER has something at PROGRAM's entry already when it begins */
	bool entered;
	enum milestone next; /* where the breakpoint is */
	bool ran;
	long faults;
	uint64_t last_fault;
	enum offense offense;
	const char *trick;
	const char *altered;
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
				    .flags = header->p_flags,
				    .served = calloc(header->p_memsz / PAGE + 2, sizeof(bool))};
	if (headers_offset >= header->p_offset &&
	    headers_offset - header->p_offset < header->p_filesz)
		program.headers = header->p_vaddr + headers_offset - header->p_offset;
}

static bool read_at(void *place, size_t size, uint64_t offset)
{
	return pread(program.file, place, size, (off_t)offset) == (ssize_t)size;
}

/* The functions' addresses, from the symbol table `symbols` and its strings. */
static void read_milestones(const Elf64_Shdr *symbols, const Elf64_Shdr *strings)
{
	char name[sizeof("_exit")];
	Elf64_Sym symbol;

	for (size_t i = 0; i < symbols->sh_size / sizeof(symbol) && i < MAX_SYMBOLS; i++) {
		if (!read_at(&symbol, sizeof(symbol), symbols->sh_offset + i * sizeof(symbol)) ||
		    ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
		    !read_at(name, sizeof(name), strings->sh_offset + symbol.st_name))
			continue;
		if (memcmp(name, "main", sizeof("main")) == 0)
			program.milestones[MAIN] = symbol.st_value;
		if (memcmp(name, "_exit", sizeof("_exit")) == 0)
			program.milestones[EXIT] = symbol.st_value;
	}
}

static void read_symbols(const Elf64_Ehdr *header)
{
	Elf64_Shdr symbols, strings;

	for (size_t i = 0; i < header->e_shnum; i++)
		if (read_at(&symbols, sizeof(symbols), header->e_shoff + i * sizeof(symbols)) &&
		    symbols.sh_type == SHT_SYMTAB &&
		    read_at(&strings, sizeof(strings),
			    header->e_shoff + symbols.sh_link * sizeof(strings)))
			read_milestones(&symbols, &strings);
}

static void read_program(const char *path)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;

	program.file = open(path, O_RDONLY | O_CLOEXEC);
	if (!read_at(&header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return;
	program.milestones[ENTRY] = header.e_entry;
	program.header_count = header.e_phnum;
	for (size_t i = 0; i < header.e_phnum && program.count < MAX_SEGMENTS; i++) {
		if (!read_at(&segment, sizeof(segment), header.e_phoff + i * sizeof(segment)))
			continue;
		program.has_interpreter |= segment.p_type == PT_INTERP;
		if (segment.p_type == PT_LOAD)
			read_segment(&segment, header.e_phoff);
	}
	read_symbols(&header);
}

/* The segment that has this address, if any. */
static const struct segment *segment_of(uint64_t address)
{
	for (size_t i = 0; i < program.count; i++)
		if (address >= (program.segments[i].start & -PAGE) &&
		    address < ((program.segments[i].end + PAGE - 1) & -PAGE))
			return &program.segments[i];
	return NULL;
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

/* The system call `number`, if one of `bits` is set in its argument, is the offense. */
static void add_flags(int number, int argument, uint32_t bits, enum offense offense)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
	load(offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
	add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
	answer(SECCOMP_RET_TRACE | offense);
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

/* execveat with this flag alone executes nothing: it asks whether a file may be executed. */
#define ASKS_ONLY 0x10000 /* AT_EXECVE_CHECK, Linux 6.14 */

static void add_execveat(void)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 0, 3);
	load(offsetof(struct seccomp_data, args[4]));
	add(BPF_JMP | BPF_JSET | BPF_K, ASKS_ONLY, 1, 0);
	answer(SECCOMP_RET_TRACE | EXECUTES);
	load(offsetof(struct seccomp_data, nr));
}

static void build_filter(void)
{
	load(offsetof(struct seccomp_data, arch));
	add(BPF_JMP | BPF_JEQ | BPF_K, MACHINE_AUDIT, 1, 0);
	answer(SECCOMP_RET_TRACE | FOREIGN);
	load(offsetof(struct seccomp_data, nr));
	add(BPF_JMP | BPF_JGE | BPF_K, MACHINE_FOREIGN_CALLS, 0, 1);
	answer(SECCOMP_RET_TRACE | FOREIGN);
	for (size_t i = 0; i < sizeof(forbidden) / sizeof(*forbidden); i++) {
		add(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)forbidden[i].number, 0, 1);
		answer(SECCOMP_RET_TRACE | forbidden[i].offense);
	}
	add_execveat();
#ifdef SYS_open
	add_flags(SYS_open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, CHANGES_FILES);
#endif
	add_flags(SYS_openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, CHANGES_FILES);
	add_flags(SYS_prlimit64, 0, UINT32_MAX, DISTURBS); /* 0 is the caller */
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

/* Whether the page that has this address is in memory. Changes nothing, unlike peek(). */
static bool is_present(uint64_t address)
{
	char path[64];
	uint64_t entry = 0;
	int file;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", run.process);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (pread(file, &entry, sizeof(entry), (off_t)(address / PAGE * sizeof(entry))) !=
	    sizeof(entry))
		entry = 0;
	close(file);
	return (entry >> PRESENT & 1) != 0;
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

static void read_registers(pid_t thread, struct user_regs_struct *registers)
{
	struct iovec part = {registers, sizeof(*registers)};

	ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &part);
}

static void look_at_registers(struct user_regs_struct *registers)
{
	static const struct {
		const char *name;
		size_t offset;
	} zero[] = {MACHINE_ZERO};
	struct iovec part = {registers, sizeof(*registers)};

	if (MACHINE_STACK(registers) % 16 != 0)
		hint("at the entry the stack is not aligned: " MACHINE_STACK_NAME
		     " is not a multiple of 16 (steps 3 and 4)");
	for (size_t i = 0; i < sizeof(zero) / sizeof(*zero); i++) {
		unsigned long long *value = (void *)((char *)registers + zero[i].offset);

		if (*value != 0 && program.milestones[MAIN] == 0)
			hint("at the entry %s is not 0%s (step 4); for programs with a main() the "
			     "grader sets it to 0",
			     zero[i].name, i == 0 ? ": glibc calls it as a function at exit" : "");
		if (program.milestones[MAIN] != 0)
			*value = 0;
	}
	ptrace(PTRACE_SETREGSET, run.process, (void *)NT_PRSTATUS, &part);
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
		if (word_at(address) == AT_ENTRY && value != program.milestones[ENTRY])
			hint("at the entry AT_ENTRY is not 0x%lx, the program's entry (step 3)",
			     program.milestones[ENTRY]);
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
		hint(
		    "at the entry the word at " MACHINE_STACK_NAME
		    ", argc, is %lu, but argv after it has a different number of pointers (step 3)",
		    count);
	else
		look_at_vector(after_null(environment));
}

/* What of the last page with bytes of the file comes after them is zero, where it is writable. */
static void look_at_tails(void)
{
	static const char zeros[LARGEST_PAGE];
	char tail[LARGEST_PAGE];

	for (size_t i = 0; i < program.count; i++) {
		const struct segment *segment = &program.segments[i];
		uint64_t size = -segment->file_end % PAGE;

		if ((segment->flags & PF_W) && segment->end > segment->file_end &&
		    peek(segment->file_end, tail, size) && memcmp(tail, zeros, size) != 0)
			hint("the page at 0x%lx: the bytes after the file's, from 0x%lx on, are "
			     "not zero (step 2)",
			     segment->file_end & -PAGE, segment->file_end);
	}
}

/*
 * Those pages of a segment that are in memory must be the file's. `entry_seen` becomes true if one
 * of them has the entry.
 */
static bool is_of_the_file(const struct segment *segment, bool *entry_seen)
{
	char memory[LARGEST_PAGE], bytes[LARGEST_PAGE];

	for (uint64_t at = segment->start; at < segment->file_end; at = (at & -PAGE) + PAGE) {
		uint64_t entry = program.milestones[ENTRY];
		size_t size = PAGE - at % PAGE;

		size = size < segment->file_end - at ? size : segment->file_end - at;
		if (!is_present(at) || !peek(at, memory, size))
			continue;
		if (!read_at(bytes, size, segment->offset + at - segment->start) ||
		    memcmp(memory, bytes, size) != 0)
			return false;
		*entry_seen |= entry >= at && entry < at + size;
	}
	return true;
}

/* A program with an interpreter is relocated before its entry. */
static bool data_is_of_the_file(void)
{
	bool entry_seen;

	for (size_t i = 0; i < program.count; i++)
		if (!program.has_interpreter && (program.segments[i].flags & PF_W) &&
		    !is_of_the_file(&program.segments[i], &entry_seen))
			return false;
	return true;
}

/* The code and the constants are the file's, and the page of the entry is there. */
static bool is_the_program(void)
{
	bool entry_seen = false;

	for (size_t i = 0; i < program.count; i++)
		if (!(program.segments[i].flags & PF_W) &&
		    !is_of_the_file(&program.segments[i], &entry_seen))
			return false;
	return entry_seen;
}

static void set_breakpoint(void)
{
	uint64_t address = run.next < MILESTONES ? program.milestones[run.next] : 0;

	machine_break_at(run.process, address);
}

static void at_entry(struct user_regs_struct *registers)
{
	struct stat output;

	if (run.in_place)
		run.trick = "the pager itself is at the program's addresses";
	else if (!same_output(&output) || output.st_size != 0)
		run.trick = "before the program's entry the pager wrote to standard output, "
			    "or replaced it";
	run.entered = true;
	look_at_registers(registers);
	look_at_stack(MACHINE_STACK(registers));
	look_at_tails();
	if (!data_is_of_the_file())
		run.altered = "the data in memory at the entry is not the program's";
}

static void at_breakpoint(void)
{
	struct user_regs_struct registers;

	read_registers(run.process, &registers);
	if (run.next == MILESTONES || MACHINE_PLACE(&registers) != program.milestones[run.next])
		return;
	if (run.next == ENTRY)
		at_entry(&registers);
	do
		run.next++;
	while (run.next < MILESTONES && program.milestones[run.next] == 0);
	set_breakpoint();
}

/* The instruction of PROGRAM at `instruction` touched `address`, and the kernel sent a signal. */
static void at_fault(uint64_t address, uint64_t instruction)
{
	const struct segment *segment = segment_of(address), *code = segment_of(instruction);

	run.last_fault = address;
	if (run.entered && segment != NULL && segment->served != NULL && code != NULL &&
	    (code->flags & PF_X) && !is_present(address))
		segment->served[address / PAGE - segment->start / PAGE] = true;
}

static void count_faults(void)
{
	for (size_t i = 0; i < program.count; i++) {
		const struct segment *segment = &program.segments[i];

		for (uint64_t page = segment->start / PAGE; page * PAGE < segment->end; page++)
			if (segment->served != NULL &&
			    segment->served[page - segment->start / PAGE] &&
			    is_present(page * PAGE))
				run.faults++;
	}
}

static void at_exit(unsigned long status)
{
	struct stat output;

	count_faults();
	run.ran = run.next == MILESTONES || (run.next == EXIT && WIFSIGNALED(status));
	if (run.entered && !is_the_program())
		run.altered = "the code or the constants in memory are not the program's";
	if (run.trick == NULL && run.entered && !same_output(&output))
		run.trick = "standard output was replaced";
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV)
		fprintf(report, "died at address 0x%lx, %s the program's entry\n", run.last_fault,
			run.entered ? "after" : "before");
}

/* ---- the tracer ------------------------------------------------------------------------------ */

/* PAGER has begun. A PAGER that the kernel has put where PROGRAM belongs, and that comes to the
 * entry, is PROGRAM. */
static void at_start(void)
{
	char byte;

	run.in_place = program.count > 0 && peek(program.milestones[ENTRY], &byte, 1);
	run.next = ENTRY;
	set_breakpoint();
}

/* The filter has stopped thread `thread` before a system call. */
static void at_call(pid_t thread)
{
	struct user_regs_struct registers;
	unsigned long offense = 0;

	ptrace(PTRACE_GETEVENTMSG, thread, NULL, &offense);
	read_registers(thread, &registers);
	if (offense == EXECUTES && !run.started)
		run.started = true;
	else if (offense != SENDS || ((pid_t)MACHINE_TARGET(&registers) != run.process &&
				      (pid_t)MACHINE_TARGET(&registers) != thread))
		run.offense = (enum offense)offense;
}

/* Returns the signal that the thread is to get. */
static int at_signal(pid_t thread, int number)
{
	struct user_regs_struct registers = {0};
	siginfo_t info = {0};

	ptrace(PTRACE_GETSIGINFO, thread, NULL, &info);
	if (number == SIGTRAP && info.si_code == TRAP_HWBKPT) {
		at_breakpoint();
		return 0;
	}
	if ((number == SIGSEGV || number == SIGBUS) && info.si_code > 0) {
		read_registers(thread, &registers);
		at_fault((uint64_t)info.si_addr, MACHINE_PLACE(&registers));
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

			if (run.offense != NONE)
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
	if (run.offense != NONE)
		fprintf(report, "cheat %s\n", sentences[run.offense]);
	else if (run.trick != NULL)
		fprintf(report, "cheat %s\n", run.trick);
	if (run.altered != NULL)
		fprintf(report, "altered %s\n", run.altered);
	if (run.entered)
		fputs("entered\n", report);
	if (run.ran)
		fputs("ran\n", report);
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
	if (run.offense != NONE)
		kill(run.process, SIGKILL);
	write_report();
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}
