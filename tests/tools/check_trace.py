#!/usr/bin/env python3
"""check_trace.py TRACE STATISTICS: whether a trace agrees with itself and with --stats of its run."""
import json
import sys

FIELDS = 10
IN_ONE = 64  # so many pages may go to the engine in one piece, though some are there already


def main():
    lines = open(sys.argv[1]).read().split("\n")
    assert lines.pop() == "" and lines[0] == "page-trace 1"
    start = lines.index("events") + 1
    events = [line.split("\t") for line in lines[start:-1]]
    end = lines[-1].split("\t")
    statistics = json.load(open(sys.argv[2]))
    assert all(len(event) == FIELDS for event in events)
    assert end == ["end", str(len(events)), "0", f"exit {statistics['exit_status']}"], end
    faults = [event for event in events if event[3] == "fault"]
    assert len(faults) == statistics["faults"], (len(faults), statistics["faults"])
    calls = [event for event in events if event[3] == "call"]
    assert abs(len(calls) - statistics["calls"]) <= 1, (len(calls), statistics["calls"])
    assert sum(int(event[5]) for event in calls) == statistics["call_pages"]
    regions = [line.split("\t") for line in lines if line.startswith("region\t")]
    hidden = [(int(r[1], 16), int(r[2], 16)) for r in regions if r[5] == "hidden"]
    seen = set()
    for time, _, _, kind, address, pages, *_ in events:
        assert int(time) > 0
        if kind not in ("reveal", "populate", "huge"):
            continue
        for page in range(int(address, 16), int(address, 16) + 4096 * int(pages), 4096):
            assert page not in seen or int(pages) >= IN_ONE, f"page {page:x} comes in twice"
            assert any(low <= page < high for low, high in hidden), f"page {page:x} was not hidden"
            seen.add(page)
    for position, event in enumerate(events):
        if event[3] == "fault" and events[position + 1][3] not in ("reveal", "populate", "huge"):
            sys.exit(f"nothing comes in for the fault at {event[4]}")


main()
