"""artifact.py report RESULTS CLAIMS.md REPORT.html [FIGURES.json]: each claim with what was measured here beside what was
published.

RESULTS is the folder that `make artifact` has filled: JSON of compare and of the experiments. CLAIMS.md is docs/artifact.md,
or a copy of it with other limits. FIGURES.json is what figures.py collect has made of other results: docs/figures.json where
it is not named."""

import collections
import html
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from results import BUSY, by_name, load, read, stop  # noqa: E402 (nothing is left beside it)

PUBLISHED = pathlib.Path(__file__).parent.parent / "docs/figures.json"
STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #1d2126; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; } td, th { border-bottom: 1px solid #dedbd3; padding: 6px 10px;
text-align: left; vertical-align: top; } td:nth-child(2) { min-width: 24em; } td:nth-child(n+4) { max-width: 17em; } td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
code { background: #f0eee8; padding: 1px 5px; border-radius: 4px; font-size: 13px; } .yes { color: #00714f; }
.no { color: #b34700; } .off { color: #6b7280; } small { color: #6b7280; }"""


# A row of the table of claims; its name in docs/figures.json is a comment, as in all documents.
Claim = collections.namedtuple("Claim", "id figure claim command time limit")
CLAIM = re.compile(r"\| (\w+) <!-- (.+?) --> \| (.+?) \| `(.+?)` \| (.+?) \| (.+?) \| ", re.MULTILINE)
LIMIT = re.compile(r"(?:at least ([\d.]+), )?at most ([\d.]+) (.*)")


def load_claims(path):
    """What there has to be: the claims."""
    claims = [Claim(*found) for found in CLAIM.findall(pathlib.Path(path).read_text(encoding="utf-8"))]
    return claims or stop(f"{path} has no claims: name docs/artifact.md, or a copy of it")


def measured(claim, known):
    """[median, low, high] of a claim's figure, or the sentence of an experiment; None: it was not measured."""
    session, _, name = claim.figure.partition(": ")
    row, _, column = name.partition(": ")
    return known["figures"].get(session, {}).get(row, {}).get(column) if name else known["sentences"].get(session)


AGREES, DIFFERS, NOISY = ("yes", "agrees"), ("no", "differs"), ("off", "too noisy")


def judge(claim, here):
    """The claim's own limits decide: of an interval that lies on both sides of one nothing can be said."""
    (_, low, high), (least, most) = here, (float(limit or 0) for limit in LIMIT.match(claim.limit).groups()[:2])
    if least <= low and high <= most:
        return AGREES
    return DIFFERS if high < least or low > most else NOISY


def digits(number):
    """Four of them that count, and no exponent."""
    return f"{number:.0f}" if number >= 1000 else f"{number:.4g}"


def figures(claim, value):
    """As people read them."""
    if value is None:
        return "not measured"
    if isinstance(value, str):
        return value
    median, low, high = map(digits, value)
    return f"{median} ({low} to {high}) {LIMIT.match(claim.limit)[3]}"


def machine_words(machine):
    """The machine in a line."""
    if not machine:
        return "unknown"
    return (f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['memory_kb'] // 1024} MiB, {machine['kernel']}, "
            f"huge pages {machine['transparent_huge_pages']}, {load_words(machine['load'])}, {machine['date']}")  # fmt: skip


def load_words(load):
    """How busy others kept the machine."""
    if load is None:
        return "load unknown"
    return f"load {load:.1f}" + (": it was busy" if load > BUSY else "")


def verdict(claim, here):
    """(class, word); a sentence of an experiment says itself whether it holds."""
    if here is None:
        return "off", "not measured"
    if not isinstance(here, str):
        return judge(claim, here)
    if here.startswith("Too noisy"):
        return NOISY
    return AGREES if here.startswith(("It holds:", "It holds;")) else DIFFERS


def row(claim, published, here):
    """A claim in the report."""
    here = measured(claim, here)
    word = verdict(claim, here)
    command, time = map(html.escape, (claim.command, claim.time))
    cells = (claim.id, f"{html.escape(claim.claim)}<br><code>{command}</code> <small>{time}</small>",
             html.escape(claim.limit), html.escape(figures(claim, measured(claim, published))),
             html.escape(figures(claim, here)))  # fmt: skip
    return ("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + f'<td class="{word[0]}">{word[1]}</td></tr>', word[1])


def report(folder, claims_path, path, figures_path=PUBLISHED):
    """The page, and a line for who waits for it."""
    claims = load_claims(claims_path)
    published = load(figures_path) or stop(f"there is no {figures_path}: name what figures.py collect has made")
    sessions = read(folder)
    known = by_name(sessions)
    rows = [row(claim, published, known) for claim in claims]
    here = next((found["environment"] for found in sessions.values() if "environment" in found), None)
    warnings = [text for found in sessions.values() for text in found.get("warnings", [])]
    counts = ", ".join(f"{sum(word == wanted for _, word in rows)} {wanted}" for wanted in ("agrees", "differs", "too noisy", "not measured"))
    page = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Claims, there and here</title>
<style>{STYLE}</style></head><body><h1>Claims, there and here</h1>
<p>Published: {html.escape(machine_words(published['run']))}<br>Here: {html.escape(machine_words(here))}</p>
<p><b>{counts}.</b> Medians with 95 % intervals. A claim agrees if the whole interval keeps its limits, and differs if none of it does; else the run was too noisy.</p>
<table><tr><th></th><th>claim, and the command for it</th><th>limit</th><th>published</th><th>here</th><th></th></tr>
{"".join(text for text, _ in rows)}</table>
{"".join(f"<p class=no>Warning: {html.escape(text)}</p>" for text in dict.fromkeys(warnings))}</body></html>
"""
    pathlib.Path(path).write_text(page, encoding="utf-8")
    print(f"{path}: {counts}")


def published_row(known, line):
    """A row of the table, its last cell as the run has it."""
    found = CLAIM.match(line)
    claim = Claim(*found.groups())
    words = figures(claim, measured(claim, known)).split(":")[0].split(";")[0]
    return f"{found[0]}{words} |"


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6) or sys.argv[1] != "report":
        stop(f"wrong usage.\n{__doc__}")
    try:
        report(*sys.argv[2:])
    except OSError as error:
        stop(f"{error.filename}: {error.strerror}")
