/* Signal frames of riscv64: struct rt_sigframe in arch/riscv/kernel/signal.c. */

/* struct user_regs_struct (asm/ptrace.h) */
struct kernel_registers {
	uint64_t pc, ra, sp, gp, tp, t0, t1, t2, s0, s1;
	uint64_t a[8];
	uint64_t s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, t3, t4, t5, t6;
};

struct kernel_exception {
};

/* struct ucontext (asm/ucontext.h), without the floating-point state that follows it in a frame */
struct kernel_context {
	uint64_t flags;
	uint64_t link;
	struct kernel_stack stack;
	uint64_t mask;
	uint8_t unused[128]; /* room for longer masks, and for the alignment of the registers */
	struct kernel_registers registers;
};

/*
 * The union __riscv_fp_state. In its last words the first extension begins (struct __riscv_ctx_hdr
 * in asm/sigcontext.h). Extensions end with one whose magic number is 0.
 */
struct kernel_extension {
	uint32_t magic;
	uint32_t bytes;
};

struct kernel_floating_point {
	uint64_t registers[32];
	uint32_t status;
	uint8_t unused[260];
	struct kernel_extension first;
};

struct signal_frame {
	uint8_t info[128]; /* siginfo_t */
	struct kernel_context context;
	struct kernel_floating_point floating_point;
};

_Static_assert(sizeof(struct signal_frame) == 128 + 960, "a frame without extensions");

#define RED_ZONE_BYTES 0

#define REGISTER_PLACE pc
#define REGISTER_STACK sp
