#include "common/process_identity.h"
#include "common/arch/syscall.h"
#include "common/arch/thread_pointer.h"
#include "common/arch/valgrind.h"
#include "common/page.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

/* This loader's own bounds, from the linker. */
extern const char __ehdr_start[], _end[];

/*
 * The address from which the kernel counts the brk of a static PIE, since about Linux 5.2:
 * ELF_ET_DYN_BASE, two thirds of the address space, rounded up to a page
 * (arch/x86/include/asm/elf.h).
 */
#define ELF_ET_DYN_BASE ((USER_ADDRESS_END / 3 * 2 + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1))

/* No kernel moves brk by more than 1 GiB (arch_randomize_brk). */
#define BRK_RANDOM_MAX (UINT64_C(1) << 30)

/* By vm.mmap_rnd_bits, unless it has been changed (arch_mmap_rnd). */
#define MMAP_RANDOM_PAGES (MMAP_RANDOM_BYTES / PAGE_BYTES)

/* The end of the stack if nothing is randomized (STACK_TOP). */
#define STACK_TOP USER_ADDRESS_END

#define SETTABLE_LEAST UINT64_C(0x10000)

/*
 * As in arch_align_stack(): fewer than 8192 bytes, then to a multiple of 16; above the platform
 * string.
 */
#define STACK_GAP_MAX (8192 + 16 + 64)

/* No function of the loader allocates with brk (host_heap.c), but glibc's start-up code does. */
static void read_brk(struct process_start *start)
{
	start->brk_end = start->brk_start = (uint64_t)raw_syscall1(SYS_brk, 0);
#ifdef __GLIBC__
	char line[512];
	uint64_t end;
	FILE *maps = fopen("/proc/self/maps", "re");

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
		if (strstr(line, "[heap]") != NULL)
			sscanf(line, "%lx-%lx", &start->brk_start, &end);
	if (maps != NULL)
		fclose(maps);
#endif
}

uint64_t process_start_auxv(const struct process_start *start, uint64_t type)
{
	for (size_t i = 0; i < start->auxv_count; i++)
		if (start->auxv[i].type == type)
			return start->auxv[i].value;
	return 0;
}

/* The auxiliary vector directly follows the environment. */
static void find_auxv(struct process_start *start)
{
	char **p = start->envp;

	while (*p != NULL)
		p++;
	start->auxv = (const struct auxv_entry *)(p + 1);
	start->auxv_count = 0;
	while (start->auxv[start->auxv_count].type != AT_NULL)
		start->auxv_count++;
}

/*
 * Finds the random gap. create_elf_tables() puts the platform string at the top of the tables. If
 * that string is elsewhere, as under some emulators, the gap is not known. It is not known either
 * if strings continue below the first argument: for a script, remove_arg_zero() drops argv[0], and
 * the string that replaces it may be shorter.
 */
static void find_gap(struct process_start *start, const char *strings)
{
	const char *platform = (const char *)process_start_auxv(start, AT_PLATFORM);
	const char *end;

	if (platform == NULL || platform > strings || strings - platform > STACK_GAP_MAX ||
	    strings[-1] != '\0')
		return;
	end = platform + strlen(platform) + 1;
	start->gap = (struct stack_range){(uint64_t)end, (uint64_t)strings};
}

bool process_start_read(struct process_start *start, char **argv, char **envp, struct error *error)
{
	const char *path;
	uint64_t page_size;

	start->image = page_floor((uint64_t)__ehdr_start);
	start->image_end = page_ceil((uint64_t)_end);
	start->envp = envp;
	find_auxv(start);
	page_size = process_start_auxv(start, AT_PAGESZ);
	if (page_size != PAGE_BYTES)
		return error_set(error, EXIT_OURS,
				 "needs pages of %lu bytes, and this kernel has %lu: "
				 "run it on another kernel",
				 PAGE_BYTES, page_size);
	/*
	 * The last string is the path given to execve, followed by eight zero bytes. Valgrind
	 * leaves a few more bytes there.
	 */
	path = (const char *)process_start_auxv(start, AT_EXECFN);
	if (path < (const char *)start->envp)
		return error_set(error, EXIT_OURS,
				 "cannot find the end of the stack: AT_EXECFN is missing or not "
				 "on the stack; start the loader without an emulator");
	start->stack_top = page_ceil((uint64_t)path + strlen(path) + 1);
	start->under_valgrind = runs_under_valgrind();
	start->denies_gain = prctl(KERNEL_PR_GET_MDWE, 0, 0, 0, 0) > 0;
	find_gap(start, argv[0]);
	start->randomized = start->stack_top != STACK_TOP && !start->under_valgrind;
	read_brk(start);
	raw_syscall6(SYS_rt_sigprocmask, SIG_BLOCK, 0, (uint64_t)&start->signal_mask,
		     KERNEL_SIGSET_SIZE, 0, 0);
	return true;
}

uint64_t program_base(const struct process_start *start)
{
	const void *random = (const void *)process_start_auxv(start, AT_RANDOM);
	uint64_t halves[2] = {0};

	if (start->randomized && random != NULL)
		memcpy(halves, random, sizeof(halves));
	return page_floor(ELF_ET_DYN_BASE - 1) +
	       (halves[0] ^ halves[1]) % MMAP_RANDOM_PAGES * PAGE_BYTES;
}

uint64_t program_brk(const struct process_start *start, const struct load_plan *plan,
		     bool has_interpreter)
{
	bool is_static_pie = !plan->fixed_address && !has_interpreter;
	bool moved = start->brk_start - ELF_ET_DYN_BASE <= BRK_RANDOM_MAX + PAGE_BYTES;
	uint64_t own_base = moved ? ELF_ET_DYN_BASE : page_ceil((uint64_t)_end);
	uint64_t base = moved && is_static_pie ? ELF_ET_DYN_BASE : page_ceil(plan->image_end);
	uint64_t offset = start->brk_start - own_base;

	if (offset > BRK_RANDOM_MAX + PAGE_BYTES)
		offset = 0;
	return base + offset;
}

/*
 * PR_SET_MM_MAP refuses the whole map for one address below mmap_min_addr
 * (validate_prctl_map_addr). That is at least 64 KiB (CONFIG_LSM_MMAP_MIN_ADDR), whatever
 * vm.mmap_min_addr says. exec itself has no such limit.
 */
static uint64_t settable(uint64_t address)
{
	return address < SETTABLE_LEAST ? SETTABLE_LEAST : address;
}

struct kernel_mm_map program_mm_map(const struct load_plan *plan, const struct stack_image *stack,
				    uint64_t brk)
{
	bool has_code = plan->code_start < plan->code_end;
	uint64_t start_code = settable(has_code ? plan->code_start : plan->data_start);
	uint64_t end_code = has_code ? plan->code_end : plan->data_start + 1;

	brk = settable(brk);
	return (struct kernel_mm_map){
	    .start_code = start_code,
	    .end_code = end_code > start_code ? end_code : start_code + 1,
	    .start_data = settable(plan->data_start),
	    .end_data = settable(plan->data_end),
	    .start_brk = brk,
	    .brk = brk,
	    .start_stack = stack->stack_pointer,
	    .arg_start = stack->arg_start,
	    .arg_end = stack->arg_end,
	    .env_start = stack->env_start,
	    .env_end = stack->env_end,
	    .auxv = (const uint64_t *)stack->auxv,
	    .auxv_size = (uint32_t)stack->auxv_length,
	    .exe_fd = KERNEL_NO_EXE,
	};
}

/*
 * glibc has registered a restartable-sequences area (rseq(2)) and a robust list for this thread, in
 * memory that will be unmapped. musl registers neither.
 */
static void unregister_thread_areas(void)
{
#ifdef __GLIBC__
	extern const ptrdiff_t __rseq_offset __attribute__((weak));
	extern const unsigned __rseq_size __attribute__((weak));

	if (&__rseq_offset != NULL && __rseq_size != 0)
		raw_syscall6(SYS_rseq, thread_pointer() + (uint64_t)__rseq_offset,
			     __rseq_size < 32 ? 32 : __rseq_size, 1 /* unregister */, 0x53053053, 0,
			     0);
	raw_syscall2(SYS_set_robust_list, 0, 24);
#endif
}

void process_take_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	/* The kernel uses the part after the last slash and cuts it to 15 bytes. */
	prctl(PR_SET_NAME, slash != NULL ? slash + 1 : path);
	unregister_thread_areas();
}
