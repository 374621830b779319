# What the compiler must leave alone in resident code: floating point registers, which are the program's; and no
# landing marks for indirect branches.
C_ARCH_RESIDENT := -mno-sse -mno-mmx -mno-80387 -fcf-protection=none

# PAGE_BYTES_MAX of machine.h, for linker scripts.
ARCH_PAGE_BYTES := 4096
