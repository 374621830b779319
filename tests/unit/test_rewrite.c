/*
 * Rewritten system calls (rewrite.h). Where the processor has dispatch, rewrite.c is compiled with
 * instructions that stand for its own.
 */
#include "common/arch/machine.h"

#undef ARCH_REWRITES
#define ARCH_REWRITES true

#include "loader/resident/pager/pages.h"
#include "loader/resident/pager/rewrite.h"
#include "tests/unit/unit.h"

#include <sys/shm.h>
#include <sys/syscall.h>

#ifndef CALL_REWRITTEN
#undef CALL_INSTRUCTION
#define CALL_INSTRUCTION   UINT32_C(0xd4000001)
#define CALL_REWRITTEN	   UINT32_C(0x00005057)
#define CALL_RETURN_NUMBER UINT32_C(0xd2801168)
#define CALL_OPERAND	   UINT32_C(0x001fffe0)
#define CALL_OPERAND_SHIFT 5
#endif

uint64_t resident_launch_return;

#include "loader/resident/pager/rewrite.c"

#define TEXT_PAGES    3
#define AREA_PAGES    8 /* a page, the text, a page, the vDSO, a page, the return page */
#define WORDS	      ((uint64_t)(TEXT_PAGES * PAGE_BYTES / sizeof(instruction)))
#define PAGE_WORDS    ((uint64_t)(PAGE_BYTES / sizeof(instruction)))
#define PLAIN	      UINT32_C(0x12345678)
#define CODE	      (PROT_READ | PROT_EXEC)
#define BEFORE_TEXT   UINT64_C(2)  /* words of data at both ends of the segment */
#define OWN_UNDEFINED UINT64_C(20) /* where the program has the undefined instruction itself */
#define WITH_OPERAND  (CALL_INSTRUCTION | UINT32_C(5) << CALL_OPERAND_SHIFT)

/* A program with a segment of text, and a vDSO of one page. */
static struct model {
	struct rewrite rewrite;
	struct pager pager;
	instruction *area, *text, *vdso;
	uint64_t bits[2][1024];
	int protection; /* that the engine was last called with */
} model;

/* The words of text that are calls. */
static uint64_t call_word(unsigned i)
{
	const uint64_t words[] = {
	    BEFORE_TEXT, 9, PAGE_WORDS - 1, PAGE_WORDS, PAGE_WORDS + 1, WORDS - BEFORE_TEXT - 1};

	return i < COUNT(words) ? words[i] : UINT64_MAX;
}

static bool is_call(uint64_t word)
{
	for (unsigned i = 0; call_word(i) != UINT64_MAX; i++)
		if (call_word(i) == word)
			return true;
	return false;
}

/* The operands of some calls. */
static instruction operand(uint64_t word)
{
	return word == call_word(1) ? 1 : word == PAGE_WORDS ? 0xffff : 0;
}

/* What a word of the segment is at first. The data equals the call's instruction. */
static instruction original(uint64_t word)
{
	if (word < BEFORE_TEXT || word >= WORDS - BEFORE_TEXT || is_call(word))
		return CALL_INSTRUCTION | operand(word) << CALL_OPERAND_SHIFT;
	return word == OWN_UNDEFINED ? CALL_REWRITTEN : PLAIN;
}

static instruction *map(void)
{
	void *place = mmap(NULL, AREA_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(place != MAP_FAILED);
	return place;
}

static long reveal(uint64_t start, uint64_t length, int protection, enum bring bring)
{
	(void)bring;
	model.protection = protection;
	return mprotect((void *)start, length, protection);
}

long pages_reveal_run_locked(struct pager *pager, struct pager_region *region, struct page_run run,
			     struct cause cause)
{
	assert_ptr_equal(pager, &model.pager);
	return rewrite_reveal_locked(region, region->start + run.first * PAGE_BYTES,
				     run.count * PAGE_BYTES) +
	       cause.bring;
}

static struct rewrite_text text_of(instruction *first, instruction *end, uint64_t *bits)
{
	return (struct rewrite_text){(uint64_t)first, (uint64_t)end, CODE, bits == model.bits[0],
				     bits};
}

static int begin(void **state)
{
	(void)state;
	model = (struct model){.area = map()};
	model.text = model.area + PAGE_WORDS;
	model.vdso = model.text + WORDS + PAGE_WORDS;
	for (uint64_t word = 0; word < WORDS; word++)
		model.text[word] = original(word);
	model.vdso[5] = CALL_INSTRUCTION;
	model.vdso[6] = WITH_OPERAND;
	model.rewrite.return_page = (uint64_t)(model.vdso + 2 * PAGE_WORDS);
	model.rewrite.count = 2;
	model.rewrite.texts[0] =
	    text_of(model.text + BEFORE_TEXT, model.text + WORDS - BEFORE_TEXT, model.bits[0]);
	model.rewrite.texts[1] = text_of(model.vdso, model.vdso + PAGE_WORDS, model.bits[1]);
	model.pager.count = 1;
	model.pager.engines[0].reveal = reveal;
	model.pager.regions[0] = (struct pager_region){.start = (uint64_t)model.text,
						       .end = (uint64_t)(model.text + WORDS),
						       .protection = CODE,
						       .engine = &model.pager.engines[0]};
	mprotect(model.text, TEXT_PAGES * PAGE_BYTES, PROT_NONE);
	resident_launch_rewrite = &model.rewrite;
	rewrite_begin();
	return 0;
}

static int end(void **state)
{
	(void)state;
	return munmap(model.area, AREA_PAGES * PAGE_BYTES);
}

static void reveal_pages(uint64_t first, uint64_t count)
{
	assert_int_equal(rewrite_reveal_locked(&model.pager.regions[0],
					       (uint64_t)model.text + first * PAGE_BYTES,
					       count * PAGE_BYTES),
			 0);
}

/* Whether the kernel reports these permissions of the page at an address: "r-x", for example. */
static void assert_permissions(const void *place, const char *expected)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long first = 0, after = 0;
	char line[512], permissions[8] = "";

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps) != NULL)
		if (sscanf(line, "%lx-%lx %7s", &first, &after, permissions) == 3 &&
		    first <= (unsigned long)place && (unsigned long)place < after)
			break;
	fclose(maps);
	assert_memory_equal(permissions, expected, 3);
}

static void assert_words(uint64_t first, uint64_t after, bool rewritten)
{
	for (uint64_t word = first; word < after; word++)
		assert_int_equal(model.text[word], rewritten && is_call(word)
						       ? CALL_REWRITTEN ^ operand(word)
						       : original(word));
}

/* Whether a signal with these registers is that of a call. */
static bool takes(int number, int code, const instruction *place, const instruction *fault,
		  struct kernel_registers *registers)
{
	siginfo_t info = {.si_code = code};

	info.si_addr = (void *)fault;
	*registers = (struct kernel_registers){0};
	registers_set_place(registers, (uint64_t)place);
	return rewrite_takes_call(number, &info, registers);
}

TEST_WITHIN(test_calls_of_a_revealed_page_are_rewritten, begin, end)
{
	reveal_pages(0, 1);
	assert_words(0, PAGE_WORDS, true);
	assert_permissions(model.text, "r-x");
	assert_permissions(model.text + PAGE_WORDS, "---");
	reveal_pages(1, 2);
	assert_words(0, WORDS, true);
	assert_permissions(model.text + 2 * PAGE_WORDS, "r-x");
}

TEST_WITHIN(test_the_engine_never_makes_a_page_executable, begin, end)
{
	reveal_pages(0, TEXT_PAGES);
	assert_int_equal(model.protection, PROT_READ);
}

TEST_WITHIN(test_a_call_is_taken_at_a_rewritten_instruction_only, begin, end)
{
	struct kernel_registers registers;
	const instruction *call = model.text + call_word(1);

	reveal_pages(0, TEXT_PAGES);
	for (unsigned i = 0; call_word(i) != UINT64_MAX; i++) {
		call = model.text + call_word(i);
		assert_true(takes(SIGILL, ILL_ILLOPC, call, call, &registers));
		assert_int_equal(registers_place(&registers), (uint64_t)(call + 1));
	}
	assert_true(takes(SIGILL, ILL_ILLOPC, model.vdso + 5, model.vdso + 5, &registers));
	assert_false(takes(SIGILL, ILL_ILLOPC, call, call + 1, &registers));
	assert_false(takes(SIGILL, SI_USER, call, call, &registers));
	assert_false(takes(SIGBUS, ILL_ILLOPC, call, call, &registers));
	call = model.text + OWN_UNDEFINED;
	assert_false(takes(SIGILL, ILL_ILLOPC, call, call, &registers));
	assert_int_equal(registers_place(&registers), (uint64_t)call);
	assert_false(takes(SIGILL, ILL_ILLOPC, model.text, model.text, &registers));
}

TEST_WITHIN(test_a_return_from_a_handler_is_a_call, begin, end)
{
	struct kernel_registers registers;
	const instruction *code = (const instruction *)resident_launch_return;

	assert_int_equal(resident_launch_return, model.rewrite.return_page);
	assert_int_equal(code[0], CALL_RETURN_NUMBER);
	assert_int_equal(code[1], CALL_INSTRUCTION);
	assert_permissions(code, "r--");
	for (unsigned i = 0; i < 2; i++) {
		assert_true(takes(SIGSEGV, SEGV_ACCERR, code + i, code + i, &registers));
		assert_int_equal(registers.CALL_REGISTER, SYS_rt_sigreturn);
		assert_int_equal(registers_place(&registers), (uint64_t)(code + 2));
	}
	assert_false(takes(SIGSEGV, SEGV_ACCERR, code + 2, code + 2, &registers));
	assert_false(takes(SIGSEGV, SEGV_MAPERR, code, code, &registers));
}

TEST_WITHIN(test_the_vdso_is_rewritten_before_the_program_starts, begin, end)
{
	assert_int_equal(model.vdso[5], CALL_REWRITTEN);
	assert_int_equal(model.vdso[4], 0);
	assert_int_equal(model.vdso[6], WITH_OPERAND); /* perhaps a constant */
	assert_permissions(model.vdso, "r-x");
}

/* Not before: the last thread that leaves has to find every instruction that was rewritten. */
TEST_WITHIN(test_the_end_puts_every_instruction_back, begin, end)
{
	reveal_pages(0, 2);
	rewrite_end(&model.pager);
	rewrite_end(&model.pager); /* as if the first caller had been killed */
	assert_words(0, WORDS, false);
	assert_int_equal(model.vdso[5], CALL_INSTRUCTION);
	for (unsigned page = 0; page < TEXT_PAGES; page++)
		assert_permissions(model.text + page * PAGE_WORDS, "r-x");
	assert_int_equal(model.protection, CODE);
	assert_permissions((const void *)model.rewrite.return_page, "r-x");
}

static bool ends(long number, uint64_t start, uint64_t length, uint64_t third, uint64_t fourth)
{
	const struct call call = {.number = (uint64_t)number,
				  .arguments = {start, length, third, fourth}};

	return rewrite_ends_before(&call);
}

TEST_WITHIN(test_lazy_paging_ends_before_calls_that_change_code, begin, end)
{
	uint64_t text = (uint64_t)model.text, other = text + TEXT_PAGES * PAGE_BYTES;

	assert_true(ends(SYS_mmap, 0, 1, CODE, MAP_PRIVATE));
	assert_true(ends(SYS_mmap, text, 1, PROT_READ, MAP_FIXED));
	assert_false(ends(SYS_mmap, text, 1, PROT_READ, 0));
	assert_true(ends(SYS_mprotect, other, PAGE_BYTES, PROT_EXEC, 0));
	assert_true(ends(SYS_mprotect, text, PAGE_BYTES, PROT_READ, 0));
	assert_true(ends(SYS_pkey_mprotect, other - 1, 1, PROT_READ, 0));
	assert_true(ends(SYS_mremap, 0, 1, 1, MREMAP_MAYMOVE | MREMAP_FIXED));
	assert_true(ends(SYS_shmat, 0, 0, SHM_EXEC, 0));
	assert_false(ends(SYS_shmat, 0, 0, 0, 0));
	assert_false(ends(SYS_read, text, PAGE_BYTES, CODE, MAP_FIXED));
}

TEST_WITHIN(test_lazy_paging_ends_before_calls_that_unmap_text, begin, end)
{
	static const long calls[] = {SYS_munmap, SYS_madvise, SYS_remap_file_pages, SYS_mprotect,
				     SYS_mremap};
	uint64_t text = (uint64_t)model.text, after = text + TEXT_PAGES * PAGE_BYTES;

	for (size_t i = 0; i < COUNT(calls); i++) {
		assert_true(ends(calls[i], text, 1, PROT_READ, 0));
		assert_true(ends(calls[i], after - PAGE_BYTES, 1, PROT_READ, 0));
		assert_true(ends(calls[i], text - PAGE_BYTES, PAGE_BYTES + 1, PROT_READ, 0));
		assert_false(ends(calls[i], text - PAGE_BYTES, PAGE_BYTES, PROT_READ, 0));
		assert_false(ends(calls[i], after, PAGE_BYTES, PROT_READ, 0));
	}
}
