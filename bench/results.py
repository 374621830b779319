"""results.py: what the JSON of compare and of the experiments has, by the names of docs/figures.json. Used by figures.py
and artifact.py."""

import json
import pathlib
import re
import statistics
import sys

BUSY = 0.5  # as in bench/report/warnings.c
UNITS = {"x": ("wall_ratio", 1), "ms": ("wall_ns", 1e-6), "KB": ("peak_rss_kb", 1),
         "faults": ("minor_faults", 1), "served": ("faults_served", 1), "ahead": ("pages_ahead", 1)}  # fmt: skip
REAL = "real programs"  # their geometric mean, and how many there are


def stop(text):
    """125, as with the loaders."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr)
    sys.exit(125)


def load(path):
    """JSON of a file, or None where there is none."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        return stop(f"{path} is no JSON ({error}): measure again")


def short(command):
    """./a/b --profile=folder c is b --profile c."""
    first, _, rest = (command or "native").partition(" ")
    return re.sub(r"--profile=\S+", "--profile", f"{first.rpartition('/')[2]} {rest}".strip())


def of_session(results):
    """{program: {column: [median, low, high]}}"""
    found, ratios = {}, {}
    for command in results["commands"]:
        if command["program"] is None:
            continue
        loader, row = short(command["loader"]), found.setdefault(short(command["program"]), {})
        for unit, (measure, scale) in UNITS.items():
            value = command["summary"].get(measure)
            if value is not None and (loader, unit) != ("native", "x"):
                row[f"{loader} {unit}"] = [round(value[key] * scale, 4) for key in ("median", "low", "high")]
        if command["program"].startswith("/") and command["summary"].get("wall_ratio"):
            ratios.setdefault(loader, []).append(command["summary"]["wall_ratio"]["median"])
    for loader, medians in ratios.items():
        found.setdefault(REAL, {})[f"{loader} x"] = [round(statistics.geometric_mean(medians), 4)] * 3
        found[REAL]["count"] = [len(medians)] * 3
    return found


def of_experiment(results):
    """The same of its tables' rows; nanoseconds become microseconds, and columns are named without them."""
    found = {}
    for row in (row for table in results.get("tables", []) for row in table["rows"]):
        scale = 1e-3 if next(iter(row["columns"])).startswith("ns a") else 1
        for column, values in row["columns"].items():
            if None not in values:
                known = [round(scale * of(values), 4) for of in (statistics.median, min, max)]
                found.setdefault(row["row"], {})[re.sub("^ns (a page, )?", "", column)] = known
    return found


def by_name(sessions):
    """The figures of {session: its JSON} by session, row and column; and what the experiments say of themselves."""
    figures = {name: of_session(found) if "commands" in found else of_experiment(found) for name, found in sessions.items()}
    return {"figures": figures, "sentences": {name: found["here"] for name, found in sessions.items() if "here" in found}}


def read(folder):
    """{session: its JSON} of a folder of results."""
    return {file.stem: load(file) for file in sorted(pathlib.Path(folder).glob("*.json"))}
