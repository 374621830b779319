# What the compiler must leave alone in resident code: floating point registers, which are the program's; and no
# landing marks for indirect branches.
C_ARCH_RESIDENT := -mno-sse -mno-mmx -mno-80387 -fcf-protection=none
