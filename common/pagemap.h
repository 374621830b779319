/* Which pages of a process are in memory, from /proc/PID/pagemap (proc(5)). */
#ifndef COMMON_PAGEMAP_H
#define COMMON_PAGEMAP_H

#include "common/kernel_abi.h"

#include <stdbool.h>
#include <stdint.h>

/* The descriptor of this process's, or -1 with errno. */
int pagemap_open(void);

/*
 * Reads the entries (KERNEL_PAGEMAP_*) of so many pages from an address on. Returns how many were
 * read: fewer where the address space ends; -1 with errno.
 */
long pagemap_read(int pagemap, uint64_t start, uint64_t *entries, uint64_t pages);

/* Whether the kernel has PAGEMAP_SCAN: before Linux 6.7 the functions below take time for holes. */
bool pagemap_scans(int pagemap);

/* ioctl(2), PAGEMAP_SCAN (Linux 6.7): how many runs were found, or -errno. Sets scan->size. */
long pagemap_scan(int pagemap, struct kernel_pm_scan *scan);

/*
 * Calls `each` for every run of pages of a range of addresses that are in memory, in order, until
 * it returns false. `of_file`: they are pages of the page cache, and not private copies. A long run
 * comes in parts. Before Linux 6.7 the time grows with the range, later with the pages that are
 * there.
 */
typedef bool pagemap_run(uint64_t start, uint64_t end, bool of_file, void *context);
void pagemap_for_each_run(int pagemap, uint64_t start, uint64_t end, pagemap_run *each,
			  void *context);

/* The same for every page. */
typedef void pagemap_page(uint64_t address, bool of_file, void *context);
void pagemap_for_each(int pagemap, uint64_t start, uint64_t end, pagemap_page *each, void *context);

/* How many there are. */
uint64_t pagemap_count(int pagemap, uint64_t start, uint64_t end);

#endif
