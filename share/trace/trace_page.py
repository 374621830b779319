"""trace_page.py [--program=FILE] TRACE [TRACE2] PAGE: one or two runs as a page for a browser, all of it in the
one file PAGE, which ends in .html. FILE: where the program lies, if not where the trace says; its debug
information names source lines."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import trace_file  # noqa: E402
import trace_json  # noqa: E402
import trace_parts  # noqa: E402

# The page is page.html, with these in their places.
TEMPLATE = pathlib.Path(__file__).resolve().parent / "page"
PIECES = ("page.css", "model.js", "map.js", "axis.js", "chart.js", "view.js", "player.js")


class Table:
    """Each value once; events have its number."""

    def __init__(self):
        self.numbers, self.values = {}, []

    def number(self, key, value=None):
        """The number of a key; its value is the key, unless there is one."""
        if key not in self.numbers:
            self.numbers[key] = len(self.values)
            self.values.append(key if value is None else value)
        return self.numbers[key]


def deltas(numbers):
    """Each one's distance from the one before: fewer digits."""
    before, found = 0, []
    for number in numbers:
        found.append(number - before)
        before = number
    return found


def code_address(event, bias):
    """Where the instruction lies in the file. A call's IP is the one after it."""
    return event.ip - bias - (event.kind == "call")


def source_text(path, line):
    """That line of a source file, if it is here."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def read_answer(answer):
    """addr2line's `/a/prog1.c:12 (discriminator 2)` as "prog1.c:12" and the text; None: it does not know."""
    path, _, line = answer.partition(" (")[0].rpartition(":")
    if not line.isdigit() or line == "0" or path.startswith("?"):
        return None
    return [f"{pathlib.PurePath(path).name}:{line}", source_text(path, int(line))]


def source_lines(program, addresses):
    """{address: ["prog1.c:12", its text]}, as addr2line of binutils knows them."""
    asked = sorted(addresses)
    try:
        answers = subprocess.run(
            ["addr2line", "-e", program], input="".join(f"{address:x}\n" for address in asked),
            capture_output=True, check=True, text=True, errors="replace",
        ).stdout.splitlines()  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return {}
    found = {address: read_answer(answer) for address, answer in zip(asked, answers)}
    return {address: answer for address, answer in found.items() if answer}


def places_of(trace, program):
    """{event's (IP, kind is call): [its symbol, source line, text of the line]}"""
    bias = int(trace.header["bias"], 16)
    events = [event for event in trace.events if event.ip]
    lines = source_lines(program, {code_address(event, bias) for event in events}) if program else {}
    return {
        (event.ip, event.kind == "call"): [event.ip_symbol, *lines.get(code_address(event, bias), ["", ""])]
        for event in events
    }


def symbol_of(event):
    """[its name, where it starts] of what the event's address is in; None: in no symbol."""
    base = trace_file.base_name(event.symbol)
    if base is None:
        return None
    offset = int(event.symbol.rpartition("+0x")[2], 16) if base != event.symbol else 0
    return [base, f"{event.address - offset:x}"]


def number_or_none(table, key, value=None):
    """-1 where there is no key."""
    return -1 if key is None else table.number(key, value)


def columns(events, places):
    """The events by columns, a list for each field, and the tables whose numbers stand in these."""
    tables = {name: Table() for name in ("threads", "kinds", "causes", "details", "symbols", "places")}
    rows, counters, latest = [], trace_json.Counters(events), {}
    for event in events:
        symbol, place = symbol_of(event), (event.ip, event.kind == "call") if event.ip else None
        if counters.counts(event):
            latest[event.pid] = counters.after(event)
        pages = latest.get(event.pid, {"present": 0, "revealed": 0})
        rows.append((
            tables["threads"].number((event.pid, event.tid)), tables["kinds"].number(event.kind),
            number_or_none(tables["causes"], trace_file.cause(event)), f"{event.address:x}", event.pages,
            tables["details"].number(event.detail), number_or_none(tables["symbols"], symbol and tuple(symbol)),
            number_or_none(tables["places"], place, place and [f"{event.ip:x}", *places[place]]),
            pages["present"], pages["revealed"],
        ))  # fmt: skip
    names = ("thread", "kind", "cause", "address", "pages", "detail", "symbol", "place", "present", "revealed")
    found = dict(zip(names, map(list, zip(*rows)))) if rows else {name: [] for name in names}
    found["address"] = " ".join(found["address"])
    found["time"] = deltas(event.time for event in events)
    for name in ("present", "revealed"):
        found[name] = deltas(found[name])
    return {"events": found, **{name: table.values for name, table in tables.items()}}


def describe(trace, path, program):
    """All that the page needs of a run."""
    program = program or trace.header["file"]
    if not pathlib.Path(program).is_file():
        program = None
    elif pathlib.Path(program).stat().st_mtime > pathlib.Path(path).stat().st_mtime:
        trace_file.warn(f"{program} is newer than {path}: no source lines")
        program = None
    # A thread's own events stay in their order: sorting is stable.
    events = sorted(trace.events, key=lambda event: event.time)
    parts = [
        [f"{part.start:x}", f"{part.end:x}", part.label, trace_parts.size_words(part.size), part.state]
        for part in trace_parts.parts(trace)
    ]
    about = dict(trace.header, lost=trace.lost, ended=trace.ended, parts=parts)
    return {**about, **columns(events, places_of(trace, program))}


def page_of(runs):
    """The page. A script's text ends at the first "</", so that no "<" may be in the data."""
    page = (TEMPLATE / "page.html").read_text(encoding="utf-8")
    for name in PIECES:
        page = page.replace(f"@{name}@", (TEMPLATE / name).read_text(encoding="utf-8"))
    data = json.dumps(runs, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    return page.replace("@RUNS@", data)


def replace(path, text):
    """Writes a file in one step: on a full disk the older file stays."""
    target = os.path.realpath(path)
    partial = f"{target}.partial-{os.getpid()}"
    try:
        pathlib.Path(partial).write_text(text, encoding="utf-8")
        if os.path.exists(target):
            shutil.copymode(target, partial)
        os.replace(partial, target)
    except OSError as error:
        pathlib.Path(partial).unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, path) from error


def check(path):
    """What is wrong with a page's name."""
    return None if path.endswith(".html") else f"{path}: a page's name ends in .html"


def main(arguments):
    """As of any tool that converts traces, but that there may be two, and a program."""
    programs = [word.partition("=")[2] for word in arguments if word.startswith("--program=")]
    words = [word for word in arguments if not word.startswith("--program=")]

    def write(traces, path):
        runs = [describe(trace, name, programs[-1] if programs else None)
                for trace, name in zip(traces, words[1:])]  # fmt: skip
        replace(path, page_of(runs))

    trace_file.convert_some(words, __doc__, check, write, 2)


if __name__ == "__main__":
    main(sys.argv)
