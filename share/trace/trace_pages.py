"""trace_pages.py pages|advice TRACE: prints the pages of the program's file in the order in which a run touched them first,
with the functions on each; or how many pages of each section the run touched, and the linker's options that lower
that. The trace is one of on_demand_loader --policy=none: other policies bring in pages before they are touched."""

import bisect
import collections
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import trace_elf  # noqa: E402
import trace_file  # noqa: E402
from trace_file import PAGE  # noqa: E402

# A touched page: its address in the file, how it was touched, and the symbol that was.
Touch = collections.namedtuple("Touch", "page how symbol")


def touches(trace):
    """Each page of the program's file that was touched, in the order of the first touches."""
    regions = [region for region in trace.regions if region.kind == "file" and region.state == "hidden"]
    if not regions:
        raise trace_file.TraceError("this trace has no touches of the program's file; make one with on_demand_loader --policy=none --trace=FILE")
    bias, found, others = int(trace.header["bias"], 16), {}, 0
    for event in trace.events:
        brought = trace_file.brings_pages(event) and trace_file.cause(event)
        if event.kind != "fault" and brought != "system call":
            others += event.pages if brought in ("reveal", "populate") else 0
            continue
        first = event.address // PAGE
        for page in range(first, first + max(1, event.pages)):
            if any(region.start <= page * PAGE < region.end for region in regions):
                how = event.detail if event.kind == "fault" else "call"
                found.setdefault(page, Touch(page * PAGE - bias, how, event.symbol))
    if others:
        trace_file.warn(f"{others} pages are left out: the policy brought them in before they were touched; trace with --policy=none")
    for event in trace.events:
        if event.kind == "retire":
            trace_file.warn(f"touches after the end of lazy paging are missing: {event.detail}")
            break
    return list(found.values())


def sections_of(trace):
    """(start, end, name) by address in the file, but for what takes no room there."""
    bias = int(trace.header["bias"], 16)
    return sorted((s.start - bias, s.end - bias, s.name) for s in trace.sections if s.name not in (".tbss", ".bss"))


def print_pages(trace, elf):
    """One page a line."""
    functions, sections, found = elf.functions(), sections_of(trace), touches(trace)
    longest = max((function.end - function.start for function in functions), default=0)
    starts = [function.start for function in functions]
    print("rank\tpage\tsection\ttouch\tsymbol\tfunctions")
    for rank, touch in enumerate(found, 1):
        end = touch.page + PAGE
        near = functions[bisect.bisect_left(starts, touch.page - longest) : bisect.bisect_left(starts, end)]
        names = [function.name for function in near if function.end > touch.page]
        held = [name for start, stop, name in sections if start < end and stop > touch.page]
        print(rank, f"{touch.page:x}", ",".join(held) or "-", touch.how, touch.symbol, " ".join(names) or "-", sep="\t")


def pages_of(start, end):
    """The numbers of the pages that a range of addresses is on."""
    return range(start // PAGE, -(-end // PAGE))


def runs_of(pages):
    """How many ranges of pages these are."""
    return sum(page - 1 not in pages for page in pages)


def text_advice(section, touched):
    """What an order file is for."""
    print(f"{section}: the {len(touched)} touched pages are in {runs_of(touched)} places. An order file puts the functions that a run calls "
          "side by side: pagewise run --order=FILE.")  # fmt: skip


def constants_advice(section, touched, touch_of):
    """Which part of them a linker can move."""
    named = sum(touch_of[page].symbol != "-" for page in touched)
    print(f"{section}: {named} of the {len(touched)} touched pages were first touched in an object with a name. If it is compiled with "
          "-fdata-sections, lld moves it like a function: add its name to the file for lld. Strings have no names.")  # fmt: skip


def relocation_advice(elf, touch_of):
    """What packing saves, and which pages are written."""
    places = elf.relative_relocations()
    written = {place // PAGE for place in places}
    if not places:
        return
    size, packed = 24 * len(places), trace_elf.packed_bytes(places)
    print(f"{len(places)} relative relocations take {size} bytes; with -Wl,-z,pack-relative-relocs {packed} bytes, {(size - packed) // PAGE} pages "
          "less to read. The option of lld before version 15 is -Wl,--pack-dyn-relocs=relr.")  # fmt: skip
    print(f"Relocations write to {len(written)} pages, {sum(page in touch_of for page in written)} of them touched. Linked with -no-pie the "
          "program has no relative relocations.")  # fmt: skip


def print_advice(trace, elf):
    """A table, then a paragraph for each thing that can be done."""
    touch_of = {touch.page // PAGE: touch for touch in touches(trace)}
    lines = []
    print(f"{'section':<20} {'pages':>7} {'touched':>7}")
    for start, end, name in sections_of(trace):
        pages = pages_of(start, end)
        touched = sorted(page for page in pages if page in touch_of)
        if len(pages) > 1:
            print(f"{name:<20} {len(pages):>7} {len(touched):>7}")
            lines.append((name, touched))
    print()
    for name, touched in lines:
        if name == ".text" and touched:
            text_advice(name, touched)
        elif name in (".rodata", ".data") and touched:
            constants_advice(name, touched, touch_of)
    relocation_advice(elf, touch_of)


def main(arguments):
    """As the other tools of traces, but that the result is printed."""
    what = {"pages": print_pages, "advice": print_advice}.get(arguments[1] if len(arguments) > 1 else "")
    if what is None or len(arguments) != 3:
        trace_file.stop(__doc__)

    def write(trace, _):
        try:
            what(trace, trace_elf.Elf(trace.header["file"]))
        except trace_elf.ElfError as error:
            raise trace_file.TraceError(str(error)) from None

    trace_file.convert([arguments[0], arguments[2], "-"], __doc__, lambda _: None, write)


if __name__ == "__main__":
    main(sys.argv)
