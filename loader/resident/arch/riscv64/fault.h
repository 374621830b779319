/*
 * A signal frame does not show the exception, so an si_code of a fault has to be enough. A signal
 * that another process sends has 0 or less, but a process can send itself any si_code.
 */
static inline bool is_about_fault(const siginfo_t *info, const struct kernel_registers *registers)
{
	(void)registers;
	return info->si_signo == SIGBUS
		   ? info->si_code == BUS_ADRERR
		   : info->si_signo == SIGSEGV &&
			 (info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR);
}

/* The second half of an instruction can be on the next page. */
static inline struct fault fault_of(int number, const siginfo_t *info,
				    const struct kernel_context *context)
{
	uint64_t address = (uint64_t)info->si_addr, place = context->registers.pc;

	return (struct fault){
	    .signal = number,
	    .code = info->si_code,
	    .address = address,
	    .instruction = place,
	    .execute = address == place || address == place + 2,
	    .by_access = is_about_fault(info, &context->registers),
	};
}

static inline bool is_about_exception(const siginfo_t *info,
				      const struct kernel_registers *registers)
{
	return info->si_code == SI_KERNEL || is_about_fault(info, registers) ||
	       (uint64_t)info->si_addr == registers->pc;
}

/* There is nothing to keep. */
static inline void exception_keep(struct kernel_exception *exception, const siginfo_t *info,
				  const struct kernel_registers *registers)
{
	(void)exception;
	(void)info;
	(void)registers;
}

static inline void exception_show(const struct kernel_exception *exception,
				  struct kernel_registers *registers)
{
	(void)exception;
	(void)registers;
}
