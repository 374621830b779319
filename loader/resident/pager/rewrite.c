#include "loader/resident/pager/rewrite.h"

#if ARCH_REWRITES

#include "common/arch/breakpoint.h"
#include "common/arch/syscall.h"
#include "common/kernel_abi.h"
#include "loader/resident/arch/call.h"
#include "loader/resident/arch/frame.h"
#include "loader/resident/pager/pages.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/shm.h>

typedef uint32_t instruction;

struct rewrite *resident_launch_rewrite;

static long protect(uint64_t start, uint64_t length, int protection)
{
	return raw_syscall3(SYS_mprotect, start, length, (uint64_t)protection);
}

/* The text with instructions in a range, or NULL. */
static const struct rewrite_text *text_in(uint64_t start, uint64_t end)
{
	const struct rewrite *rewrite = resident_launch_rewrite;

	for (unsigned i = 0; i < rewrite->count; i++)
		if (start < rewrite->texts[i].end && rewrite->texts[i].start < end)
			return &rewrite->texts[i];
	return NULL;
}

static bool is_rewritten(const struct rewrite_text *text, uint64_t place)
{
	return bitmap_get(text->rewritten, (place - text->start) / sizeof(instruction));
}

static void write_instruction(uint64_t place, instruction new)
{
	*(volatile instruction *)place = new;
	breakpoint_changed((const void *)place);
}

/*
 * Only where the file's sections show what is code may a word with an operand be a call: no program
 * is known that has one, and in constants such words are found.
 */
static bool is_instruction_of_call(const struct rewrite_text *text, instruction code)
{
	return (text->has_sections ? code & ~CALL_OPERAND : code) == CALL_INSTRUCTION;
}

/* The protection of a page of text, or of the whole vDSO: the kernel does not split its mapping. */
static long protect_page(const struct rewrite_text *text, uint64_t page, int protection)
{
	const struct rewrite *rewrite = resident_launch_rewrite;

	if (text == &rewrite->texts[rewrite->count - 1])
		return protect(text->start, text->end - text->start, protection);
	return protect(page, PAGE_BYTES, protection);
}

/* Rewrites the instructions of a page that is readable and not executable. */
static long rewrite_page(const struct rewrite_text *text, uint64_t page)
{
	uint64_t place = higher(page, text->start);
	uint64_t end = lower(page + PAGE_BYTES, text->end);
	bool writable = false;

	for (; place < end; place += sizeof(instruction)) {
		instruction code = *(const volatile instruction *)place;

		if (!is_instruction_of_call(text, code))
			continue;
		if (!writable) {
			long result = protect_page(text, page, PROT_READ | PROT_WRITE);

			if (result != 0)
				return result;
			writable = true;
		}
		bitmap_set(text->rewritten, (place - text->start) / sizeof(instruction));
		write_instruction(place,
				  CALL_REWRITTEN ^ (code & CALL_OPERAND) >> CALL_OPERAND_SHIFT);
	}
	return 0;
}

/*
 * A page that the kernel cannot read stays as it is, for example one beyond the end of its file. A
 * touch of it raises SIGBUS, as in a native run.
 */
long rewrite_reveal_locked(const struct pager_region *region, uint64_t start, uint64_t length)
{
	const struct engine *engine = region->engine;
	long result;

	if (resident_launch_rewrite->ended)
		return engine->reveal(start, length, region->protection, BRING_REVEAL);
	result = protect(start, length, PROT_READ);
	if (result == 0)
		result = engine->reveal(start, length, PROT_READ, BRING_REVEAL);
	for (uint64_t page = start; page < start + length && result == 0; page += PAGE_BYTES) {
		const struct rewrite_text *text = text_in(page, page + PAGE_BYTES);

		if (text != NULL &&
		    raw_syscall3(SYS_madvise, page, PAGE_BYTES, KERNEL_MADV_POPULATE_READ) == 0)
			result = rewrite_page(text, page);
	}
	return result != 0 ? result : protect(start, length, region->protection);
}

void rewrite_begin(void)
{
	const struct rewrite *rewrite = resident_launch_rewrite;
	const struct rewrite_text *vdso = &rewrite->texts[rewrite->count - 1];
	instruction *code = (instruction *)rewrite->return_page;

	for (uint64_t page = vdso->start; page < vdso->end; page += PAGE_BYTES)
		rewrite_page(vdso, page);
	protect_page(vdso, vdso->start, vdso->protection);
	code[0] = CALL_RETURN_NUMBER;
	code[1] = CALL_INSTRUCTION;
	breakpoint_changed(code);
	protect(rewrite->return_page, PAGE_BYTES, PROT_READ);
	resident_launch_return = rewrite->return_page;
}

/*
 * A handler of the program returns to the page for resident_launch_return, which is not executable.
 * The handler of that fault blocks every signal, those of faults too.
 */
static bool takes_return(struct kernel_registers *registers)
{
	uint64_t faults = KERNEL_SIGNAL_BIT(SIGSEGV) | KERNEL_SIGNAL_BIT(SIGBUS);
	uint64_t place = registers_place(registers), code = resident_launch_return;

	if (place - code >= 2 * sizeof(instruction))
		return false;
	raw_syscall6(SYS_rt_sigprocmask, SIG_UNBLOCK, (uint64_t)&faults, 0, KERNEL_SIGSET_SIZE, 0,
		     0);
	registers->CALL_REGISTER = SYS_rt_sigreturn;
	registers_set_place(registers, code + 2 * sizeof(instruction));
	return true;
}

bool rewrite_takes_call(int number, const siginfo_t *info, struct kernel_registers *registers)
{
	uint64_t place = registers_place(registers);
	const struct rewrite_text *text;

	if ((uint64_t)info->si_addr != place)
		return false;
	if (number == SIGSEGV && info->si_code == SEGV_ACCERR)
		return takes_return(registers);
	if (number != SIGILL || info->si_code != ILL_ILLOPC)
		return false;
	text = text_in(place, place + 1);
	if (text == NULL || !is_rewritten(text, place))
		return false;
	registers_set_place(registers, place + sizeof(instruction));
	return true;
}

bool rewrite_ends_before(const struct call *call)
{
	uint64_t start = call_untagged(call->arguments[0]);
	uint64_t protection = call->arguments[2], flags = call->arguments[3];
	bool makes_code = false, changes_range = true;

	switch (call->number) {
	case SYS_mmap:
		makes_code = (protection & PROT_EXEC) != 0;
		changes_range = (flags & MAP_FIXED) != 0;
		break;
	case SYS_mprotect:
	case SYS_pkey_mprotect:
		makes_code = (protection & PROT_EXEC) != 0;
		break;
	case SYS_mremap:
		makes_code = (flags & MREMAP_FIXED) != 0;
		break;
	case SYS_munmap:
	case SYS_madvise:
	case SYS_remap_file_pages:
	case KERNEL_SYS_MSEAL:
		break;
	case SYS_shmat:
		return (protection & (SHM_EXEC | SHM_REMAP)) != 0;
	default:
		return false;
	}
	return makes_code ||
	       (changes_range &&
		text_in(page_floor(start), page_ceil(start + call->arguments[1])) != NULL);
}

/* Puts the instructions of a page back. Another thread may have begun, and have been killed. */
static void restore_page(const struct rewrite_text *text, uint64_t page)
{
	uint64_t place = higher(page, text->start);
	uint64_t end = lower(page + PAGE_BYTES, text->end);
	bool writable = false;

	for (; place < end; place += sizeof(instruction)) {
		instruction operand;

		if (!is_rewritten(text, place))
			continue;
		if (!writable && protect_page(text, page, PROT_READ | PROT_WRITE) != 0)
			return;
		writable = true;
		operand = *(const volatile instruction *)place ^ CALL_REWRITTEN;
		if (operand <= CALL_OPERAND >> CALL_OPERAND_SHIFT)
			write_instruction(place, CALL_INSTRUCTION | operand << CALL_OPERAND_SHIFT);
	}
	if (writable)
		protect_page(text, page, text->protection);
}

void rewrite_end(struct pager *pager)
{
	struct rewrite *rewrite = resident_launch_rewrite;

	rewrite->ended = true;
	for (unsigned i = 0; i < pager->count; i++)
		if (rewrite_includes(&pager->regions[i]))
			pages_reveal_run_locked(pager, &pager->regions[i],
						region_all(&pager->regions[i]), CAUSE_RETIRE);
	for (unsigned i = 0; i < rewrite->count; i++) {
		const struct rewrite_text *text = &rewrite->texts[i];

		for (uint64_t page = page_floor(text->start); page < text->end; page += PAGE_BYTES)
			restore_page(text, page);
	}
	protect(rewrite->return_page, PAGE_BYTES, PROT_READ | PROT_EXEC);
}

#endif
