/*
 * call_emulated: instructions that user space may not execute (UMIP). The kernel emulates them, and
 * writes their results to untouched pages: into one page, and across two.
 */
#include "guest.h"

#define GET_FS 0x1003

static char area[64 * PAGE] __attribute__((aligned(PAGE)));

static uintptr_t own_segment(void)
{
	uintptr_t base = 0;

	syscall(SYS_arch_prctl, GET_FS, &base);
	return base;
}

int main(void)
{
	__asm__ volatile("sgdt %0" : "=m"(area[10 * PAGE + 8]) : : "memory");
	puts("sgdt");
	__asm__ volatile("sidt %0" : "=m"(area[21 * PAGE - 3]) : : "memory");
	puts("sidt, across pages");
	__asm__ volatile("smsw %0" : "=m"(area[31 * PAGE - 1]) : : "memory");
	puts("smsw, across pages");
	__asm__ volatile("sgdt %%fs:(%0)" : : "r"(area + 41 * PAGE - 2 - own_segment()) : "memory");
	puts("sgdt, in another segment");
	check("written", area[31 * PAGE - 1] != 0);
	mark();
}
