/*
 * Bits of the processor's error code: the access was a write, or an instruction fetch (SDM volume
 * 3, 4.7).
 */
#define FAULT_WRITE 2
#define FAULT_FETCH 16

/* The number of the page fault exception. */
#define FAULT_TRAP 14

static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers)
{
	return registers->trap_number == FAULT_TRAP &&
	       registers->fault_address == (uint64_t)info->si_addr;
}

/* gVisor's kernel always reports exception 0, so there only the address can show an access. */
static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context)
{
	const struct kernel_registers *registers = &context->registers;

	return (struct fault){
	    .signal = number,
	    .code = info->si_code,
	    .address = (uint64_t)info->si_addr,
	    .instruction = registers->rip,
	    .write = (registers->error_code & FAULT_WRITE) != 0,
	    .execute = (registers->error_code & FAULT_FETCH) != 0,
	    .by_access =
		registers->fault_address == (uint64_t)info->si_addr &&
		(registers->trap_number == FAULT_TRAP || registers->trap_number == 0) &&
		(number == SIGBUS ? info->si_code == BUS_ADRERR
				  : info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR),
	};
}

/* Exceptions below FAULT_TRAP have SI_KERNEL, those above have no address. */
static inline bool is_about_exception(const siginfo_t *info,
				      const struct kernel_registers *registers)
{
	return info->si_code == SI_KERNEL || is_about_fault(info, registers) ||
	       (registers->trap_number > FAULT_TRAP && info->si_addr == NULL);
}

static inline void exception_keep(struct kernel_exception *exception, const siginfo_t *info,
				  const struct kernel_registers *registers)
{
	bool is_fault = registers->trap_number == FAULT_TRAP;

	if (is_fault && !is_about_fault(info, registers))
		return;
	exception->error_code = registers->error_code;
	exception->trap_number = registers->trap_number;
	if (is_fault)
		exception->fault_address = registers->fault_address;
}

static inline void exception_show(const struct kernel_exception *exception,
				  struct kernel_registers *registers)
{
	registers->error_code = exception->error_code;
	registers->trap_number = exception->trap_number;
	registers->fault_address = exception->fault_address;
}
