/* Signal frames of x86-64: arch/x86/include/asm/sigframe.h. */

/* struct sigcontext_64 (asm/sigcontext.h). */
struct kernel_registers {
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip, rflags;
	uint16_t cs, gs, fs, ss;
	uint64_t error_code, trap_number, old_mask, fault_address;
	uint64_t floating_point; /* address of the XSAVE area, 64-byte aligned; 0: none */
	uint64_t reserved[8];
};

struct kernel_exception {
	uint64_t error_code, trap_number, fault_address;
};

struct kernel_context {
	uint64_t flags;
	uint64_t link;
	struct kernel_stack stack;
	struct kernel_registers registers;
	uint64_t mask; /* the set of blocked signals; rt_sigreturn restores it */
};

struct signal_frame {
	uint64_t return_address; /* address of the restorer */
	struct kernel_context context;
	uint8_t info[128]; /* siginfo_t */
};

/* Flags that are cleared when a handler starts (handle_signal, arch/x86/kernel/signal.c). */
#define RFLAGS_TRAP	 UINT64_C(0x100)
#define RFLAGS_DIRECTION UINT64_C(0x400)
#define RFLAGS_RESUME	 UINT64_C(0x10000)

/* EFLAGS.AC: the kernel does not change it, not even for a handler. */
#define RFLAGS_ALIGNMENT UINT64_C(0x40000)

/* The segments with which a handler starts (asm/segment.h: __USER_CS, __USER_DS). */
#define USER_CODE_SELECTOR 0x33
#define USER_DATA_SELECTOR 0x2b

/* What the instruction lar returns for a segment (SDM volume 3, 3.4.5): a writable data segment. */
#define SEGMENT_KIND	  0xfe00
#define SEGMENT_DATA	  0xf200
#define SEGMENT_DATA_DOWN 0xf600

/* Bytes below the stack pointer that belong to the interrupted function (psABI 3.2.2). */
#define RED_ZONE_BYTES 128

/*
 * The XSAVE area: 512 bytes as FXSAVE writes them. Their unused end has the kernel's own words
 * (struct _fpx_sw_bytes). If the first of these words is the magic number, extended state follows.
 */
#define FLOATING_POINT_BYTES	   512 /* without extended state */
#define FLOATING_POINT_MXCSR	   24  /* offset, 4 bytes */
#define FLOATING_POINT_MAGIC	   464 /* offset, 4 bytes */
#define FLOATING_POINT_LENGTH	   468 /* offset, 4 bytes: length of the whole area in bytes */
#define FLOATING_POINT_ENABLED	   472 /* offset, 8 bytes: the components that exist */
#define FLOATING_POINT_COMPONENTS  512 /* offset, 8 bytes: those not in the initial state */
#define FLOATING_POINT_IS_EXTENDED 0x46505853
#define COMPONENT_OF_KEYS	   9 /* PKRU */
#define COMPONENT_PROTECTION_KEYS  (UINT64_C(1) << COMPONENT_OF_KEYS)
#define INITIAL_MXCSR		   0x1f80

#define REGISTER_PLACE rip
#define REGISTER_STACK rsp
