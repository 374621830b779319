/* Touches an area that one mechanism fills, in batches of several sizes, and times it. */
#include "bench/experiments/fault_cost.h"
#include "common/page.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>

#define SPARE_BYTES ((size_t)16 << 20)

static const size_t batches[] = {1, 16, 64, MOST_PAGES};

#define BATCHES (sizeof(batches) / sizeof(batches[0]))

/* The handler's data. A pass is one area, written once, page by page and in order. */
static struct {
	const struct page_way *way;
	uint8_t *area;
	size_t bytes, batch_bytes, faults;
} pass;

/* The access is three bytes long, so that a handler can skip it. */
static void touch(uint8_t *page)
{
	__asm__ volatile("movb $1, (%%rdi)" : : "D"(page) : "memory");
}

void fault_cost_serve(uint8_t *address)
{
	uint8_t *start = (uint8_t *)page_floor((uint64_t)address);

	__atomic_fetch_add(&pass.faults, 1, __ATOMIC_RELAXED);
	if (!pass.way->reveal(start, pass.batch_bytes) ||
	    (pass.way->populate && !reveal_populate(start, pass.batch_bytes)))
		reading_fail("%zu pages at a time: %s", pass.batch_bytes / PAGE_BYTES,
			     strerror(errno));
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	uint8_t *address = info->si_addr;

	if (address < pass.area || address >= pass.area + pass.bytes) {
		signal(number, SIG_DFL);
	} else if (pass.way->reveal == NULL) {
		pass.faults++;
		((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 3;
	} else {
		fault_cost_serve(address);
	}
}

static uint64_t touch_all(void)
{
	bool ahead = pass.way->server == BY_LOOP;
	uint64_t start = reading_now_ns();

	for (size_t at = 0; at < pass.bytes; at += PAGE_BYTES) {
		if (ahead && at % pass.batch_bytes == 0)
			fault_cost_serve(pass.area + at);
		touch(pass.area + at);
	}
	return reading_now_ns() - start;
}

static long minor_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

/* A time counts only when the pages were filled as the row says. */
static void check_pass(long faults)
{
	const struct page_way *way = pass.way;
	size_t expected = pass.bytes / pass.batch_bytes;
	bool skipped = way->server != BY_TOUCH && way->reveal == NULL;

	if (way->huge && faults > (long)(2 * pass.bytes / HUGE_BYTES) + 8)
		reading_fail("the kernel gave no huge pages: %ld faults", faults);
	if (way->server != BY_TOUCH && pass.faults != expected)
		reading_fail("%zu faults where there should be %zu", pass.faults, expected);
	for (size_t at = 0; !skipped && at < pass.bytes; at += PAGE_BYTES)
		if (pass.area[at] != 1)
			reading_fail("page %zu is not what was written", at / PAGE_BYTES);
}

/* All areas lie in the same way: at a multiple of 2 MiB, with a page of their own in front. */
static double measure_pass(const struct settings *settings, size_t batch)
{
	size_t all = settings->bytes + 2 * HUGE_BYTES;
	uint8_t *map = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t time;
	long faults;

	if (map == MAP_FAILED)
		reading_fail("mmap of %zu bytes: %s", all, strerror(errno));
	pass.area = (uint8_t *)(((uint64_t)map + HUGE_BYTES) & ~(HUGE_BYTES - 1));
	if (pass.area == map)
		pass.area += HUGE_BYTES;
	pass.bytes = settings->bytes;
	pass.batch_bytes = batch * PAGE_BYTES;
	pass.faults = 0;
	if (!pass.way->hide(settings, pass.area))
		reading_fail("cannot hide the pages: %s", strerror(errno));
	faults = minor_faults();
	time = touch_all();
	check_pass(minor_faults() - faults);
	munmap(map, all);
	return (double)time / (double)(settings->bytes / PAGE_BYTES);
}

static void catch_faults(enum page_server server)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

	if (server == BY_SIGSEGV || server == BY_SIGBUS)
		sigaction(server == BY_SIGSEGV ? SIGSEGV : SIGBUS, &action, NULL);
}

void fault_cost_pages(const struct settings *settings, const void *parameter,
		      struct reading *reading)
{
	const struct page_way *way = parameter;

	/* The file's pages count twice: in the page cache and as private copies. */
	reading_need_memory(SPARE_BYTES + settings->bytes * (way->hide == hide_file ? 2 : 1));
	/* All other rows use 4 KiB pages, even if the kernel prefers larger ones. */
	if (!way->huge)
		prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	if (way->one_cpu)
		reading_stay_here();
	pass.way = way;
	catch_faults(way->server);

	/* Warms memory, page cache and handler: the host backs memory when it is first touched. */
	measure_pass(settings, way->no_batch != NULL ? 1 : MOST_PAGES);
	for (size_t i = 0; i < BATCHES; i++) {
		if (i > 0 && way->no_batch != NULL) {
			reading_absent(reading, "%s", way->no_batch);
			break;
		}
		reading->value[i] = measure_pass(settings, batches[i]);
	}
}
