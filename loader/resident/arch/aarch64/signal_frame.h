/* Signal frames of arm64: arch/arm64/include/uapi/asm/sigcontext.h, ucontext.h. */

/*
 * struct sigcontext with its first two records. The kernel writes the floating-point state first.
 * The last exception follows, once the thread has had one (setup_sigframe_layout).
 */
struct kernel_registers {
	uint64_t fault_address;
	uint64_t x[31], sp, pc, pstate;
	uint64_t unused;
	uint8_t floating_point[528];
	uint32_t exception_magic, exception_bytes;
	uint64_t exception; /* ESR_EL1 */
};

/* Length of x, sp, pc and pstate. */
#define GENERAL_REGISTERS_BYTES (34 * sizeof(uint64_t))

#define FLOATING_MAGIC	0x46508001 /* FPSIMD_MAGIC */
#define VECTOR_MAGIC	0x53564501 /* SVE_MAGIC */
#define MATRIX_MAGIC	0x54366345 /* ZA_MAGIC */
#define EXCEPTION_MAGIC 0x45535201 /* ESR_MAGIC */
#define EXTRA_MAGIC	0x45585401 /* the records go on behind the next one, a terminator */

struct kernel_exception {
	uint64_t exception, fault_address;
};

struct kernel_context {
	uint64_t flags;
	uint64_t link;
	struct kernel_stack stack;
	uint64_t mask; /* the set of blocked signals; rt_sigreturn restores it */
	uint8_t unused[128];
	struct kernel_registers registers;
};

/* The records go on behind it. */
struct signal_frame {
	uint8_t info[128]; /* siginfo_t */
	struct kernel_context context;
};

#define RECORDS_OFFSET                                                                             \
	(offsetof(struct kernel_context, registers) +                                              \
	 offsetof(struct kernel_registers, floating_point))

/* What the kernel reserves in every frame for records (struct sigcontext). */
#define RECORDS_BYTES 4096

/* Bits of PSTATE. */
#define PSTATE_BRANCH  (UINT64_C(3) << 10) /* BTYPE: the last instruction was an indirect branch */
#define PSTATE_STEP    (UINT64_C(1) << 21)
#define PSTATE_REFUSED UINT64_C(0x3df)	   /* other modes than the program's, masked interrupts */
#define PSTATE_TAGS    (UINT64_C(1) << 25) /* TCO: tags are not checked */

/* Nothing below the stack pointer is kept: the kernel writes frames there. */
#define RED_ZONE_BYTES 0

#define REGISTER_PLACE pc
#define REGISTER_STACK sp
