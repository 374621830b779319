/*
 * System calls of x86-64 (psABI, appendix A.2): rax has the number, and later the result; rdi, rsi,
 * rdx, r10, r8, r9 have the arguments. The instruction stores the address after it in rcx and the
 * flags in r11.
 */
#define CALL_REGISTER		       rax
#define RESULT_REGISTER		       rax
#define CALL_NUMBERS_END	       337
#define CALL_CLONE_CHILD_ID	       3
#define CALL_CLONE_TLS		       4
#define CALL_CLONE_LAST(child_id, tls) child_id, tls
#define CALL_BYTES		       2
#define CALL_INSTRUCTION	       0x050f /* the bytes of `syscall`, as a number */

static inline uint64_t *call_argument_place(struct kernel_registers *registers, unsigned argument)
{
	static const uint8_t offsets[] = {
	    offsetof(struct kernel_registers, rdi), offsetof(struct kernel_registers, rsi),
	    offsetof(struct kernel_registers, rdx), offsetof(struct kernel_registers, r10),
	    offsetof(struct kernel_registers, r8),  offsetof(struct kernel_registers, r9),
	};

	return (uint64_t *)((char *)registers + offsets[argument]);
}

static inline void call_leave_traces(struct kernel_registers *registers)
{
	registers->rcx = registers->rip;
	registers->r11 = registers->rflags;
}

static inline void call_put_back(struct kernel_registers *registers,
				 const struct kernel_registers *saved, bool made)
{
	uint64_t rax = registers->rax;

	(void)made;
	bytes_copy(registers, saved, offsetof(struct kernel_registers, cs));
	registers->rax = rax;
}

static inline bool call_may_be_missing(const struct kernel_registers *registers,
				       const struct kernel_registers *saved, uint64_t result)
{
	struct kernel_registers made = *saved;

	made.rax = result;
	return registers->rcx == registers->rip &&
	       !bytes_equal(registers, &made, offsetof(struct kernel_registers, rflags));
}

static inline uint64_t call_untagged(uint64_t address)
{
	return address;
}

static inline bool call_is_instruction(const uint8_t *bytes)
{
	return (bytes[0] | bytes[1] << 8) == CALL_INSTRUCTION;
}

static inline bool call_is_stepped(const struct kernel_registers *registers)
{
	return (registers->rflags & RFLAGS_TRAP) != 0;
}

/* requests of arch_prctl(2) */
#define ARCH_REQ_XCOMP_PERM	0x1023 /* Linux 5.16 */
#define ARCH_ENABLE_TAGGED_ADDR 0x4002 /* Linux 6.4 */
#define ARCH_SHSTK_ENABLE	0x5001 /* Linux 6.6 */

/*
 * With AMX the kernel checks the length of alternate stacks. With shadow stacks, handlers that the
 * loader starts could not return. With tagged addresses, arguments are not plain addresses.
 */
static inline bool call_is_refused_request(int request)
{
	return request == ARCH_REQ_XCOMP_PERM || request == ARCH_SHSTK_ENABLE ||
	       request == ARCH_ENABLE_TAGGED_ADDR;
}
