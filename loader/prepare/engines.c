/* Selects the engine that hides the program's pages. */
#include "loader/prepare/engines.h"
#include "loader/prepare/descriptor.h"

#include "common/arch/syscall.h"
#include "common/page.h"
#include "common/report.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static bool has_file_pages(const struct pager *pager)
{
	for (unsigned i = 0; i < pager->count; i++)
		if (pager->regions[i].from_file)
			return true;
	return false;
}

/*
 * Tests whether a hidden page is hidden. Emulators and sandboxes may report success and do nothing:
 * qemu-user does so for guard markers. The kernel itself can show it: rt_sigprocmask reads a signal
 * mask before it checks `how`, which is invalid here. The mask is not at the page's first byte,
 * because address 0 means no mask. Returns 0 or -EOPNOTSUPP.
 */
static long test_hidden(const struct pager_region *region)
{
	if ((region->protection & PROT_READ) == 0 ||
	    raw_syscall6(SYS_rt_sigprocmask, UINT64_MAX, region->start + KERNEL_SIGSET_SIZE, 0,
			 KERNEL_SIGSET_SIZE, 0, 0) == -EFAULT)
		return 0;
	return -EOPNOTSUPP;
}

/*
 * Closes a region whose first page is hidden: all of it becomes PROT_NONE. Revealing that page
 * first gives the mapping its anon_vma, without which opened chunks could not merge again.
 */
static long close_region(const struct pager_region *region)
{
	long result =
	    region->engine->reveal(region->start, PAGE_BYTES, region->protection, BRING_REVEAL);

	if (result == 0)
		result = raw_syscall3(SYS_mprotect, region->start, region->end - region->start,
				      PROT_NONE);
	return result;
}

/*
 * Whether a region may be closed. Text stays open: a security module may refuse to make a file's
 * memory executable again once it may have been changed (selinux_file_mprotect, execmod).
 */
static bool may_close(const struct pager_region *region)
{
	return region->engine->in_chunks && region->end - region->start >= CLOSED_MIN &&
	       !(region->from_file && (region->protection & PROT_EXEC) != 0);
}

/* Hides a region from the program. Returns 0, or the engine's -errno. */
static long hide_region(struct pager_region *region, bool test)
{
	const struct engine *engine = region->engine;
	uint64_t length = region->end - region->start;
	long result;

	region->closable = may_close(region);
	result =
	    engine->hide(region->start, region->closable ? PAGE_BYTES : length, region->protection);
	if (result == 0 && test)
		result = test_hidden(region);
	if (result == 0 && region->closable)
		result = close_region(region);
	return result;
}

/* Hides every region. Each engine is tested once. */
static long hide_all(struct pager *pager)
{
	long result = 0;

	for (unsigned i = 0; i < pager->count && result == 0; i++)
		result =
		    hide_region(&pager->regions[i],
				i == 0 || pager->regions[i].engine != pager->regions[i - 1].engine);
	return result;
}

/* Undoes a hide that failed halfway. */
static void show_all(const struct pager *pager)
{
	for (unsigned i = 0; i < pager->count; i++) {
		const struct pager_region *region = &pager->regions[i];

		region->engine->reveal(region->start, region->end - region->start,
				       region->protection, BRING_REVEAL);
	}
}

/*
 * Hides with one engine for anonymous memory and another one for pages of files; both may be the
 * same.
 */
static long hide(struct pager *pager, struct engine anonymous, struct engine file)
{
	long result;

	pager->engines[0] = anonymous;
	pager->engines[1] = file;
	for (unsigned i = 0; i < pager->count; i++)
		pager->regions[i].engine = &pager->engines[pager->regions[i].from_file ? 1 : 0];
	result = hide_all(pager);
	if (result != 0)
		show_all(pager);
	return result;
}

static void report_no_markers(long result)
{
	report_detail("no guard markers on this kernel (%s); hiding pages with mprotect",
		      strerror((int)-result));
}

/*
 * Hides with an engine. If it works for anonymous memory only, another engine hides pages of files.
 */
static long hide_with(struct pager *pager, struct engine engine)
{
	long result;

	if (!engine.anonymous_only || !has_file_pages(pager))
		return hide(pager, engine, engine);
	result = hide(pager, engine, engine_guard());
	if (result == 0)
		return 0;
	report_no_markers(result);
	return hide(pager, engine, engine_mprotect());
}

static long begin_and_hide(struct pager *pager, struct engine engine, bool can_intercept)
{
	long result;

	if (engine.has_descriptor && !can_intercept)
		return -EOPNOTSUPP;
	result = engine.has_descriptor ? descriptor_open() : 0;
	if (result == 0)
		result = hide_with(pager, engine);
	if (result != 0)
		descriptor_close();
	return result;
}

static long hide_by_name(struct pager *pager, const char *name, bool can_intercept)
{
#define ENGINE(engine)                                                                             \
	if (strcmp(name, #engine) == 0)                                                            \
		return begin_and_hide(pager, engine_##engine(), can_intercept);
	ENGINES(ENGINE)
#undef ENGINE
	return -ENOENT;
}

bool engines_hide(struct pager *pager, const char *name, bool fills_ahead, bool can_intercept,
		  struct error *error)
{
	long result;

	if (name != NULL) {
		result = hide_by_name(pager, name, can_intercept);
		return result == 0 ||
		       error_set(error, EXIT_OURS,
				 "the engine %s does not work here: %s; leave out the option "
				 "that needs it, --engine or --placement",
				 name, strerror((int)-result));
	}
	if (fills_ahead && hide_by_name(pager, "userfaultfd", can_intercept) == 0)
		return true;
	result = hide_by_name(pager, "guard", can_intercept);
	if (result == 0)
		return true;
	report_no_markers(result);
	result = hide_by_name(pager, "mprotect", can_intercept);
	return result == 0 ||
	       error_set(error, EXIT_OURS,
			 "pages cannot be hidden: %s; use all_at_once_loader, which hides none",
			 strerror((int)-result));
}
