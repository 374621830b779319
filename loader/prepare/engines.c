/* Which engine hides the program's pages. */
#include "loader/prepare/engines.h"

#include "common/kernel_abi.h"
#include "common/page.h"
#include "common/report.h"
#include "loader/predict/predict.h"
#include "loader/resident/pager/engine.h"
#include "loader/resident/pager/engine_userfaultfd.h"
#include "loader/resident/pager/laziness.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The descriptor goes where it shifts none of the program's: a program that wants this very number
 * gets it, and lazy paging ends.
 */
#define DESCRIPTOR_WANTED 255

/* See copying_pays. */
#define COPYING_PAYS_BYTES (UINT64_C(1) << 20)

/* 0 or -errno. */
static long open_userfaultfd(void)
{
	struct kernel_uffd_api api = {
	    .api = KERNEL_UFFD_API,
	    .features = KERNEL_UFFD_FEATURE_SIGBUS,
	};
	long descriptor = syscall(SYS_userfaultfd, O_CLOEXEC | KERNEL_UFFD_USER_MODE_ONLY);
	struct rlimit limit;

	if (descriptor < 0)
		return -errno;
	if (syscall(SYS_ioctl, descriptor, KERNEL_UFFDIO_API, &api) != 0)
		return -errno;
	userfaultfd_descriptor = fcntl((int)descriptor, F_DUPFD_CLOEXEC, DESCRIPTOR_WANTED);
	if (userfaultfd_descriptor < 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0)
		userfaultfd_descriptor =
		    fcntl((int)descriptor, F_DUPFD_CLOEXEC, (int)limit.rlim_cur - 1);
	if (userfaultfd_descriptor < 0)
		return -errno;
	close((int)descriptor);
	userfaultfd_zeros = mmap(NULL, ZEROS_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return userfaultfd_zeros == MAP_FAILED ? -errno : 0;
}

static bool has_file_pages(const struct pager *pager)
{
	for (unsigned i = 0; i < pager->count; i++)
		if (pager->regions[i].from_file)
			return true;
	return false;
}

/* Undoes what a hide that failed half-way has done. */
static void show_all(const struct pager *pager)
{
	for (unsigned i = 0; i < pager->count; i++) {
		const struct pager_region *region = &pager->regions[i];

		region->engine->reveal(region->start, region->end - region->start,
				       region->protection, BRING_REVEAL);
	}
}

/* Hides with one engine for both kinds of memory, or with another one for pages of files. */
static long hide(struct pager *pager, struct engine anonymous, struct engine file)
{
	long result;

	pager->engines[0] = anonymous;
	pager->engines[1] = file;
	for (unsigned i = 0; i < pager->count; i++)
		pager->regions[i].engine = &pager->engines[pager->regions[i].from_file ? 1 : 0];
	result = laziness_begin(pager);
	if (result != 0)
		show_all(pager);
	return result;
}

static void report_no_markers(long result)
{
	report_detail("no guard markers on this kernel (%s); hiding pages with mprotect",
		      strerror((int)-result));
}

/* The one for pages of files that stands in where an engine is for anonymous memory only. */
static long hide_with(struct pager *pager, struct engine anonymous)
{
	long result;

	if (!has_file_pages(pager))
		return hide(pager, anonymous, anonymous);
	result = hide(pager, anonymous, engine_guard());
	if (result == 0)
		return 0;
	report_no_markers(result);
	return hide(pager, anonymous, engine_mprotect());
}

static long hide_by_name(struct pager *pager, const char *name, bool can_intercept)
{
	long result;

	if (strcmp(name, "guard") == 0)
		return hide(pager, engine_guard(), engine_guard());
	if (strcmp(name, "mprotect") == 0)
		return hide(pager, engine_mprotect(), engine_mprotect());
	if (strcmp(name, "mmap") == 0)
		return hide_with(pager, engine_mmap());
	if (!can_intercept)
		return -EOPNOTSUPP; /* could not be told of a close of its descriptor */
	result = open_userfaultfd();
	return result == 0 ? hide_with(pager, engine_userfaultfd()) : result;
}

/*
 * userfaultfd fills a page for two thirds of what populating one costs the kernel, but takes eight
 * system calls to set up: worth it where hundreds of pages may come.
 */
static bool copying_pays(const struct pager *pager)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < pager->count; i++)
		if (!pager->regions[i].from_file)
			bytes += pager->regions[i].end - pager->regions[i].start;
	return bytes >= COPYING_PAYS_BYTES;
}

bool engines_hide(const char *name, bool can_intercept, struct pager *pager, struct error *error)
{
	long result;

	if (name != NULL) {
		result = hide_by_name(pager, name, can_intercept);
		return result == 0 ||
		       error_set(error, EXIT_OURS,
				 "the engine %s does not work here: %s; leave out --engine for "
				 "the best that does",
				 name, strerror((int)-result));
	}
	if (copying_pays(pager) && hide_by_name(pager, "userfaultfd", can_intercept) == 0)
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
