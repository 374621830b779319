/* Which pages of this process are in memory, from /proc/self/pagemap (proc(5)). */
#ifndef COMMON_PAGEMAP_H
#define COMMON_PAGEMAP_H

#include <stdbool.h>
#include <stdint.h>

/* A descriptor, or -1 with errno. */
int pagemap_open(void);

/*
 * Reads the entries (KERNEL_PAGEMAP_*) of so many pages from an address on. Returns how many were
 * read: fewer where the address space ends; -1 with errno. `pagemap` may be of another process.
 */
long pagemap_read(int pagemap, uint64_t start, uint64_t *entries, uint64_t pages);

/* `of_file`: the page is one of the page cache, and not a private copy. */
typedef void pagemap_page(uint64_t address, bool of_file, void *context);

/* Calls `each` for every page of a range of addresses that is in memory. */
void pagemap_for_each(int pagemap, uint64_t start, uint64_t end, pagemap_page *each, void *context);

/* How many there are. */
uint64_t pagemap_count(int pagemap, uint64_t start, uint64_t end);

/*
 * Whether a page is all zero. The program may have made it unreadable, by mprotect or with a
 * protection key, or may have unmapped it: such a page is not.
 */
bool pagemap_is_zero(uint64_t address);

#endif
