"""trace_calls.py TRACE FILE: the system calls of a run as strace writes them, and between them the faults, each with
the pages that came for it. FILE may be - for standard output."""

import sys

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import trace_file  # noqa: E402

WORDS = {"reveal": "revealed", "populate": "populated", "huge": "as huge pages"}


class Line:
    """A call, whose result comes later, or a fault with its pages."""

    def __init__(self, event, text):
        self.event, self.text, self.result, self.pages = event, text, None, []

    def words(self, several):
        """As strace has it; a process's number where there are several."""
        start = f"[{self.event.tid}] " if several else ""
        pages = "; ".join(self.pages)
        if self.event.kind == "call":
            return f"{start}{self.text} = {self.result or '?'}" + (f" <{pages}>" if pages else "")
        return f"{start}--- {self.text}" + (f": {pages}" if pages else "") + " ---"


def fault_words(event):
    """What was touched, by whom."""
    place = f"{event.address:#x}" + ("" if event.symbol == "-" else f", {event.symbol}")
    by = "" if event.ip_symbol == "-" else f", by {event.ip_symbol}"
    return f"{event.detail} of {place}{by}"


def lines_of(events):
    """In the order in which things began."""
    found, last_call, last = [], {}, {}
    for event in events:
        thread = (event.pid, event.tid)
        if event.kind == "arguments" and thread in last_call:
            last_call[thread].text = event.detail
        elif event.kind == "result" and thread in last_call:
            last_call[thread].result = event.detail
        elif event.kind in WORDS:
            if thread in last:
                last[thread].pages.append(f"{event.pages} page{'s' * (event.pages != 1)} {WORDS[event.kind]}")
        else:
            line = Line(event, event.detail + "()" if event.kind == "call" else
                        fault_words(event) if event.kind in ("fault", "fatal") else f"{event.kind} {event.detail}".rstrip())  # fmt: skip
            found.append(line)
            last[thread] = line
            if event.kind == "call":
                last_call[thread] = line
    return found


def write(trace, path):
    """Line by line."""
    several = len({(event.pid, event.tid) for event in trace.events}) > 1
    with open(sys.stdout.fileno() if path == "-" else path, "w", encoding="utf-8", closefd=path != "-") as file:
        for line in lines_of(trace.events):
            file.write(line.words(several) + "\n")
        file.write(f"+++ {trace.ended} +++\n")


if __name__ == "__main__":
    trace_file.convert(sys.argv, __doc__, lambda path: None, write)
