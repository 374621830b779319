/* entry, on arm64: _start calls report(registers, stack). */
#define REGISTERS 30

/*
 * Saves all registers but x16, which may have the program's address, and sp, which is passed
 * separately. No access by way of sp works until it is a multiple of 16. Meanwhile tpidr_el0, which
 * a libc would use for its threads, holds x0.
 */
__asm__(".globl _start\n"
	"_start:\n"
	"	msr tpidr_el0, x0\n"
	"	mov x0, sp\n"
	"	and sp, x0, #-16\n"
	"	sub sp, sp, #256\n"
	"	stp x1, x2, [sp]\n"
	"	stp x3, x4, [sp, #16]\n"
	"	stp x5, x6, [sp, #32]\n"
	"	stp x7, x8, [sp, #48]\n"
	"	stp x9, x10, [sp, #64]\n"
	"	stp x11, x12, [sp, #80]\n"
	"	stp x13, x14, [sp, #96]\n"
	"	stp x15, x17, [sp, #112]\n"
	"	stp x18, x19, [sp, #128]\n"
	"	stp x20, x21, [sp, #144]\n"
	"	stp x22, x23, [sp, #160]\n"
	"	stp x24, x25, [sp, #176]\n"
	"	stp x26, x27, [sp, #192]\n"
	"	stp x28, x29, [sp, #208]\n"
	"	mrs x1, tpidr_el0\n"
	"	stp x30, x1, [sp, #224]\n"
	"	mov x1, x0\n"
	"	mov x0, sp\n"
	"	bl report\n"
	"	brk #0\n");

static long call_kernel(long number, long first, const char *second, long third)
{
	register long call __asm__("x8") = number;
	register long result __asm__("x0") = first;
	register const char *address __asm__("x1") = second;
	register long length __asm__("x2") = third;

	__asm__ volatile("svc #0" : "+r"(result) : "r"(call), "r"(address), "r"(length) : "memory");
	return result;
}
