/* The first stack of a program, word by word and as a program would read it. */
#include "common/process_stack.h"
#include "tests/unit/unit.h"

#include <elf.h>

#define TOP UINT64_C(0x7ffc00010000)

/* Bytes after the buffer, which must not be written. */
#define GUARD_BYTES 64
#define GUARD_BYTE  0xa5

static const uint8_t random_bytes[16] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
					 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};

/* The kernel's vector, with values that belong to the loader or to the whole machine. */
static const struct auxv_entry loader_auxv[] = {
    {AT_SYSINFO_EHDR, 0x7fff00000000},
    {AT_MINSIGSTKSZ, 3376},
    {AT_HWCAP, 0x178bfbff},
    {AT_PAGESZ, 4096},
    {AT_CLKTCK, 100},
    {AT_PHDR, 0x1111},
    {AT_PHENT, 56},
    {AT_PHNUM, 99},
    {AT_BASE, 0x2222},
    {AT_FLAGS, 0},
    {AT_ENTRY, 0x3333},
    {AT_UID, 1000},
    {AT_EUID, 1001},
    {AT_GID, 1002},
    {AT_EGID, 1003},
    {AT_SECURE, 1},
    {AT_RANDOM, 0x4444},
    {AT_HWCAP2, 2},
    {AT_EXECFN, 0x5555},
    {AT_PLATFORM, 0x6666},
    {0x1234, 0x5678}, /* of a kernel to come */
};

static struct stack_request request_of(char **argv, char **envp)
{
	return (struct stack_request){
	    .argv = argv,
	    .envp = envp,
	    .auxv = loader_auxv,
	    .auxv_count = COUNT(loader_auxv),
	    .path = "./prog",
	    .platform = "x86_64",
	    .random = random_bytes,
	    .top = TOP,
	    .entry = 0x401000,
	    .phdr_address = 0x400040,
	    .phnum = 6,
	    .base = 0x7f0000200000,
	};
}

/* The last stack, where it belongs: all bytes from the stack pointer to the top. */
static struct {
	struct stack_image image;
	uint64_t length; /* bytes */
	uint8_t *bytes;
} stack;

/* The same image at addresses that are `distance` higher. */
static struct stack_image moved(struct stack_image image, uint64_t distance)
{
	image.stack_pointer += distance;
	image.arg_start += distance;
	image.arg_end += distance;
	image.env_start += distance;
	image.env_end += distance;
	image.top += distance;
	for (size_t i = 0; i < COUNT(image.clear); i++) {
		image.clear[i].start += distance;
		image.clear[i].end += distance;
	}
	return image;
}

/*
 * As in the loader: written into a buffer, then copied to its place, here into memory full of other
 * bytes.
 */
static void build(const struct stack_request *request)
{
	static uint8_t *built;
	struct stack_image here;
	uint8_t *buffer;

	free(built);
	stack.image = stack_image_measure(request);
	buffer = calloc(1, stack.image.length + GUARD_BYTES);
	assert_non_null(buffer);
	memset(buffer + stack.image.length, GUARD_BYTE, GUARD_BYTES);
	stack_image_write(request, &stack.image, buffer);
	for (size_t i = 0; i < GUARD_BYTES; i++)
		assert_int_equal(buffer[stack.image.length + i], GUARD_BYTE);

	stack.length = request->top - stack.image.stack_pointer;
	assert_int_equal(stack.image.top, request->top);
	assert_true(stack.image.stack_pointer + stack.image.tables_length <= stack.image.arg_start);
	stack.bytes = built = malloc(stack.length);
	assert_non_null(stack.bytes);
	memset(stack.bytes, GUARD_BYTE, stack.length);
	here = moved(stack.image, (uint64_t)stack.bytes - stack.image.stack_pointer);
	stack_image_place(&here, buffer);
	free(buffer);
}

static const uint8_t *at(uint64_t address, uint64_t length)
{
	uint64_t offset = address - stack.image.stack_pointer;

	assert_true(offset <= stack.length && length <= stack.length - offset);
	return stack.bytes + offset;
}

static uint64_t word(uint64_t address)
{
	uint64_t value;

	memcpy(&value, at(address, sizeof(value)), sizeof(value));
	return value;
}

static void assert_string_at(uint64_t address, const char *expected)
{
	assert_memory_equal(at(address, strlen(expected) + 1), expected, strlen(expected) + 1);
}

static uint64_t auxv(uint64_t type)
{
	for (uint64_t entry = stack.image.auxv; word(entry) != AT_NULL; entry += 16)
		if (word(entry) == type)
			return word(entry + 8);
	fail_msg("there is no entry of type %lu", type);
	return 0;
}

/* The numbers are counted by hand, down from the top. */
TEST(a_stack_word_by_word)
{
	static const struct auxv_entry four[] = {
	    {AT_PAGESZ, 4096}, {AT_RANDOM, 1}, {AT_PLATFORM, 2}, {AT_EXECFN, 3}};
	static const uint64_t expected[] = {
	    2, /* argc */
	    0x7ffc0000ffde,
	    0x7ffc0000ffe3,
	    0,
	    0x7ffc0000ffe7,
	    0x7ffc0000ffeb,
	    0x7ffc0000fff0,
	    0,
	    AT_PAGESZ,
	    4096,
	    AT_RANDOM,
	    0x7ffc0000fe99,
	    AT_PLATFORM,
	    0x7ffc0000fea9,
	    AT_EXECFN,
	    0x7ffc0000fff1,
	    AT_NULL,
	    0,
	};
	char *argv[] = {"prog", "a b", NULL};
	char *envp[] = {"A=1", "BC=2", "", NULL};
	struct stack_request request = request_of(argv, envp);

	request.auxv = four;
	request.auxv_count = COUNT(four);
	/* 0x7ffc0000ffde - 0x123 is 0x7ffc0000febb, and the platform string ends at ...feb0. */
	request.random_gap = 0x123;
	build(&request);
	/* 18 words below ...fe98, on a multiple of 16. */
	assert_int_equal(stack.image.stack_pointer, 0x7ffc0000fe00);
	for (size_t i = 0; i < COUNT(expected); i++)
		assert_int_equal(word(0x7ffc0000fe00 + 8 * i), expected[i]);
	assert_int_equal(word(0x7ffc0000fe90), 0);
	assert_memory_equal(at(0x7ffc0000fe99, 16), random_bytes, 16);
	assert_string_at(0x7ffc0000fea9, "x86_64");
	for (uint64_t address = 0x7ffc0000feb0; address < 0x7ffc0000ffde; address++)
		assert_int_equal(*at(address, 1), 0);
	assert_memory_equal(at(0x7ffc0000ffde, 34),
			    "prog\0a b\0A=1\0BC=2\0\0./prog\0\0\0\0\0\0\0\0", 34);
}

TEST(the_image_says_where_its_parts_are)
{
	char *argv[] = {"prog", "a b", NULL};
	char *envp[] = {"A=1", "BC=2", "", NULL};
	struct stack_request request = request_of(argv, envp);

	build(&request);
	assert_int_equal(stack.image.arg_start, 0x7ffc0000ffde);
	assert_int_equal(stack.image.arg_end, 0x7ffc0000ffe7);
	assert_int_equal(stack.image.env_start, 0x7ffc0000ffe7);
	assert_int_equal(stack.image.env_end, 0x7ffc0000fff1);
	assert_int_equal(stack.image.top - stack.image.arg_start, 34);
	assert_int_equal(stack.image.auxv, stack.image.stack_pointer + 8 * (1 + 3 + 4));
	assert_int_equal(stack.image.auxv_length, 16 * (COUNT(loader_auxv) + 1));
	/* Without a gap, the tables end on the first multiple of 16 below the strings. */
	assert_int_equal(stack.image.stack_pointer + stack.image.tables_length, 0x7ffc0000ffd0);
}

TEST(what_is_the_programs_is_replaced)
{
	char *argv[] = {"typed", NULL};
	char *envp[] = {"A=1", NULL};
	struct stack_request request = request_of(argv, envp);

	build(&request);
	assert_int_equal(auxv(AT_PHDR), 0x400040);
	assert_int_equal(auxv(AT_PHNUM), 6);
	assert_int_equal(auxv(AT_BASE), 0x7f0000200000);
	assert_int_equal(auxv(AT_ENTRY), 0x401000);
	assert_string_at(auxv(AT_EXECFN), "./prog");
	assert_int_equal(auxv(AT_EXECFN), stack.image.env_end);
	assert_string_at(auxv(AT_PLATFORM), "x86_64");
	assert_memory_equal(at(auxv(AT_RANDOM), 16), random_bytes, 16);
}

TEST(what_is_the_machines_or_the_users_stays)
{
	static const uint64_t passed_through[] = {
	    AT_SYSINFO_EHDR, AT_MINSIGSTKSZ, AT_HWCAP, AT_PAGESZ, AT_CLKTCK, AT_PHENT,	AT_FLAGS,
	    AT_UID,	     AT_EUID,	     AT_GID,   AT_EGID,	  AT_SECURE, AT_HWCAP2, 0x1234,
	};
	char *empty[] = {NULL};
	struct stack_request request = request_of(empty, empty);
	size_t kept = 0;

	build(&request);
	for (size_t i = 0; i < COUNT(loader_auxv); i++) {
		uint64_t entry = stack.image.auxv + 16 * i;

		/* In the kernel's order, none left out. */
		assert_int_equal(word(entry), loader_auxv[i].type);
		for (size_t j = 0; j < COUNT(passed_through); j++)
			if (passed_through[j] == loader_auxv[i].type) {
				assert_int_equal(word(entry + 8), loader_auxv[i].value);
				kept++;
			}
	}
	assert_int_equal(kept, COUNT(passed_through));
}

TEST(nothing_is_added_to_the_vector)
{
	static const struct auxv_entry one = {AT_PAGESZ, 4096};
	char *empty[] = {NULL};
	struct stack_request request = request_of(empty, empty);

	request.auxv = &one;
	request.auxv_count = 1;
	build(&request);
	assert_int_equal(stack.image.auxv_length, 32);
	assert_int_equal(word(stack.image.auxv), AT_PAGESZ);
	assert_int_equal(word(stack.image.auxv + 8), 4096);
	assert_int_equal(word(stack.image.auxv + 16), AT_NULL);
	assert_int_equal(word(stack.image.auxv + 24), 0);
}

TEST(room_is_zero_and_before_the_vector)
{
	char *argv[] = {"prog", NULL};
	char *envp[] = {"A=1", "B=22", NULL};
	struct stack_request request = request_of(argv, envp);

	request.room = 2;
	build(&request);
	/* argc, two of argv[], three of envp[] */
	assert_int_equal(stack.image.auxv, stack.image.stack_pointer + 8 * (6 + 2));
	for (uint64_t address = stack.image.auxv - 24; address < stack.image.auxv; address += 8)
		assert_int_equal(word(address), 0);
	assert_int_equal(word(stack.image.auxv), AT_SYSINFO_EHDR);
	assert_int_equal(auxv(AT_ENTRY), request.entry);
}

/* A kernel that knows no platform string: the random bytes come last, on a multiple of 16. */
TEST(there_may_be_no_platform)
{
	static const struct auxv_entry two[] = {{AT_RANDOM, 1}, {AT_EXECFN, 2}};
	char *argv[] = {"prog", NULL};
	char *envp[] = {NULL};
	struct stack_request request = request_of(argv, envp);
	uint64_t random;

	request.auxv = two;
	request.auxv_count = 2;
	request.platform = NULL;
	build(&request);
	random = auxv(AT_RANDOM);
	assert_int_equal(random % 16, 0);
	assert_int_equal(random + 16, stack.image.stack_pointer + stack.image.tables_length);
	assert_memory_equal(at(random, 16), random_bytes, 16);
}

TEST(there_may_be_no_arguments_at_all)
{
	char *empty[] = {NULL};
	struct stack_request request = request_of(empty, empty);
	uint64_t pointer;

	build(&request);
	pointer = stack.image.stack_pointer;
	assert_int_equal(word(pointer), 0);
	assert_int_equal(word(pointer + 8), 0);
	assert_int_equal(word(pointer + 16), 0);
	assert_int_equal(stack.image.auxv, pointer + 24);
	assert_int_equal(stack.image.arg_start, stack.image.arg_end);
	assert_int_equal(stack.image.env_start, stack.image.env_end);
	assert_int_equal(stack.image.env_end, TOP - 8 - sizeof("./prog"));
}

/* A table of pointers to strings that follow one another; returns the address after its NULL. */
static uint64_t assert_table(uint64_t table, char **strings, uint64_t start, uint64_t end)
{
	for (; *strings != NULL; strings++) {
		assert_int_equal(word(table), start);
		assert_string_at(start, *strings);
		start += strlen(*strings) + 1;
		table += 8;
	}
	assert_int_equal(start, end);
	assert_int_equal(word(table), 0);
	return table + 8;
}

/* Properties that a C library's start relies on, and that the kernel keeps. */
static void assert_complete(const struct stack_request *request)
{
	const struct stack_image *image = &stack.image;
	uint64_t tables_end = image->stack_pointer + image->tables_length;
	uint64_t envp, argc = 0, entry = image->auxv;

	while (request->argv[argc] != NULL)
		argc++;
	assert_int_equal(image->stack_pointer % 16, 0);
	assert_int_equal(word(image->stack_pointer), argc);
	envp =
	    assert_table(image->stack_pointer + 8, request->argv, image->arg_start, image->arg_end);
	assert_int_equal(image->arg_end, image->env_start);
	assert_int_equal(assert_table(envp, request->envp, image->env_start, image->env_end),
			 image->auxv);
	for (size_t i = 0; i < request->auxv_count; i++, entry += 16)
		assert_int_equal(word(entry), request->auxv[i].type);
	assert_int_equal(word(entry), AT_NULL);
	assert_int_equal(word(entry + 8), 0);
	assert_int_equal(entry + 16, image->auxv + image->auxv_length);

	/* After the vector, apart from one another: random bytes, platform, gap, strings, zero. */
	assert_true(entry + 16 <= auxv(AT_RANDOM));
	assert_int_equal(auxv(AT_RANDOM) + 16, auxv(AT_PLATFORM));
	assert_string_at(auxv(AT_PLATFORM), request->platform);
	assert_int_equal(auxv(AT_PLATFORM) + strlen(request->platform) + 1, tables_end);
	assert_in_range(image->arg_start - tables_end, request->random_gap,
			request->random_gap + 15);
	assert_string_at(image->env_end, request->path);
	assert_int_equal(image->env_end + strlen(request->path) + 1, request->top - 8);
	assert_int_equal(word(request->top - 8), 0);
}

/* Numbers and lengths of every parity, so that every kind of padding comes up. */
TEST(every_combination_of_counts_is_aligned)
{
	static const uint64_t gaps[] = {0, 1, 7, 8, 15, 16, 4095, 8191};
	char *all_argv[] = {"p", "", "ab", "abc", "a", "abcdefg", "", "x", "abcdefghijklmnop",
			    NULL};
	char *all_envp[] = {"A=", "B=1", "C=22", "", "D", "E=55555", "F=6", "G=77", "H=8", NULL};

	for (size_t i = 0; i < COUNT(gaps) * COUNT(all_argv) * COUNT(all_envp); i++) {
		struct stack_request request =
		    request_of(all_argv + i / COUNT(gaps) % COUNT(all_argv),
			       all_envp + i / COUNT(gaps) / COUNT(all_argv));

		request.random_gap = gaps[i % COUNT(gaps)];
		request.auxv_count -= i % 2 == 0 ? 0 : 1;
		build(&request);
		assert_complete(&request);
	}
}

/* An environment as the kernel leaves it, in `block`: the strings, and after them the path. */
static const char *pack(char *block, char *const *strings, char **packed)
{
	for (; *strings != NULL; strings++) {
		*packed++ = block;
		block = stpcpy(block, *strings) + 1;
	}
	*packed = NULL;
	return block;
}

/* One that lies one after the other is copied as a whole; any other is not, and looks the same. */
TEST(an_environment_from_the_kernel_is_the_same)
{
	static char *const variables[] = {"A=1", "", "LONG=abcdefghijklmnopqrstuvwxyz", "D", NULL};
	struct auxv_entry vector[COUNT(loader_auxv)];
	char *argv[] = {"prog", NULL}, *packed[COUNT(variables)];
	char block[64];

	memcpy(vector, loader_auxv, sizeof(vector));
	for (size_t first = 0; first < COUNT(variables); first++) {
		const char *end = pack(block, variables + first, packed);
		/* The path is there, elsewhere; a string comes twice, begins after the next one,
		 * or inside. */
		for (int way = 0; way < 5; way++) {
			struct stack_request request = request_of(argv, packed);

			pack(block, variables + first, packed);
			if (way >= 2 && COUNT(variables) - 1 - first < 3)
				continue;
			if (way == 2)
				packed[1] = packed[0];
			else if (way == 3)
				packed[0] = packed[1] + 2;
			else if (way == 4)
				packed[2] += 2;
			for (size_t i = 0; i < COUNT(vector); i++)
				if (vector[i].type == AT_EXECFN)
					vector[i].value = (uint64_t)(end + (way == 1));
			request.auxv = vector;
			build(&request);
			assert_complete(&request);
		}
	}
}

/* A stack as the kernel leaves it for a loader: strings, a gap, and tables full of something. */
struct kernel_stack {
	uint8_t bytes[16384];
	char *argv[3], *envp[33];
	struct stack_range gap;
	struct auxv_entry vector[COUNT(loader_auxv)];
};

static void fill_kernel_stack(struct kernel_stack *kernel, const char *path, size_t variables)
{
	char text[48], *at = (char *)kernel->bytes + sizeof(kernel->bytes) - 8;

	memset(kernel->bytes, GUARD_BYTE, sizeof(kernel->bytes));
	memset(at, 0, 8);
	at = strcpy(at - strlen(path) - 1, path);
	memcpy(kernel->vector, loader_auxv, sizeof(loader_auxv));
	for (size_t i = 0; i < COUNT(loader_auxv); i++)
		if (loader_auxv[i].type == AT_EXECFN)
			kernel->vector[i].value = (uint64_t)at;
	kernel->envp[variables] = NULL;
	for (size_t i = variables; i-- > 0; kernel->envp[i] = at) {
		snprintf(text, sizeof(text), "%.*s=%zu", (int)(i % 23),
			 "VARIABLE_VARIABLE_VARIABLE", i);
		at = strcpy(at - strlen(text) - 1, text);
	}
	kernel->argv[2] = NULL;
	kernel->argv[1] = at = strcpy(at - 7, "./prog");
	kernel->argv[0] = at = strcpy(at - 9, "./loader");
	kernel->gap = (struct stack_range){((uint64_t)at - 777) & ~UINT64_C(15), (uint64_t)at};
	memset((void *)kernel->gap.start, 0, kernel->gap.end - kernel->gap.start);
}

/*
 * The environment is moved in place, up or down by the difference of the paths. Only the bytes of
 * the gap that may not be zero are cleared.
 */
TEST(a_stack_is_made_of_the_loaders)
{
	static const char path[] = "./a/path/that/is/longer/than/others";
	static struct kernel_stack kernels;

	for (size_t i = 0; i < 33 * COUNT(path) * 3; i++) {
		size_t variables = i % 33;
		struct stack_request request = request_of(kernels.argv + 1, kernels.envp);
		uint8_t *buffer;
		char copies[32][48], *expected[33] = {NULL};

		fill_kernel_stack(&kernels, i / 33 % 3 == 0 ? "./loader" : path + i % 20,
				  variables);
		for (size_t v = 0; v < variables; v++)
			expected[v] = strcpy(copies[v], kernels.envp[v]);
		request.path = path + i / 99;
		request.auxv = kernels.vector;
		request.top = (uint64_t)kernels.bytes + sizeof(kernels.bytes);
		request.zeros = kernels.gap;
		request.random_gap = kernels.gap.end - kernels.gap.start;
		stack.image = stack_image_measure(&request);
		buffer = calloc(1, stack.image.length);
		stack_image_write(&request, &stack.image, buffer);
		stack_image_place(&stack.image, buffer);
		stack.bytes = (uint8_t *)stack.image.stack_pointer;
		stack.length = request.top - stack.image.stack_pointer;
		request.argv = (char *[]){"./prog", NULL};
		request.envp = expected;
		assert_complete(&request);
		for (uint64_t at = stack.image.stack_pointer + stack.image.tables_length;
		     at < stack.image.arg_start; at++)
			assert_int_equal(*(uint8_t *)at, 0);
		assert_true(stack.image.clear[0].end - stack.image.clear[0].start < 64);
		assert_true(stack.image.clear[1].end - stack.image.clear[1].start < 64);
		free(buffer);
	}
}

/* The path's and the platform's lengths move everything below them. */
TEST(every_length_of_path_and_platform_is_aligned)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefg";
	char *argv[] = {"prog", "x", NULL};
	char *envp[] = {"A=1", NULL};

	for (size_t i = 0; i < 33 * 33; i++) {
		struct stack_request request = request_of(argv, envp);

		request.path = letters + i % 33;
		request.platform = letters + i / 33;
		request.random_gap = i % 8192;
		build(&request);
		assert_complete(&request);
	}
}

#define MANY 5000

TEST(five_thousand_variables_fit)
{
	static char texts[MANY][24];
	static char *argv[MANY + 1], *envp[MANY + 1];
	struct stack_request request = request_of(argv, envp);

	for (int i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "VARIABLE_%d=%d", i, i * 7);
		envp[i] = texts[i];
		argv[i] = texts[MANY - 1 - i];
	}
	build(&request);
	assert_complete(&request);
	assert_int_equal(word(stack.image.stack_pointer), MANY);
}

TEST(a_string_of_100_kb_fits)
{
	static char text[100 * 1024 + 1];
	char *argv[] = {"prog", text, "behind", NULL};
	char *envp[] = {"A=1", text, "Z=1", NULL};
	struct stack_request request = request_of(argv, envp);

	memset(text, 'x', sizeof(text) - 1);
	build(&request);
	assert_complete(&request);
	assert_true(stack.length > 2 * sizeof(text));
}
