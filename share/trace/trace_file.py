"""trace_file.py: reads what `--trace=FILE` writes; docs/trace.md has the format. Used by trace_json.py,
trace_plot.py and trace_page.py."""

import collections
import os
import pathlib
import sys

FIRST_WORD = "page-trace"
VERSION = "1"
NEEDED = ("loader", "program", "policy", "engine", "process", "bias")
PAGE = 4096

# What made pages accessible, in the order of a legend.
CAUSES = ("fault", "reveal", "populate", "huge", "system call", "retire")

Region = collections.namedtuple("Region", "start end access kind state")
Section = collections.namedtuple("Section", "start end name")
Event = collections.namedtuple("Event", "time pid tid kind address pages ip detail symbol ip_symbol")
# header: {word: text} of NEEDED and "file"; ended: "exit 0", "signal 11", or CUT_OFF.
Trace = collections.namedtuple("Trace", "header regions sections events lost ended")


# How a run ended whose trace has no end: the loader was killed, or is still there.
CUT_OFF = "cut off"


class TraceError(Exception):
    """Not a trace, or a damaged one; the text says where and why."""


def cause(event):
    """One of CAUSES, or None where an event brings no page."""
    if event.kind in ("reveal", "populate", "huge"):
        if event.detail == "system call":
            return "system call"
        if event.detail == "end of lazy paging":
            return "retire"
        if event.kind == "reveal" and event.detail == "the touched page":
            return "fault"
    return {"call": "system call"}.get(event.kind, event.kind if event.kind in CAUSES else None)


def brings_pages(event):
    """Whether the event lists pages that came in. A call's pages are in the events after it, too."""
    return event.kind in ("reveal", "populate", "huge")


def base_name(symbol):
    """name of name+0x10; None where there is no symbol."""
    name, plus, offset = symbol.rpartition("+0x")
    if symbol == "-":
        return None
    return name if plus and name and offset else symbol


def printable(text):
    """No control characters: SVG has no place for them."""
    return "".join(c if c.isprintable() else "?" for c in text)


def number(text, base):
    """The digits that the loader writes and nothing else: int() also takes signs and spaces."""
    if not text.isalnum():
        raise ValueError(f"'{printable(text)}' is not a number")
    try:
        return int(text, base)
    except ValueError:
        kind = "hexadecimal" if base == 16 else "decimal"
        raise ValueError(f"'{printable(text)}' is not a {kind} number") from None


def fields(line, count):
    """The fields of a line, or ValueError."""
    found = line.split("\t")
    if len(found) != count:
        raise ValueError(f"{len(found)} fields, not {count}")
    return found


def address_range(start, end):
    """Two hexadecimal addresses, the second one after the first."""
    start, end = number(start, 16), number(end, 16)
    if end < start:
        raise ValueError(f"{end:x} is below {start:x}")
    return start, end


def read_event(line):
    """An event of its ten fields."""
    time, pid, tid, kind, address, pages, ip, detail, symbol, ip_symbol = fields(line, 10)
    return Event(
        number(time, 10), number(pid, 10), number(tid, 10), sys.intern(kind), number(address, 16),
        number(pages, 10), number(ip, 16), sys.intern(detail), symbol, ip_symbol,
    )  # fmt: skip


class Reader:
    """Line by line; what is read so far."""

    def __init__(self):
        self.header, self.regions, self.sections, self.events = {}, [], [], []
        self.in_events = False
        self.trace = None

    def header_line(self, line):
        """Words that a later loader adds are skipped."""
        word = line.partition("\t")[0]
        if word == "events":
            missing = [word for word in NEEDED if word not in self.header]
            if missing:
                raise ValueError(f"events before a line '{missing[0]}'")
            self.header.setdefault("file", self.header["program"])
            self.in_events = True
        elif word == "region":
            _, start, end, access, kind, state = fields(line, 6)
            self.regions.append(Region(*address_range(start, end), access, kind, state))
        elif word == "section":
            _, start, end, name = fields(line, 4)
            self.sections.append(Section(*address_range(start, end), name))
        elif word in NEEDED or word == "file":
            self.header[word] = fields(line, 2)[1]

    def end_line(self, line):
        """The count finds a file whose middle is gone."""
        _, count, lost, ended = fields(line, 4)
        if number(count, 10) != len(self.events):
            raise ValueError(f"the end says {count} events, and there are {len(self.events)}")
        self.trace = Trace(
            self.header, self.regions, self.sections, self.events, number(lost, 10), ended
        )

    def line(self, line):
        """Any line but the first one."""
        if self.trace:
            raise ValueError("something after the end")
        if not self.in_events:
            self.header_line(line)
        elif line.startswith("end\t"):
            self.end_line(line)
        else:
            self.events.append(read_event(line))


def read(path):
    """The Trace in the file."""
    # Symbols need not be UTF-8.
    with open(path, encoding="utf-8", errors="backslashreplace", newline="\n") as file:
        word, _, version = file.readline(100).rstrip("\n").partition(" ")
        if word != FIRST_WORD:
            raise TraceError(f"{path}: not a trace: it does not begin with '{FIRST_WORD}'; name one that --trace=FILE has written")
        if version != VERSION:
            raise TraceError(f"{path}: trace of version '{printable(version)}', not {VERSION}")
        reader = Reader()
        for count, line in enumerate(file, 2):
            if not line.endswith("\n") and not reader.trace:
                break
            try:
                reader.line(line.rstrip("\n"))
            except ValueError as error:
                raise TraceError(f"{path}:{count}: {error}") from None
    if not reader.in_events:
        raise TraceError(f"{path}: cut off before its events")
    return reader.trace or Trace(
        reader.header, reader.regions, reader.sections, reader.events, 0, CUT_OFF
    )


def tool():
    """How messages begin: the command as it was typed. PAGEWISE_NAME is set where pagewise runs this."""
    return os.environ.get("PAGEWISE_NAME") or pathlib.Path(sys.argv[0]).name


def warn(text):
    """On standard error."""
    print(f"{tool()}: {text}", file=sys.stderr)


def stop(text):
    """Wrong usage, a file that cannot be read or written: 125, as with the loaders."""
    print(text, file=sys.stderr)
    sys.exit(125)


def convert_some(arguments, usage, check, write, most):
    """What the tools' main is: arguments TRACE..., at most so many, and RESULT; write([trace...], RESULT)
    unless check(RESULT) says what is wrong."""
    if not 3 <= len(arguments) <= most + 2:
        stop(usage)
    *paths, result = arguments[1:]
    wrong = check(result)
    if wrong:
        stop(f"{tool()}: {wrong}")
    try:
        traces = [read(path) for path in paths]
        write(traces, result)
    except TraceError as error:
        stop(f"{tool()}: {error}")
    except OSError as error:
        remedy = "name a trace that --trace=FILE has written" if error.filename in paths else "name another file"
        stop(f"{tool()}: {error.filename or result}: {error.strerror}; {remedy}")
    for path, trace in zip(paths, traces):
        if trace.lost:
            warn(f"{path}: {lost_words(trace)}")
        if trace.ended == CUT_OFF:
            warn(f"{path}: cut off after {len(trace.events)} events")


def convert(arguments, usage, check, write):
    """The same for tools of one trace: write(trace, RESULT)."""
    convert_some(arguments, usage, check, lambda traces, result: write(traces[0], result), 1)


def lost_words(trace):
    """How many events the trace lacks, as words."""
    return f"{trace.lost} event{'' if trace.lost == 1 else 's'} lost"
