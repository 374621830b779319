"""artifact.py report RESULTS CLAIMS.json REPORT.html: each claim with what was measured here beside what was published.
artifact.py publish RESULTS CLAIMS.json: the figures in RESULTS become the published ones.
artifact.py table CLAIMS.json: the claims as a table in Markdown, for docs/artifact.md.

RESULTS is the folder that `make artifact` has filled: JSON of compare and of the experiments."""

import html
import json
import pathlib
import re
import sys

STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #1d2126; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; } td, th { border-bottom: 1px solid #dedbd3; padding: 6px 10px;
text-align: left; vertical-align: top; } td:nth-child(2) { min-width: 24em; } td:nth-child(n+4) { max-width: 17em; } td.n { font-variant-numeric: tabular-nums; white-space: nowrap; }
code { background: #f0eee8; padding: 1px 5px; border-radius: 4px; font-size: 13px; } .yes { color: #00714f; }
.no { color: #b34700; } .off { color: #6b7280; } small { color: #6b7280; }"""


def stop(text):
    """125, as with the loaders."""
    print(f"artifact.py: {text}", file=sys.stderr)
    sys.exit(125)


def load(path):
    """JSON of a file, or None where there is none."""
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        stop(f"{path} is no JSON ({error}): measure again, by make artifact")


def load_claims(path):
    """What there has to be: the claims."""
    claims = load(path)
    if not isinstance(claims, dict) or "claims" not in claims:
        stop(f"{path} has no claims: name bench/artifact.json, or a copy of it")
    return claims


def measured(claim, folder):
    """{median, low, high} of a claim's figure here, or {sentence}; None: it was not measured."""
    results = load(pathlib.Path(folder) / claim["results"])
    if results is None:
        return None
    if "measure" not in claim:
        return {"sentence": results["here"]}
    for command in results["commands"]:
        if command["program"] and (command["program"], command["loader"] or "") == (claim["program"], claim["loader"]):
            return command["summary"].get(claim["measure"])
    return None


BUSY = 0.5  # as in bench/report/warnings.c
AGREES, DIFFERS, NOISY = ("yes", "agrees"), ("no", "differs"), ("off", "too noisy")


def judge(claim, here):
    """The claim's own limits decide: of an interval that lies on both sides of one nothing can be said."""
    least, most = claim.get("at_least", 0), claim["at_most"]
    if least <= here["low"] and here["high"] <= most:
        return AGREES
    return DIFFERS if here["high"] < least or here["low"] > most else NOISY


def digits(number):
    """Four of them that count, and no exponent."""
    return f"{number:.0f}" if number >= 1000 else f"{number:.4g}"


def figures(claim, value):
    """As people read them."""
    if value is None:
        return "not measured"
    if "sentence" in value:
        return value["sentence"]
    return f"{digits(value['median'])} ({digits(value['low'])} to {digits(value['high'])}) {claim['unit']}"


def limit(claim):
    """What a claim says of its figure."""
    if "measure" not in claim:
        return "its verdict: It holds"
    least = f"at least {claim['at_least']:g}, " if "at_least" in claim else ""
    return f"{least}at most {claim['at_most']:g} {claim['unit']}"


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
    if "sentence" not in here:
        return judge(claim, here)
    if here["sentence"].startswith("Too noisy"):
        return NOISY
    return AGREES if here["sentence"].startswith(("It holds:", "It holds;")) else DIFFERS


def row(claim, folder):
    """A claim in the report."""
    here = measured(claim, folder)
    word = verdict(claim, here)
    cells = (claim["id"], f"{html.escape(claim['claim'])}<br><code>{html.escape(claim['command'])}</code> "
             f"<small>{html.escape(claim['time'])}</small>", html.escape(limit(claim)),
             html.escape(figures(claim, claim.get("published"))), html.escape(figures(claim, here)))  # fmt: skip
    return ("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + f'<td class="{word[0]}">{word[1]}</td></tr>', word[1])


def report(folder, claims_path, path):
    """The page, and a line for who waits for it."""
    claims = load_claims(claims_path)
    rows = [row(claim, folder) for claim in claims["claims"]]
    sessions = [load(file) for file in sorted(pathlib.Path(folder).glob("*.json"))]
    here = next((found["environment"] for found in sessions if found and "environment" in found), None)
    warnings = [text for found in sessions if found for text in found.get("warnings", [])]
    counts = ", ".join(f"{sum(word == wanted for _, word in rows)} {wanted}" for wanted in ("agrees", "differs", "too noisy", "not measured"))
    page = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Claims, there and here</title>
<style>{STYLE}</style></head><body><h1>Claims, there and here</h1>
<p>Published: {html.escape(machine_words(claims.get('machine')))}<br>Here: {html.escape(machine_words(here))}</p>
<p><b>{counts}.</b> Medians with 95 % intervals. A claim agrees if the whole interval keeps its limits, and differs if none of it does; else the run was too noisy.</p>
<table><tr><th></th><th>claim, and the command for it</th><th>limit</th><th>published</th><th>here</th><th></th></tr>
{"".join(text for text, _ in rows)}</table>
{"".join(f"<p class=no>Warning: {html.escape(text)}</p>" for text in dict.fromkeys(warnings))}</body></html>
"""
    pathlib.Path(path).write_text(page, encoding="utf-8")
    print(f"{path}: {counts}")


def publish(folder, claims_path):
    """What is here is what others compare with from now on."""
    claims = load_claims(claims_path)
    for claim in claims["claims"]:
        claim["published"] = measured(claim, folder)
    found = load(pathlib.Path(folder) / claims["claims"][0]["results"])
    claims["machine"] = found["environment"] if found else None
    text = json.dumps(claims, indent=1, ensure_ascii=False)
    text = re.sub(r'\{\n *("median": .*)\n *("low": .*)\n *("high": .*)\n *\}', r"{\1 \2 \3}", text)  # figures on one line
    pathlib.Path(claims_path).write_text(text + "\n", encoding="utf-8")


def table_lines(claims_path):
    """The claims in Markdown."""
    yield from ("| | claim | command | time | limit | published |", "|---|---|---|---|---|---|")
    for claim in load_claims(claims_path)["claims"]:
        published = claim.get("published")
        words = published["sentence"].split(":")[0].split(";")[0] if published and "sentence" in published else figures(claim, published)
        yield f"| {claim['id']} | {claim['claim']} | `{claim['command']}` | {claim['time']} | {limit(claim)} | {words} |"


def table(claims_path):
    """For who wants to read it."""
    print("\n".join(table_lines(claims_path)))


COMMANDS = {"report": (report, 3), "publish": (publish, 2), "table": (table, 1)}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in COMMANDS or len(sys.argv) != 2 + COMMANDS[sys.argv[1]][1]:
        stop(f"wrong usage.\n{__doc__}")
    try:
        COMMANDS[sys.argv[1]][0](*sys.argv[2:])
    except OSError as error:
        stop(f"{error.filename}: {error.strerror}")
