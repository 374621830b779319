"""trace_elf.py: what trace_pages.py reads in a program's ELF file: functions, and relative relocations."""

import collections
import struct

RELATIVE = {62: 8, 183: 1027, 243: 3}  # by e_machine: R_X86_64_RELATIVE, R_AARCH64_RELATIVE, R_RISCV_RELATIVE
SYMTAB, RELA = 2, 4
FUNCTIONS = (2, 10)  # STT_FUNC, STT_GNU_IFUNC
WORD = 8

Section = collections.namedtuple("Section", "name type flags address offset size link info align entry")
Function = collections.namedtuple("Function", "start end name")


class ElfError(Exception):
    """Not such a file."""


def text_at(table, offset):
    """The string that starts there."""
    return table[offset : table.index(b"\0", offset)].decode(errors="backslashreplace")


class Elf:
    """The file's bytes, and its sections."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        try:
            self.sections = self.read_sections()
        except (struct.error, IndexError, ValueError):
            raise ElfError(f"{path}: not an ELF file of 64 bits, or a damaged one") from None

    def read_sections(self):
        """Without a table of sections, none."""
        if self.bytes[:5] != b"\x7fELF\x02":
            raise ValueError
        (offset,) = struct.unpack_from("<Q", self.bytes, 40)
        count, names = struct.unpack_from("<HH", self.bytes, 60)
        found = [Section(*struct.unpack_from("<IIQQQQIIQQ", self.bytes, offset + 64 * i)) for i in range(count)]
        table = self.content(found[names]) if found else b""
        return [section._replace(name=text_at(table, section.name)) for section in found]

    def content(self, section):
        """Its bytes in the file."""
        return self.bytes[section.offset : section.offset + section.size]

    def functions(self):
        """Those of .symtab, by address; names of one function as one."""
        found = {}
        for section in self.sections:
            if section.type != SYMTAB:
                continue
            names = self.content(self.sections[section.link])
            for name, info, _, index, value, size in struct.iter_unpack("<IBBHQQ", self.content(section)):
                if info & 15 in FUNCTIONS and index:
                    found.setdefault((value, value + max(size, 1)), text_at(names, name))
        return [Function(*place, name) for place, name in sorted(found.items())]

    def relative_relocations(self):
        """The addresses that they change, from the lowest up, each once; those that are packed already are not among them."""
        relative = RELATIVE.get(struct.unpack_from("<H", self.bytes, 18)[0])
        return sorted({
            place
            for section in self.sections if section.type == RELA
            for place, info, _ in struct.iter_unpack("<QQq", self.content(section)) if info == relative
        })  # fmt: skip


def packed_bytes(places):
    """The size of .relr.dyn, which has these relocations: an address, then bitmaps of the 63 words that follow."""
    words, left = 0, sorted(places)
    at = 0
    while at < len(left):
        words += 1
        base = left[at] + WORD
        at += 1
        while at < len(left):
            first = at
            while at < len(left) and left[at] - base < 63 * WORD and (left[at] - base) % WORD == 0:
                at += 1
            if at == first:
                break
            words += 1
            base += 63 * WORD
    return words * WORD
