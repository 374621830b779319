/*
 * The contract for a processor. Code that knows registers, instructions or system call numbers of
 * one processor is in two folders. common/arch/NAME has the code before the jump, and code for both
 * sides of it; loader/resident/arch/NAME has the code after it.
 *
 * All other code includes the headers in the folders above: common/arch/FILE.h and
 * loader/resident/arch/FILE.h. Each declares and explains what a processor has to provide, and then
 * includes it from the folder of the processor that the compiler builds for. A new processor needs
 * two more folders with the same files.
 */
#pragma once

/* clang-format would insert blanks into the paths. */
/* clang-format off */
#if defined(__x86_64__) && defined(__linux__) && defined(__LP64__)
#define ARCH_HEADER(name) ARCH_QUOTE(x86_64/name)
#elif defined(__riscv) && defined(__linux__) && defined(__LP64__)
#define ARCH_HEADER(name) ARCH_QUOTE(riscv64/name)
#elif defined(__aarch64__) && defined(__linux__) && defined(__LP64__)
#define ARCH_HEADER(name) ARCH_QUOTE(aarch64/name)
#else
#error "these loaders run on Linux on x86-64, riscv64 and arm64 only"
#endif
/* clang-format on */

/* A quoted name is searched from the folder of the header that includes it. */
#define ARCH_QUOTE(path) #path
