static inline void gadget_give_thread(struct kernel_registers *registers, struct thread *thread)
{
	registers->rbx = (uint64_t)thread;
}
