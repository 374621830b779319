#!/usr/bin/env python3
"""Checks that the documents say what is so.

docs_check.py [--root=FOLDER] [--gcc=VERSION] [FILE]...

Documents are *.md and docs/**/*.md of FOLDER, this repository unless told, or only the FILEs.
Checked are
  names     `name` (`path`): the file is there, and the name is a word in it, or the title of a test where it is
            a *.bats; a trailing () and paths of the kernel's sources (KERNEL) are let pass
  excerpts  ```c blocks whose first line is /* path */: each line is in the file, after the one before
            it; a line `...` stands for omitted ones. In docs/course every ```c block is one.
  runs      ```console blocks: each `$ command` is run by bash in FOLDER, stdin /dev/null, $TMPDIR a
            folder that is empty when the document begins, and must write what follows it (stdout and
            stderr). A \\ at a line's end goes on in the next. Counts and sizes are compared as they are, after
            addresses, times, memory in KB and numbers of processes have become # (docs_markdown.py), FOLDER
            $PWD, that other folder $TMPDIR, and blanks one; in a block that begins with
            `# numbers vary: REASON` all numbers have become #. A line `...` matches any number of lines. A block
            that begins with `# not checked: REASON` is not run, nor a command of OPTIONAL where it is not
            installed. Where gcc is not the VERSION of the documents (12), addresses, sections and messages are
            others, too: that is said, and no finding.
  figures   what has a name of bench/figures.py beside it is what docs/figures.json has, one run of the bench
  links     relative ones lead to a file or folder, and #anchors to a heading
  course    chapters have their sections in order, each a figure that can be projected (PROJECTED); each exercise has a
            test, and a solution in SOLUTIONS with a link to it; no test is without an exercise, and no solution (not
            when FILEs are given)
  pages     each below docs/ can be reached by links from docs/README.md (not when FILEs are given)

One line a finding, FILE:LINE: what is wrong, and one a document. Exit status 1 if there are findings, 125 for wrong usage.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "bench"))

import figures  # noqa: E402
from huge_pages import without_huge_pages  # noqa: E402
from docs_markdown import NUMBER, VARIES, Document, first_not_in, matched, normal, numbered, steps_of  # noqa: E402

KERNEL = ("arch/x86/", "fs/", "include/", "kernel/", "mm/")
PROJECTED = (30, 100)  # lines and columns of the first block in Picture: what a projector shows in large letters
SECTIONS = ["Picture", "Walk", "Experiment", "Exercises"]
SOLUTIONS = "docs/course/solutions.md"  # away from the exercises: a reader tries those first
OPTIONAL = ("perf",)  # Ubuntu's comes with the kernel in use, Debian 11's has a version in its name
SECONDS = 120  # then a command hangs; no limit on how slow a machine may be

PAIR = re.compile(r"`([^`\n]+)`\s+\(`([\w./+-]+)`\)")


class Checker:
    def __init__(self, root, gcc):
        self.root, self.findings, self.documents, self.gcc = root, 0, {}, gcc
        self.figures = None  # of docs/figures.json, once a document wants them
        self.gcc_here = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()

    def finding(self, name, line, text):
        print(f"{name}:{line}: {text}")
        self.findings += 1

    def note(self, name, line, text):
        print(f"{name}:{line}: not checked: gcc {self.gcc} made this, here is gcc {self.gcc_here}: {text}")

    def document(self, path):
        if path not in self.documents:
            self.documents[path] = Document(self.root, path)
        return self.documents[path]

    # ---- names and excerpts ----

    def names(self, document):
        for match in PAIR.finditer(document.prose):
            name, path = match[1].removesuffix("()"), match[2]
            file, line = self.root / path, document.line_at(match.start())
            if path.startswith((*KERNEL, "-")) or not (re.search(r"[/.]", path) or file.is_file()):
                continue
            document.count("names")
            word = r"\s+".join(re.escape(part) for part in name.split())
            pattern = rf'(?m)^@test "{word}" {{' if path.endswith(".bats") else rf"(?<!\w){word}(?!\w)"
            if not file.is_file():
                self.finding(document.name, line, f"there is no file {path}")
            elif not re.search(pattern, file.read_text(encoding="utf-8", errors="replace")):
                self.finding(document.name, line, f"{path} has no {name}")

    def excerpt(self, document, block):
        first = re.fullmatch(r"/\* ([\w./-]+) \*/", block.lines[0].strip()) if block.lines else None
        if first is None:
            if document.name.startswith("docs/course/"):
                self.finding(document.name, block.line, "a block of C does not begin with /* path */")
            return
        if not (self.root / first[1]).is_file():
            self.finding(document.name, block.line, f"there is no file {first[1]}")
            return
        document.count("excerpts")
        wrong = first_not_in(block.lines[1:], (self.root / first[1]).read_text(encoding="utf-8").splitlines())
        if wrong is not None:
            text = block.lines[wrong + 1].strip()
            self.finding(document.name, block.line + wrong + 1,
                         f"{first[1]} does not have this line here: {text} (or lines before it are left out)")

    # ---- runs ----

    def run(self, document, block, folder):
        reason = re.match(r"#\s*not checked:\s*(.+)", block.lines[0]) if block.lines else None
        if reason:
            print(f"{document.name}:{block.line}: not checked: {reason[1]}")
            return
        numbers = VARIES
        if block.lines and re.match(r"#\s*numbers vary:\s*\S", block.lines[0]):
            numbers = NUMBER
        elif not block.lines or not block.lines[0].startswith("$ "):
            self.finding(document.name, block.line, "a console block does not begin with `$ command`")
            return
        for line, command, expected in steps_of(block):
            program = command.split()[0]
            if program in OPTIONAL and shutil.which(program) is None:
                print(f"{document.name}:{line}: not checked: {program} is not installed here")
                continue
            document.count("runs")
            actual = normal(self.output(command, folder), numbers)
            expected = [normal(text, numbers) for text in expected]
            end, rest = matched(expected, actual)
            if end is not None:
                wanted = expected[end] if end < len(expected) else "nothing more"
                say = self.finding if self.gcc == self.gcc_here else self.note
                say(document.name, line + end, f"`{command.splitlines()[0]}` writes: {rest}; here is: {wanted}")

    def output(self, command, folder):
        # Little of it: a shell touches more pages where there is more environment.
        env = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        env.update(TMPDIR=folder, LC_ALL="C.UTF-8")
        try:
            done = subprocess.run(["bash", "-c", command], cwd=self.root, env=env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"nothing: it was stopped after {SECONDS} seconds"
        text = done.stdout.decode(errors="replace")
        return text.replace(folder, "$TMPDIR").replace(str(self.root), "$PWD")

    # ---- figures ----

    def measured(self, document):
        text = document.path.read_text(encoding="utf-8")
        names = figures.names(text)
        if not names:
            return
        file = self.root / "docs/figures.json"
        if not file.is_file():
            print(f"{document.name}: its {names} figures are not checked: there is no {file.name}; make figures measures it")
            return
        document.count("figures", names)
        if self.figures is None:
            self.figures = figures.load(file)
        for line, what in figures.findings(self.figures, text):
            self.finding(document.name, line, what)

    # ---- links and pages ----

    def links(self, document):
        for line, target, path, anchor in document.links():
            document.count("links")
            if not path.is_relative_to(self.root) or not path.exists():
                self.finding(document.name, line, f"a link leads nowhere: {target}")
            elif anchor and path.suffix == ".md" and anchor not in self.document(path).anchors():
                self.finding(document.name, line, f"there is no such heading: {target}")

    def pages(self):
        start = self.root / "docs/README.md"
        waiting, seen = [start] if start.is_file() else [], set()
        while waiting:
            page = waiting.pop()
            if page in seen:
                continue
            seen.add(page)
            if page.suffix == ".md":
                waiting += [path for _, _, path, _ in self.document(page).links() if path.is_file()]
        for page in pages_of(self.root):
            # What a copy of the tree may leave out has no links to it, which would be dead there.
            if page not in seen and "solution" not in page.parts:
                self.finding(page.relative_to(self.root), 1, "no links lead here from docs/README.md")

    # ---- the course ----

    def chapter(self, document):
        number = re.match(r"docs/course/(\d+)-", document.name)
        if not number:
            return
        sections = [text for _, level, text in document.headings if level == 2]
        if sections != SECTIONS:
            self.finding(document.name, 1, f"its sections are {', '.join(sections)}; not {', '.join(SECTIONS)}")
        picture = next((block for block in document.blocks if block.word == "text"), None)
        shown = (len(picture.lines), max(map(len, picture.lines))) if picture else (0, 0)
        if picture is None or shown[0] > PROJECTED[0] or shown[1] > PROJECTED[1]:
            self.finding(document.name, picture.line if picture else 1,
                         f"its figure has {shown[0]} lines of up to {shown[1]} characters; a projector shows {PROJECTED[0]} of {PROJECTED[1]}")
        tests = f"tests/course/chapter_{number[1]}.bats"
        exercises, titles, solutions = numbered(document, "Exercise"), self.tests(tests), self.solutions()
        linked = {target for _, target, _, _ in document.links()}
        if not exercises:
            self.finding(document.name, 1, "it has no exercise")
        for key, line in titles.items():
            if key not in exercises:
                self.finding(tests, line, f"a test without an exercise: {key}")
        for key, line in exercises.items():
            document.count("exercises")
            if key not in titles:
                self.finding(document.name, line, f"exercise {key} has no test")
            if key not in solutions:
                self.finding(document.name, line, f"exercise {key} has no solution")
            elif f"{pathlib.Path(SOLUTIONS).name}#solution-{key.replace('.', '')}" not in linked:
                self.finding(document.name, line, f"exercise {key} has no link to its solution")
            if not key.startswith(f"{number[1]}."):
                self.finding(document.name, line, f"exercise {key} is in chapter {number[1]}")

    def tests(self, name):
        """Exercise (or a test's title, if it names none) and line of each test of a file."""
        path, found = self.root / name, {}
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines() if path.is_file() else [], 1):
            title = re.match(r'@test "(?:exercise (\d+\.\d+):)?(.*?)" {', text)
            if title:
                found[title[1] or title[2]] = line
        return found

    def solutions(self):
        path = self.root / SOLUTIONS
        return numbered(self.document(path), "Solution") if path.is_file() else {}

    def strays(self):
        chapters = [self.document(path) for path in sorted((self.root / "docs/course").glob("[0-9]*.md"))]
        exercises = {key for chapter in chapters for key in numbered(chapter, "Exercise")}
        for key, line in self.solutions().items():
            if key not in exercises:
                self.finding(SOLUTIONS, line, f"a solution without an exercise: {key}")
        for path in sorted((self.root / "tests/course").glob("*.bats")):
            number = re.fullmatch(r"chapter_(\d+)", path.stem)
            if not number or not list((self.root / "docs/course").glob(f"{number[1]}-*.md")):
                self.finding(path.relative_to(self.root), 1, "there is no such chapter")

    def check(self, path):
        document, before = self.document(path), self.findings
        self.names(document)
        self.links(document)
        self.measured(document)
        self.chapter(document)
        with tempfile.TemporaryDirectory() as folder:
            for block in document.blocks:
                if block.word == "c":
                    self.excerpt(document, block)
                elif block.word == "console":
                    self.run(document, block, folder)
        counts = ", ".join(f"{count} {what}" for what, count in document.counts.items())
        if self.findings == before:
            print(f"ok {document.name}: {counts or 'nothing to check'}")


def pages_of(root):
    return sorted([*(root / "docs").rglob("*.md"), *(root / "docs/man").glob("*.1")])


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s [--root=FOLDER] [FILE]...", add_help=False)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    parser.add_argument("--gcc", default="12")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    documents = [path.resolve() for path in arguments.files]
    for path in documents:
        if not path.is_relative_to(root) or not path.is_file():
            print(f"docs_check.py: {path}: no file of {root}; name documents there", file=sys.stderr)
            return 125
    # The documents' outputs are those of such a system.
    without_huge_pages()
    checker = Checker(root, arguments.gcc)
    for path in documents or [*root.glob("*.md"), *(root / "docs").rglob("*.md")]:
        checker.check(path)
    if not documents:
        checker.pages()
        checker.strays()
    return 1 if checker.findings else 0


if __name__ == "__main__":
    sys.exit(main())
