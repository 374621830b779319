/* Load plans of hand-written images, and of random ones against a model that goes page by page. */
#include "common/elf_image.h"
#include "common/load_plan.h"
#include "common/page.h"
#include "tests/unit/unit.h"

#include <elf.h>
#include <sys/mman.h>

#define RX  (PF_R | PF_X)
#define RW  (PF_R | PF_W)
#define RWX (PF_R | PF_W | PF_X)

static Elf64_Phdr load(uint32_t flags, uint64_t offset, uint64_t vaddr, uint64_t filesz,
		       uint64_t memsz)
{
	return (Elf64_Phdr){
	    .p_type = PT_LOAD,
	    .p_flags = flags,
	    .p_offset = offset,
	    .p_vaddr = vaddr,
	    .p_filesz = filesz,
	    .p_memsz = memsz,
	    .p_align = PAGE_BYTES,
	};
}

static struct elf_image image_of(uint16_t type, Elf64_Phdr *segments, unsigned count)
{
	return (struct elf_image){
	    .type = type,
	    .entry = 0x401000,
	    .phoff = 64,
	    .file_size = UINT64_C(1) << 40,
	    .phnum = (uint16_t)count,
	    .segments = segments,
	};
}

/* The one that was made last. */
static struct load_plan plan;

static void make_plan(const struct elf_image *image, uint64_t load_bias)
{
	struct error error;

	free(plan.mappings);
	plan.mappings = NULL;
	if (!elf_check(image, &error) || !load_plan_make(image, load_bias, &plan, &error))
		fail_msg("refused: %s", error.text);
	assert_true(plan.count <= plan.capacity);
}

static void plan_segments(Elf64_Phdr *segments, unsigned count)
{
	struct elf_image image = image_of(ET_EXEC, segments, count);

	make_plan(&image, 0);
}

/* A line for each mapping: pages, protection, where they come from, whose they are. */
static void plan_to_text(char *text, size_t size)
{
	text[0] = '\0';
	for (unsigned i = 0; i < plan.count; i++) {
		const struct plan_mapping *mapping = &plan.mappings[i];
		size_t used = strlen(text);

		used += (size_t)snprintf(text + used, size - used, "%lx-%lx %c%c%c ",
					 mapping->address, mapping->address + mapping->length,
					 mapping->protection & PROT_READ ? 'r' : '-',
					 mapping->protection & PROT_WRITE ? 'w' : '-',
					 mapping->protection & PROT_EXEC ? 'x' : '-');
		used += mapping->from_file ? (size_t)snprintf(text + used, size - used, "file %lx",
							      mapping->file_offset)
					   : (size_t)snprintf(text + used, size - used, "zero");
		used += (size_t)snprintf(text + used, size - used, " of %u", mapping->segment);
		if (mapping->zero_from != 0)
			used += (size_t)snprintf(text + used, size - used, " clear %lx",
						 mapping->zero_from);
		snprintf(text + used, size - used, "\n");
	}
}

static void assert_plan(const char *expected)
{
	char text[2048];

	plan_to_text(text, sizeof(text));
	assert_string_equal(text, expected);
}

#define SEGMENTS(...) (Elf64_Phdr[]){__VA_ARGS__}, COUNT(((Elf64_Phdr[]){__VA_ARGS__}))

static void assert_mappings(Elf64_Phdr *segments, unsigned count, const char *expected)
{
	plan_segments(segments, count);
	assert_plan(expected);
}

TEST(text_and_data_with_bss)
{
	assert_mappings(SEGMENTS(load(RX, 0, 0x400000, 0x1234, 0x1234),
				 load(RW, 0x1234, 0x402234, 0x100, 0x3000)),
			"400000-402000 r-x file 0 of 0\n"
			"402000-403000 rw- file 1000 of 1 clear 402334\n"
			"403000-406000 rw- zero of 1\n");
}

TEST(only_pt_load_is_mapped)
{
	assert_mappings(
	    SEGMENTS({.p_type = PT_PHDR,
		      .p_offset = 64,
		      .p_vaddr = 0x400040,
		      .p_filesz = 500,
		      .p_memsz = 500},
		     {.p_type = PT_NULL, .p_vaddr = 0x500000, .p_filesz = 9, .p_memsz = 9},
		     load(PF_R, 0, 0x400000, 1, 1),
		     {.p_type = PT_TLS, .p_vaddr = 0x600000, .p_filesz = 9, .p_memsz = 9},
		     {.p_type = PT_GNU_RELRO, .p_vaddr = 0x400000, .p_filesz = 9, .p_memsz = 9}),
	    "400000-401000 r-- file 0 of 2\n");
}

TEST(flags_become_protections)
{
	static const struct {
		uint32_t flags;
		const char *expected;
	} cases[] = {
	    {0, "400000-401000 --- file 0 of 0\n"},
	    {PF_R, "400000-401000 r-- file 0 of 0\n"},
	    {PF_W, "400000-401000 -w- file 0 of 0\n"},
	    {PF_X, "400000-401000 --x file 0 of 0\n"},
	    {RWX, "400000-401000 rwx file 0 of 0\n"},
	    {0xfffffff8, "400000-401000 --- file 0 of 0\n"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		Elf64_Phdr segment = load(cases[i].flags, 0, 0x400000, 9, 9);

		assert_mappings(&segment, 1, cases[i].expected);
	}
}

/* Where a segment's data end inside a page, and .bss ends on that page or goes on after it. */
TEST(the_rest_of_the_last_file_page_is_cleared)
{
	static const struct {
		uint64_t vaddr, filesz, memsz;
		const char *expected;
	} cases[] = {
	    /* No .bss: the page keeps what the file has there. */
	    {0x400000, 0x1001, 0x1001, "400000-402000 rw- file 0 of 0\n"},
	    /* A single byte of .bss clears it to its end. */
	    {0x400000, 0x1001, 0x1002, "400000-402000 rw- file 0 of 0 clear 401001\n"},
	    {0x400000, 0x1fff, 0x2000, "400000-402000 rw- file 0 of 0 clear 401fff\n"},
	    {0x400000, 0x1fff, 0x2001,
	     "400000-402000 rw- file 0 of 0 clear 401fff\n402000-403000 rw- zero of 0\n"},
	    /* Data up to a page's end: there is nothing to clear. */
	    {0x400000, 0x1000, 0x1001,
	     "400000-401000 rw- file 0 of 0\n401000-402000 rw- zero of 0\n"},
	    {0x400ff0, 0x10, 0x11, "400000-401000 rw- file 0 of 0\n401000-402000 rw- zero of 0\n"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		Elf64_Phdr segment = load(RW, page_offset(cases[i].vaddr), cases[i].vaddr,
					  cases[i].filesz, cases[i].memsz);

		assert_mappings(&segment, 1, cases[i].expected);
	}
}

/* The kernel cannot write there to clear it, and goes on; its anonymous pages are always rw. */
TEST(bss_of_a_segment_that_is_not_writable)
{
	assert_mappings(SEGMENTS(load(PF_R, 0x100, 0x400100, 0x80, 0x3000),
				 load(RX, 0x100, 0x500100, 0x80, 0x3000),
				 load(0, 0x100, 0x600100, 0x80, 0x200)),
			"400000-401000 r-- file 0 of 0\n"
			"401000-404000 rw- zero of 0\n"
			"500000-501000 r-x file 0 of 1\n"
			"501000-504000 rwx zero of 1\n"
			"600000-601000 --- file 0 of 2\n");
}

TEST(a_bss_only_segment_owns_the_page_it_starts_in)
{
	assert_mappings(
	    SEGMENTS(load(RW, 0, 0x400000, 0x1800, 0x1800), load(PF_R, 0x77, 0x401800, 0, 0x1000)),
	    "400000-401000 rw- file 0 of 0\n"
	    "401000-403000 rw- zero of 1\n");
	assert_mappings(SEGMENTS(load(RWX, 0x123, 0x400456, 0, 1)),
			"400000-401000 rwx zero of 0\n");
}

TEST(an_empty_segment_is_not_mapped)
{
	assert_mappings(SEGMENTS(load(RW, 0, 0x400000, 0, 0), load(RX, 0, 0x500000, 1, 1),
				 load(RW, 0x800, 0x500800, 0, 0), load(RW, 0x800, 0x500fff, 0, 0)),
			"500000-501000 r-x file 0 of 1\n");
	assert_mappings(SEGMENTS(load(RW, 0, 0x400000, 0, 0)), "");
}

TEST(gaps_stay_gaps)
{
	assert_mappings(SEGMENTS(load(PF_R, 0, 0x400000, 1, 1),
				 load(RX, 0x2000, 0x402000, 0x1000, 0x1000),
				 load(RW, 0x3ff8, 0x40fff8, 8, 8), load(RW, 0, 0x3f00000000, 0, 1)),
			"400000-401000 r-- file 0 of 0\n"
			"402000-403000 r-x file 2000 of 1\n"
			"40f000-410000 rw- file 3000 of 2\n"
			"3f00000000-3f00001000 rw- zero of 3\n");
}

/* Old linkers put the end of the text and the start of the data on one page. */
TEST(the_later_segment_owns_a_shared_page)
{
	Elf64_Phdr segments[] = {
	    load(RX, 0, 0x400000, 0x2345, 0x2345),
	    load(RW, 0x2345, 0x402345, 0x100, 0x100),
	};
	Elf64_Phdr reversed[] = {segments[1], segments[0]};

	assert_mappings(segments, 2,
			"400000-402000 r-x file 0 of 0\n"
			"402000-403000 rw- file 2000 of 1\n");
	assert_mappings(reversed, 2, "400000-403000 r-x file 0 of 1\n");
}

TEST(segments_may_come_out_of_order)
{
	assert_mappings(SEGMENTS(load(RW, 0x5010, 0x405010, 0x10, 0x1800),
				 load(PF_R, 0, 0x400000, 0x1000, 0x1000),
				 load(RX, 0x1000, 0x402000, 0x1000, 0x1000)),
			"400000-401000 r-- file 0 of 1\n"
			"402000-403000 r-x file 1000 of 2\n"
			"405000-406000 rw- file 5000 of 0 clear 405020\n"
			"406000-407000 rw- zero of 0\n");
}

TEST(of_two_equal_segments_the_later_one_counts)
{
	assert_mappings(
	    SEGMENTS(load(RX, 0, 0x400000, 0x1800, 0x2800), load(RX, 0, 0x400000, 0x1800, 0x2800)),
	    "400000-402000 r-x file 0 of 1\n"
	    "402000-403000 rwx zero of 1\n");
}

/* One segment inside another: what is left of the outer one keeps its bytes of the file. */
TEST(a_segment_cut_in_two_keeps_its_file_offsets)
{
	assert_mappings(SEGMENTS(load(RW, 0x10000, 0x400000, 0x8800, 0xa000),
				 load(RX, 0x2000, 0x403000, 0x1000, 0x1000)),
			"400000-403000 rw- file 10000 of 0\n"
			"403000-404000 r-x file 2000 of 1\n"
			"404000-409000 rw- file 14000 of 0 clear 408800\n"
			"409000-40a000 rw- zero of 0\n");
}

TEST(zero_filled_pages_have_no_file_offset_when_cut)
{
	plan_segments(
	    SEGMENTS(load(RW, 0, 0x400000, 0, 0x9000), load(RX, 0x2000, 0x403000, 0x1000, 0x1000)));
	assert_plan("400000-403000 rw- zero of 0\n"
		    "403000-404000 r-x file 2000 of 1\n"
		    "404000-409000 rw- zero of 0\n");
	assert_int_equal(plan.mappings[0].file_offset, 0);
	assert_int_equal(plan.mappings[2].file_offset, 0);
}

/* The page to be cleared goes to another segment, and must not be cleared then. */
TEST(a_cleared_tail_goes_with_its_page)
{
	assert_mappings(SEGMENTS(load(RW, 0, 0x400000, 0x2800, 0x3000),
				 load(RX, 0x2000, 0x402000, 0x1000, 0x1000)),
			"400000-402000 rw- file 0 of 0\n"
			"402000-403000 r-x file 2000 of 1\n");
	assert_mappings(SEGMENTS(load(RW, 0, 0x400000, 0x2800, 0x3000),
				 load(RX, 0x7000, 0x400000, 0x2000, 0x2000)),
			"400000-402000 r-x file 7000 of 1\n"
			"402000-403000 rw- file 2000 of 0 clear 402800\n");
}

TEST(bss_covers_what_earlier_segments_put_there)
{
	assert_mappings(SEGMENTS(load(PF_R, 0x1000, 0x401000, 0x1000, 0x1000),
				 load(RX, 0x3000, 0x403000, 0x2000, 0x2000),
				 load(RW, 0, 0x400000, 0x10, 0x3010)),
			"400000-401000 rw- file 0 of 2 clear 400010\n"
			"401000-404000 rw- zero of 2\n"
			"404000-405000 r-x file 4000 of 1\n");
}

TEST(a_segment_may_bury_many)
{
	assert_mappings(SEGMENTS(load(PF_R, 0, 0x400000, 0x2000, 0x2000),
				 load(RX, 0x3000, 0x403000, 0x1000, 0x1000),
				 load(RX, 0x5000, 0x405000, 0x1000, 0x1000),
				 load(RW, 0x7000, 0x407000, 0x2000, 0x2000),
				 load(RWX, 0x1000, 0x401000, 0x7000, 0x7000)),
			"400000-401000 r-- file 0 of 0\n"
			"401000-408000 rwx file 1000 of 4\n"
			"408000-409000 rw- file 8000 of 3\n");
}

/* An interpreter with a fixed address lies on the program: what is below and above it stays. */
TEST(a_plan_gives_way)
{
	struct load_span inside = {.start = 0x401000, .length = 0x2000};
	struct load_span over_tail = {.start = 0x405000, .length = 0x1000};
	struct load_span all = {.start = 0x3ff000, .length = 0x10000};
	struct error error;

	plan_segments(SEGMENTS(load(RX, 0, 0x400000, 0x4000, 0x4000),
			       load(RW, 0x4000, 0x405000, 0x800, 0x3000)));
	assert_true(load_plan_give_way(&plan, &inside, &error));
	assert_plan("400000-401000 r-x file 0 of 0\n403000-404000 r-x file 3000 of 0\n"
		    "405000-406000 rw- file 4000 of 1 clear 405800\n"
		    "406000-408000 rw- zero of 1\n");
	assert_true(load_plan_give_way(&plan, &over_tail, &error));
	assert_plan("400000-401000 r-x file 0 of 0\n403000-404000 r-x file 3000 of 0\n"
		    "406000-408000 rw- zero of 1\n");
	assert_true(load_plan_give_way(&plan, &over_tail, &error));
	assert_int_equal(plan.count, 3);
	assert_true(load_plan_give_way(&plan, &all, &error));
	assert_int_equal(plan.count, 0);
}

TEST(the_load_bias_moves_everything_but_the_file)
{
	struct elf_image image =
	    image_of(ET_DYN, SEGMENTS(load(RX, 0, 0, 0x1234, 0x1234),
				      load(RW, 0x1234, 0x3234, 0x100, 0x2000)));

	make_plan(&image, 0x7f1234567000);
	assert_plan("7f1234567000-7f1234569000 r-x file 0 of 0\n"
		    "7f123456a000-7f123456b000 rw- file 1000 of 1 clear 7f123456a334\n"
		    "7f123456b000-7f123456d000 rw- zero of 1\n");
	assert_int_equal(plan.load_bias, 0x7f1234567000);
	assert_int_equal(plan.entry, 0x7f1234968000);
	assert_int_equal(plan.phdr_address, 0x7f1234567040);
	assert_int_equal(plan.code_start, 0x7f1234567000);
	assert_int_equal(plan.code_end, 0x7f1234568234);
	assert_int_equal(plan.data_start, 0x7f123456a234);
	assert_int_equal(plan.data_end, 0x7f123456a334);
	assert_int_equal(plan.image_end, 0x7f123456c234);
	assert_int_equal(plan.phnum, 2);
	assert_false(plan.fixed_address);
}

/* A position-independent program linked high and put low: the bias is a difference that wraps. */
TEST(the_load_bias_may_be_negative)
{
	struct elf_image image =
	    image_of(ET_DYN, SEGMENTS(load(RX, 0, 0x3ffff00000, 0x1000, 0x1000),
				      load(RW, 0x1800, 0x3ffff01800, 8, 0x1000)));

	image.entry = 0x3ffff00010;
	make_plan(&image, 0x10000 - UINT64_C(0x3ffff00000));
	assert_plan("10000-11000 r-x file 0 of 0\n"
		    "11000-12000 rw- file 1000 of 1 clear 11808\n"
		    "12000-13000 rw- zero of 1\n");
	assert_int_equal(plan.entry, 0x10010);
	assert_int_equal(plan.phdr_address, 0x10040);
	assert_int_equal(plan.code_start, 0x10000);
	assert_int_equal(plan.code_end, 0x11000);
	assert_int_equal(plan.data_start, 0x11800);
	assert_int_equal(plan.data_end, 0x11808);
	assert_int_equal(plan.image_end, 0x12800);
}

TEST(a_segment_may_end_where_user_addresses_end)
{
	unsigned long end = USER_ADDRESS_END;
	char expected[128];

	snprintf(expected, sizeof(expected), "%lx-%lx rw- file 0 of 0\n%lx-%lx rw- zero of 0\n",
		 end - 0x2000, end - 0x1000, end - 0x1000, end);
	assert_mappings(SEGMENTS(load(RW, 0x800, end - 0x1800, 0x800, 0x1800),
				 load(PF_R, 0xfff, end - 1, 0, 0)),
			expected);
}

static uint64_t phdr_address(Elf64_Phdr *segments, unsigned count, uint64_t phoff,
			     uint64_t load_bias)
{
	struct elf_image image = image_of(ET_DYN, segments, count);

	image.phoff = phoff;
	make_plan(&image, load_bias);
	return plan.phdr_address;
}

TEST(headers_are_found_in_the_last_segment_that_has_them)
{
	Elf64_Phdr segments[] = {
	    load(RX, 0x1000, 0x401000, 0x2000, 0x2000),
	    load(PF_R, 0x2000, 0x502000, 0x1000, 0x1000),
	    load(PF_R, 0x4000, 0x604000, 0x10, 0x1000),
	    {.p_type = PT_PHDR,
	     .p_offset = 0x1040,
	     .p_vaddr = 0x700000,
	     .p_filesz = 56,
	     .p_memsz = 56},
	};

	assert_int_equal(phdr_address(segments, 4, 0x1040, 0), 0x401040);
	assert_int_equal(phdr_address(segments, 4, 0x1000, 0), 0x401000);
	assert_int_equal(phdr_address(segments, 4, 0x2000, 0), 0x502000);
	assert_int_equal(phdr_address(segments, 4, 0x2ffe, 0), 0x502ffe);
	assert_int_equal(phdr_address(segments, 4, 0x400f, 0x10000), 0x61400f);
	/* On a page that is mapped, but not in p_filesz; after all; in no segment. */
	assert_int_equal(phdr_address(segments, 4, 0x4010, 0), 0);
	assert_int_equal(phdr_address(segments, 4, 0xffff, 0x10000), 0x10000);
	assert_int_equal(phdr_address(segments, 4, 0x40, 0x7f0000000000), 0x7f0000000000);
}

TEST(extents_are_those_of_the_kernel)
{
	plan_segments(SEGMENTS(
	    load(RW, 0x5010, 0x505010, 0x20, 0x4000), load(RX, 0x1100, 0x401100, 0x300, 0x400),
	    load(PF_R, 0, 0x400000, 0x500, 0x500), load(RX, 0x3300, 0x403300, 0x10, 0x10),
	    load(RW, 0x6000, 0x504000, 0x9, 0x9)));
	assert_int_equal(plan.code_start, 0x401100);
	assert_int_equal(plan.code_end, 0x403310);
	assert_int_equal(plan.data_start, 0x505010);
	assert_int_equal(plan.data_end, 0x505030);
	assert_int_equal(plan.image_end, 0x509010);
	assert_int_equal(plan.entry, 0x401000);
	assert_true(plan.fixed_address);
}

/* Segments that are not loaded do not count, however far they reach. */
TEST(extents_are_those_of_pt_load)
{
	plan_segments(SEGMENTS(
	    {.p_type = PT_TLS, .p_flags = RX, .p_vaddr = 0x900000, .p_filesz = 16, .p_memsz = 4096},
	    load(RX, 0, 0x400000, 0x10, 0x20),
	    {.p_type = PT_NOTE, .p_flags = RX, .p_vaddr = 0x100, .p_filesz = 16, .p_memsz = 16}));
	assert_int_equal(plan.code_start, 0x400000);
	assert_int_equal(plan.code_end, 0x400010);
	assert_int_equal(plan.data_start, 0x400000);
	assert_int_equal(plan.data_end, 0x400010);
	assert_int_equal(plan.image_end, 0x400020);
}

static bool executable_stack(uint32_t first_flags, uint32_t second_type, uint32_t second_flags)
{
	plan_segments(SEGMENTS({.p_type = PT_GNU_STACK, .p_flags = first_flags},
			       load(RWX, 0, 0x400000, 1, 1),
			       {.p_type = second_type, .p_flags = second_flags}));
	return plan.executable_stack;
}

TEST(the_last_gnu_stack_decides)
{
	plan_segments(SEGMENTS(load(RWX, 0, 0x400000, 1, 1)));
	assert_false(plan.executable_stack);
	assert_true(executable_stack(RWX, PT_NULL, 0));
	assert_true(executable_stack(PF_X, PT_NOTE, RW));
	assert_false(executable_stack(RW, PT_NOTE, RWX));
	assert_false(executable_stack(0, PT_NULL, 0));
	assert_false(executable_stack(RWX, PT_GNU_STACK, RW));
	assert_true(executable_stack(RW, PT_GNU_STACK, RWX));
}

static uint64_t alignment_of(uint64_t first, uint64_t second, uint64_t third)
{
	Elf64_Phdr segments[] = {
	    load(RX, 0, 0x400000, 1, 1),
	    {.p_type = PT_TLS, .p_align = UINT64_C(1) << 40},
	    load(RX, 0, 0x500000, 1, 1),
	    load(RX, 0, 0x600000, 1, 1),
	};
	struct elf_image image = image_of(ET_DYN, segments, 4);

	segments[0].p_align = first;
	segments[2].p_align = second;
	segments[3].p_align = third;
	return load_span_of(&image).alignment;
}

TEST(the_largest_power_of_two_is_the_alignment)
{
	assert_int_equal(alignment_of(0, 0, 0), 0x1000);
	assert_int_equal(alignment_of(1, 16, 2048), 0x1000);
	assert_int_equal(alignment_of(0x1000, 0x1000, 0x1000), 0x1000);
	assert_int_equal(alignment_of(0x1000, 0x200000, 0x10000), 0x200000);
	assert_int_equal(alignment_of(0x40000000, 0, 0), 0x40000000);
	assert_int_equal(alignment_of(0, 0, UINT64_C(1) << 63), UINT64_C(1) << 63);
	/* No powers of two: as if they were not there. */
	assert_int_equal(alignment_of(3, 0x1800, 0x300000), 0x1000);
	assert_int_equal(alignment_of(UINT64_MAX, 0x2000, 0x1800), 0x2000);
}

TEST(the_span_reaches_from_the_lowest_to_the_highest)
{
	struct elf_image image = image_of(
	    ET_DYN,
	    SEGMENTS({.p_type = PT_NOTE, .p_vaddr = 0x10, .p_memsz = UINT64_C(1) << 46},
		     load(RX, 0x123, 0x405123, 0x10, 0x10), load(RW, 0, 0x409000, 0, 0x3001),
		     load(PF_R, 0xff8, 0x402ff8, 0x10, 0x10)));
	struct load_span span = load_span_of(&image);

	assert_int_equal(span.start, 0x402000);
	assert_int_equal(span.length, 0x40d000 - 0x402000);
	assert_int_equal(span.alignment, 0x1000);
}

TEST(a_span_may_be_all_user_addresses)
{
	struct elf_image image =
	    image_of(ET_DYN, SEGMENTS(load(PF_R, 0x7ff, 0x7ff, 1, 1),
				      load(RW, 0, USER_ADDRESS_END - 0x1000, 0, 0x1000)));
	struct load_span span = load_span_of(&image);

	assert_int_equal(span.start, 0);
	assert_int_equal(span.length, USER_ADDRESS_END);
}

TEST(an_address_is_found_in_its_mapping)
{
	plan_segments(SEGMENTS(load(RX, 0, 0x400000, 0x1800, 0x1800),
			       load(RW, 0x3800, 0x403800, 0x10, 0x1000)));
	assert_null(load_plan_find(&plan, 0));
	assert_null(load_plan_find(&plan, 0x3fffff));
	assert_ptr_equal(load_plan_find(&plan, 0x400000), &plan.mappings[0]);
	assert_ptr_equal(load_plan_find(&plan, 0x401fff), &plan.mappings[0]);
	assert_null(load_plan_find(&plan, 0x402000));
	assert_null(load_plan_find(&plan, 0x402fff));
	assert_ptr_equal(load_plan_find(&plan, 0x403000), &plan.mappings[1]);
	assert_ptr_equal(load_plan_find(&plan, 0x403fff), &plan.mappings[1]);
	assert_ptr_equal(load_plan_find(&plan, 0x404000), &plan.mappings[2]);
	assert_null(load_plan_find(&plan, 0x405000));
	assert_null(load_plan_find(&plan, UINT64_MAX));
}

TEST(mappings_are_left_to_the_kernel_unless_a_strategy_says_otherwise)
{
	plan_segments(SEGMENTS(load(RW, 0, 0x400000, 0x1800, 0x4000)));
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.mappings[0].presence, PRESENCE_NATIVE);
	assert_int_equal(plan.mappings[1].presence, PRESENCE_NATIVE);
}

/*
 * As many segments as a file can have, each inside the one before it and with .bss, which makes the
 * most cuts. The room for the mappings must suffice (MODE=asan would find an overrun).
 */
TEST(nested_segments_do_not_run_out_of_room)
{
	static Elf64_Phdr segments[ELF_HEADERS_MAX];

	for (uint64_t i = 0; i < ELF_HEADERS_MAX; i++) {
		uint64_t pages = 4 * (ELF_HEADERS_MAX - i);

		segments[i] = load(RW, i * 0x1000, 0x400000 + i * 0x1000, pages * 0x1000 + 0x10,
				   pages * 0x1000 + 0x1010);
	}
	plan_segments(segments, ELF_HEADERS_MAX);
	/* Each leaves a page in front of the next inner one; after that, its tail, and its .bss. */
	assert_true(plan.count > 3 * (ELF_HEADERS_MAX - 1));
	for (unsigned i = 0; i < ELF_HEADERS_MAX - 1; i++) {
		assert_int_equal(plan.mappings[i].segment, i);
		assert_int_equal(plan.mappings[i].length, 0x1000);
		assert_int_equal(plan.mappings[i].file_offset, i * 0x1000);
		assert_int_equal(plan.mappings[i].zero_from, 0);
	}
}

/* ---- random images against a model ---- */

/* All random segments lie in a window of so many pages. */
#define WINDOW_PAGES 48
#define SEGMENTS_MAX 10

/* The contents of one page of memory. */
struct model_page {
	bool mapped, from_file;
	unsigned segment;
	int protection;
	uint64_t file_offset; /* of the page; 0 if it is not from_file */
	uint64_t cleared;     /* address from which on it is cleared, or 0 */
};

/* Memory from the window's first page on, where the load bias has put it. */
struct model {
	uint64_t start; /* address */
	struct model_page pages[WINDOW_PAGES];
};

static uint64_t random_state;

/* xorshift64*: any will do, as long as it is the same everywhere. */
static uint64_t random_below(uint64_t bound)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (random_state * UINT64_C(2685821657736338717) >> 32) % bound;
}

static struct model_page *model_page(struct model *model, uint64_t address)
{
	uint64_t index = (address - model->start) / PAGE_BYTES;

	assert_true(index < WINDOW_PAGES);
	return &model->pages[index];
}

static int model_protection(uint32_t flags)
{
	int protection = 0;

	if (flags & PF_R)
		protection |= PROT_READ;
	if (flags & PF_W)
		protection |= PROT_WRITE;
	if (flags & PF_X)
		protection |= PROT_EXEC;
	return protection;
}

/* One PT_LOAD, page by page: whatever was there before is gone. */
static void model_load(struct model *model, const Elf64_Phdr *segment, unsigned index,
		       uint64_t load_bias)
{
	uint64_t start = segment->p_vaddr + load_bias;
	uint64_t data_end = start + segment->p_filesz, end = start + segment->p_memsz;
	bool has_data = segment->p_filesz > 0, has_bss = segment->p_memsz > segment->p_filesz;

	if (start == end)
		return;
	for (uint64_t page = start & ~UINT64_C(4095); page < end; page += 4096) {
		struct model_page new = {
		    .mapped = true,
		    .segment = index,
		    .from_file = has_data && page < data_end,
		    .protection = model_protection(segment->p_flags),
		};

		if (new.from_file)
			new.file_offset = segment->p_offset + page - start;
		else
			new.protection = PROT_READ | PROT_WRITE | (new.protection &PROT_EXEC);
		/* The page on which the data end, and .bss begins. */
		if (new.from_file && has_bss && (segment->p_flags & PF_W) && data_end < page + 4096)
			new.cleared = data_end;
		*model_page(model, page) = new;
	}
}

/* Ends on page boundaries about as often as inside pages: both have their own mistakes. */
static uint64_t random_length(uint64_t most)
{
	uint64_t length = random_below(most + 1);

	switch (random_below(4)) {
	case 0:
		return length & ~UINT64_C(4095);
	case 1:
		return length % 4096;
	default:
		return length;
	}
}

static Elf64_Phdr random_segment(uint64_t window)
{
	uint64_t at = random_below((WINDOW_PAGES - 1) * 4096);
	uint64_t room, filesz, memsz;

	if (random_below(3) == 0)
		at &= ~UINT64_C(4095);
	room = WINDOW_PAGES * 4096 - at;
	if (random_below(2) == 0 && room > 8 * 4096)
		room = 8 * 4096;
	filesz = random_length(room);
	memsz = random_below(3) == 0 ? filesz : filesz + random_length(room - filesz);
	return load((uint32_t)random_below(8), (random_below(1000) << 12) + at % 4096, window + at,
		    filesz, memsz);
}

/* Everything that the plan says of one page is what the model has there. */
static void assert_page(const struct model *model, unsigned index)
{
	const struct model_page *page = &model->pages[index];
	uint64_t address = model->start + index * 4096;
	const struct plan_mapping *mapping = load_plan_find(&plan, address);
	uint64_t within, cleared;

	assert_int_equal(mapping != NULL, page->mapped);
	if (mapping == NULL)
		return;
	within = address - mapping->address;
	/* Only a mapping's last page is ever cleared. */
	cleared = within + 4096 == mapping->length ? mapping->zero_from : 0;
	assert_int_equal(mapping->segment, page->segment);
	assert_int_equal(mapping->from_file, page->from_file);
	assert_int_equal(mapping->protection, page->protection);
	assert_int_equal(page->from_file ? mapping->file_offset + within : mapping->file_offset,
			 page->file_offset);
	assert_int_equal(cleared, page->cleared);
}

/* What must hold for every list of mappings. */
static void assert_well_formed(const struct load_span *span)
{
	uint64_t start = span->start + plan.load_bias, end = start + span->length;
	uint64_t previous_end = start;

	assert_true(plan.count <= plan.capacity);
	for (unsigned i = 0; i < plan.count; i++) {
		const struct plan_mapping *mapping = &plan.mappings[i];
		uint64_t mapping_end = mapping->address + mapping->length;

		assert_true(mapping->length > 0);
		assert_int_equal(mapping->address % 4096, 0);
		assert_int_equal(mapping->length % 4096, 0);
		assert_int_equal(mapping->file_offset % 4096, 0);
		assert_true(mapping->address >= previous_end);
		assert_true(mapping_end <= end);
		if (mapping->zero_from != 0) {
			assert_true(mapping->from_file);
			assert_true(mapping->zero_from > mapping_end - 4096);
			assert_true(mapping->zero_from < mapping_end);
		}
		previous_end = mapping_end;
	}
	assert_true(previous_end <= USER_ADDRESS_END);
}

/* One random image, linked at one place and put at another: up, down or not at all. */
static void check_random_image(void)
{
	const uint64_t places[] = {0x10000, 0x400000, 0x2aaaaaa000,
				   USER_ADDRESS_END - WINDOW_PAGES * 4096};
	Elf64_Phdr segments[SEGMENTS_MAX];
	unsigned count = 1 + (unsigned)random_below(SEGMENTS_MAX);
	struct elf_image image = image_of(ET_DYN, segments, count);
	uint64_t window = places[random_below(COUNT(places))];
	struct model model = {.start = places[random_below(COUNT(places))]};
	struct load_span span;

	for (unsigned i = 0; i < count; i++) {
		do
			segments[i] = random_segment(window);
		while (i == 0 && segments[i].p_filesz == 0); /* elf_check() refuses those */
		model_load(&model, &segments[i], i, model.start - window);
	}
	make_plan(&image, model.start - window);
	span = load_span_of(&image);
	assert_well_formed(&span);
	for (unsigned i = 0; i < WINDOW_PAGES; i++)
		assert_page(&model, i);
}

TEST(random_images_are_planned_as_mapping_in_order_would)
{
	random_state = 20240229;
	for (unsigned i = 0; i < 5000; i++)
		check_random_image();
}
