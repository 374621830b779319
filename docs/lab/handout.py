#!/usr/bin/env python3
"""handout.py [--part=stack|pager] ARCHIVE: writes the files for students to ARCHIVE, a .tar.gz.

The archive has the lab's folder without the files for teachers, and the documents that it links to. All links work
without the repository. --part is for a shorter course: the archive then has the solution of the other steps. With
--part=stack only build_stack() is missing (grade.sh --pagers=apager). With --part=pager serve_faults(), find_segment()
and the loop of dpager are missing (grade.sh --pagers=apager,dpager).
"""

import io
import os
import pathlib
import re
import sys
import tarfile

DOCS = pathlib.Path(__file__).resolve().parent.parent
LAB = DOCS / "lab"
# The files that students write, by part; the solution's others are given.
WRITTEN = {"stack": ("stack.c",), "pager": ("fault.c", "dpager.c")}
# The archive's first page.
FIRST = """# The loader lab

Begin with [the assignment](docs/lab/assignment.md). You change the files in `docs/lab/skeleton`, and
`docs/lab/grade.sh docs/lab/skeleton` shows how far you are. [The course](docs/course/1-exec.md) explains what each step
needs. The course's commands run in a copy of the toolkit that it describes; the lab needs no such copy.
"""
LINK = re.compile(r"(!?)\[([^\]\n]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")


def chosen():
    """Paths below docs/ that are handed out."""
    yield LAB / "assignment.md"
    yield LAB / "grade.sh"
    yield LAB / "apart.c"
    yield LAB / "witness.c"
    yield from sorted((LAB / "machine").iterdir())
    yield LAB / "variant.sh"
    for path in sorted((LAB / "skeleton").rglob("*")):
        if path.is_file() and (path.suffix in (".c", ".h") or path.name == "Makefile"):
            yield path
    for folder in (DOCS, DOCS / "course", DOCS / "plots", DOCS / "pages"):
        for path in sorted(folder.iterdir()):
            if path.suffix in (".md", ".png", ".svg", ".html") and path.name not in ("README.md", "CONTRIBUTING.md"):
                yield path


def with_links(path, text, files):
    """Links to what is not handed out become their text."""

    def link(match):
        mark, words, target, _ = match.groups()
        if not target or "://" in target or pathlib.Path(os.path.normpath(path.parent / target)) in files:
            return match[0]
        return "" if mark else words

    return LINK.sub(link, text)


def contents(path, files, part):
    """The bytes of a file as it is handed out."""
    if path.suffix == ".md":
        return with_links(path, path.read_text(encoding="utf-8"), files).encode()
    solved = LAB / "solution" / path.name
    if part and path.parent == LAB / "skeleton" and solved.is_file() and path.name not in WRITTEN[part]:
        return solved.read_bytes()
    return path.read_bytes()


def add(archive, name, data):
    """A file of the archive, at the place that it has in the repository, since documents and messages name that."""
    entry = tarfile.TarInfo("loader-lab/" + name)
    entry.size, entry.mode = len(data), 0o755 if name.endswith(".sh") else 0o644
    archive.addfile(entry, io.BytesIO(data))


def main(arguments):
    """Writes the archive."""
    part = None
    if arguments == ["--help"]:
        print(__doc__)
        return 0
    if arguments and arguments[0].startswith("--part="):
        part = arguments.pop(0).partition("=")[2]
    if part not in (None, *WRITTEN):
        print(f"handout.py: there is no part '{part}'; choose {' or '.join(WRITTEN)}", file=sys.stderr)
        return 125
    if part and not (LAB / "solution").is_dir():
        print(f"handout.py: --part={part}: {LAB}/solution is missing; a part needs its functions", file=sys.stderr)
        return 125
    if len(arguments) != 1:
        print("handout.py: name one ARCHIVE; --help has an explanation", file=sys.stderr)
        return 125
    files = list(chosen())
    folders = {path.parent for path in files}
    with tarfile.open(arguments[0], "w:gz") as archive:
        add(archive, "README.md", FIRST.encode())
        for path in files:
            add(archive, str(path.relative_to(DOCS.parent)), contents(path, set(files) | folders, part))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        print(f"handout.py: {error.filename}: {error.strerror}; name another file", file=sys.stderr)
        sys.exit(125)
