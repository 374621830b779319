/* The program's identity, computed from made-up values that the kernel gave the loader. */
#include "common/process_identity.h"
#include "common/page.h"
#include "tests/unit/unit.h"

#include <elf.h>

/*
 * The kernel moves the brk of a static PIE here, so that it does not run into the mmap area:
 * two thirds of the address space.
 */
#define MOVED_BRK UINT64_C(0x555555555000)

/*
 * The end of this program, as the linker and the code under test see it. It is linked at a fixed
 * low address, so that no load address, drawn at random, ever makes it look like a moved brk.
 */
extern const char _end[];

static uint64_t own_end(void)
{
	return page_ceil((uint64_t)_end);
}

static struct load_plan program_at(bool fixed_address, uint64_t image_end)
{
	return (struct load_plan){
	    .entry = image_end - 0x2000,
	    .code_start = image_end - 0x4000,
	    .code_end = image_end - 0x1800,
	    .data_start = image_end - 0x1000,
	    .data_end = image_end - 0x800,
	    .image_end = image_end,
	    .fixed_address = fixed_address,
	};
}

static uint64_t brk_of(uint64_t loader_brk, bool fixed_address, uint64_t image_end)
{
	struct process_start start = {.brk_start = loader_brk, .randomized = true};
	struct load_plan plan = program_at(fixed_address, image_end);

	return program_brk(&start, &plan, false);
}

/* With an interpreter a position-independent program is no static PIE, and its brk follows it. */
TEST(the_brk_of_a_dynamic_program_is_after_its_image)
{
	struct process_start start = {.brk_start = MOVED_BRK + 0x1234000, .randomized = true};
	struct load_plan plan = program_at(false, 0x555612345123);

	assert_int_equal(program_brk(&start, &plan, true), 0x555612346000 + 0x1234000);
	plan = program_at(true, 0x4c5123);
	assert_int_equal(program_brk(&start, &plan, true), 0x4c6000 + 0x1234000);
	start.brk_start = MOVED_BRK;
	assert_int_equal(program_brk(&start, &plan, true), 0x4c6000);
}

/* ELF_ET_DYN_BASE, and up to 28 random bits of pages beyond it. */
TEST(a_dynamic_pie_has_its_base_at_two_thirds)
{
	uint8_t random[16] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	const struct auxv_entry vector = {AT_RANDOM, (uint64_t)random};
	struct process_start start = {.auxv = &vector, .auxv_count = 1, .randomized = true};

	assert_int_equal(program_base(&start), MOVED_BRK - 0x1000 + 0xfffffff000);
	memset(random, 0, sizeof(random));
	random[0] = 1;
	random[8] = 2;
	assert_int_equal(program_base(&start), MOVED_BRK - 0x1000 + 0x3000);
	start.randomized = false;
	assert_int_equal(program_base(&start), MOVED_BRK - 0x1000);
}

/* The loader is a static PIE and the kernel moves the brk of those: so it would the program's. */
TEST(a_pie_gets_the_brk_of_a_loader_whose_own_was_moved)
{
	assert_int_equal(brk_of(MOVED_BRK + 0x1234000, false, 0x7f1234567890),
			 MOVED_BRK + 0x1234000);
	assert_int_equal(brk_of(MOVED_BRK + 0x40000000, false, 0x7f1234567890),
			 MOVED_BRK + 0x40000000);
}

TEST(a_fixed_program_gets_the_offset_of_a_moved_brk)
{
	assert_int_equal(brk_of(MOVED_BRK + 0x1234000, true, 0x4c5123), 0x4c6000 + 0x1234000);
	assert_int_equal(brk_of(MOVED_BRK + 0x1000, true, 0x4c5000), 0x4c5000 + 0x1000);
	assert_int_equal(brk_of(MOVED_BRK + 0x40000000, true, 0x4c5001), 0x4c6000 + 0x40000000);
}

/* An older kernel, or a loader at a fixed address: counted from the end of the image. */
TEST(every_program_gets_the_offset_of_a_brk_after_its_image)
{
	assert_int_equal(brk_of(own_end() + 0x1234000, true, 0x4c5123), 0x4c6000 + 0x1234000);
	assert_int_equal(brk_of(own_end() + 0x1234000, false, 0x7f1234567890),
			 0x7f1234568000 + 0x1234000);
}

TEST(without_randomisation_brk_is_right_after_the_image)
{
	assert_int_equal(brk_of(MOVED_BRK, true, 0x4c5123), 0x4c6000);
	assert_int_equal(brk_of(MOVED_BRK, true, 0x4c5000), 0x4c5000);
	assert_int_equal(brk_of(own_end(), true, 0x4c5123), 0x4c6000);
	assert_int_equal(brk_of(own_end(), false, 0x7ffff7ffe123), 0x7ffff7fff000);
	/* A kernel that moves brk moves it then, too. */
	assert_int_equal(brk_of(MOVED_BRK, false, 0x7ffff7ffe123), MOVED_BRK);
}

/* A brk that no kernel would have put there says nothing about where the program's belongs. */
TEST(an_offset_that_cannot_be_is_left_out)
{
	assert_int_equal(brk_of(own_end() - 0x1000, true, 0x4c5123), 0x4c6000);
	assert_int_equal(brk_of(own_end() + 0x40002000, true, 0x4c5123), 0x4c6000);
	assert_int_equal(brk_of(0x7f0000000000, true, 0x4c5123), 0x4c6000);
	assert_int_equal(brk_of(0x7f0000000000, false, 0x7f1234567890), 0x7f1234568000);
	assert_int_equal(brk_of(MOVED_BRK - 0x1000, false, 0x7f1234567890), 0x7f1234568000);
	assert_int_equal(brk_of(0, true, 0x4c5123), 0x4c6000);
}

TEST(the_figures_are_the_plans_and_the_stacks)
{
	struct load_plan plan = program_at(true, 0x4c5123);
	struct stack_image stack = {
	    .stack_pointer = 0x7ffc0000fe00,
	    .arg_start = 0x7ffc0000ff00,
	    .arg_end = 0x7ffc0000ff10,
	    .env_start = 0x7ffc0000ff10,
	    .env_end = 0x7ffc0000ff80,
	    .auxv = 0x7ffc0000fe80,
	    .auxv_length = 352,
	};
	struct kernel_mm_map map = program_mm_map(&plan, &stack, 0x1234000);

	assert_int_equal(map.start_code, 0x4c1123);
	assert_int_equal(map.end_code, 0x4c3923);
	assert_int_equal(map.start_data, 0x4c4123);
	assert_int_equal(map.end_data, 0x4c4923);
	assert_int_equal(map.start_brk, 0x1234000);
	assert_int_equal(map.brk, 0x1234000);
	assert_int_equal(map.start_stack, 0x7ffc0000fe00);
	assert_int_equal(map.arg_start, 0x7ffc0000ff00);
	assert_int_equal(map.arg_end, 0x7ffc0000ff10);
	assert_int_equal(map.env_start, 0x7ffc0000ff10);
	assert_int_equal(map.env_end, 0x7ffc0000ff80);
	assert_int_equal((uint64_t)map.auxv, 0x7ffc0000fe80);
	assert_int_equal(map.auxv_size, 352);
	assert_int_equal(map.exe_fd, KERNEL_NO_EXE);
}

static struct kernel_mm_map map_of(Elf64_Phdr *segments, unsigned count, uint16_t type,
				   uint64_t load_bias)
{
	struct elf_image image = {.type = type, .segments = segments, .phnum = (uint16_t)count};
	struct stack_image stack = {.stack_pointer = 0x7ffc0000fe00};
	struct load_plan plan;
	struct error error;

	assert_true(load_plan_make(&image, load_bias, &plan, &error));
	free(plan.mappings);
	return program_mm_map(&plan, &stack, 0x1234000);
}

/* prctl(PR_SET_MM_MAP) takes nothing unless code begins before it ends, and data not after. */
static void assert_taken_by_the_kernel(const struct kernel_mm_map *map)
{
	assert_true(map->start_code < map->end_code);
	assert_true(map->start_data <= map->end_data);
	assert_true(map->start_brk <= map->brk);
	assert_true(map->end_code < USER_ADDRESS_END && map->end_data < USER_ADDRESS_END);
}

TEST(a_program_without_code_still_has_figures)
{
	Elf64_Phdr segments[] = {
	    {.p_type = PT_LOAD,
	     .p_flags = PF_R,
	     .p_vaddr = 0x400000,
	     .p_filesz = 16,
	     .p_memsz = 16},
	    {.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = 0x500000, .p_memsz = 0x1000},
	};
	struct kernel_mm_map map = map_of(segments, 2, ET_EXEC, 0);

	assert_taken_by_the_kernel(&map);
	assert_int_equal(map.start_code, 0x500000);
	assert_int_equal(map.end_code, 0x500001);
	map = map_of(segments, 2, ET_DYN, 0x7f0000000000);
	assert_taken_by_the_kernel(&map);
	/* Code without a byte in the file. */
	segments[0] = (Elf64_Phdr){
	    .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x400000, .p_memsz = 0x1000};
	map = map_of(segments, 2, ET_EXEC, 0);
	assert_taken_by_the_kernel(&map);
	map = map_of(segments, 2, ET_DYN, 0x7f0000000000);
	assert_taken_by_the_kernel(&map);
}

/* ---- what execve left: an environment with the vector after it, and the path at the top ---- */

#define STACK_BYTES 4096
#define VECTOR_MAX  8

struct made_up_stack {
	char *envp[3 + 2 * (VECTOR_MAX + 1)];
	_Alignas(4096) char strings[STACK_BYTES]; /* the highest page of the stack */
};

static struct made_up_stack made_up;

static char *arguments[] = {made_up.strings + STACK_BYTES / 2, NULL};

/* The strings of a stack end with the path and eight zero bytes. */
static char *put_path(const char *path)
{
	memset(&made_up, 0, sizeof(made_up));
	return strcpy(made_up.strings + STACK_BYTES - 8 - strlen(path) - 1, path);
}

/* An environment of two variables, and after its NULL the given vector. */
static char **put_vector(const struct auxv_entry *vector, size_t count)
{
	static char first[] = "A=1", second[] = "B=2";

	made_up.envp[0] = first;
	made_up.envp[1] = second;
	memcpy(made_up.envp + 3, vector, count * sizeof(*vector));
	return made_up.envp;
}

TEST(the_start_is_read_from_the_stack)
{
	uint64_t path = (uint64_t)put_path("./some_loader");
	const struct auxv_entry vector[] = {{AT_PAGESZ, 4096}, {AT_UID, 77}, {AT_EXECFN, path}};
	char **envp = put_vector(vector, 3);
	struct process_start start = {.gap = {0}};
	struct error error;

	assert_true(process_start_read(&start, arguments, envp, &error));
	assert_ptr_equal(start.envp, envp);
	assert_int_equal(start.auxv_count, 3);
	assert_int_equal(process_start_auxv(&start, AT_UID), 77);
	assert_int_equal(process_start_auxv(&start, AT_EXECFN), path);
	assert_int_equal(process_start_auxv(&start, AT_HWCAP), 0);
	assert_int_equal(start.stack_top, (uint64_t)made_up.strings + STACK_BYTES);
	assert_true(start.randomized); /* this is not where stacks end without it */
}

/* `below`: what is in front of the first argument. */
static struct stack_range gap_with(uint64_t platform, char below)
{
	uint64_t path = (uint64_t)put_path("./some_loader");
	const struct auxv_entry vector[] = {
	    {AT_PAGESZ, 4096}, {AT_PLATFORM, platform}, {AT_EXECFN, path}};
	struct process_start start = {.gap = {0}};
	struct error error;

	arguments[0][-1] = below;
	assert_true(process_start_read(&start, arguments, put_vector(vector, 3), &error));
	return start.gap;
}

/* From the end of the platform's name, which the kernel puts above all tables, to the arguments. */
TEST(the_gap_is_between_tables_and_strings)
{
	uint64_t strings = (uint64_t)arguments[0];
	struct stack_range gap;

	for (uint64_t below = 1; below < STACK_BYTES / 2; below += 97) {
		gap = gap_with(strings - below, 0);
		assert_int_equal(gap.start, strings - below + 1); /* the name is empty there */
		assert_int_equal(gap.end, strings);
	}
	gap = gap_with(0, 0);
	assert_int_equal(gap.start, gap.end);
	gap = gap_with(strings + 16, 0);
	assert_int_equal(gap.start, gap.end);
	gap = gap_with(strings - 3 * STACK_BYTES, 0);
	assert_int_equal(gap.start, gap.end);
	/* The end of a string that the kernel has let go of. */
	gap = gap_with(strings - 97, 'x');
	assert_int_equal(gap.start, gap.end);
}

/* Valgrind's stack has the platform's name and up to seven bytes of padding after the path. */
TEST(the_path_need_not_be_the_last_string)
{
	char *path = put_path("./some_loader");
	const struct auxv_entry vector[] = {{AT_PAGESZ, 4096}, {AT_EXECFN, (uint64_t)path - 6}};
	char **envp = put_vector(vector, 2);
	struct process_start start = {.gap = {0}};
	struct error error;

	memmove(path - 6, path, strlen(path) + 1);
	assert_true(process_start_read(&start, arguments, envp, &error));
	assert_int_equal(start.stack_top, (uint64_t)made_up.strings + STACK_BYTES);
	assert_false(start.under_valgrind);
}

static void assert_start_refused(const struct auxv_entry *vector, size_t count,
				 const char *sentence)
{
	struct process_start start = {.gap = {0}};
	struct error error;

	assert_false(process_start_read(&start, arguments, put_vector(vector, count), &error));
	assert_string_equal(error.text, sentence);
	assert_int_equal(error.status, EXIT_OURS);
}

TEST(a_start_that_makes_no_sense_is_refused)
{
	static const char no_end[] =
	    "cannot find the end of the stack: AT_EXECFN is missing or not on the stack; "
	    "start the loader without an emulator";
	uint64_t path = (uint64_t)put_path("./some_loader");
	struct auxv_entry vector[] = {{AT_PAGESZ, 4096}, {AT_EXECFN, path}};

	assert_start_refused(vector, 1, no_end);
	vector[1].value = (uint64_t)made_up.envp - 16;
	assert_start_refused(vector, 2, no_end);
	vector[0].value = 16384;
	assert_start_refused(vector, 2,
			     "needs pages of 4096 bytes, and this kernel has 16384: run it on "
			     "another kernel");
}
