#!/usr/bin/env python3
"""suites.py [--jobs=N] [--folder=DIR] [--only=PATTERN] SUITE...: test suites of others, natively and under each loader.

Each is taken from the system's packages or their sources (deb-src, in lists of its own), run natively and under each
loader, and compared result by result. Whatever a test starts runs under the loader, too (under.sh), with a copy of the
files that ends with it. What differs runs three times more, alone: only what differs each time counts. Prints a line
for each difference, with the command that shows it, and a table. Exit status 0; 1 if something differs; 125 wrong usage.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import kernel  # noqa: E402 (nothing is to be left beside the modules)
import languages  # noqa: E402
import shells  # noqa: E402
import tools  # noqa: E402
from driver import ROOT, Ways, run_suite  # noqa: E402

SUITES = {
    "bash": shells.bash,
    "busybox": shells.busybox,
    "coreutils": tools.coreutils,
    "cpython": languages.cpython,
    "git": tools.git,
    "go": languages.go,
    "kselftest": kernel.kselftest,
    "perl": languages.perl,
    "sqlite": tools.sqlite,
    "zsh": shells.zsh,
}


def arguments_of():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], exit_on_error=False)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/suites", help="not below /tmp")
    parser.add_argument("--only", default="", help="tests whose name this regular expression finds")
    parser.add_argument("suites", nargs="+", metavar="SUITE", help=" ".join(SUITES))
    arguments = parser.parse_args()
    unknown = [name for name in arguments.suites if name not in SUITES]
    if unknown:
        raise argparse.ArgumentError(None, f"{unknown[0]} is no suite here: {', '.join(SUITES)}")
    return arguments


def main():
    try:
        arguments = arguments_of()
        only = re.compile(arguments.only)
    except (argparse.ArgumentError, re.error) as error:
        print(f"suites.py: {error}", file=sys.stderr)
        return 125
    folder = arguments.folder.resolve()
    table, failed = [], False
    for name in arguments.suites:
        try:
            ways = Ways(folder)
            tests = [test for test in SUITES[name](folder) if only.search(test.name)]
            if not tests:
                raise RuntimeError(f"no name of a test matches {only.pattern}")
            total, different = run_suite(name, tests, ways, arguments.jobs)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"suites.py: {name}: {error}", file=sys.stderr)
            return 125
        for loader, (results, same, again) in total.items():
            table.append(f"| {name} | {loader} | {results} | {same} | {again} | {results - same} |")
        print(*different, sep="\n", end="\n" if different else "", flush=True)
        failed |= bool(different)
    print("| suite | loader | results | the same | of these, when run again | different |")
    print("|---|---|---:|---:|---:|---:|", *table, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
