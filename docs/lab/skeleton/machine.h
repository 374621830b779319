/*
 * machine: what depends on the processor. Only jump() and a guest's first instructions do, too.
 * x86-64 has pages of 4 KiB. On arm64 the kernel was built for pages of 4, 16 or 64 KiB.
 */
#pragma once

#include <elf.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE	  EM_X86_64
#define PAGE_SIZE 4096ul
#elif defined(__aarch64__)
#define MACHINE	  EM_AARCH64
#define PAGE_SIZE ((unsigned long)sysconf(_SC_PAGESIZE))
#endif
