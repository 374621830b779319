/*
 * machine: what witness.c has to know about the processor. Each file here defines
 *
 *   MACHINE_AUDIT             the architecture in struct seccomp_data
 *   MACHINE_FOREIGN_CALLS     calls from this number on are of another architecture
 *   MACHINE_NAME              the processor's name in a sentence
 *   MACHINE_PLACE(registers)  the address of the next instruction
 *   MACHINE_STACK(registers)  the stack pointer, which MACHINE_STACK_NAME names
 *   MACHINE_TARGET(registers) the first argument of a system call
 *   MACHINE_ZERO              the registers that are 0 at a program's entry, as rows of a name and
 *                             a place in struct user_regs_struct; glibc calls the first at exit
 *   machine_break_at(process, address)  moves the hardware breakpoint; 0: there is none
 */
#pragma once

#include <elf.h>
#include <linux/audit.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#define MACHINE_ROW(name, member)                                                                  \
	{                                                                                          \
		name, offsetof(struct user_regs_struct, member)                                    \
	}

#if defined(__x86_64__)
#include "x86_64.h"
#elif defined(__aarch64__)
#include "aarch64.h"
#else
#error the lab is for x86-64 and arm64: a file in docs/lab/machine adds a processor
#endif
