/*
 * System calls of riscv64 (syscall(2)): a7 has the number, a0 to a5 the arguments, and a0 later the
 * result. Dispatch gives a handler the argument in a0.
 */
#define CALL_REGISTER		       a[7]
#define RESULT_REGISTER		       a[0]
#define CALL_NUMBERS_END	       295
#define CALL_CLONE_TLS		       3 /* CONFIG_CLONE_BACKWARDS */
#define CALL_CLONE_CHILD_ID	       4
#define CALL_CLONE_LAST(child_id, tls) tls, child_id
#define CALL_BYTES		       4
#define CALL_INSTRUCTION	       0x00000073 /* ecall */

static inline uint64_t *call_argument_place(struct kernel_registers *registers, unsigned argument)
{
	return &registers->a[argument];
}

/* ecall itself changes no register. */
static inline void call_leave_traces(struct kernel_registers *registers)
{
	(void)registers;
}

static inline void call_put_back(struct kernel_registers *registers,
				 const struct kernel_registers *saved, bool made)
{
	uint64_t result = registers->RESULT_REGISTER, number = registers->CALL_REGISTER;

	bytes_copy(registers, saved, sizeof(*registers));
	if (made)
		registers->RESULT_REGISTER = result;
	registers->CALL_REGISTER = number;
}

static inline bool call_may_be_missing(const struct kernel_registers *registers,
				       const struct kernel_registers *saved, uint64_t result)
{
	struct kernel_registers made;

	bytes_copy(&made, saved, sizeof(made));
	made.a[0] = result;
	return !bytes_equal(registers, &made, sizeof(made));
}

static inline bool call_is_instruction(const uint8_t *bytes)
{
	uint32_t word;

	__builtin_memcpy(&word, bytes, sizeof(word));
	return word == CALL_INSTRUCTION;
}

/* The kernel offers no single steps here. */
static inline bool call_is_stepped(const struct kernel_registers *registers)
{
	(void)registers;
	return false;
}

static inline uint64_t call_untagged(uint64_t address)
{
	return address;
}

/* requests of prctl(2) */
#define PR_TAGGED_ADDRESSES    55 /* PR_SET_TAGGED_ADDR_CTRL, Linux 6.13 here */
#define PR_SHADOW_STACK_STATUS 75 /* PR_SET_SHADOW_STACK_STATUS */

/*
 * With tagged addresses, arguments are not plain addresses. With shadow stacks, handlers that the
 * loader starts could not return.
 */
static inline bool call_is_refused_request(int request)
{
	return request == PR_TAGGED_ADDRESSES || request == PR_SHADOW_STACK_STATUS;
}
