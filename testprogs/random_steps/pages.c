/* Pages of .bss, .data and constants, and what becomes of them. */
#include "../guest.h"

#include "pages.h"
#include "signals.h"
#include "steps.h"

#define AREA	  640
#define FILLED	  64
#define CONSTANTS 64
#define COUNT	  (AREA + FILLED + CONSTANTS)
#define SPARE	  256

static char area[AREA * PAGE] __attribute__((aligned(PAGE)));
static char filled[FILLED * PAGE] __attribute__((aligned(PAGE))) = {[0 ... FILLED * PAGE - 1] = 7};
static const char constants[CONSTANTS * PAGE]
    __attribute__((aligned(PAGE))) = {[0 ... CONSTANTS * PAGE - 1] = 9};
static char spare[(SPARE + 1) * PAGE] __attribute__((aligned(PAGE)));
static struct page model[COUNT];

/* A range of pages of one array. */
struct range {
	unsigned first, count;
};

void pages_begin(void)
{
	for (unsigned i = 0; i < COUNT; i++) {
		model[i] = (struct page){true, PROT_READ | PROT_WRITE, 0, 0};
		if (i >= AREA)
			model[i].base = model[i].stamp = 7;
		if (i >= AREA + FILLED) {
			model[i].base = model[i].stamp = 9;
			model[i].protection = PROT_READ;
		}
	}
}

char *pages_address(unsigned number)
{
	if (number < AREA)
		return area + number * PAGE;
	if (number < AREA + FILLED)
		return filled + (number - AREA) * PAGE;
	return (char *)constants + (number - AREA - FILLED) * PAGE;
}

const struct page *pages_model(unsigned number)
{
	return &model[number];
}

unsigned pages_any(void)
{
	return (unsigned)random_below(COUNT);
}

bool pages_readable(unsigned number)
{
	return model[number].mapped && model[number].protection != PROT_NONE;
}

bool pages_writable(unsigned number)
{
	return model[number].mapped && (model[number].protection & PROT_WRITE) != 0;
}

void pages_stamp(unsigned number, uint8_t stamp)
{
	model[number].stamp = stamp;
}

unsigned pages_writable_one(void)
{
	unsigned number = pages_any();

	while (!pages_writable(number))
		number = (number + 1) % COUNT;
	return number;
}

void *pages_spare(void)
{
	static unsigned count;

	/* Another page each time, until all have been used. */
	return spare + (count++ * 37 % SPARE + 1) * PAGE - 8 * random_below(PAGE / 8 / 2);
}

void pages_use(unsigned number, bool write)
{
	volatile char *page = pages_address(number);
	uint8_t stamp = (uint8_t)(1 + random_below(255));

	expect("first byte", (uint8_t)page[0], model[number].stamp);
	if (write)
		page[0] = page[PAGE - 1] = (char)stamp;
	else
		expect("last byte", (uint8_t)page[PAGE - 1], model[number].stamp);
	if (write)
		model[number].stamp = stamp;
}

void pages_check_all(void)
{
	for (unsigned i = 0; i < COUNT; i++)
		if (pages_readable(i))
			pages_use(i, false);
}

void step_touch(void)
{
	unsigned number = pages_any();
	bool write = random_one_in(2);
	uint8_t value = 0;

	for (uint64_t i = random_below(8); i < 8; i++, number = pages_any()) {
		if (write ? pages_writable(number) : pages_readable(number))
			pages_use(number, write);
		else if (signals_catch_faults())
			expect("fault", signals_try(pages_address(number), write, &value), true);
	}
}

static struct range any_range(void)
{
	unsigned first = pages_any(), end = COUNT, count;

	if (first < AREA)
		end = AREA;
	else if (first < AREA + FILLED)
		end = AREA + FILLED;
	count = 1 + (unsigned)random_below(random_one_in(4) ? 100 : 6);
	return (struct range){first, count < end - first ? count : end - first};
}

static unsigned first_hole(struct range range)
{
	unsigned number = range.first;

	while (number < range.first + range.count && model[number].mapped)
		number++;
	return number;
}

static int any_protection(void)
{
	static const int protections[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE,
					  PROT_READ | PROT_WRITE};

	return protections[random_below(4)];
}

static long kernel_result(long result)
{
	return result < 0 ? -errno : result;
}

/* mprotect goes as far as the first hole. */
void step_protect(void)
{
	struct range range = any_range();
	unsigned hole = first_hole(range);
	int protection = any_protection();

	expect("mprotect",
	       kernel_result(mprotect(pages_address(range.first), range.count * PAGE, protection)),
	       hole == range.first + range.count ? 0 : -ENOMEM);
	for (unsigned i = range.first; i < hole; i++)
		model[i].protection = protection;
}

void step_unmap(void)
{
	struct range range = any_range();

	expect("munmap", kernel_result(munmap(pages_address(range.first), range.count * PAGE)), 0);
	for (unsigned i = range.first; i < range.first + range.count; i++)
		model[i].mapped = false;
}

void step_map(void)
{
	struct range range = any_range();
	int protection = random_one_in(3) ? any_protection() : PROT_READ | PROT_WRITE;
	char *start = pages_address(range.first);
	void *found = mmap(start, range.count * PAGE, protection,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	expect("mmap", found == start, true);
	for (unsigned i = range.first; i < range.first + range.count; i++)
		model[i] = (struct page){true, protection, 0, 0};
}

/* Single pages: what was mapped in pieces cannot be moved together. */
void step_remap(void)
{
	unsigned from = pages_any(), to = pages_any();
	char *target = pages_address(to);
	long expected = model[from].mapped ? 0 : -EFAULT;
	void *found;

	if (from == to)
		return;
	found = mremap(pages_address(from), PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, target);
	expect("mremap", found == target ? 0 : -errno, expected);
	if (expected == 0) {
		model[to] = model[from];
		model[from].mapped = false;
	} else {
		/* Some kernels have unmapped the target before mremap fails. */
		mmap(target, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		     -1, 0);
		model[to] = (struct page){true, PROT_READ | PROT_WRITE, 0, 0};
	}
}

static bool all_of(struct range range, bool (*holds)(unsigned))
{
	for (unsigned i = range.first; i < range.first + range.count; i++)
		if (!holds(i))
			return false;
	return true;
}

static void drop(struct range range)
{
	long expected = first_hole(range) == range.first + range.count ? 0 : -ENOMEM;

	expect(
	    "dontneed",
	    kernel_result(madvise(pages_address(range.first), range.count * PAGE, MADV_DONTNEED)),
	    expected);
	for (unsigned i = range.first; i < range.first + range.count; i++)
		model[i].stamp = model[i].base;
}

void step_advise(void)
{
	struct range range = any_range();
	char *start = pages_address(range.first);
	size_t length = range.count * PAGE;
	long hole = first_hole(range) == range.first + range.count ? 0 : -ENOMEM;

	switch (random_below(4)) {
	case 0:
		drop(range);
		break;
	case 1:
		if (all_of(range, pages_writable))
			expect("populate", kernel_result(madvise(start, length, 23)), 0);
		break;
	case 2:
		expect("sequential", kernel_result(madvise(start, length, MADV_SEQUENTIAL)), hole);
		break;
	default:
		if (!all_of(range, pages_writable))
			break;
		expect("mlock", kernel_result(mlock(start, length)), 0);
		expect("munlock", kernel_result(munlock(start, length)), 0);
	}
}

/* Makes raw calls, because the libcs store the break. Gives back all memory that it took. */
void step_break(void)
{
	char *start = (char *)syscall(SYS_brk, 0), *aligned;
	uint64_t count = 2 + random_below(20);

	aligned = (char *)(((uintptr_t)start + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
	for (int round = 0; round < 2; round++) {
		char *end = aligned + count * PAGE;

		expect("grown", (char *)syscall(SYS_brk, end) == end, true);
		for (uint64_t i = 0; i < count; i++)
			expect("zero", aligned[i * PAGE + 5]++, 0);
		expect("back", (char *)syscall(SYS_brk, start) == start, true);
	}
}
