/* Arrays of which every page is known. */
#pragma once

#include "model.h"

void pages_begin(void);
void pages_check_all(void);

/* The state of a page, from the program's view. Pages are numbered through all arrays. */
struct page {
	bool mapped;
	int protection;
	uint8_t stamp; /* its first and its last byte */
	uint8_t base;  /* the same after MADV_DONTNEED */
};

unsigned pages_any(void); /* the number of any page */
const struct page *pages_model(unsigned number);
char *pages_address(unsigned number);
bool pages_readable(unsigned number);
bool pages_writable(unsigned number);
void pages_stamp(unsigned number, uint8_t stamp); /* this page has been written */
unsigned pages_writable_one(void);		  /* the number of a page that may be written */
/* Reads or writes an accessible page, and checks what was there. */
void pages_use(unsigned number, bool write);
/* A fresh place for something that a system call reads, of at most a page. */
void *pages_spare(void);
