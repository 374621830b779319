"""What docs_check.py checks, taken out of Markdown: blocks, headings, links, commands with their output."""

import os
import pathlib
import re

OMITTED = "..."

LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)|^\[[^\]\n]+\]:\s*(\S+)", re.M)
# What is another one at each run: addresses, with or without 0x; numbers with a decimal point, which are times, or made
# of times; times and memory by their units; numbers of processes and threads; how large the environment is.
VARIES = re.compile(r"0x[0-9a-f]+|\b(?=[0-9a-f]*\d)[0-9a-f]{6,}\b|(?<![\w.-])\d+\.\d+(?![\w.]*\.)|"
                    r"\b\d+(?= *(?:ns|us|µs|ms|s|seconds|KB|MB)\b)|(?<=thread )\d+|(?<=process )\d+|(?<=pid )\d+|"
                    r"(?<=/proc/)\d+|\d+(?= vars\b)", re.I)  # fmt: skip
# All numbers; words that are hexadecimal too, such as "be" and "ff".
NUMBER = re.compile(r"0x[0-9a-f]+|(?<![a-z_])\d+\.\d+|(?<![a-z_])[0-9a-f]*\d[0-9a-f]*|\b[0-9a-f]{2,}\b", re.I)


class Block:
    """A fenced block: its word, and its lines; `line` is the number of the first one."""

    def __init__(self, word, line):
        self.word, self.line, self.lines = word, line, []


class Document:
    """A Markdown file, taken apart."""

    def __init__(self, root, path):
        self.root, self.path = root, path
        self.name = str(path.relative_to(root))
        self.blocks, self.headings, self.counts = [], [], {}
        self.prose = "\n".join(self.read(path.read_text(encoding="utf-8").splitlines()))

    def read(self, lines):
        """Collects blocks and headings; the lines outside of blocks, and empty ones for those inside."""
        block, fence = None, ""
        for number, line in enumerate(lines, 1):
            mark = re.match(r"\s*(`{3,}|~{3,})\s*(\w*)", line)
            if block is not None and mark and mark[1].startswith(fence) and not mark[2]:
                block = None
            elif block is not None:
                block.lines.append(line)
            elif mark:
                block, fence = Block(mark[2], number + 1), mark[1]
                self.blocks.append(block)
            else:
                heading = re.match(r"(#+)\s+(.*)", line)
                if heading:
                    self.headings.append((number, len(heading[1]), heading[2].strip()))
                yield line
                continue
            yield ""

    def line_at(self, offset):
        return self.prose.count("\n", 0, offset) + 1

    def count(self, what, many=1):
        self.counts[what] = self.counts.get(what, 0) + many

    def anchors(self):
        """As GitHub makes them of headings."""
        found = []
        for _, _, text in self.headings:
            anchor = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "]", text).lower()).replace(" ", "-")
            again = sum(1 for other in found if re.fullmatch(re.escape(anchor) + r"(-\d+)?", other))
            found.append(f"{anchor}-{again}" if again else anchor)
        return found

    def links(self):
        """Line, target, path and anchor of each link to a file, outside of code."""
        text = re.sub(r"`[^`\n]*`", lambda code: "x" * len(code[0]), self.prose)
        for match in LINK.finditer(text):
            target = match[1] or match[2]
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            full = pathlib.Path(os.path.normpath(self.path.parent / path)) if path else self.path
            yield self.line_at(match.start()), target, full, anchor


def first_not_in(excerpt, lines):
    """The index of the first line of an excerpt that the lines do not have in their order, or None."""
    starts = [0]  # where the next line may be
    anywhere = True
    for index, text in enumerate(excerpt):
        if text.strip() == OMITTED:
            anywhere = True
            continue
        if anywhere and starts:
            starts = range(min(starts), len(lines))
        anywhere = False
        starts = [at + 1 for at in starts if at < len(lines) and lines[at].rstrip() == text.rstrip()]
        if not starts:
            return index
    return None


def steps_of(block):
    """Number of the line after it, the command, and the lines that it should write."""
    steps, goes_on = [], False
    for line, text in enumerate(block.lines, block.line):
        if line == block.line and text.startswith("#"):
            continue
        if goes_on or text.startswith("$ "):
            command = text if goes_on else text[2:]
            if goes_on:
                steps[-1] = (line + 1, steps[-1][1] + "\n" + command, [])
            else:
                steps.append((line + 1, command, []))
            goes_on = command.endswith("\\")
        else:
            steps[-1][2].append(text)
    for _, _, output in steps:
        while output and not output[-1].strip():
            output.pop()
    return steps


def normal(text, numbers):
    """Numbers that the pattern matches are #, blanks one."""
    return "\n".join(" ".join(numbers.sub("#", line).split()) for line in text.split("\n"))


def matched(expected, actual):
    """(None, ''), or the index of the first expected line that is not there, and what is there instead."""
    lines = actual.rstrip("\n").split("\n") if actual.rstrip("\n") else []
    reached, best = {0}, (0, 0)  # of the lines, how many the expected ones so far may stand for
    for index, text in enumerate(expected):
        best = (index, max(reached))
        if text == OMITTED:
            reached = set(range(min(reached), len(lines) + 1))
            continue
        reached = {at + 1 for at in reached if at < len(lines) and lines[at] == text}
        if not reached:
            break
    else:
        if len(lines) in reached:
            return None, ""
        best = (len(expected), max(reached))
    # After `...` any line could have been the expected one.
    any_line = best[0] > 0 and expected[best[0] - 1] == OMITTED
    if any_line:
        return best[0], "no such line"
    return best[0], (lines[best[1]] or "an empty line") if best[1] < len(lines) else "nothing more"


def numbered(document, kind):
    """Number and line of each heading `### KIND N.M`."""
    found = {}
    for line, level, text in document.headings:
        match = re.match(rf"{kind} (\d+\.\d+)\b", text)
        if match and level == 3:
            found[match[1]] = line
    return found
