/*
 * fft [WARM-UP ITERATIONS]: a fast Fourier transform in place, over two global arrays larger than
 * an L2 cache. Prints a checksum of what comes out, the same on every machine; with numbers, the
 * cycles (rdtsc) of each iteration after the warm-up.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

#define LOG_POINTS 17
#define POINTS	   (1u << LOG_POINTS)

/* 1 MiB each. */
double real[POINTS] __attribute__((aligned(4096)));
double imaginary[POINTS] __attribute__((aligned(4096)));

static void fill(void)
{
	uint32_t state = 1;

	for (unsigned i = 0; i < POINTS; i++) {
		state = state * 1664525 + 1013904223;
		real[i] = (double)(state >> 16) / 65536 - 0.5;
		imaginary[i] = 0;
	}
}

static void swap(double *array, unsigned i, unsigned j)
{
	double kept = array[i];

	array[i] = array[j];
	array[j] = kept;
}

static void reverse_bits(void)
{
	for (unsigned i = 0, j = 0; i < POINTS; i++) {
		unsigned bit = POINTS >> 1;

		if (i < j) {
			swap(real, i, j);
			swap(imaginary, i, j);
		}
		while (j & bit) {
			j ^= bit;
			bit >>= 1;
		}
		j |= bit;
	}
}

/* One step of Cooley and Tukey: pairs that are `half` apart. */
static void combine(unsigned half)
{
	double step_cos = cos(M_PI / half), step_sin = -sin(M_PI / half);

	for (unsigned start = 0; start < POINTS; start += 2 * half) {
		double c = 1, s = 0;

		for (unsigned i = start; i < start + half; i++) {
			double r = c * real[i + half] - s * imaginary[i + half];
			double m = c * imaginary[i + half] + s * real[i + half], next;

			real[i + half] = real[i] - r;
			imaginary[i + half] = imaginary[i] - m;
			real[i] += r;
			imaginary[i] += m;
			next = c * step_cos - s * step_sin;
			s = c * step_sin + s * step_cos;
			c = next;
		}
	}
}

static void transform(void)
{
	reverse_bits();
	for (unsigned half = 1; half < POINTS; half *= 2)
		combine(half);
}

int main(int argc, char **argv)
{
	int warm_up = argc == 3 ? atoi(argv[1]) : 0, iterations = argc == 3 ? atoi(argv[2]) : 1;
	double sum = 0;

	for (int i = 0; i < warm_up + iterations; i++) {
		uint64_t begin;

		fill();
		begin = __rdtsc();
		transform();
		if (argc == 3 && i >= warm_up)
			printf("%llu\n", (unsigned long long)(__rdtsc() - begin));
	}
	/* Parseval: the same energy, but for the number of points. */
	for (unsigned i = 0; i < POINTS; i++)
		sum += (real[i] * real[i] + imaginary[i] * imaginary[i]) / POINTS;
	printf("energy %.6f\n", sum);
}
