/*
 * signal_float: SSE, AVX, AVX-512 and x87 registers have the program's values again after a handler
 * that used them all. The handler begins with the default control words.
 */
#include "guest.h"

#define ALL_16(macro)                                                                              \
	macro(0) macro(1) macro(2) macro(3) macro(4) macro(5) macro(6) macro(7) macro(8) macro(9)  \
	    macro(10) macro(11) macro(12) macro(13) macro(14) macro(15)

/* The registers are stored to untouched pages. */
static struct {
	char before[3 * 4096 + 2048];
	unsigned char bytes[64 * 16];
	char after[3 * 4096];
} given, kept;

static volatile uint32_t mxcsr_in_handler;
static volatile uint16_t control_in_handler;
static int level;

#define CLEAR_XMM(n) "pcmpeqb %%xmm" #n ", %%xmm" #n "\n\t"
#define CLEAR_YMM(n) "vpcmpeqb %%xmm" #n ", %%xmm" #n ", %%xmm" #n "\n\t"
#define CLEAR_ZMM(n) "vpternlogd $255, %%zmm" #n ", %%zmm" #n ", %%zmm" #n "\n\t"

static void on_signal(int number)
{
	const uint32_t mxcsr = 0x1f80 | 0x2000;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr_in_handler));
	__asm__ volatile("fnstcw %0" : "=m"(control_in_handler));
	__asm__ volatile("ldmxcsr %0\n\tfld1\n\tfldpi\n\tfldz" : : "m"(mxcsr));
	if (level == 2)
		__asm__ volatile(ALL_16(CLEAR_ZMM) "kxnorw %%k3, %%k3, %%k3" : : : "memory");
	else if (level == 1)
		__asm__ volatile(ALL_16(CLEAR_YMM) : : : "memory");
	else
		__asm__ volatile(ALL_16(CLEAR_XMM) : : : "memory");
}

#define LOAD_XMM(n) "movups 64*" #n "(%3), %%xmm" #n "\n\t"
#define SAVE_XMM(n) "movups %%xmm" #n ", 64*" #n "(%4)\n\t"
#define LOAD_YMM(n) "vmovups 64*" #n "(%3), %%ymm" #n "\n\t"
#define SAVE_YMM(n) "vmovups %%ymm" #n ", 64*" #n "(%4)\n\t"
#define LOAD_ZMM(n) "vmovups 64*" #n "(%3), %%zmm" #n "\n\t"
#define SAVE_ZMM(n) "vmovups %%zmm" #n ", 64*" #n "(%4)\n\t"

#define RAISE(load, save, more)                                                                    \
	__asm__ volatile(load "syscall\n\t" save                                                   \
			 : "+a"(call)                                                              \
			 : "D"(getpid()), "S"(SIGUSR1), "r"(given.bytes), "r"(kept.bytes)          \
			 : "rcx", "r11", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", \
			   "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",     \
			   "xmm14", "xmm15" more)

static int same_bytes(size_t size)
{
	for (size_t i = 0; i < 16; i++)
		if (memcmp(given.bytes + 64 * i, kept.bytes + 64 * i, size) != 0)
			return 0;
	return 1;
}

static void test_vectors(void)
{
	long call = SYS_kill;

	RAISE(ALL_16(LOAD_XMM), ALL_16(SAVE_XMM), );
	check("xmm registers", call == 0 && same_bytes(16));
	level = 1;
	call = SYS_kill;
	if (__builtin_cpu_supports("avx"))
		RAISE(ALL_16(LOAD_YMM), ALL_16(SAVE_YMM) "vzeroupper", );
	check("ymm registers", !__builtin_cpu_supports("avx") || (call == 0 && same_bytes(32)));
	level = 2;
	call = SYS_kill;
	if (__builtin_cpu_supports("avx512f"))
		RAISE(ALL_16(LOAD_ZMM), ALL_16(SAVE_ZMM) "vzeroupper", );
	check("zmm registers", !__builtin_cpu_supports("avx512f") || (call == 0 && same_bytes(64)));
	level = 0;
}

int main(void)
{
	uint32_t mxcsr = 0x1f80 | 0x6000 | 0x8000, mxcsr_after;
	uint16_t control = 0x0f7f, control_after;
	double left[2];

	signal(SIGUSR1, on_signal);
	for (size_t i = 0; i < sizeof(given.bytes); i++)
		given.bytes[i] = (unsigned char)(i * 7 + 1);
	test_vectors();

	__asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(mxcsr), "m"(control));
	__asm__ volatile("fldpi\n\tfld1" : : :);
	syscall(SYS_kill, getpid(), SIGUSR1);
	__asm__ volatile("fstpl %0\n\tfstpl %1" : "=m"(left[0]), "=m"(left[1]));
	__asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(mxcsr_after), "=m"(control_after));
	__asm__ volatile("fninit");
	printf("in the handler: mxcsr %#x, control word %#x\n", (unsigned)mxcsr_in_handler,
	       (unsigned)control_in_handler);
	printf("after it: mxcsr %#x, control word %#x\n", mxcsr_after, control_after);
	mxcsr = 0x1f80;
	__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
	printf("x87 stack %.15f %.15f\n", left[0], left[1]);
	mark();
}
