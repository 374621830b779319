"""trace_json.py TRACE JSON: a trace as Trace Event JSON, for chrome://tracing and ui.perfetto.dev."""

import bisect
import json
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import trace_file  # noqa: E402

# Events that concern the whole process; the others are their thread's own.
OF_THE_PROCESS = ("fork", "exec", "retire")


class Painter:
    """Counts pages, each once. The pieces between all borders that occur are painted from the left
    to the right; what is painted already is jumped over."""

    def __init__(self, ranges):
        self.borders = sorted({border for pair in ranges for border in pair})
        self.next = list(range(len(self.borders) + 1))
        self.pages = 0

    def unpainted(self, piece):
        """The first one that is not painted, from this one on; what was walked over is shortened."""
        found = piece
        while self.next[found] != found:
            found = self.next[found]
        while self.next[piece] != found:
            self.next[piece], piece = found, self.next[piece]
        return found

    def paint(self, start, end):
        """Pages from start up to end."""
        last = bisect.bisect_left(self.borders, end)
        piece = self.unpainted(bisect.bisect_left(self.borders, start))
        while piece < last:
            self.pages += self.borders[piece + 1] - self.borders[piece]
            self.next[piece] = piece + 1
            piece = self.unpainted(piece)


def pages_of(event):
    """First page and the one after the last; of a fault, the touched page."""
    first = event.address // trace_file.PAGE
    return first, first + (1 if event.kind == "fault" else event.pages)


class Counters:
    """Pages of each process. Present: touched, or populated. Revealed: accessible, perhaps touched."""

    def __init__(self, events):
        ranges = {}
        for event in events:
            if self.counts(event):
                ranges.setdefault(event.pid, []).append(pages_of(event))
        self.present = {pid: Painter(found) for pid, found in ranges.items()}
        self.accessible = {pid: Painter(found) for pid, found in ranges.items()}

    @staticmethod
    def counts(event):
        """Whether it changes a counter."""
        return event.kind == "fault" or (trace_file.brings_pages(event) and event.pages > 0)

    def after(self, event):
        """What the process has with this event."""
        present, accessible = self.present[event.pid], self.accessible[event.pid]
        accessible.paint(*pages_of(event))
        if event.kind in ("fault", "populate"):
            present.paint(*pages_of(event))
        return {"present": present.pages, "revealed": accessible.pages - present.pages}


def names(trace):
    """Metadata: what the processes and threads are called."""
    program = trace.header["program"].rpartition("/")[2]
    threads = {(event.pid, event.tid): None for event in trace.events}
    first = int(trace.header["process"])
    for pid in {pid: None for pid, _ in threads}:
        name = f"{program} ({trace.header['loader']})" if pid == first else f"{program} (child)"
        yield {"ph": "M", "name": "process_name", "pid": pid, "tid": pid, "args": {"name": name}}
    for pid, tid in threads:
        name = "first thread" if tid == pid else f"thread {tid}"
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": name}}


def arguments(event):
    """What a viewer shows of an event when it is clicked."""
    found = {"cause": trace_file.cause(event), "detail": event.detail}
    if event.address:
        found["address"] = f"{event.address:#x}"
    if event.pages:
        found["pages"] = event.pages
    if event.symbol != "-":
        found["symbol"] = event.symbol
    if event.ip:
        found["ip"] = f"{event.ip:#x}"
    if event.ip_symbol != "-":
        found["ip_symbol"] = event.ip_symbol
    return {name: value for name, value in found.items() if value not in (None, "", "-")}


def title(event):
    """The name that a viewer writes on it."""
    if event.kind == "fault":
        return f"{event.detail} fault"
    if event.kind in ("call", "signal") and event.detail not in ("", "-"):
        return event.detail
    return event.kind


def fault_ends(events):
    """{index of a fault: time of the last event that it caused}: those of its thread up to the next
    event of another kind."""
    ends, open_faults = {}, {}
    for index, event in enumerate(events):
        thread = (event.pid, event.tid)
        if event.kind == "fault":
            open_faults[thread] = index
        elif trace_file.brings_pages(event) and trace_file.cause(event) != "system call":
            if thread in open_faults:
                ends[open_faults[thread]] = event.time
        else:
            open_faults.pop(thread, None)
    return ends


def json_event(event, end):
    """An event with an end has a duration, the others are instants."""
    found = {"ph": "i", "name": title(event), "cat": event.kind, "pid": event.pid, "tid": event.tid}
    found["ts"] = event.time / 1000
    if end is not None:
        found.update(ph="X", dur=(end - event.time) / 1000)
    else:
        found["s"] = "p" if event.kind in OF_THE_PROCESS else "t"
    found["args"] = arguments(event)
    return found


def json_events(trace):
    """All of them: names, then the trace's in the order of their time, counters between them."""
    yield from names(trace)
    # A thread's own events stay in their order: sorting is stable.
    events = sorted(trace.events, key=lambda event: event.time)
    counters, ends = Counters(events), fault_ends(events)
    before = {}
    for index, event in enumerate(events):
        yield json_event(event, ends.get(index))
        if counters.counts(event):
            after = counters.after(event)
            if after != before.get(event.pid):
                yield {"ph": "C", "name": "pages", "pid": event.pid, "tid": event.tid,
                       "ts": event.time / 1000, "args": after}  # fmt: skip
            before[event.pid] = after


def write(trace, path):
    """One event a line, for grep."""
    about = dict(trace.header, events=len(trace.events), lost=trace.lost, ended=trace.ended)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"displayTimeUnit": "ns",\n"otherData": ' + json.dumps(about))
        file.write(',\n"traceEvents": [\n')
        file.write(",\n".join(json.dumps(event) for event in json_events(trace)))
        file.write("\n]}\n")


if __name__ == "__main__":
    trace_file.convert(sys.argv, __doc__, lambda path: None, write)
