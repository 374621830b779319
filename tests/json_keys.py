#!/usr/bin/env python3
"""json_keys.py SECTION FILE...: whether docs/json.md has under `## SECTION` the keys of these files, no less, no more.

A file is one object, or has an object a line (--explain=json) among other lines. Keys are paths, as the
document has them: a.b, a[].b. MEASURE, COLUMN and event stand for what is named elsewhere.
"""
import json
import pathlib
import re
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / "docs/json.md"
# The names of other processors, as x86-64 has them.
X86_64 = {"jump.pc": "jump.rip", "jump.sp": "jump.rsp"}
KINDS = ("header", "segment", "plan", "mapping", "stack", "word", "jump", "end")


def documented(section):
    """The keys in the first column of the section's own tables."""
    text = re.split(r"^##+ " + re.escape(section) + "\n", DOCUMENT.read_text(), flags=re.M)[1]
    rows = re.findall(r"^\| (`.*?) \|", re.split(r"^##", text, flags=re.M)[0], re.M)
    return {key for row in rows for key in re.findall(r"`([^`]+)`", row)}


def paths(value, path=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, f"{path}.{key}" if path else key)
        if not value:
            yield path + ".-"
    elif isinstance(value, list):
        yield from (found for inner in value for found in paths(inner, path + "[]"))
        if not value:
            yield path + "[]"
    else:
        yield path


def story_paths(objects):
    for item in objects:
        for key in item:
            kind = item["what"] if item["what"] in KINDS or key == "number" else "event"
            yield X86_64.get(f"{kind}.{key}", f"{kind}.{key}")


def general(path, names):
    """A path as the document has it; measures and what is known of the machine go to names."""
    names["The machine"] |= set(re.findall(r"^environment\.(.*)", path))
    path = re.sub(r"^environment\..*", "environment", path)
    path = re.sub(r"^calls_by_name\..*", "calls_by_name.CALL", path)
    measure = re.search(r"^(?:absent|commands\[\]\.samples\[\]|commands\[\]\.summary)\.([^.]+)", path)
    if measure and measure[1] not in ("for", "ended", "wall_ratio"):
        names["Measures"].add(measure[1])
        if re.match(r"commands.*summary\.[^.]+$", path):
            return None  # null: not measured in any round
        path = path.replace("." + measure[1], ".MEASURE")
    return re.sub(r"\.columns\.[^.]+$", ".columns.COLUMN[]", path)


def differ(section, found):
    wanted = documented(section)
    for key in sorted(found - wanted):
        print(f"docs/json.md, {section}: lacks {key}")
    for key in sorted(wanted - found):
        print(f"docs/json.md, {section}: nobody writes {key}")
    return found != wanted


def main():
    section, found, names = sys.argv[1], set(), {"Measures": set(), "The machine": set()}
    for file in sys.argv[2:]:
        text = pathlib.Path(file).read_text()
        if section.startswith("--explain"):
            found |= set(story_paths(json.loads(line) for line in text.splitlines() if line.startswith('{"what')))
        else:
            found |= {general(path, names) for path in paths(json.loads(text))}
    failed = differ(section, found - {None})
    for other, keys in names.items():
        failed |= bool(keys) and differ(other, keys)
    sys.exit(failed)


main()
