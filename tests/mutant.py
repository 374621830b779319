"""Programs with one to three random changes in their ELF header and program headers."""

import random

from machine import MACHINE, PAGE, USER_END as ADDRESS_END

# Offsets and widths, bytes, as the gABI draws them.
EHDR = {
    "e_type": (16, 2), "e_machine": (18, 2), "e_version": (20, 4), "e_entry": (24, 8),
    "e_phoff": (32, 8), "e_shoff": (40, 8), "e_flags": (48, 4), "e_ehsize": (52, 2),
    "e_phentsize": (54, 2), "e_phnum": (56, 2), "e_shentsize": (58, 2), "e_shnum": (60, 2),
    "e_shstrndx": (62, 2),
}
PHDR = {
    "p_type": (0, 4), "p_flags": (4, 4), "p_offset": (8, 8), "p_vaddr": (16, 8),
    "p_paddr": (24, 8), "p_filesz": (32, 8), "p_memsz": (40, 8), "p_align": (48, 8),
}
EHDR_BYTES, PHDR_BYTES = 64, 56
PT_LOAD, PT_DYNAMIC = 1, 2
ET_DYN = 3

USER_END = ADDRESS_END - PAGE
# NULL to TLS; GNU_EH_FRAME, STACK, RELRO, PROPERTY; what processors and systems define begins there.
TYPES = [*range(8), *range(0x6474E550, 0x6474E554), 0x60000000, 0x70000000]
NUMBERS = {
    "p_type": TYPES,
    "p_flags": range(8),
    "e_type": range(5),
    "e_machine": (0, 3, 62, 183) if MACHINE == 62 else (0, 3, 62, MACHINE),
    "e_phentsize": (55, 56, 57, 112),
}
EDGES = [0, 1, 2, -1, PAGE - 1, PAGE, PAGE + 1, 0x10000, 0x200000, 0x400000, 1 << 31, 1 << 32,
         USER_END, USER_END - 1, USER_END - PAGE, USER_END + 1, ADDRESS_END, 1 << 62, (1 << 63) - 1,
         1 << 63, -PAGE]
STEPS = [1, 8, PHDR_BYTES, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE, 3 * PAGE, 16 * PAGE, 0x200000]

# all_at_once_loader fills all .bss there is, and two cases run at a time.
MOST_BSS = 256 << 20


class Mutant:
    """The bytes of a program, and what was changed in it."""

    def __init__(self, name, content, choose):
        self.name = name
        self.bytes = bytearray(content)
        self.choose = choose
        self.changes = []
        self.phnum = self.get(*EHDR["e_phnum"])  # before any change
        self.dynamic = next((header["p_vaddr"] for header in self.headers(PT_DYNAMIC)), None)
        for _ in range(choose.randint(1, 3)):
            choose.choices((self.change_field, self.change_two, self.copy_header, self.change_bytes),
                           (10, 3, 1, 3))[0]()

    def get(self, offset, width):
        return int.from_bytes(self.bytes[offset:offset + width], "little")

    def put(self, what, offset, width, value, source=None):
        value &= (1 << 8 * width) - 1
        self.changes.append(f"{what} = {source or hex(value)}")
        self.bytes[offset:offset + width] = value.to_bytes(width, "little")

    def place(self, header, field):
        """Where a field of a program header is."""
        return EHDR_BYTES + header * PHDR_BYTES + PHDR[field][0], PHDR[field][1]

    def value(self, field, old, width):
        """Another value for a field."""
        choose = self.choose
        if field in NUMBERS and choose.random() < 0.8:
            return choose.choice(NUMBERS[field])
        kind = choose.choices(("edge", "step", "neighbor", "power", "file", "any"), (4, 6, 4, 1, 2, 1))[0]
        if kind == "edge":
            return choose.choice(EDGES)
        if kind == "step":
            return old + choose.choice((1, -1)) * choose.choice(STEPS)
        if kind == "neighbor":
            of = field if field in PHDR and choose.random() < 0.7 else choose.choice(list(PHDR))
            return self.get(*self.place(choose.randrange(self.phnum), of))
        if kind == "power":
            return (1 << choose.randrange(8 * width)) - choose.randrange(2)
        if kind == "file":
            size = len(self.bytes)
            return choose.choice((size, size - 1, size + 1, size & -PAGE, (size & -PAGE) + PAGE))
        return choose.getrandbits(8 * width)

    def change_field(self):
        if self.choose.random() < 0.2:
            field = self.choose.choice(list(EHDR))
            what, place = field, EHDR[field]
        else:
            header, field = self.choose.randrange(self.phnum), self.choose.choice(list(PHDR))
            what, place = f"{field}[{header}]", self.place(header, field)
        self.put(what, *place, self.value(field, self.get(*place), place[1]))

    def change_two(self):
        """Two fields by the same number: where only one of them changes, most files are refused."""
        header = self.choose.randrange(self.phnum)
        fields = self.choose.choice((("p_vaddr", "p_offset"), ("p_filesz", "p_memsz")))
        by = self.choose.choice((1, -1)) * self.choose.choice(STEPS)
        for field in fields:
            place = self.place(header, field)
            self.put(f"{field}[{header}]", *place, self.get(*place) + by)

    def copy_header(self):
        source, target = (self.choose.randrange(self.phnum) for _ in range(2))
        value = self.get(EHDR_BYTES + source * PHDR_BYTES, PHDR_BYTES)
        self.put(f"header {target}", EHDR_BYTES + target * PHDR_BYTES, PHDR_BYTES, value, f"header {source}")

    def change_bytes(self):
        width = self.choose.choice((1, 1, 1, 2, 4, 8))
        place = self.choose.randrange(4, EHDR_BYTES + self.phnum * PHDR_BYTES - width)
        self.put(f"bytes at {place}", place, width, self.choose.getrandbits(8 * width))

    def headers(self, kind):
        """The fields of each program header of a type, where the kernel finds them."""
        table = self.get(*EHDR["e_phoff"])
        for header in range(table, table + self.get(*EHDR["e_phnum"]) * PHDR_BYTES, PHDR_BYTES):
            if header + PHDR_BYTES <= len(self.bytes) and self.get(header, 4) == kind:
                yield {name: self.get(header + at, width) for name, (at, width) in PHDR.items()}

    def is_too_large(self):
        return any(load["p_vaddr"] + load["p_memsz"] <= USER_END and
                   load["p_memsz"] - load["p_filesz"] > MOST_BSS for load in self.headers(PT_LOAD))

    def leaves_itself(self):
        """A position-independent program that begins outside its segments, or takes itself to be
        elsewhere by PT_DYNAMIC, as musl does. What it meets there is no business of a loader. One
        whose first segment has no file data is put at address 0 by newer kernels."""
        entry, loads = self.get(*EHDR["e_entry"]), list(self.headers(PT_LOAD))
        if self.get(*EHDR["e_type"]) != ET_DYN or not loads:
            return False
        return (loads[0]["p_filesz"] == 0 or
                any(header["p_vaddr"] != self.dynamic for header in self.headers(PT_DYNAMIC)) or
                not USER_END <= entry < (1 << 64) - USER_END and
                not any(load["p_vaddr"] <= entry < load["p_vaddr"] + load["p_memsz"] for load in loads))


def make_mutant(seed, number, programs):
    """A case has its own random numbers, so that any of them can be repeated alone."""
    choose = random.Random(f"{seed}/{number}")
    while True:
        name = choose.choice(list(programs))
        mutant = Mutant(name, programs[name], choose)
        if not mutant.is_too_large() and not mutant.leaves_itself():
            return mutant
