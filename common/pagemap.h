/* Finds the pages of a process that are in memory, by /proc/PID/pagemap (proc(5)). */
#pragma once

#include "common/kernel_abi.h"

#include <stdbool.h>
#include <stdint.h>

/* Opens pagemap of this process. Returns a descriptor, or -1 with errno. */
int pagemap_open(void);

/*
 * Reads the entries (KERNEL_PAGEMAP_*) of `pages` pages from an address on. Returns how many were
 * read: fewer if the address space ends; -1 with errno.
 */
long pagemap_read(int pagemap, uint64_t start, uint64_t *entries, uint64_t pages);

/*
 * Whether the kernel has PAGEMAP_SCAN. Before Linux 6.7 the functions below take time for holes,
 * too.
 */
bool pagemap_scans(int pagemap);

/*
 * ioctl(2), PAGEMAP_SCAN (Linux 6.7). Sets scan->size. Returns the number of runs found, or -errno.
 */
long pagemap_scan(int pagemap, struct kernel_pm_scan *scan);

/*
 * Calls `each` for every run of pages of an address range that are in memory, in order, until it
 * returns false. `of_file`: the pages belong to the page cache, and are not private copies. A long
 * run comes in parts. The time grows with the range before Linux 6.7, and with the present pages
 * later.
 */
typedef bool pagemap_run(uint64_t start, uint64_t end, bool of_file, void *context);
void pagemap_for_each_run(int pagemap, uint64_t start, uint64_t end, pagemap_run *each,
			  void *context);

/* Does the same for every page. */
typedef void pagemap_page(uint64_t address, bool of_file, void *context);
void pagemap_for_each(int pagemap, uint64_t start, uint64_t end, pagemap_page *each, void *context);

/* Counts the pages of a range that are in memory. */
uint64_t pagemap_count(int pagemap, uint64_t start, uint64_t end);
