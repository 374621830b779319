/* The time stamp counter, and the services that are nothing but instructions. */
#include "bench/experiments/services.h"

#include <time.h>
#include <x86intrin.h>

#define CALIBRATION_NS 5000000
#define STAMP_TRIES    8

uint64_t services_ticks(void)
{
	uint64_t ticks;

	/* The processor may read the counter early, and start early on what comes next. */
	_mm_lfence();
	ticks = __rdtsc();
	_mm_lfence();
	return ticks;
}

/* The same moment on both clocks. */
struct stamp {
	uint64_t ticks, ns;
};

/* The fastest of several tries: no interrupt came between the two clocks. */
static struct stamp stamp_now(void)
{
	struct stamp best = {0, 0};
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < STAMP_TRIES; i++) {
		uint64_t before = services_ticks();
		uint64_t ns = reading_now_ns();
		uint64_t between = services_ticks() - before;

		if (between < least) {
			least = between;
			best = (struct stamp){before + between / 2, ns};
		}
	}
	return best;
}

/* Measured each time: a virtual machine may move to a processor of another frequency. */
static double ns_of_a_tick(void)
{
	struct stamp start = stamp_now(), end;

	while (reading_now_ns() < start.ns + CALIBRATION_NS)
		;
	end = stamp_now();
	return (double)(end.ns - start.ns) / (double)(end.ticks - start.ticks);
}

void services_report(struct reading *reading, uint64_t ticks, uint64_t times)
{
	double each = (double)ticks / (double)times;

	reading->value[SERVICES_NS] = each * ns_of_a_tick();
	reading->value[SERVICES_TICKS] = each;
	reading->value[SERVICES_TIMES] = (double)times;
}

void services_loop(const struct settings *settings, const void *parameter, struct reading *reading)
{
	const struct services_loop *loop = parameter;
	uint64_t start;

	(void)settings;
	/* The first times load code and data, and let the frequency of the processor rise. */
	loop->run(loop->times / 10 + 1);
	start = services_ticks();
	loop->run(loop->times);
	services_report(reading, services_ticks() - start, loop->times);
}

void services_read_ticks(uint64_t times)
{
	while (times-- > 0)
		services_ticks();
}

void services_read_clock(uint64_t times)
{
	while (times-- > 0)
		reading_now_ns();
}

/*
 * The empty loop. Each of the others has it around what it does, and nothing is subtracted for it.
 */
void services_nothing(uint64_t times)
{
	for (; times > 0; times--)
		__asm__ volatile("");
}

/*
 * The callee declares that it uses its arguments, so they are passed. The caller does not know
 * their values, so the compiler makes no copy of the callee for a constant.
 */
#define CALL(count, parameters, arguments, ...)                                                    \
	static __attribute__((noinline)) void take_##count parameters                              \
	{                                                                                          \
		__asm__ volatile("" : : __VA_ARGS__);                                              \
	}                                                                                          \
	static void call_##count(uint64_t times)                                                   \
	{                                                                                          \
		for (long x = 1; times > 0; times--) {                                             \
			__asm__ volatile("" : "+r"(x));                                            \
			take_##count arguments;                                                    \
		}                                                                                  \
	}

CALL(0, (void), (), )
CALL(1, (long a), (x), "r"(a))
CALL(2, (long a, long b), (x, x), "r"(a), "r"(b))
CALL(3, (long a, long b, long c), (x, x, x), "r"(a), "r"(b), "r"(c))
CALL(4, (long a, long b, long c, long d), (x, x, x, x), "r"(a), "r"(b), "r"(c), "r"(d))
CALL(5, (long a, long b, long c, long d, long e), (x, x, x, x, x), "r"(a), "r"(b), "r"(c), "r"(d),
     "r"(e))
CALL(6, (long a, long b, long c, long d, long e, long f), (x, x, x, x, x, x), "r"(a), "r"(b),
     "r"(c), "r"(d), "r"(e), "r"(f))
/* The seventh argument is on the stack. */
CALL(7, (long a, long b, long c, long d, long e, long f, long g), (x, x, x, x, x, x, x), "r"(a),
     "r"(b), "r"(c), "r"(d), "r"(e), "r"(f), "r"(g))

void (*const services_call[SERVICES_CALLS])(uint64_t times) = {
    call_0, call_1, call_2, call_3, call_4, call_5, call_6, call_7,
};
