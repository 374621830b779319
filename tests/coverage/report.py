#!/usr/bin/env python3
"""report.py BUILD [--check|--empty]: which lines and branches of common/ and loader/ the loaders in BUILD have reached.

BUILD is a folder that `make MODE=coverage flavour` made. --empty makes the files of counters anew instead, all zero.
--check is for where all tests were run: a line that nothing reached and that has no reason is an error then, and
reasons that are about no line are named.

The counters of a loader are in BUILD/counters/LOADER; the linker's maps say which function of which object has which of
them. From that and the compiler's notes (*.gcno) the file is written that gcov reads beside these (*.gcda). Unit tests
have written theirs themselves. A line is reached if one of them all has reached it. Assembly is not counted, nor are
branches of headers.

Printed are lines and branches by file, and then each line that nothing reached, with the reason that the list
`unreached` beside this script gives. Exit status 1 for what --check finds wrong, 125 where there is nothing to read.
"""

import array
import collections
import json
import pathlib
import re
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADERS = ("all_at_once_loader", "on_demand_loader", "hybrid_loader", "pagewise")
RESIDENT = 0x80000  # RESIDENT_COUNTERS of coverage.mk
FILE_BYTES = 2 * RESIDENT
FUNCTION, ARCS = 0x01000000, 0x01A10000  # tags (gcc/gcov-io.h)

COUNTERS = re.compile(r"\.bss\.__gcov0\.(\S+)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S+\.o)\n")


def fail(text):
    print(f"report.py: {text}", file=sys.stderr)
    sys.exit(125)


def empty(build):
    for name in LOADERS:
        file = build / "counters" / name
        file.write_bytes(b"")
        with file.open("r+b") as out:
            out.truncate(FILE_BYTES)
        file.chmod(0o666)  # tests run loaders as other users, too
    for file in build.rglob("*.gcda"):
        file.unlink()


def add_counts(found, text, counters, base):
    """Adds to found[object][function] the counters that a map of the linker's places there."""
    start = min(int(at, 16) for _, at, _, _ in COUNTERS.findall(text)) & ~0xFFF
    for function, at, length, path in COUNTERS.findall(text):
        first = (base + int(at, 16) - start) // 8
        values = counters[first : first + int(length, 16) // 8]
        before = found[path].get(function, [0] * len(values))
        found[path][function] = [one + other for one, other in zip(before, values)]


def counts(build):
    found = collections.defaultdict(dict)
    for name in LOADERS:
        file = build / "counters" / name
        if not file.is_file():
            fail(f"{file}: there is no such file: make coverage writes it")
        counters = array.array("Q", file.read_bytes())
        add_counts(found, (build / f"loader/{name}.map").read_text(), counters, 0)
        add_counts(found, (build / "resident.map").read_text(), counters, RESIDENT)
    return found


def write_counts(notes, functions):
    """Writes X.gcda beside X.gcno, for the counters of its functions."""
    data = notes.read_bytes()
    magic, version, stamp, checksum, at = struct.unpack_from("<5I", data)
    if version.to_bytes(4, "big") < b"B2":
        fail(f"{notes}: its form is that of a gcc before 12: coverage takes gcc 12 or a later one")
    out = struct.pack("<4I", int.from_bytes(b"gcda", "big"), version, stamp, checksum)
    at += 24  # the folder of the build, and a word after it
    while at + 8 <= len(data):
        tag, length = struct.unpack_from("<Ii", data, at)
        if tag == FUNCTION:
            numbers = struct.unpack_from("<3I", data, at + 8)
            bytes_of_name = struct.unpack_from("<I", data, at + 20)[0]
            name = data[at + 24 : at + 24 + bytes_of_name].rstrip(b"\0").decode()
            if name in functions:
                values = functions[name]
                out += struct.pack("<5I", FUNCTION, 12, *numbers)
                out += struct.pack(f"<2I{len(values)}Q", ARCS, 8 * len(values), *values)
        at += 8 + max(length, 0)
    notes.with_suffix(".gcda").write_bytes(out)


class Source:
    def __init__(self):
        self.lines, self.branches, self.function_of = {}, {}, {}

    def add(self, file):
        for function in file["functions"]:
            for line in range(function["start_line"], function["end_line"] + 1):
                self.function_of[line] = function["name"]
        for line in file["lines"]:
            number, taken = line["line_number"], [branch["count"] > 0 for branch in line["branches"]]
            self.lines[number] = self.lines.get(number, False) or line["count"] > 0
            # An inline function's branches are those of whatever it is put into: other ones in each place.
            if not file["file"].endswith(".h"):
                before = self.branches.get(number, [False] * len(taken))
                self.branches[number] = [one or other for one, other in zip(before, taken)]

    def unreached(self):
        return [number for number in sorted(self.lines) if not self.lines[number]]


def read(build):
    """What gcov says of each file of ours."""
    sources = collections.defaultdict(Source)
    files = sorted(str(file.resolve()) for file in build.rglob("*.gcda"))
    done = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *files],
                          cwd=ROOT, capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        for file in json.loads(line)["files"]:
            name = file["file"].removeprefix("./")
            if name.startswith(("common/", "loader/")):
                sources[name].add(file)
    return dict(sorted(sources.items()))


def reasons():
    found = {}
    for line in (pathlib.Path(__file__).parent / "unreached").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            place, reason = line.split(maxsplit=1)
            found[place] = reason
    return found


def row(reached, of):
    return f"{reached:6} of {of:5} {100 * reached / of:6.1f} %" if of else ""


def print_table(sources):
    total = [0, 0, 0, 0]
    print(f"{'':48}{'lines':>23}{'branches':>25}")
    for name, source in sources.items():
        taken = [one for branches in source.branches.values() for one in branches]
        numbers = (sum(source.lines.values()), len(source.lines), sum(taken), len(taken))
        total = [one + other for one, other in zip(total, numbers)]
        print(f"{name:48}{row(*numbers[:2])}  {row(*numbers[2:])}".rstrip())
    print(f"{'all':48}{row(*total[:2])}  {row(*total[2:])}\n")


def place_for(why, name, function, text):
    for place in (f"{name}:{function}", name):
        if place in why:
            return place
    return next((place for place in why if place[0] == "/" and re.search(place[1:-1], text)), None)


def print_unreached(sources):
    """Each line that nothing reached, with its reason. How many have none, and the places whose reasons nobody needs."""
    why, unused, without = reasons(), set(reasons()), 0
    for name, source in sources.items():
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        for number in source.unreached():
            text = lines[number - 1].strip()
            place = place_for(why, name, source.function_of.get(number, ""), text)
            without += place is None
            unused.discard(place)
            print(f"{name}:{number}: {text}  # {why.get(place, 'no reason is given')}")
    return without, [place for place in why if place in unused]


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--empty"], ["--check"]):
        fail("say report.py BUILD, report.py BUILD --check, or report.py BUILD --empty")
    build = pathlib.Path(sys.argv[1])
    if not (build / "resident.map").is_file():
        fail(f"{build}: there is no resident.map: make MODE=coverage flavour makes it")
    if sys.argv[2:] == ["--empty"]:
        empty(build)
        return 0
    for path, functions in counts(build).items():
        write_counts(pathlib.Path(path).with_suffix(".gcno"), functions)
    sources = read(build)
    print_table(sources)
    without, unused = print_unreached(sources)
    print(f"\n{without} lines that nothing reached have no reason in tests/coverage/unreached")
    if not sys.argv[2:]:
        return 0
    for place in unused:
        print(f"tests/coverage/unreached: {place}: each line of it was reached, or is gone: does it still need a reason?")
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main())
