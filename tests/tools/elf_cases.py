#!/usr/bin/env python3
"""
elf_cases.py [--count] [--option=OPTION]... [LOADER]...

What is a program? execve decides: more than six hundred small ELF files, each with one thing wrong or odd, run without a
loader and under each of the loaders, with these options. A good one is "baseline". Others differ from it in one thing each
and are named by it, "data.p_filesz=0x0" for instance. How a run ended:

    exit N, signal N           after it was started
    refused ERROR              execve returned that error
    killed N                   by that signal inside execve, which could no longer return

Prints the cases in which a loader differs, and last how many there are. With --count, prints how many ended in each way
without a loader. The status is 1 if one differs.
"""

import argparse
import collections
import errno
import os
import re
import resource
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import mutations  # noqa: E402 (it runs programs natively, too)
from machine import ARM64, HEADERS_READ, MACHINE, PAGE, PROPERTY, RISCV64, USER_END, X86_64  # noqa: E402

PT_NULL, PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_NOTE, PT_SHLIB, PT_PHDR, PT_TLS = range(8)
PT_GNU_STACK, PT_GNU_RELRO, PT_GNU_PROPERTY = 0x6474E551, 0x6474E552, 0x6474E553
X, W, R = 1, 2, 4
ET_DYN = 3

# The baseline. Offsets in the file; addresses count from BASE, where ET_EXEC is linked.
BASE = 0x400000
HEADER_BYTES, ENTRY_BYTES = 64, 56
CODE = 0x400  # in the file, and from BASE
TEXT_BYTES = 0x680
DATA_OFFSET, DATA, DATA_BYTES, DATA_MEMORY = PAGE + 0x100, 3 * PAGE + 0x100, 0x40, 2 * PAGE
SPARE_OFFSET, SPARE, SPARE_BYTES = 2 * PAGE, 8 * PAGE, PAGE // 2
FILE_BYTES = 2 * PAGE + PAGE // 2
BSS, BSS_END = DATA + DATA_BYTES, DATA + DATA_MEMORY
MESSAGE = BSS - 2  # the last bytes of .data, and one of .bss
SPARE_RETURN = SPARE + 16
PAGES = 16
# Bytes shown of a page. At the end of one with code all_at_once_loader may leave code of its own.
SHOWN = PAGE - (0x80 if MACHINE == X86_64 else 0x400)

# testprogs/bare/elf_case.c: the code, with its struct parameters and last a return instruction.
BLOB = (mutations.GUESTS / "tools" / "elf_case").read_bytes()
PARAMETERS = 592
RETURN = BLOB[-4:]
REWRITTEN = struct.pack("<I", 0x5057), struct.pack("<I", 0xD4000001)  # udf, svc
PLACES = {None: 0, "stack": 1, "bss": 2, "spare": 3}

# Where the loaders are stricter than the kernel, with the reason.
STRICTER = {
    # A program of 32 bits, which a kernel with IA32_EMULATION runs.
    "i386",
    # Nothing to load: without a loader these start in an empty address space, and die of SIGSEGV there.
    "no_load", "ld.no_load", "ld.e_phoff=0x0", "only_null", *(f"e_phoff={offset:#x}" for offset in (0, 1, 63, 65, CODE)),
    # Beyond the addresses that the kernel uses unasked. One with wider page tables starts it.
    *(f"{file}spare.p_vaddr={USER_END:#x}" for file in ("", "ld.")),
}

# Where they are more lenient: an alignment that no address has, of a static PIE. Since Linux 6.10 the
# kernel wants such a program at address 0, where only root gets it; before, it passed over that.
LENIENT = {f"dyn.base={base:#x}.p_align={align:#x}" for base in (0, 0x10000) for align in (USER_END, 1 << 63)}
if HEADERS_READ == PAGE:
    LENIENT |= {"headers=100", "headers_last=100", "headers=1170", "headers_last=1170",
                "loads=300,e_type=2", "loads=1166,e_type=2", "loads=300,e_type=3", "loads_alike=1000"}
if MACHINE == RISCV64 or MACHINE == ARM64 and PAGE > 4096:
    # Linux 6.12 puts the vDSO directly behind this static PIE, which shows one page more. On arm64 that is so where
    # the vDSO has one page.
    LENIENT.add("dyn.nothing_inside_page")
OTHER_SIGNAL = set()
if MACHINE == ARM64:
    # The branch to the entry reaches multiples of 4.
    OTHER_SIGNAL = {f"dyn.e_entry={(1 << 64) - 1:#x}"}


def code(pages, executes):
    """The code with its parameters."""
    distances = (place - CODE for place in (0, MESSAGE, BSS, BSS_END, SPARE_RETURN))
    parameters = struct.pack("<5i4I", *distances, PAGE, SHOWN, pages, PLACES[executes])
    return BLOB[:PARAMETERS] + parameters + BLOB[PARAMETERS + len(parameters):]


class Fields:
    """Fields of a structure in a file, which can be set to whatever fits into them."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def pack(self):
        return struct.pack(self.FORMAT, *(getattr(self, name) for name in self.NAMES))


class Header(Fields):
    FORMAT = "<4sBBBBB7sHHIQQQIHHHHHH"
    NAMES = (
        "magic ei_class ei_data ei_version ei_osabi ei_abiversion padding e_type e_machine e_version"
        " e_entry e_phoff e_shoff e_flags e_ehsize e_phentsize e_phnum e_shentsize e_shnum e_shstrndx"
    ).split()


class Segment(Fields):
    FORMAT = "<IIQQQQQQ"
    NAMES = "p_type p_flags p_offset p_vaddr p_paddr p_filesz p_memsz p_align".split()

    def __init__(self, p_type, p_flags=0, p_offset=0, p_vaddr=0, p_filesz=0, p_memsz=None, p_align=PAGE):
        memory = p_filesz if p_memsz is None else p_memsz
        super().__init__(p_type=p_type, p_flags=p_flags, p_offset=p_offset, p_vaddr=p_vaddr,
                         p_paddr=p_vaddr, p_filesz=p_filesz, p_memsz=memory, p_align=p_align)


class Program:
    """The baseline, until something is changed."""

    def __init__(self, base=BASE, e_type=2, executes=None):
        self.base, self.executes = base, executes
        self.header = Header(
            magic=b"\x7fELF", ei_class=2, ei_data=1, ei_version=1, ei_osabi=0, ei_abiversion=0,
            padding=bytes(7), e_type=e_type, e_machine=MACHINE, e_version=1, e_entry=base + CODE,
            e_phoff=HEADER_BYTES, e_shoff=0, e_flags=0, e_ehsize=HEADER_BYTES,
            e_phentsize=ENTRY_BYTES, e_phnum=None, e_shentsize=0, e_shnum=0, e_shstrndx=0)
        self.text = Segment(PT_LOAD, R | X, 0, base, TEXT_BYTES)
        self.data = Segment(PT_LOAD, R | W, DATA_OFFSET, base + DATA, DATA_BYTES, DATA_MEMORY)
        self.spare = Segment(PT_LOAD, R, SPARE_OFFSET, base + SPARE, SPARE_BYTES)
        self.stack = Segment(PT_GNU_STACK, R | W)
        self.segments = [self.text, self.data, self.spare, self.stack]
        self.table = HEADER_BYTES  # where the program headers are, whatever e_phoff says
        self.length = FILE_BYTES
        # Every byte depends on its offset, so that the wrong part of the file is seen to be so.
        self.bytes = bytearray((i ^ i >> 8) & 0xFF for i in range(FILE_BYTES))
        self.put(DATA_OFFSET + MESSAGE - DATA, b"ok")
        self.put(SPARE_OFFSET + SPARE_RETURN - SPARE, RETURN)

    def put(self, offset, contents):
        self.bytes.extend(bytes(max(0, offset - len(self.bytes))))
        self.bytes[offset:offset + len(contents)] = contents
        self.length = max(self.length, len(self.bytes))

    def change(self, part, **fields):
        """Sets fields of the header or of a segment."""
        getattr(self, part).__dict__.update(fields)
        return self

    def add(self, *arguments, **fields):
        """Adds a program header after the others."""
        self.segments.append(Segment(*arguments, **fields))
        return self

    def reorder(self, *segments):
        self.segments = list(segments)
        return self

    def move_table(self, offset):
        self.header.e_phoff = self.table = offset
        return self

    def has_page(self, address):
        return any(segment.p_type == PT_LOAD and segment.p_vaddr < address + PAGE and
                   address < segment.p_vaddr + segment.p_memsz for segment in self.segments)

    def pages(self):
        """
        The pages to show, a bit each. Where the kernel chooses the address, other mappings can be
        next to the program and in its gaps.
        """
        return sum(1 << i for i in range(PAGES)
                   if self.header.e_type != ET_DYN or self.has_page(self.base + i * PAGE))

    def file(self):
        if self.header.e_phnum is None:
            self.header.e_phnum = len(self.segments)
        self.put(CODE, code(self.pages(), self.executes))
        self.put(self.table, b"".join(segment.pack() for segment in self.segments))
        self.put(0, self.header.pack())
        return bytes(self.bytes[:self.length])


HEADER_VALUES = {
    "ei_class": [0, 1, 3, 255],
    "ei_data": [0, 2, 255],
    "ei_version": [0, 2, 255],
    "ei_osabi": [3, 9, 255],
    "ei_abiversion": [1, 255],
    "e_type": [0, 1, 3, 4, 5, 0xFE00, 0xFFFF],
    "e_machine": [0, 3, 6, 40, 183, 243, 0xFFFF],
    "e_version": [0, 2, 0xFFFFFFFF],
    "e_entry": [
        0, BASE, BASE + TEXT_BYTES, BASE + DATA, BASE + BSS, BASE + BSS_END - 1, BASE + 2 * PAGE,
        BASE + SPARE + 16, USER_END - PAGE - 1, USER_END - PAGE, USER_END, 0xFFFF800000000000,
        0xFFFFFFFFFF600000, (1 << 64) - 1],
    "e_phoff": [0, 1, 63, 65, CODE, FILE_BYTES - 1, FILE_BYTES, 1 << 20, (1 << 63) - 1, 1 << 63,
                (1 << 64) - 56, (1 << 64) - 1],
    "e_shoff": [1, CODE, FILE_BYTES, 1 << 40, (1 << 64) - 1],
    "e_flags": [1, 0xFFFFFFFF],
    "e_ehsize": [0, 52, 65, 0xFFFF],
    "e_phentsize": [0, 1, 32, 55, 57, 64, 112, 0xFFFF],
    "e_phnum": [0, 1, 2, 3, 5, 17, 1170, 1171, 0xFFFF],
    "e_shentsize": [1, 64, 0xFFFF],
    "e_shnum": [1, 0xFF00, 0xFFFF],
    "e_shstrndx": [1, 0xFFFF],
}

# Values for each PT_LOAD of the baseline.
SEGMENT_VALUES = {
    "p_type": [PT_NULL, PT_DYNAMIC, PT_SHLIB, 8, 0x60000000, 0x6FFFFFFF, 0x70000001, 0xFFFFFFFF],
    "p_flags": [0, X, W, W | X, R, R | X, R | W, R | W | X, 0xFFFFFFF8, 0xFFFFFFFF],
    "p_paddr": [0, 1, (1 << 64) - 1],
    "p_align": [0, 1, 3, 8, PAGE + PAGE // 2, 2 * PAGE, 1 << 21, 1 << 63, (1 << 64) - 1],
    "p_filesz": [0, 1, PAGE, FILE_BYTES, 1 << 20, USER_END // 2, 1 << 63, (1 << 64) - 1],
    "p_memsz": [0, 1, USER_END // 2, USER_END - PAGE - BASE, USER_END - BASE, 1 << 63, (1 << 64) - PAGE,
                (1 << 64) - 1],
    "p_vaddr": [
        0, PAGE, 0xF000, 1 << 21, BASE + 0x20000, *(USER_END - count * PAGE for count in (4, 3, 2, 1)),
        USER_END, 0xFFFF800000000000, 0xFFFFFFFFFF600000, (1 << 64) - PAGE],
    "p_offset": [0, PAGE, 3 * PAGE, 1 << 30, 1 << 45, (1 << 63) - PAGE, 1 << 63, (1 << 64) - PAGE],
}


def header_cases():
    for field, values in HEADER_VALUES.items():
        for value in values:
            yield f"{field}={value:#x}", Program().change("header", **{field: value})
    for magic in (b"\x7fELG", b"\x7felf", b"\x7eELF", bytes(4), b"ELF\x7f"):
        yield f"magic={magic.hex()}", Program().change("header", magic=magic)
    yield "padding", Program().change("header", padding=b"\xff" * 7)


def segment_cases():
    for name in ("text", "data", "spare"):
        old = getattr(Program(), name)
        # Offsets and addresses keep their places in pages, but for the cases below.
        for field, values in SEGMENT_VALUES.items():
            for value in values:
                if field in ("p_vaddr", "p_offset"):
                    value += getattr(old, field) % PAGE
                if value != getattr(old, field):
                    yield f"{name}.{field}={value:#x}", Program().change(name, **{field: value})
        for field in ("p_vaddr", "p_offset"):
            for shift in (1, 8, PAGE // 2, PAGE - 1):
                yield f"{name}.{field}+{shift:#x}", Program().change(name, **{field: getattr(old, field) + shift})
        for shift in (1, PAGE // 2, PAGE - 1):
            both = {"p_vaddr": old.p_vaddr + shift, "p_offset": old.p_offset + shift}
            yield f"{name}.both+{shift:#x}", Program().change(name, **both)
        for excess in (-1, 1, PAGE, 4 * PAGE):
            yield f"{name}.p_memsz=p_filesz{excess:+#x}", Program().change(name, p_memsz=old.p_filesz + excess)


def executable_cases():
    """Which memory can be executed: natively, SIGSEGV where it cannot."""
    for flags in range(8):
        yield f"execute.spare.p_flags={flags:#x}", Program(executes="spare").change("spare", p_flags=flags)
    for flags in (R | W, R | W | X, W | X):
        yield f"execute.bss.p_flags={flags:#x}", Program(executes="bss").change("data", p_flags=flags)
    for flags in range(8):
        yield f"execute.stack.p_flags={flags:#x}", Program(executes="stack").change("stack", p_flags=flags)
    for first, second in ((R | W, R | W | X), (R | W | X, R | W)):
        program = Program(executes="stack").add(PT_GNU_STACK, second)
        yield f"execute.stack.two={first:#x},{second:#x}", program.change("stack", p_flags=first)
    program = Program(executes="stack")
    yield "execute.stack.none", program.reorder(program.text, program.data, program.spare)
    program = Program(executes="stack")
    yield "execute.stack.first", program.reorder(program.stack, program.text, program.data, program.spare)
    yield "execute.stack.odd", Program(executes="stack").change(
        "stack", p_offset=1 << 63, p_vaddr=1 << 63, p_filesz=1 << 63, p_memsz=1)


def order_cases():
    for name in ("text data spare", "data text spare", "spare data text", "data spare text",
                 "text spare data", "spare text data"):
        for kind, program in (("", Program()), ("dyn.", Program(base=0, e_type=ET_DYN))):
            order = [getattr(program, part) for part in name.split()]
            yield kind + "order=" + name.replace(" ", ","), program.reorder(program.stack, *order)
    for name in ("text", "data", "spare"):
        program = Program()
        program.segments.append(getattr(program, name))
        yield f"twice={name}", program
        program = Program()
        program.segments.remove(getattr(program, name))
        yield f"without={name}", program


def placed(name, base=BASE, e_type=2, **fields):
    """A case with other fields of the spare segment; p_vaddr counts from the base."""
    fields["p_vaddr"] = fields.get("p_vaddr", SPARE) + base
    return name, Program(base, e_type).change("spare", **fields)


def place_cases():
    """Overlap, gaps, zero sizes, shared pages: where the spare segment can be."""
    for start, kind in ((2, ""), (ET_DYN, "dyn.")):
        base = BASE if start == 2 else 0

        def spare(name, **fields):
            return placed(kind + name, base, start, **fields)

        yield spare("over_text", p_vaddr=0)
        yield spare("over_text_same", p_vaddr=0, p_offset=0, p_flags=R | X)
        yield spare("over_data", p_vaddr=3 * PAGE)
        yield spare("over_bss", p_vaddr=4 * PAGE)
        yield spare("over_bss_tail", p_vaddr=5 * PAGE)
        yield spare("bss_over_data", p_vaddr=3 * PAGE, p_filesz=0)
        yield spare("bss_over_data_inside", p_vaddr=3 * PAGE + 0x120, p_filesz=0, p_memsz=0x100)
        yield spare("bss_over_bss", p_vaddr=4 * PAGE + PAGE // 2, p_filesz=0, p_memsz=PAGE)
        yield spare("bss_over_all", p_vaddr=0x0, p_filesz=0, p_memsz=10 * PAGE)
        yield spare("shares_page_of_text", p_vaddr=0x700, p_offset=0x700, p_filesz=16, p_flags=R | X)
        yield spare("shares_page_of_text_no_x", p_vaddr=0x700, p_offset=0x700, p_filesz=16)
        yield spare("shares_page_of_text_rwx", p_vaddr=0x700, p_offset=0x700, p_filesz=16,
                    p_memsz=32, p_flags=R | W | X)
        yield spare("shares_page_of_data", p_vaddr=3 * PAGE + 0x200, p_offset=PAGE + 0x200, p_filesz=0x100, p_memsz=0x100,
                    p_flags=R | W)
        yield spare("shares_page_of_bss", p_vaddr=5 * PAGE + 0x100, p_offset=2 * PAGE + 0x100, p_filesz=0x100, p_memsz=0x200,
                    p_flags=R | W)
        yield spare("after_bss", p_vaddr=6 * PAGE)
        yield spare("across_text_and_gap", p_vaddr=0x0, p_offset=0, p_filesz=FILE_BYTES, p_memsz=FILE_BYTES,
                    p_flags=R | X)
        yield spare("nothing", p_filesz=0, p_memsz=0)
        yield spare("nothing_inside_page", p_vaddr=SPARE + 0x123, p_filesz=0, p_memsz=0)
        yield spare("nothing_over_data", p_vaddr=3 * PAGE, p_filesz=0, p_memsz=0)
        yield spare("nothing_at_0", p_vaddr=-base, p_filesz=0, p_memsz=0)
        yield spare("nothing_in_kernel", p_vaddr=0xFFFF800000000000 - base, p_filesz=0, p_memsz=0)
        yield spare("bss_only", p_filesz=0, p_memsz=2 * PAGE, p_flags=R | W)
        yield spare("bss_only_read_only", p_filesz=0, p_memsz=2 * PAGE)
        yield spare("bss_only_no_flags", p_filesz=0, p_memsz=2 * PAGE, p_flags=0)
        yield spare("bss_only_inside_page", p_vaddr=SPARE + 0x123, p_filesz=0, p_memsz=2 * PAGE)
        yield spare("bss_only_inside_page_rw", p_vaddr=SPARE + 0x123, p_filesz=0, p_memsz=2 * PAGE,
                    p_flags=R | W)
        yield spare("bss_only_one_byte", p_vaddr=SPARE + PAGE - 1, p_filesz=0, p_memsz=1, p_flags=R | W)
        yield spare("bss_only_two_pages", p_vaddr=SPARE + PAGE - 1, p_filesz=0, p_memsz=2, p_flags=R | W)
        yield spare("bss_only_odd_offset", p_filesz=0, p_memsz=PAGE, p_offset=0x123)
        yield spare("bss_only_far_offset", p_filesz=0, p_memsz=PAGE, p_offset=(1 << 64) - 1)
        yield spare("tail_rw", p_memsz=SPARE_BYTES + 0x100, p_flags=R | W)
        yield spare("tail_read_only", p_memsz=SPARE_BYTES + 0x100)
        yield spare("tail_and_bss_read_only", p_memsz=2 * PAGE)
        yield spare("tail_write_only", p_memsz=SPARE_BYTES + 0x100, p_flags=W)
        yield spare("tail_no_flags", p_memsz=2 * PAGE, p_flags=0)
        yield spare("tail_from_page_end", p_filesz=PAGE, p_memsz=2 * PAGE, p_flags=R | W)
        yield spare("pages_beyond_file", p_filesz=3 * PAGE, p_memsz=3 * PAGE)
        yield spare("pages_beyond_file_rw", p_filesz=3 * PAGE, p_memsz=3 * PAGE, p_flags=R | W)
        yield spare("tail_beyond_file", p_filesz=FILE_BYTES, p_memsz=3 * PAGE)
        yield spare("tail_beyond_file_rw", p_filesz=FILE_BYTES, p_memsz=3 * PAGE, p_flags=R | W)
        yield spare("bss_after_pages_beyond_file", p_filesz=3 * PAGE, p_memsz=5 * PAGE, p_flags=R | W)
        yield spare("far_away", p_vaddr=0x10000000)


def truncated_cases():
    ends = [0, 1, 3, 4, 16, 63, 64, 65, 64 + 10, 64 + 56, 64 + 3 * 56, 64 + 4 * 56 - 1, 64 + 4 * 56,
            CODE, CODE + 8, TEXT_BYTES, PAGE - 1, PAGE, PAGE + 1, DATA_OFFSET, DATA_OFFSET + 0x3F,
            DATA_OFFSET + 0x40, 2 * PAGE - 1, SPARE_OFFSET, SPARE_OFFSET + 1, SPARE_OFFSET + 0x400,
            FILE_BYTES - 1]
    for length in ends:
        program = Program()
        program.length = length
        yield f"cut={length:#x}", program.file()[:length]
    program = Program()
    program.data.p_filesz = program.data.p_memsz = DATA_MEMORY
    yield "cut_in_data_page", program.file()[:PAGE + PAGE // 2 + 0x100]


def table_cases():
    """Where the program headers are, and how many."""
    for offset in (PAGE - 64, TEXT_BYTES, 2 * PAGE - 16, FILE_BYTES, FILE_BYTES + 3, 0x4321, SPARE_OFFSET + 0x100):
        yield f"table={offset:#x}", Program().move_table(offset)
    for count in (100, 1170, 1171):
        program = Program().move_table(3 * PAGE)
        program.segments += [Segment(PT_NULL)] * (count - 4)
        yield f"headers={count}", program
        program = Program().move_table(3 * PAGE)
        program.segments = [Segment(PT_NULL)] * (count - 4) + program.segments
        yield f"headers_last={count}", program
    for count, base, e_type in ((300, BASE, 2), (1166, BASE, 2), (300, 0, ET_DYN)):
        program = Program(base, e_type).move_table(3 * PAGE)
        for i in range(count):
            program.add(PT_LOAD, R | W, SPARE_OFFSET, base + 0x100000 + 2 * PAGE * i, 0x10, PAGE)
        yield f"loads={count},e_type={e_type}", program
    for count in (64, 1000):
        program = Program().move_table(3 * PAGE)
        program.segments += [program.spare] * count
        yield f"loads_alike={count}", program
    program = Program()
    yield "no_load", program.reorder(program.stack)
    yield "only_null", program.reorder(Segment(PT_NULL))


def with_interpreter(name, path, filesz=None, last=True, **fields):
    program = Program()
    program.put(0x700, path)
    segment = Segment(PT_INTERP, R, 0x700, BASE + 0x700, len(path) if filesz is None else filesz)
    segment.__dict__.update(fields)
    program.segments.insert(len(program.segments) if last else 0, segment)
    return "interp." + name, program


def interpreter_cases():
    yield with_interpreter("missing", b"/nonexistent/ld.so\0")
    yield with_interpreter("missing_first", b"/nonexistent/ld.so\0", last=False)
    yield with_interpreter("no_nul", b"/nonexistent/ld.so", 18)
    yield with_interpreter("directory", b"/tmp\0")
    yield with_interpreter("device", b"/dev/null\0")
    yield with_interpreter("not_elf", b"/etc/passwd\0")
    yield with_interpreter("relative", b"./baseline\0")
    yield with_interpreter("empty_path", b"\0\0")
    yield with_interpreter("newline", b"/nonexistent/a\nb\0")
    yield with_interpreter("nul_inside", b"/nonexistent\0ld.so\0")
    for length in (0, 1, 2, 4095, 4096, 4097, 1 << 32, (1 << 64) - 1):
        yield with_interpreter(f"length={length:#x}", b"/nonexistent/ld.so\0", length)
    for offset in (FILE_BYTES - 4, FILE_BYTES, 1 << 40, 1 << 63, (1 << 64) - 1):
        yield with_interpreter(f"offset={offset:#x}", b"/nonexistent/ld.so\0", p_offset=offset)
    yield with_interpreter("p_memsz=0x0", b"/nonexistent/ld.so\0", p_memsz=0)
    name, program = with_interpreter("", b"/nonexistent/ld.so\0")
    yield name + "two", program.add(PT_INTERP, R, 0x700, BASE + 0x700, 0)
    name, program = with_interpreter("", b"/nonexistent/ld.so\0", 1)
    yield name + "two_first_bad", program.add(PT_INTERP, R, 0x700, BASE + 0x700, 19)


LOADED_AT = 0x10000000


def interpreter(name, change, base=LOADED_AT):
    """A program, and as its interpreter another one with something changed."""
    program = Program(base)
    contents = change(program) or program
    yield "ld." + name, contents
    yield with_interpreter("ld." + name, b"./ld." + name.encode() + b"\0")


def interpreter_file_cases():
    def changed(part, **fields):
        return lambda program: program.change(part, **fields)

    def wanting(path):
        def change(program):
            program.put(0x700, path)
            program.add(PT_INTERP, R, 0x700, LOADED_AT + 0x700, len(path))
        return change

    yield from interpreter("good", lambda program: None)
    yield from interpreter("over_program", lambda program: None, BASE)
    yield from interpreter("over_half", lambda program: None, BASE + 4 * PAGE)
    yield from interpreter("wants_missing", wanting(b"/nonexistent/ld.so\0"))
    yield from interpreter("wants_garbage", wanting(b"x"))
    yield from interpreter("stack_executable", changed("stack", p_flags=R | W | X))
    for field, values in (("e_type", (0, 1, 4)), ("e_machine", (3, 183)), ("e_phentsize", (0, 57)),
                          ("e_phnum", (0, 1171)), ("e_phoff", (0, 1 << 63, (1 << 64) - 1)),
                          ("e_entry", (0, USER_END, LOADED_AT + DATA)), ("ei_class", (1,)),
                          ("magic", (bytes(4),))):
        for value in values:
            name = value.hex() if isinstance(value, bytes) else f"{value:#x}"
            yield from interpreter(f"{field}={name}", changed("header", **{field: value}))
    for field, value in (("p_filesz", 1 << 20), ("p_memsz", 1), ("p_vaddr", USER_END), ("p_align", 1 << 21),
                         ("p_flags", 0), ("p_vaddr", LOADED_AT), ("p_offset", 1 << 45)):
        yield from interpreter(f"spare.{field}={value:#x}", changed("spare", **{field: value}))
    for length in (0, 1, 63, 64, 200, CODE, DATA_OFFSET, SPARE_OFFSET):
        yield from interpreter(f"cut={length:#x}", lambda program, end=length: program.file()[:end])
    yield from interpreter("no_load", lambda program: program.reorder(program.stack) and None)
    yield from interpreter("script", lambda program: b"#!/bin/sh\n")
    yield from interpreter("may_not_be_executed", lambda program: None)


def other_header_cases():
    """Program headers that are not the kernel's business, or hardly."""
    odd = (("empty", {}), ("garbage", dict(p_offset=1 << 63, p_vaddr=(1 << 64) - 1, p_filesz=1 << 63,
                                           p_memsz=5, p_align=3, p_flags=0xFFFFFFFF)),
           ("beyond_file", dict(p_offset=FILE_BYTES + 100, p_vaddr=BASE + 100, p_filesz=32)),
           ("inside_text", dict(p_offset=0x700, p_vaddr=BASE + 0x700, p_filesz=64, p_align=8)))
    kinds = dict(PT_TLS=PT_TLS, PT_NOTE=PT_NOTE, PT_PHDR=PT_PHDR, PT_DYNAMIC=PT_DYNAMIC,
                 PT_GNU_RELRO=PT_GNU_RELRO, PT_GNU_PROPERTY=PT_GNU_PROPERTY, PT_LOPROC=0x70000000)
    for kind, number in kinds.items():
        for name, fields in odd:
            yield f"{kind}.{name}", Program().add(number, **fields)
    program = Program().add(PT_PHDR, R, HEADER_BYTES, BASE + SPARE, 4 * 56)
    yield "PT_PHDR.elsewhere", program
    program = Program()
    yield "PT_PHDR.last", program.add(PT_PHDR, R, HEADER_BYTES, BASE + HEADER_BYTES, 5 * 56)


# Notes of the right form, wrong in what they say: words, of which the property's begin with the fifth.
NOTES = dict(own=(4, 16, 5, 0x554E47, PROPERTY, 4, 3, 0), no_name=(4, 16, 5, 0, PROPERTY, 4, 3, 0),
             long=(4, 1 << 20, 5, 0x554E47, PROPERTY, 1 << 20, 3, 0), cut=(4, 2, 5, 0x554E47, 0, 0, 0, 0),
             none=(4, 0, 5, 0x554E47, 0, 0, 0, 0), wide=(4, 16, 5, 0x554E47, PROPERTY, 8, 3, 0),
             other=(4, 16, 5, 0x554E47, PROPERTY - 1, 8, 3, 0), two=(4, 16, 5, 0x554E47, PROPERTY - 1, 0, PROPERTY, 0),
             descending=(4, 16, 5, 0x554E47, PROPERTY - 1, 0, PROPERTY - 2, 0))


def put_property(program, note, offset=0x700):
    program.put(offset, struct.pack("<8I", *NOTES[note]))
    return program.add(PT_GNU_PROPERTY, R, offset, program.base + offset, 32, p_align=8)


def property_cases():
    for note in NOTES:
        yield f"PT_GNU_PROPERTY.note_{note}", put_property(Program(), note)
    for first, second in (("own", "cut"), ("cut", "own")):
        yield f"PT_GNU_PROPERTY.{first}_and_{second}", put_property(put_property(Program(), first), second, 0x740)
    for note in ("own", "cut"):
        yield from interpreter(f"PT_GNU_PROPERTY.note_{note}", lambda program, note=note: put_property(program, note))
        name, program = with_interpreter(f"PT_GNU_PROPERTY.program_{note}", b"./ld.good\0")
        yield name, put_property(program, note, 0x740)


def dyn_cases():
    """Position-independent programs."""
    for base in (0, 0x10000, 0x123000, BASE, 1 << 30, 0x555555554000, 0x7FFFFFF00000):
        yield f"dyn.base={base:#x}", Program(base, ET_DYN)
    for align in (0, 1, 3, PAGE + PAGE // 2, 4 * PAGE, 1 << 21, 1 << 30, USER_END // 2, USER_END, 1 << 63, (1 << 64) - 1):
        for base in (0, 0x10000):
            program = Program(base, ET_DYN).change("data", p_align=align)
            yield f"dyn.base={base:#x}.p_align={align:#x}", program
    for field, values in SEGMENT_VALUES.items():
        if field in ("p_vaddr", "p_memsz", "p_filesz", "p_offset"):
            for value in values:
                program = Program(0, ET_DYN).change("spare", **{field: value})
                yield f"dyn.spare.{field}={value:#x}", program
    for entry in (0, DATA, 2 * PAGE, USER_END - PAGE, USER_END, (1 << 64) - 1):
        yield f"dyn.e_entry={entry:#x}", Program(0, ET_DYN).change("header", e_entry=entry)
    for unaligned in (0x100, PAGE - 1):
        program = Program(0, ET_DYN)
        for segment in (program.text, program.data, program.spare):
            segment.p_vaddr += unaligned
        yield f"dyn.unaligned={unaligned:#x}", program


def program_for_i386():
    """A program with a header of 32 bits that leaves with 42."""
    code = bytes.fromhex("b801000000 bb2a000000 cd80")  # mov $1, %eax; mov $42, %ebx; int $0x80
    header = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 3, 1, 0x8048054, 52, 0, 0, 52, 32,
                         1, 0, 0, 0)
    size = 52 + 32 + len(code)
    return header + struct.pack("<8I", PT_LOAD, 0, 0x8048000, 0x8048000, size, size, R | X, PAGE) + code


def other_files():
    yield "i386", program_for_i386()
    yield "empty", b""
    yield "one_newline", b"\n"
    yield "text", b"just text, and more of it than the sixty-four bytes that an ELF header has\n"
    yield "zeros", bytes(FILE_BYTES)
    yield "script", b"#!/bin/sh\necho hi\nexit 42\n"
    yield "script_missing", b"#!/nonexistent/sh\n"
    yield "script_no_name", b"#!\n"
    yield "script_only", b"#!"
    yield "script_blanks", b"#!   \n"
    yield "script_no_newline", b"#!/bin/true"
    yield "script_long", b"#!/" + b"x" * 300 + b"\n"
    yield "script_nul", b"#!\0" + bytes(100)
    yield "script_elf", b"#!/bin/sh\nexit 42\n" + Program().file()
    yield "archive", b"!<arch>\n" + bytes(100)
    yield "after_a_page", bytes(PAGE) + Program().file()
    yield "after_a_byte", b"\n" + Program().file()


def all_cases():
    yield "baseline", Program()
    yield "dyn.baseline", Program(0, ET_DYN)
    for group in (header_cases, segment_cases, executable_cases, order_cases, place_cases,
                  truncated_cases, table_cases, interpreter_cases, interpreter_file_cases,
                  other_header_cases, property_cases, dyn_cases,
                  other_files):
        yield from group()


def write_cases():
    """Writes the files; their names."""
    names = []
    for name, contents in all_cases():
        if name in names:
            raise SystemExit(f"elf_cases.py: two cases are named {name}")
        if isinstance(contents, Program):
            contents = contents.file()
        with open(name, "wb") as file:
            file.write(contents)
            os.fchmod(file.fileno(), 0o644 if name == "ld.may_not_be_executed" else 0o755)
        names.append(name)
    return names


def ending(run):
    """How a run without a loader ended."""
    if run.stage == "refused":
        return "refused " + errno.errorcode[int(re.search(rb"Errno (\d+)", run.err)[1])]
    return run.end.replace("signal", "killed") if run.stage == "killed" else run.end


def original(output):
    """What a program shows of its text, with the system calls that were rewritten as they were (docs/quirks.md)."""
    return output.replace(*REWRITTEN)


def is_refusal(loaded, native, start):
    """126, or 127 where a file is missing; nothing on stdout, and one line."""
    wanted = "exit 127" if ending(native) == "refused ENOENT" else "exit 126"
    return loaded.end == wanted and not loaded.out and loaded.err.startswith(start) and loaded.err.count(b"\n") == 1


def is_same(name, native, loaded, start):
    """What execve refuses, a loader refuses; where it kills, a loader may do either; what it starts runs alike."""
    alike = loaded[1:] == native[1:]
    refused = is_refusal(loaded, native, start)
    ran_well = loaded.end == "exit 42" and loaded.out.startswith(b"ok\n") and not loaded.err
    if native.stage != "ran":
        return refused or native.stage == "killed" and alike or name in LENIENT and ran_well
    # binfmt_misc may have an emulator for another machine.
    stricter = (name in STRICTER or "e_machine=" in name or
                native.end == "signal 11" and any(words in loaded.err for words in mutations.BEYOND))
    signals = loaded.end.startswith("signal") and native.end.startswith("signal")
    return alike or stricter and refused or name in LENIENT and ran_well or name in OTHER_SIGNAL and signals


def compare(runner, name, native, command):
    loaded = runner.run([*command, f"./{name}"], mutations.LOADED_SECONDS)
    loaded = loaded._replace(err=mutations.without_warning(loaded.err))
    if MACHINE == ARM64:
        # With --engine it leaves the paging of dynamic programs to the kernel.
        err = mutations.without_warning(loaded.err, "everything is left to the kernel's paging: ")
        loaded = loaded._replace(out=original(loaded.out), err=err)
    start = f"{os.path.basename(command[0])}: ./{name}: "
    if is_same(name, native, loaded, os.fsencode(start)):
        return 0
    print(f"{name}: {mutations.show(native)}\n  {' '.join(command)}: {mutations.show(loaded)}")
    return 1


def limit_address_space():
    """Segments of terabytes fail alike, whatever memory the machine promises to have."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30 if most == resource.RLIM_INFINITY else min(16 << 30, most), most))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("loaders", nargs="*")
    options = parser.parse_args()
    commands = [[os.path.abspath(loader), *options.option] for loader in options.loaders]
    limit_address_space()
    with tempfile.TemporaryDirectory(prefix="elf_cases.") as folder:
        os.chdir(folder)
        runner = mutations.Runner()
        mutations.randomize(True)
        endings, different = collections.Counter(), 0
        names = write_cases()
        for name in names:
            native = runner.run(["./" + name], 10, traced=True)
            endings[ending(native)] += 1
            different += sum(compare(runner, name, native, command) for command in commands)
        if not STRICTER | LENIENT | OTHER_SIGNAL <= set(names):
            raise SystemExit("elf_cases.py: an exception is no case")
    if options.count:
        for end, count in endings.items():
            print(f"{count} {end}")
    print(f"{different} of {len(names) * len(commands)} runs differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
