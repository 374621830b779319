"""The machine that the tests of ELF files run on."""

import os
import re

X86_64, ARM64, RISCV64 = 62, 183, 243  # e_machine
MACHINE, PROPERTY = {
    # And the type of the GNU property about its instructions.
    "x86_64": (X86_64, 0xC0000002), "aarch64": (ARM64, 0xC0000000), "riscv64": (RISCV64, 0xC0000000),
}[os.uname().machine]
PAGE = os.sysconf("SC_PAGE_SIZE")
with open("/proc/self/maps") as _maps:
    _stack = int(re.search(r"-(\S+) .*\[stack\]", _maps.read())[1], 16)
# The end of the addresses that programs get: a stack is near it.
USER_END = 1 << _stack.bit_length()
# The bytes of program headers that the kernel reads: a page in Linux 6.12, and 64 KiB in Linux 6.18.
HEADERS_READ = PAGE if [int(number) for number in re.findall(r"\d+", os.uname().release)[:2]] < [6, 18] else 65536
