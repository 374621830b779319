/*
 * System calls of arm64 (syscall(2)): x8 has the number, x0 to x5 have the arguments, x0 has the
 * result. The instruction changes no other register.
 */
#define CALL_REGISTER		       x[8]
#define RESULT_REGISTER		       x[0]
#define CALL_NUMBERS_END	       295
#define CALL_CLONE_TLS		       3 /* CONFIG_CLONE_BACKWARDS */
#define CALL_CLONE_CHILD_ID	       4
#define CALL_CLONE_LAST(child_id, tls) tls, child_id
#define CALL_BYTES		       4
#define CALL_INSTRUCTION	       UINT32_C(0xd4000001) /* svc #0 */
#define CALL_REWRITTEN		       UINT32_C(0x00005057) /* udf #0x5057: it stands out */
#define CALL_OPERAND		       UINT32_C(0x001fffe0) /* of svc; Linux ignores it */
#define CALL_OPERAND_SHIFT	       5
#define CALL_RETURN_NUMBER	       UINT32_C(0xd2801168) /* mov x8, #SYS_rt_sigreturn */

static inline uint64_t *call_argument_place(struct kernel_registers *registers, unsigned argument)
{
	return &registers->x[argument];
}

static inline void call_leave_traces(struct kernel_registers *registers)
{
	(void)registers;
}

static inline void call_put_back(struct kernel_registers *registers,
				 const struct kernel_registers *saved, bool made)
{
	uint64_t result = registers->RESULT_REGISTER, number = registers->CALL_REGISTER;

	bytes_copy(registers->x, saved->x, GENERAL_REGISTERS_BYTES);
	if (made)
		registers->RESULT_REGISTER = result;
	registers->CALL_REGISTER = number;
}

/* The instruction leaves no trace, so only registers that differ from those after a call show it.
 */
static inline bool call_may_be_missing(const struct kernel_registers *registers,
				       const struct kernel_registers *saved, uint64_t result)
{
	return registers->x[0] != result ||
	       !bytes_equal(&registers->x[1], &saved->x[1],
			    GENERAL_REGISTERS_BYTES - sizeof(registers->x[0]));
}

static inline bool call_is_instruction(const uint8_t *bytes)
{
	uint32_t instruction;

	__builtin_memcpy(&instruction, bytes, sizeof(instruction));
	return instruction == CALL_INSTRUCTION;
}

static inline bool call_is_stepped(const struct kernel_registers *registers)
{
	return (registers->pstate & PSTATE_STEP) != 0;
}

/* untagged_addr() in the kernel: the highest byte is a tag. */
static inline uint64_t call_untagged(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 8) >> 8);
}

/* requests of prctl(2) */
#define PR_VECTOR_LENGTH	   50 /* PR_SVE_SET_VL */
#define PR_STREAMING_LENGTH	   63 /* PR_SME_SET_VL, Linux 5.19 */
#define PR_TAGGED_ADDRESSES	   55 /* PR_SET_TAGGED_ADDR_CTRL, Linux 5.4 */
#define PR_SET_SHADOW_STACK_ACTIVE 75 /* PR_SET_SHADOW_STACK_STATUS, Linux 6.13 */

/*
 * A call ends with a return from a frame that was made before it (gadget.S). The kernel refuses the
 * frame if the call has changed the length of vectors. With tagged addresses, arguments are not
 * plain addresses. With shadow stacks, handlers that the loader starts could not return.
 */
static inline bool call_is_refused_request(int request)
{
	return request == PR_VECTOR_LENGTH || request == PR_STREAMING_LENGTH ||
	       request == PR_TAGGED_ADDRESSES || request == PR_SET_SHADOW_STACK_ACTIVE;
}
