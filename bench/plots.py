#!/usr/bin/env python3
"""plots.py RESULTS FOLDER: pictures of what `make bench` and `make experiments` measured.

Reads the JSON files in RESULTS and writes each picture as SVG and PNG to FOLDER. A picture whose
results are not there is left out, and said so.
"""

import io
import pathlib
import re
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker, transforms  # the backend must be chosen first
    from PIL import Image  # matplotlib needs it, too
except ImportError as missing:
    print(f"plots.py needs matplotlib ({missing}): apt-get install python3-matplotlib", file=sys.stderr)
    sys.exit(125)

sys.dont_write_bytecode = True
from results import load, stop  # noqa: E402 (nothing is left beside it)

# The same color for a way of running in every picture; they differ in brightness, too.
COLORS = {
    "native": "#333333",
    "all_at_once_loader": "#0072b2",
    "on_demand_loader": "#d55e00",
    "hybrid_loader": "#009e73",
}

# Okabe and Ito's colors, and as many shapes and lines again: together 56 that differ in two ways each.
SERIES_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333")
SERIES_MARKERS = "os^Dv*Px"
SERIES_LINES = ("-", "--", "-.", ":")

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


def session_of(results, name):
    """The results of a session or experiment, or None."""
    return load(results / f"{name}.json")


def summaries(session):
    """{(program, loader): summary}, without the launcher alone."""
    return {
        (label(command["program"]), label(command["loader"])): command["summary"]
        for command in session["commands"]
        if command["program"] is not None
    }


def series_style(number):
    """Of the series with that number. Hollow, each a little smaller: what lies below one is seen around it."""
    return {
        "color": SERIES_COLORS[number % len(SERIES_COLORS)],
        "marker": SERIES_MARKERS[number % len(SERIES_MARKERS)],
        "linestyle": SERIES_LINES[number // len(SERIES_COLORS) % len(SERIES_LINES)],
        "markersize": 10 - number % 7,
        "markerfacecolor": "none",
        "linewidth": 2.6 - 0.25 * (number % 7),
    }


def beside(axes, number, count):
    """Where series with that number is drawn: the same data side by side, four points apart, so that all are seen."""
    shift = transforms.ScaledTranslation((number - (count - 1) / 2) * 4 / 72, 0, axes.figure.dpi_scale_trans)
    return axes.transData + shift


def interval(summary, measure, unit=1.0):
    """(median, what it is above low, what high is above it); NaN where it is absent."""
    value = summary.get(measure)
    if value is None:
        return float("nan"), 0, 0
    return value["median"] * unit, (value["median"] - value["low"]) * unit, (value["high"] - value["median"]) * unit


def legend_below(figure, axes, columns):
    """Below the panels, where no data is. The caption is below it."""
    handles, labels = axes.get_legend_handles_labels()
    rows = -(-len(labels) // columns)
    figure.legend(handles, labels, loc="lower center", ncol=columns, fontsize=8, frameon=False, bbox_to_anchor=(0.5, 0.025))
    figure.legend_share = (0.25 + 0.19 * rows) / figure.get_size_inches()[1]


def ticks_at(axes, values):
    """Where it was measured, and nowhere else."""
    axes.set_xticks(sorted(set(values)))
    axes.xaxis.set_minor_locator(ticker.NullLocator())


def median(summary, measure, unit=1.0):
    """NaN where it is absent, which leaves a gap in a picture."""
    value = summary.get(measure)
    return float("nan") if value is None else value["median"] * unit


def logarithmic(axes):
    """Both axes, with plain numbers on them."""
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(alpha=0.3)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))


def caption(figure, results):
    """On which machine, when, and whether it was busy: without it a picture says nothing."""
    environment = results["environment"]
    text = f"{environment['cpu']}, {environment['cpus']} CPUs, {environment['kernel']}, {environment['date']}"
    if environment["load"] is not None and environment["load"] > 0.5 * environment["cpus"]:
        text += f"; the machine was busy, load {environment['load']:.1f}"
    figure.text(0.5, 0.005, text, ha="center", fontsize=7, color="#666666")


def draw_bars(axes, programs, ways, height):
    """Groups of bars, one a program; height(way, program) with its interval; the last part of a way is its style."""
    width = 0.8 / len(ways)
    for number, way in enumerate(ways):
        name, published = way
        heights, below, above = zip(*(height(way, program) for program in programs))
        axes.bar(
            [at + (number - (len(ways) - 1) / 2) * width for at in range(len(programs))],
            heights,
            width,
            yerr=None if published else (below, above),
            error_kw={"elinewidth": 0.9, "capsize": 2},
            color="white" if published else COLORS[name],
            edgecolor=COLORS[name],
            hatch="////" if published else None,
            label=name + (" (2014)" if published else ""),
        )
    axes.set_xticks(range(len(programs)))
    axes.set_xticklabels(programs)
    axes.grid(axis="y", alpha=0.3)


def by_setting(results, name):
    """The session, and the same with huge pages always where there is one, each with its huge pages' setting."""
    found = [session_of(results, session) for session in (name, f"{name}-always")]
    return [(session, session["environment"]["transparent_huge_pages"]) for session in found if session is not None]


def panels_by_setting(sessions, width, height):
    """A row of two panels for each: memory and time."""
    return pyplot.subplots(len(sessions), 2, figsize=(width, height * len(sessions)), squeeze=False)


def figure1(results):
    """Memory and time by program and loader, the published figures next to this run's; a row for each setting."""
    sessions = by_setting(results, "programs")
    if not sessions:
        return None
    ways = [("native", False)] + [(name, old) for name in PUBLISHED for old in (False, True)]
    figure, panels = panels_by_setting(sessions, 11, 4.2)
    for row, (session, setting) in zip(panels, sessions):
        draw_figure1(row, summaries(session), ways, setting)
    legend_below(figure, panels[-1][1], 4)
    return figure, sessions[0][0]


def draw_figure1(row, known, ways, setting):
    for axes, at, measure, unit, title in (
        (row[0], 1, "peak_rss_kb", 1e-3, "peak RSS, MB"),
        (row[1], 0, "wall_ns", 1e-6, "time, ms"),
    ):

        def height(way, program, at=at, measure=measure, unit=unit):
            name, published = way
            if published:
                return PUBLISHED[name][program][at] * (1e-3 if at == 1 else 1), 0, 0
            return interval(known.get((program, name), {}), measure, unit)

        draw_bars(axes, ["prog1", "prog2", "prog3"], ways, height)
        axes.set_title(f"{title}; huge pages: {setting}")


def policies(results):
    """Time against memory for every policy."""
    session = session_of(results, "policies")
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
                **dict(series_style(number), linestyle="", markersize=6),
                transform=beside(axes, number, len(loaders)),
                elinewidth=0.9,
                capsize=2,
                label=loader.partition("--policy=")[2] or loader,
            )
        axes.axhline(1, color=COLORS["native"], linewidth=0.8)
        axes.set_ylim(bottom=0)
        right = axes.get_xlim()[1] + 16
        axes.set_xlim(-right / 8, right * 1.05)
        axes.set_title(program, fontsize=9)
        axes.grid(alpha=0.3)
    for axes in panels.flat[len(programs) :]:
        axes.remove()
    legend_below(figure, panels.flat[0], 8)
    # matplotlib 3.3 has no supxlabel().
    for axes in panels[-1]:
        axes.set_xlabel("KB of RSS above native; equal ones side by side", fontsize=8)
    for axes in panels[:, 0]:
        axes.set_ylabel("times native")
    return figure, session


def window(results):
    """What a page costs against how many come at a time, for every way of getting it."""
    experiment = session_of(results, "fault_cost")
    if experiment is None:
        return None
    figure, axes = pyplot.subplots(figsize=(9, 6.5))
    sizes = set()
    for number, row in enumerate(experiment["tables"][0]["rows"]):
        points, low, high = [], [], []
        for column, values in row["columns"].items():
            batch = re.search(r"(\d+) at a time", column)
            if batch and None not in values:
                points.append((int(batch[1]), sorted(values)[len(values) // 2] / 1000))
                low.append(points[-1][1] - min(values) / 1000)
                high.append(max(values) / 1000 - points[-1][1])
                sizes.add(int(batch[1]))
        style = series_style(number)
        if len(points) > 1:
            axes.errorbar(*zip(*points), yerr=(low, high), capsize=2, elinewidth=0.7, label=row["row"], **style)
        elif points:
            # What does not come in batches, as a level to compare with.
            axes.axhline(points[0][1], linestyle=":", color=style["color"], linewidth=style["linewidth"], label=row["row"])
    logarithmic(axes)
    ticks_at(axes, sizes)
    axes.set_xlabel("pages at a time")
    axes.set_ylabel("µs a page: median, least and most")
    legend_below(figure, axes, 3)
    return figure, experiment


def growth(results):
    """How time and memory grow with .bss of which one percent is touched; a row for each setting."""
    sessions = by_setting(results, "growth")
    if not sessions:
        return None
    figure, panels = panels_by_setting(sessions, 10, 4.2)
    for row, (session, setting) in zip(panels, sessions):
        draw_growth(row, summaries(session), setting)
    legend_below(figure, panels[-1][0], 4)
    return figure, sessions[0][0]


def draw_growth(row, known, setting):
    for axes, measure, unit, title in (
        (row[0], "peak_rss_kb", 1 / 1024, "peak RSS, MiB"),
        (row[1], "wall_ns", 1e-6, "time, ms"),
    ):
        sizes = set()
        for number, (loader, color) in enumerate(COLORS.items()):
            points = sorted(
                (int(program.split()[0].rpartition("-")[2]), *interval(summary, measure, unit))
                for (program, run_by), summary in known.items()
                if run_by == loader
            )
            if points:
                at, medians, below, above = zip(*points)
                sizes.update(at)
                style = dict(series_style(number), color=color)
                axes.errorbar(at, medians, yerr=(below, above), capsize=2, elinewidth=0.8, label=loader, **style)
        logarithmic(axes)
        ticks_at(axes, sizes)
        axes.set_xlabel(".bss, MiB, of which 1 % is written")
        axes.set_title(f"{title}; huge pages: {setting}")


def frames(results):
    """How much runs differ from each other, for each strategy of placement."""
    experiment = session_of(results, "frames")
    if experiment is None:
        return None
    rows = experiment["tables"][0]["rows"]
    figure, axes = pyplot.subplots(figsize=(9, 4.2))
    for number, row in enumerate(rows):
        for column, marker, color in (("least Mcycles", "v", "#0072b2"), ("mean Mcycles", "o", "#d55e00")):
            values = [value for value in row["columns"][column] if value is not None]
            label = column.replace("Mcycles", "iteration of each run") if number == 0 else None
            axes.plot(values, [number] * len(values), marker, color=color, alpha=0.5, linestyle="", label=label)
    axes.set_yticks(range(len(rows)))
    axes.set_yticklabels([row["row"] for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("million cycles")
    axes.grid(axis="x", alpha=0.3)
    legend_below(figure, axes, 2)
    return figure, experiment


def save_png(figure, path):
    """With 64 colors: a quarter of the bytes, and no visible difference."""
    full = io.BytesIO()
    figure.savefig(full, dpi=120)
    Image.open(full).convert("RGB").quantize(64).save(path, optimize=True)


def main(arguments):
    """Draws what there is."""
    if len(arguments) != 3:
        stop(f"wrong usage.\n{__doc__}")
    results, folder = pathlib.Path(arguments[1]), pathlib.Path(arguments[2])
    folder.mkdir(parents=True, exist_ok=True)
    # Text as text, and no dates or random names: the same results give the same file.
    matplotlib.rcParams.update({"svg.hashsalt": "plots", "svg.fonttype": "none"})
    drawn = 0
    for draw in (figure1, policies, window, growth, frames):
        picture = draw(results)
        if picture is None:
            print(f"{draw.__name__}: left out, {results} has no results for it")
            continue
        figure, found = picture
        figure.tight_layout(rect=(0, 0.01 + figure.legend_share, 1, 1))
        caption(figure, found)
        figure.savefig(folder / f"{draw.__name__}.svg", metadata={"Date": None})
        save_png(figure, folder / f"{draw.__name__}.png")
        print(f"{folder / draw.__name__}.svg and .png")
        drawn += 1
    if drawn == 0:
        stop(f"nothing to draw in {results}: run make bench, make experiments")


if __name__ == "__main__":
    main(sys.argv)
