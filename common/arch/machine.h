/*
 * Everything else that differs between processors. Each defines these:
 *
 *   PAGE_BYTES           bytes in a page; a constant if the processor has only one size
 *   PAGE_BYTES_MAX       bytes in the largest page of any kernel: always a constant
 *   USER_ADDRESS_END     the end of the user addresses that the kernel uses unasked
 *   MMAP_RANDOM_BYTES    how far the kernel spreads the addresses of programs by default
 *   ASSEMBLY_COMMENT     begins a comment in assembly, as a string
 *   MACHINE_ELF          e_machine of its programs
 *   MACHINE_NAME         its name in a sentence
 *   MACHINE_PROGRAM      a program for it in a sentence, with an article
 *   MACHINE_ELF_32       e_machine of the 32-bit programs that it can run
 *   MACHINE_IS_32        the message about such a program
 *   MACHINE_IS_ILP32     the message about a program with MACHINE_ELF and 32-bit addresses
 *   MACHINE_HAS_CLASS    whether the kernel refuses a file with another EI_CLASS (elf_check_arch)
 *   MACHINE_TRIPLET      begins the names of the folders with its libraries
 *   MACHINE_HWCAP        where the bits of AT_HWCAP come from
 *   MACHINE_PLACE        the name of the register with the address of the next instruction
 *   MACHINE_STACK        the name of the stack pointer's register
 *   MACHINE_ENTRY        registers at a program's entry, as --explain prints them: a format for a
 *                        place, and for an address of the stack
 *   MACHINE_TEXT_PROTECTION  the bit of protection of text that has a certain property
 *                        (common/text_property.h), 0 if there is none; and where that is:
 *   MACHINE_TEXT_PROPERTY, MACHINE_TEXT_BIT, MACHINE_TEXT_HWCAP2
 *                        the property's type, its bit, and the processor's bit in AT_HWCAP2
 *   KERNEL_ARCHITECTURE  AUDIT_ARCH_* of its system calls (linux/audit.h)
 *   KERNEL_MINSIGSTKSZ   the shortest alternate stack that the kernel accepts
 *   struct kernel_sigaction  the struct of rt_sigaction(2), not the C library's:
 *                        `handler`, `flags` and `mask`
 *   ARCH_INTERCEPTS      false: resident code intercepts no system calls and faults of this
 *                        processor, and the kernel pages every program in
 *   ARCH_REWRITES        true: where the kernel lacks dispatch, the instructions of the program's
 *                        system calls are replaced (loader/resident/pager/rewrite.h)
 *   ARCH_STACK_FIRST     true: since Linux 6.12 rt_sigreturn restores a frame's alternate stack
 *                        first; false: it never does
 *   KERNEL_SA_RESTORER   the flag for an action with a restorer; 0 if there is none
 */
#pragma once

#include "common/arch/arch.h"

#include <stdbool.h>
#include <stdint.h>

#include ARCH_HEADER(machine.h)

/* Sets how a handler returns, on processors where the kernel needs that. */
static inline void kernel_sigaction_set_restorer(struct kernel_sigaction *action,
						 void (*restorer)(void));
