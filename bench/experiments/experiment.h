/*
 * What all experiments share. An experiment is tables of rows and columns. Every row is measured
 * several times, in rounds of random order.
 *
 * An experiment's file describes its tables and ends in
 *
 *	int main(int argc, char **argv) { return experiment_main(&experiment, argc, argv); }
 *
 * experiment_main reads the options, measures, prints the tables and what the source found beside
 * what was found here, and writes JSON.
 */
#pragma once

#include "bench/experiments/results.h"

/* Exit status: 0, or 125 for wrong usage and when nothing could be measured or written. */
int experiment_main(const struct experiment *experiment, int argc, char **argv);
