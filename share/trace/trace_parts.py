"""trace_parts.py: cuts a program's memory into the parts that a picture shows: its sections, and what lies
between them. Used by trace_plot.py and trace_page.py."""

import collections

from trace_file import PAGE

# A program with more sections than that is shown by its regions.
MOST_PARTS = 40
# Letters that have room beside size and address.
MOST_LABEL = 22
# Sections that have a part of their own even where they are small.
OWN_PART = (".text", ".rodata", ".data", ".bss")

# From start up to end; size is without padding.
Part = collections.namedtuple("Part", "start end label state size")


def size_words(size):
    """As people write sizes."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size} bytes"


def sections_of(region, sections):
    """[[start, end, names]]: its sections, small neighbors as one."""
    groups = []
    for start, end, name in sections:
        start, end = max(start, region.start), min(end, region.end)
        # .tbss has an address and takes no place there.
        if name == ".tbss" or start >= end:
            continue
        if groups:
            start = max(start, groups[-1][1])
        small = end - start < PAGE and name not in OWN_PART
        if groups and small and groups[-1][3] and start - groups[-1][1] < PAGE:
            groups[-1][1] = max(end, groups[-1][1])
            groups[-1][2].append(name)
        elif start < end:
            groups.append([start, end, [name], small])
    return groups


def part_of(region, start, end):
    """A part that belongs to no section."""
    return Part(start, end, f"{region.access} {region.kind}", region.state, end - start)


def some_of(names):
    """The sections of a part in one label: as many as have room."""
    for label in (" ".join(names), f"{names[0]} … {names[-1]}", f"{names[0]} …"):
        if len(label) <= MOST_LABEL:
            return label
    return label


def parts_of(region, sections):
    """Parts that cover the region: sections, and what lies between them."""
    groups = sections_of(region, sections)
    parts, at = [], region.start
    for index, (start, end, names, _) in enumerate(groups):
        following = groups[index + 1][0] if index + 1 < len(groups) else region.end
        size = end - start
        # Less than a page before or after a section is padding, and not worth a part.
        if start - at >= PAGE:
            parts.append(part_of(region, at, start))
            at = start
        if following - end < PAGE:
            end = following
        parts.append(Part(at, end, some_of(names), region.state, size))
        at = end
    if at < region.end:
        parts.append(part_of(region, at, region.end))
    return parts


def joined(parts):
    """A section in two mappings is one all the same."""
    found = []
    for part in parts:
        last = found[-1] if found else None
        if last and (last.end, last.label, last.state) == (part.start, part.label, part.state):
            part = last._replace(end=part.end, size=last.size + part.size)
            found.pop()
        found.append(part)
    return found


def parts(trace):
    """The parts of the address axis, from the lowest address up, without the gaps between them."""
    regions = sorted(trace.regions)
    sections = sorted(trace.sections)
    found = joined(part for region in regions for part in parts_of(region, sections))
    if len(found) > MOST_PARTS:
        found = [part_of(region, region.start, region.end) for region in regions]
    return found
