/*
 * predict: which pages will be touched next.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct predictor {
	uintptr_t expected; /* the page after the last one that was brought in */
	long right;	    /* the counter of right predictions */
};

/* A page was touched that was not there. Returns how many pages after it are brought in, too. */
size_t predict(struct predictor *predictor, uintptr_t page);
