/* Chance, and the comparison of what the program finds with what its model says. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* All that is random follows from the seed. */
void random_begin(uint64_t seed);
/* A number from 0 on, below `end`. */
uint64_t random_below(uint64_t end);
bool random_one_in(uint64_t count);

/* Prints and counts a difference of the two; `found` is part of the checksum. */
void expect(const char *what, long found, long expected);

/* The step that is made from here on, for the messages of expect. */
void expect_in(int number, const char *name);
/* How much was not as expected so far, and a checksum of all that was found. */
int expect_wrong(void);
uint64_t expect_checksum(void);
