#!/usr/bin/env python3
"""plots.py RESULTS FOLDER: pictures of what `make bench` and `make experiments` measured.

Reads the JSON files in RESULTS and writes each picture as SVG and PNG to FOLDER. A picture whose
results are not there is left out, and said so.
"""

import io
import json
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402 (the backend must be chosen first)
from PIL import Image  # noqa: E402 (matplotlib needs it, too)

# The same colour for a way of running in every picture; they differ in brightness, too.
COLOURS = {
    "native": "#333333",
    "all_at_once_loader": "#0072b2",
    "on_demand_loader": "#d55e00",
    "hybrid_loader": "#009e73",
}

# A. Goyal, 2014: 4-core Xeon E3-1270 V2, Linux 3.13. Milliseconds and KB.
PUBLISHED = {
    "all_at_once_loader": {"prog1": (2.344, 12506), "prog2": (9.721, 12509), "prog3": (2.592, 4693)},
    "on_demand_loader": {"prog1": (24.904, 4176), "prog2": (12.285, 652), "prog3": (6.405, 4172)},
    "hybrid_loader": {"prog1": (11.381, 4704), "prog2": (11.351, 1192), "prog3": (5.276, 4696)},
}


def label(command):
    """The name of a program or loader without its folder: ./a/b c is b c."""
    first, _, rest = (command or "native").partition(" ")
    return (first.rpartition("/")[2] + " " + rest).strip()


def load(results, name):
    """The results of a session or experiment, or None."""
    try:
        return json.loads((results / f"{name}.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def summaries(session):
    """{(program, loader): summary}, without the launcher alone."""
    return {
        (label(command["program"]), label(command["loader"])): command["summary"]
        for command in session["commands"]
        if command["program"] is not None
    }


def median(summary, measure, unit=1.0):
    """NaN where it is absent, which leaves a gap in a picture."""
    value = summary.get(measure)
    return float("nan") if value is None else value["median"] * unit


def logarithmic(axes):
    """Both axes, with plain numbers on them."""
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.grid(alpha=0.3, which="both")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))


def caption(figure, environment):
    """On which machine, and when: without it a picture says nothing."""
    text = f"{environment['cpu']}, {environment['cpus']} CPUs, {environment['kernel']}, {environment['date']}"
    figure.text(0.5, 0.005, text, ha="center", fontsize=7, color="#666666")


def draw_bars(axes, programs, ways, height):
    """Groups of bars, one a program; height(way, program); the last part of a way is its style."""
    width = 0.8 / len(ways)
    for number, way in enumerate(ways):
        name, published = way
        axes.bar(
            [at + (number - (len(ways) - 1) / 2) * width for at in range(len(programs))],
            [height(way, program) for program in programs],
            width,
            color="white" if published else COLOURS[name],
            edgecolor=COLOURS[name],
            hatch="////" if published else None,
            label=name + (" (2014)" if published else ""),
        )
    axes.set_xticks(range(len(programs)))
    axes.set_xticklabels(programs)
    axes.grid(axis="y", alpha=0.3)


def figure1(results):
    """Memory and time by program and loader, the published figures beside ours."""
    session = load(results, "programs")
    if session is None:
        return None
    known = summaries(session)
    ways = [("native", False)] + [(name, old) for name in PUBLISHED for old in (False, True)]
    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.2))
    for axes, at, measure, unit, title in (
        (panels[0], 1, "peak_rss_kb", 1e-3, "peak RSS, MB"),
        (panels[1], 0, "wall_ns", 1e-6, "time, ms"),
    ):

        def height(way, program, at=at, measure=measure, unit=unit):
            name, published = way
            if published:
                return PUBLISHED[name][program][at] * (1e-3 if at == 1 else 1)
            return median(known.get((program, name), {}), measure, unit)

        draw_bars(axes, ["prog1", "prog2", "prog3"], ways, height)
        axes.set_title(title)
    panels[1].legend(fontsize=8)
    return figure, session["environment"]


def policies(results):
    """Time against memory for every policy."""
    session = load(results, "policies")
    if session is None:
        return None
    known = summaries(session)
    programs = sorted({program for program, _ in known})
    loaders = sorted({loader for _, loader in known if loader != "native"})
    figure, panels = pyplot.subplots(2, (len(programs) + 1) // 2, figsize=(13, 6.5))
    for axes, program in zip(panels.flat, programs):
        native = known[(program, "native")]
        for number, loader in enumerate(loaders):
            summary = known[(program, loader)]
            ratio = summary["wall_ratio"] or {"low": 0, "median": float("nan"), "high": 0}
            axes.errorbar(
                median(summary, "peak_rss_kb") - median(native, "peak_rss_kb"),
                ratio["median"],
                [[ratio["median"] - ratio["low"]], [ratio["high"] - ratio["median"]]],
                marker="os^Dv*Px"[number % 8],
                capsize=3,
                linestyle="",
                label=loader.partition("--policy=")[2] or loader,
            )
        axes.axhline(1, color=COLOURS["native"], linewidth=0.8)
        axes.set_ylim(bottom=0)
        axes.set_xlim(0, axes.get_xlim()[1] + 16)
        axes.set_title(program, fontsize=9)
        axes.grid(alpha=0.3)
    for axes in panels.flat[len(programs) :]:
        axes.remove()
    panels.flat[0].legend(fontsize=8)
    # matplotlib 3.3 has no supxlabel().
    figure.text(0.5, 0.02, "peak RSS above native, KB", ha="center")
    figure.text(0.02, 0.5, "wall time, times native", va="center", rotation="vertical")
    return figure, session["environment"]


def window(results):
    """What a page costs against how many come at a time, for every way of getting it."""
    experiment = load(results, "fault_cost")
    if experiment is None:
        return None
    figure, axes = pyplot.subplots(figsize=(9, 5))
    for number, row in enumerate(experiment["tables"][0]["rows"]):
        points = []
        for column, values in row["columns"].items():
            batch = re.search(r"(\d+) at a time", column)
            if batch and None not in values:
                points.append((int(batch[1]), sorted(values)[len(values) // 2] / 1000))
        colour = f"C{number % 10}"
        if len(points) > 1:
            marker = "os^Dv*Px"[number % 8]
            axes.plot(*zip(*points), marker=marker, color=colour, label=row["row"])
        elif points:
            # What does not come in batches, as a level to compare with.
            axes.axhline(points[0][1], linestyle=":", color=colour, label=row["row"])
    logarithmic(axes)
    axes.set_xlabel("pages at a time")
    axes.set_ylabel("µs a page")
    axes.legend(fontsize=7, bbox_to_anchor=(1.01, 1), loc="upper left")
    return figure, experiment["environment"]


def growth(results):
    """How time and memory grow with .bss of which one percent is touched."""
    session = load(results, "growth")
    if session is None:
        return None
    known = summaries(session)
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4.2))
    for axes, measure, unit, title in (
        (panels[0], "peak_rss_kb", 1 / 1024, "peak RSS, MiB"),
        (panels[1], "wall_ns", 1e-6, "time, ms"),
    ):
        for loader, colour in COLOURS.items():
            points = sorted(
                (int(program.split()[0].rpartition("-")[2]), median(summary, measure, unit))
                for (program, run_by), summary in known.items()
                if run_by == loader
            )
            if points:
                axes.plot(*zip(*points), marker="o", color=colour, label=loader)
        logarithmic(axes)
        axes.set_xlabel(".bss, MiB, of which 1 % is written")
        axes.set_title(title)
    panels[0].legend(fontsize=8)
    return figure, session["environment"]


def save_png(figure, path):
    """With 64 colours: a quarter of the bytes, and nobody sees a difference."""
    full = io.BytesIO()
    figure.savefig(full, dpi=120)
    Image.open(full).convert("RGB").quantize(64).save(path, optimize=True)


def main(arguments):
    """Draws what there is."""
    if len(arguments) != 3:
        sys.exit(__doc__)
    results, folder = pathlib.Path(arguments[1]), pathlib.Path(arguments[2])
    folder.mkdir(parents=True, exist_ok=True)
    # Text as text, and no dates or random names: the same results give the same file.
    matplotlib.rcParams.update({"svg.hashsalt": "plots", "svg.fonttype": "none"})
    drawn = 0
    for draw in (figure1, policies, window, growth):
        picture = draw(results)
        if picture is None:
            print(f"{draw.__name__}: left out, {results} has no results for it")
            continue
        figure, environment = picture
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        caption(figure, environment)
        figure.savefig(folder / f"{draw.__name__}.svg", metadata={"Date": None})
        save_png(figure, folder / f"{draw.__name__}.png")
        print(f"{folder / draw.__name__}.svg and .png")
        drawn += 1
    if drawn == 0:
        sys.exit(f"plots.py: nothing to draw in {results}: run make bench, make experiments")


if __name__ == "__main__":
    main(sys.argv)
