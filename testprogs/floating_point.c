/*
 * floating_point: the control words of SSE and x87 as main sees them, and results that depend on
 * them: rounding, denormals, 80-bit precision, exception flags.
 */
#include <fenv.h>
#include <float.h>
#include <stdint.h>
#include <stdio.h>

static void print_control_words(void)
{
	uint32_t mxcsr;
	uint16_t control;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	__asm__ volatile("fnstcw %0" : "=m"(control));
	printf("mxcsr %#x, x87 control word %#x\n", mxcsr, control);
}

static void print_results(const char *mode)
{
	volatile double one = 1, three = 3, tiny = DBL_MIN;
	volatile long double long_one = 1, long_three = 3;

	printf("%s: 1/3 %a -1/3 %a denormal %a long 1/3 %La\n", mode, one / three, -one / three,
	       tiny / 4, long_one / long_three);
}

int main(void)
{
	volatile double zero = 0, one = 1;

	print_control_words();
	print_results("to nearest");
	printf("%.17g %.3f %e %Lg %g\n", 0.1, 2.0005, 12345.678, 1.0e4000L, 1 / zero);
	fesetround(FE_UPWARD);
	print_results("upward");
	fesetround(FE_TOWARDZERO);
	print_results("toward zero");
	fesetround(FE_TONEAREST);

	feclearexcept(FE_ALL_EXCEPT);
	one = one / zero;
	printf("divide by zero %d, invalid %d\n", fetestexcept(FE_DIVBYZERO) != 0,
	       fetestexcept(FE_INVALID) != 0);
}
