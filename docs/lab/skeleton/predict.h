/*
 * predict: which pages will be touched next.
 */
#ifndef PREDICT_H
#define PREDICT_H

#include <stddef.h>
#include <stdint.h>

struct predictor {
	uintptr_t expected; /* the page after the last one that was brought in */
	long right;	    /* what is needed to know whether predictions are any good */
};

/* A page was touched that was not there: how many of those after it are to come with it? */
size_t predict(struct predictor *predictor, uintptr_t page);

#endif
