#!/usr/bin/env python3
"""The figures of the documents: of one run of the bench, each by its name.

figures.py quiet RESULTS          waits, five minutes at most, until no other program uses the machine; RESULTS must be empty
figures.py collect RESULTS FILE   puts the medians and intervals of what is in the folder RESULTS into FILE, as JSON
figures.py write FILE DOCUMENT... writes the figures of FILE into documents
figures.py check FILE DOCUMENT... prints a line for each figure that differs in a document; status 1 if one does

`make figures` does all of it; FILE is docs/figures.json. In a document each of these has a name in a comment, which
readers of the page do not see:

  a figure   0.41<!-- patterns: touch-bss-64 sequential write: hybrid_loader x -->
             session or experiment; program or row, or how it begins where no other one begins so; column. A session's
             column is `LOADER UNIT` or `native UNIT`; units are x (wall time by native's), ms, KB and MB (peak RSS),
             faults (minor ones), served, ahead. `x low` and `x high` are the ends of x's interval.
  a table    <!-- figures: programs: native ms, -, hybrid_loader x -->, a line before it: the columns after the first;
             `-` is left as it is. A row's program is a comment in its first cell, or else the cell itself.
  an output  <!-- output: prog1 -->, a line before a block: what comes after `...` in it is RESULTS/prog1.txt
  the run    *on which machine, when*<!-- the run -->
  the claims <!-- figures: artifact -->, a line before the table of docs/artifact.md: its last cells
"""

import json
import pathlib
import re
import sys
import time

sys.dont_write_bytecode = True
import artifact  # noqa: E402 (nothing is left beside it)
from results import BUSY, by_name, load as load_if_there, read, stop  # noqa: E402

QUIET, PATIENCE = 0.3, 300  # above BUSY results are not taken; what begins at QUIET stays below; seconds
COUNTS = re.compile(r".*(KB|faults|served|ahead|count|calls)$")
ALWAYS = ("growth-always", "programs-always")

NAME = re.compile(r"(?P<value>\*[^*]*\*|-?[\d.]*\d)<!-- (?P<name>the run|[^:>]+: [^>]+: [^>]+?) -->")
TABLE = re.compile(r"<!-- figures: (?P<session>[^:>]+?)(?:: (?P<columns>[^>]+?))? -->$")
OUTPUT = re.compile(r"<!-- output: (\w+) -->$")


# ---- collecting ----


def machine(environments):
    """Of the one that all sessions ran on; what they began with counts, for later ones find the load of those before."""
    first = min(environments, key=lambda environment: environment["date"])
    for environment in environments:
        if any(environment[key] != first[key] for key in ("cpu", "cpus", "memory_kb", "kernel")):
            stop("the results are of two machines: measure all of it again, by make figures")
    if first["load"] is None or first["load"] > BUSY:
        stop(f"the machine was busy (load {first['load']}): measure again, by make figures")
    return {key: first[key] for key in ("cpu", "cpus", "memory_kb", "kernel", "transparent_huge_pages", "load", "date")}


def collect(folder, path):
    """All that is in the folder, in one file: a line for each program or row."""
    folder = pathlib.Path(folder)
    sessions = {name: found for name, found in read(folder).items() if "environment" in found}
    environments = [found["environment"] for found in sessions.values()]
    if not environments:
        stop(f"there are no results in {folder}: make figures measures them")
    outputs = {file.stem: of_output(file) for file in sorted(folder.glob("*.txt"))}
    left_out = [name for name in ALWAYS if name not in sessions]
    known = {"run": machine(environments), "left_out": left_out, "outputs": outputs, **by_name(sessions)}
    text = json.dumps(known, ensure_ascii=False, indent=1)
    # Three numbers of a figure, and the figures of a row, on one line.
    text = re.sub(r"\[\s+([-\d.]+),\s+([-\d.]+),\s+([-\d.]+)\s+\]", r"[\1, \2, \3]", text)
    text = re.sub(r"(\],|\{)\n {4}", r"\1 ", text).replace("]\n   }", "]}")
    pathlib.Path(path).write_text(text + "\n", encoding="utf-8")
    print(f"{path}: {sum(map(len, known['figures'].values()))} programs and rows of {', '.join(sessions)}")
    if left_out:
        print(f"left out, since only root measures them: {', '.join(left_out)}")


def of_output(file):
    """Lines of what compare has printed, without what it says of the machine."""
    lines = file.read_text(encoding="utf-8").rstrip().split("\n")
    start = next((at for at, line in enumerate(lines) if line.startswith("Medians of")), 0)
    end = next((at for at, line in enumerate(lines) if line.startswith("Warning:")), len(lines))
    return [line.rstrip() for line in lines[start:end]]


# ---- documents ----


def digits(number, column):
    """As people read it: ratios with two decimals, counts with none, times with three digits that count."""
    if COUNTS.match(column):
        return f"{number:.0f}"
    if re.search(r" x( low| high)?$|^x native$", column):
        return f"{number:.2f}"
    places = 0 if abs(number) >= 100 else 1 if abs(number) >= 10 or not re.search(" (ms|MB)$", column) else 2
    return f"{number:.{places}f}"


class Unknown(Exception):
    """A name that FILE does not have."""


class LeftOut(Exception):
    """The session is one that only root measures, and the run was not root's: the figure stays another run's."""


def figure(known, session, row, column):
    """The text of a figure."""
    rows = known["figures"].get(session)
    if session in known["left_out"]:
        raise LeftOut
    if rows is None:
        raise Unknown(f"there is no session {session}")
    found = [row] if row in rows else [name for name in rows if name.startswith(row)]
    if len(found) != 1:
        raise Unknown(f"{session} has {len(found)} programs or rows that begin with '{row}'")
    name, _, end = re.fullmatch(r"(.*?)( (low|high))?", column).groups()
    name, scale = (f"{name[:-2]}KB", 1e-3) if name.endswith(" MB") else (name, 1)
    if name not in rows[found[0]]:
        raise Unknown(f"'{found[0]}' in {session} has no column '{name}'")
    return digits(scale * rows[found[0]][name][[None, "low", "high"].index(end)], column)


def run_words(run):
    """The machine and the day of the run."""
    cpu = re.sub(r"\((R|TM)\)| Processor", "", run["cpu"])
    return (f"*on {cpu}, {run['cpus']} CPUs, {run['memory_kb'] / (1 << 20):.0f} GB, "
            f"{run['kernel'].split('-')[0]}, {run['date'][:10]}, load {run['load']:.1f} before it*")  # fmt: skip


def named(known, line):
    """The line with its figures as they are in the run."""

    def value(match):
        if match["name"] == "the run":
            return f"{run_words(known['run'])}<!-- the run -->"
        try:
            return f"{figure(known, *match['name'].split(': ', 2))}<!-- {match['name']} -->"
        except LeftOut:
            return match[0]

    return NAME.sub(value, line)


def row_of_table(known, session, columns, line):
    """A row, its cells after the first as the columns say."""
    cells = line.strip().strip("|").split("|")
    comment = re.search("<!-- (.*?) -->", cells[0])
    row = comment[1] if comment else cells[0].strip()
    for at, column in enumerate(columns, 1):
        if column != "-":
            cells[at] = f" {figure(known, session, row, column)} "
    return f"|{'|'.join(cells)}|"


def blocks(known, lines):
    """(number, line as it should be, or a finding) of each line; a table or output is dealt with as a whole."""
    at = 0
    while at < len(lines):
        table, output = TABLE.match(lines[at]), OUTPUT.match(lines[at])
        yield at + 1, lines[at] if table or output else one(named, known, lines[at])
        at += 1
        if table:
            end = next((end for end in range(at, len(lines)) if not lines[end].startswith("|")), len(lines))
            yield from enumerate(lines[at : at + 2], at + 1)
            for number in range(at + 2, end):
                if table["session"] == "artifact":
                    yield number + 1, artifact.published_row(known, lines[number])
                else:
                    columns = table["columns"].split(", ")
                    yield number + 1, one(row_of_table, known, table["session"], columns, lines[number])
            at = end
        elif output:
            first = lines.index("...", at) + 1
            end = next(end for end in range(first, len(lines)) if lines[end] in ("...", "```"))
            yield from enumerate(lines[at:first], at + 1)
            yield first + 1, "\n".join(known["outputs"].get(output[1], [f"there is no output {output[1]}"]))
            at = end


def one(function, known, *arguments):
    """What the function makes of a line, its last argument, or what it does not know, to be said of this line."""
    try:
        return function(known, *arguments)
    except LeftOut:
        return arguments[-1]
    except Unknown as unknown:
        return unknown
    except IndexError:
        return Unknown("this row has fewer cells than the table has columns")


def load(path):
    """What collect has written."""
    return load_if_there(path) or stop(f"there is no {path}: make figures measures it")


def names(text):
    """How many figures, tables and outputs of a run the text has."""
    return len(NAME.findall(text)) + sum(bool(TABLE.match(line) or OUTPUT.match(line)) for line in text.split("\n"))


def findings(known, text):
    """(number of the line, what is wrong) of each line that is not as the run has it."""
    lines = text.split("\n")
    for number, wanted in blocks(known, lines):
        if isinstance(wanted, Unknown):
            yield number, f"{wanted} in the run of the figures"
            continue
        for offset, line in enumerate(wanted.split("\n")):
            if number + offset > len(lines) or lines[number + offset - 1] != line:
                yield number + offset, f"the figures' run has: {line.strip()}"


def written(known, text):
    """The text with the figures of the run, and what is wrong with it besides."""
    wrong, result = [], []
    lines = text.split("\n")
    for number, wanted in blocks(known, lines):
        if isinstance(wanted, Unknown):
            wrong.append((number, str(wanted)))
            wanted = lines[number - 1]
        result.append(wanted)
    return "\n".join(result), wrong


def write(path, *documents):
    """Into the documents."""
    known, failed = load(path), False
    for document in map(pathlib.Path, documents):
        text, wrong = written(known, document.read_text(encoding="utf-8"))
        document.write_text(text, encoding="utf-8")
        for number, what in wrong:
            print(f"{document}:{number}: {what}")
            failed = True
    return failed


def check(path, *documents):
    """Findings of the documents."""
    known, failed = load(path), False
    for document in documents:
        for number, what in findings(known, pathlib.Path(document).read_text(encoding="utf-8")):
            print(f"{document}:{number}: {what}")
            failed = True
    return failed


def quiet(folder):
    """The load of the last minute is what the bench warns of. What is in the folder would be taken for this run's."""
    if any(pathlib.Path(folder).glob("*.json")):
        stop(f"{folder} has results of another run: name another folder, RESULTS=folder")
    end = time.monotonic() + PATIENCE
    while (load := float(pathlib.Path("/proc/loadavg").read_text(encoding="ascii").split()[0])) > QUIET:
        if time.monotonic() > end:
            stop(f"the machine is busy (load {load}): stop what else runs here")
        print(f"waiting until the machine is quiet: load {load}", flush=True)
        time.sleep(10)


COMMANDS = {"quiet": (quiet, range(1, 2)), "collect": (collect, range(2, 3)), "write": (write, range(1, 999)), "check": (check, range(1, 999))}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS or len(sys.argv) - 2 not in COMMANDS[sys.argv[1]][1]:
        stop(f"wrong usage.\n{__doc__}")
    try:
        sys.exit(1 if COMMANDS[sys.argv[1]][0](*sys.argv[2:]) else 0)
    except OSError as error:
        stop(f"{error.filename}: {error.strerror}")
