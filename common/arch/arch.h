/*
 * The contract for the processor.
 *
 * Code that knows registers, instructions or system call numbers of one processor lies in two
 * folders: common/arch/NAME for code before the jump, and for code that both sides use;
 * loader/resident/arch/NAME for code after it. All other code includes the headers one level above
 * these folders, common/arch/FILE.h and loader/resident/arch/FILE.h. Each of them declares and
 * explains what a processor has to provide, and then takes it from the folder of the processor that
 * the compiler builds for. A new processor is two more folders with the same files.
 */
#ifndef COMMON_ARCH_ARCH_H
#define COMMON_ARCH_ARCH_H

#if defined(__x86_64__) && defined(__linux__) && defined(__LP64__)
/* It would put blanks into the path. */
/* clang-format off */
#define ARCH_HEADER(name) ARCH_QUOTE(x86_64/name)
/* clang-format on */
#else
#error "these loaders run on x86-64 Linux only"
#endif

/* A name between quotes is looked up from the folder of the header that includes it. */
#define ARCH_QUOTE(path) #path

#endif
