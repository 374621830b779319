"""trace_plot.py TRACE PICTURE: a picture of a run, address against time; PICTURE ends in .svg or .png."""

import bisect
import collections
import io
import math
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import collections as shapes  # the backend must be chosen first
    from matplotlib import lines, patches, pyplot
    from PIL import Image  # matplotlib needs it, too
except ImportError as missing:
    print(f"trace_plot.py needs matplotlib ({missing}): apt-get install python3-matplotlib", file=sys.stderr)
    sys.exit(125)

sys.dont_write_bytecode = True  # no __pycache__ among the sources
import trace_file  # noqa: E402
import trace_parts  # noqa: E402
from trace_file import PAGE  # noqa: E402
from trace_parts import MOST_LABEL  # noqa: E402

# Of Okabe and Ito's colors, which stay apart for the color-blind. Faults are points, the rest bars.
COLORS = {
    "fault": "#d55e00",
    "reveal": "#56b4e9",
    "populate": "#009e73",
    "huge": "#cc79a7",
    "system call": "#e69f00",
    "retire": "#000000",
}
HIDDEN, NATIVE = "#f7f7f7", "#dddddd"
LEGEND = {
    "fault": "touched: fault",
    "reveal": "revealed by policy",
    "populate": "populated",
    "huge": "huge pages asked for",
    "system call": "for a system call",
    "retire": "end of lazy paging",
}

# From this many events on they are drawn as an image, in SVG too.
MANY_EVENTS = 5000
# A lane's least height, that of a line of text; and what each doubling of its pages adds.
LANE_HEIGHT, LANE_GROWTH, LANE_GAP = 1.0, 1.2, 0.12
HOT_SYMBOLS = 10
# Letters of a name on the right that have room.
MOST_SYMBOL = 28
# Inches: of the plot, of a letter of a label, of a margin without labels.
PLOT_WIDTH, LETTER, MARGIN = 6.4, 0.057, 0.3

# A part drawn from low to high.
Lane = collections.namedtuple("Lane", "start end label state size low high")


def plain(text, most=MOST_SYMBOL):
    """Short, printable, and no formula: matplotlib takes what is between two $ for one."""
    text = trace_file.printable(text)
    if len(text) > most:
        text = text[: most // 2] + "…" + text[-(most - most // 2 - 1) :]
    return text.replace("$", r"\$")


def cut(trace):
    """The lanes of the address axis, from the lowest address up, without the gaps between them."""
    touched = sorted(event.address for event in trace.events if trace_file.cause(event))
    lanes, low = [], 0.0
    for part in trace_parts.parts(trace):
        height = LANE_HEIGHT
        # Nothing to see needs no more than a stripe.
        first = bisect.bisect_left(touched, part.start - part.start % PAGE)
        if first < len(touched) and touched[first] < part.end:
            height += LANE_GROWTH * math.log2(max(1, (part.end - part.start) / PAGE))
        lanes.append(Lane(*part, low, low + height))
        low += height + LANE_GAP
    return lanes


class Places:
    """From addresses to heights in the picture."""

    def __init__(self, lanes):
        self.lanes = lanes
        self.starts = [lane.start for lane in lanes]

    def at(self, address):
        """The height of an address, or None outside of the program."""
        index = bisect.bisect_right(self.starts, address) - 1
        if index < 0 or address >= self.lanes[index].end:
            return None
        lane = self.lanes[index]
        return lane.low + (address - lane.start) / (lane.end - lane.start) * (lane.high - lane.low)

    def spans(self, start, end):
        """[(low, high)]: the lanes' parts of a range of addresses."""
        found = []
        for lane in self.lanes[max(0, bisect.bisect_right(self.starts, start) - 1) :]:
            if lane.start >= end:
                break
            first, last = max(start, lane.start), min(end, lane.end)
            if first < last:
                scale = (lane.high - lane.low) / (lane.end - lane.start)
                found.append(
                    (lane.low + (first - lane.start) * scale, lane.low + (last - lane.start) * scale)
                )
        return found


def unit_of(trace):
    """(ns, its name): the unit of the time axis."""
    last = max((event.time for event in trace.events), default=0)
    for unit, name in ((10**9, "s"), (10**6, "ms"), (10**3, "µs")):
        if last >= 2 * unit:
            return unit, name
    return 1, "ns"


def draw_events(axes, trace, places, unit):
    """Faults as points, pages that come as lines. How many of each cause, and how many elsewhere."""
    points, spans = collections.defaultdict(list), collections.defaultdict(list)
    counts, elsewhere = collections.Counter(), 0
    for event in trace.events:
        cause, time = trace_file.cause(event), event.time / unit
        if event.kind == "retire":
            axes.axvline(time, color=COLORS["retire"], linewidth=0.8, linestyle="--")
            counts[cause] += 1
        elif event.kind == "fault":
            height = places.at(event.address)
            if height is None:
                elsewhere += 1
            else:
                points[cause].append((time, height))
            counts[cause] += 1
        elif trace_file.brings_pages(event):
            found = places.spans(event.address, event.address + event.pages * PAGE)
            elsewhere += not found
            spans[cause] += [((time, low), (time, high)) for low, high in found]
            counts[cause] += cause not in ("fault", "retire")
    draw_points_and_spans(axes, points, spans)
    return counts, elsewhere


def draw_points_and_spans(axes, points, spans):
    """Thinner where there are many."""
    many = sum(len(found) for found in (*points.values(), *spans.values())) > MANY_EVENTS
    for cause, found in spans.items():
        # Square ends, so that a single page of many can be seen.
        axes.add_collection(
            shapes.LineCollection(
                found, colors=COLORS[cause], linewidths=0.8 if many else 2.2,
                capstyle="projecting", alpha=0.7 if many else 1, rasterized=many, zorder=2,
            )  # fmt: skip
        )
    for cause, found in points.items():
        axes.scatter(
            *zip(*found), s=1 if many else 14, color=COLORS[cause], linewidths=0,
            alpha=0.5 if many else 1, rasterized=many, zorder=3,
        )  # fmt: skip


def lane_words(lane):
    """What stands beside a lane."""
    return f"{plain(lane.label, MOST_LABEL)}, {trace_parts.size_words(lane.size)}  {lane.start:x}"


def draw_lanes(axes, lanes):
    """Their names and sizes on the axis, a border around each; gray, what the kernel pages in."""
    for lane in lanes:
        color = NATIVE if lane.state == "native" else HIDDEN
        axes.axhspan(lane.low, lane.high, facecolor=color, edgecolor="#bbbbbb", linewidth=0.4, zorder=0)
    axes.set_yticks([(lane.low + lane.high) / 2 for lane in lanes])
    axes.set_yticklabels([lane_words(lane) for lane in lanes], fontsize=7)
    if lanes:
        # A point on the first or last page is not cut.
        axes.set_ylim(-LANE_GAP, lanes[-1].high + LANE_GAP)


def hot_symbols(trace, places):
    """[(height, name, faults)]: the most touched ones, from the lowest up; where there are no faults,
    those with the most events."""
    for wanted in (lambda event: event.kind == "fault", trace_file.brings_pages):
        heights = collections.defaultdict(list)
        for event in filter(wanted, trace.events):
            name, height = trace_file.base_name(event.symbol), places.at(event.address)
            if name and height is not None:
                heights[name].append(height)
        if heights:
            break
    most = sorted(heights, key=lambda name: (-len(heights[name]), name))[:HOT_SYMBOLS]
    return sorted((sorted(heights[name])[len(heights[name]) // 2], name, len(heights[name])) for name in most)


def spread(heights, distance, top):
    """Heights for labels at least that far apart, each near its own; from the lowest up."""
    placed = []
    for height in heights:
        placed.append(max(height, placed[-1] + distance if placed else distance / 2))
    highest = top - distance / 2
    for index in reversed(range(len(placed))):
        placed[index] = min(placed[index], highest)
        highest = placed[index] - distance
    return placed


def symbol_words(name, count):
    """What stands beside a symbol's place."""
    return f"{plain(name)} ({count})"


def draw_symbols(axes, symbols, distance):
    """Names on the right, each with a line to its place."""
    labels = spread([height for height, _, _ in symbols], distance, axes.get_ylim()[1])
    for (height, name, count), label in zip(symbols, labels):
        axes.annotate(
            symbol_words(name, count), (1, height), xycoords=("axes fraction", "data"),
            xytext=(1.04, label), textcoords=("axes fraction", "data"), fontsize=7, va="center",
            arrowprops={
                "arrowstyle": "-", "color": "#888888", "linewidth": 0.5, "shrinkA": 1, "shrinkB": 0,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )  # fmt: skip


def legend_handle(cause, count):
    """Looks as it does in the picture: a line where lazy paging ends, a point or a bar."""
    look = {"fault": {"marker": "o"}, "retire": {"linestyle": "--", "linewidth": 0.8}}
    style = {"linestyle": "", "marker": "s", "markersize": 5} | look.get(cause, {})
    if cause == "retire":
        del style["marker"]
    return lines.Line2D([], [], color=COLORS[cause], label=f"{LEGEND[cause]} ({count})", **style)


def draw_legend(figure, counts, lanes, place):
    """Only what occurs."""
    handles = [legend_handle(cause, counts[cause]) for cause in trace_file.CAUSES if counts[cause]]
    if any(lane.state == "native" for lane in lanes):
        handles.append(patches.Patch(facecolor=NATIVE, label="left to the kernel"))
    if handles:
        figure.legend(handles=handles, loc="lower center", ncol=4, fontsize=7, frameon=False,
                      bbox_to_anchor=place)  # fmt: skip


def describe(trace, elsewhere):
    """What stands under the title."""
    processes = len({event.pid for event in trace.events})
    threads = len({(event.pid, event.tid) for event in trace.events})
    words = [f"engine {trace.header['engine']}", f"{len(trace.events)} events", plain(trace.ended)]
    if threads > 1:
        words.append(f"{processes} process{'es' * (processes > 1)}, {threads} threads")
    if elsewhere:
        words.append(f"{elsewhere} elsewhere in memory")
    if trace.lost:
        words.append(trace_file.lost_words(trace))
    return ", ".join(words)


def label_inches(labels):
    """How wide a margin is that has room for these."""
    return MARGIN + LETTER * max(map(len, labels), default=0)


def draw(trace):
    """The figure. Its margins are inches: the more lanes, the higher it is; the longer names, the wider."""
    lanes = cut(trace)
    places, (unit, unit_name) = Places(lanes), unit_of(trace)
    symbols = hot_symbols(trace, places)
    top = lanes[-1].high if lanes else 1
    inches = min(max(3.0, 0.15 * top), 14.0)
    left = label_inches([lane_words(lane) for lane in lanes])
    width = left + PLOT_WIDTH + label_inches([symbol_words(*symbol[1:]) for symbol in symbols])
    height, middle = inches + 1.6, (left + PLOT_WIDTH / 2) / width
    figure = pyplot.figure(figsize=(width, height))
    axes = figure.add_axes((left / width, 1.0 / height, PLOT_WIDTH / width, inches / height))
    draw_lanes(axes, lanes)
    counts, elsewhere = draw_events(axes, trace, places, unit)
    last = max((event.time for event in trace.events), default=0) / unit
    axes.set_xlim(0, last * 1.02 or 1)
    axes.tick_params(axis="x", labelsize=8)
    draw_symbols(axes, symbols, 0.16 * top / inches)
    axes.set_xlabel(f"{unit_name} since the program's start", fontsize=8)
    header = trace.header
    program = plain(header["program"].rpartition("/")[2], 60)
    figure.suptitle(f"{program} under {plain(header['loader'])}, policy {plain(header['policy'])}",
                    x=middle, y=1 - 0.12 / height, fontsize=11)  # fmt: skip
    axes.set_title(describe(trace, elsewhere), fontsize=7, color="#666666")
    draw_legend(figure, counts, lanes, (middle, 0.08 / height))
    return figure


def check(path):
    """What is wrong with a picture's name."""
    return None if path.endswith((".svg", ".png")) else f"{path}: a picture's name ends in .svg or .png"


def write(trace, path):
    """Text as text, and no dates or random names: the same trace gives the same file."""
    matplotlib.rcParams.update({"svg.hashsalt": "trace", "svg.fonttype": "none"})
    figure = draw(trace)
    if path.endswith(".svg"):
        figure.savefig(path, metadata={"Date": None})
        return
    # With 64 colors: a quarter of the bytes, and no visible difference.
    full = io.BytesIO()
    figure.savefig(full, dpi=150)
    Image.open(full).convert("RGB").quantize(64).save(path, optimize=True)


if __name__ == "__main__":
    trace_file.convert(sys.argv, __doc__, check, write)
