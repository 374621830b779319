#!/usr/bin/env python3
"""grade_all.py [OPTION]... FOLDER REPORTS: grades every submission in FOLDER, several at a time.

Each folder in FOLDER is a submission. It writes to REPORTS grades.csv and, for each submission, NAME.md (a page to hand
back), NAME.gradescope.json (Gradescope's results.json) and NAME.classroom.json (for GitHub Classroom's reporter, before
base64).

  --jobs=N       grade N at a time (half of the processors)
  --pagers=LIST  grade only these of apager,dpager,hpager
  --variant=SEED grade with the numbers of one term, as variant.sh SEED prints them
  --seconds=N    end each run after N seconds (5)
  --minutes=N    end each submission after N minutes (5)
  --one=SUBMISSION FORMAT  grade one folder; print gradescope or classroom, and write no files

Each submission is confined. It has no network. Its processes all end with it, and are at most 200 (the kernel does not
limit root). Every file is read-only except those in a temporary folder of 512 MiB. The other submissions and REPORTS are
not visible. grade.sh limits time, memory and output. Where the kernel gives no user namespaces, only grade.sh's own
protection is left, and a warning is printed. Exit status: 0; 1 if a submission could not be graded; 125 wrong usage.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROCESSES = 200

# Runs in namespaces of its own. Mounts that cannot be made read-only stay as they are: those of the kernel.
CONFINE = """
mount --make-rprivate / || exit 120
mount -t tmpfs -o size=512m,mode=700 tmpfs "$LAB_TMP" || exit 120
while read -r _ place _ options _; do
	case $place in "$LAB_TMP" | /proc | /proc/* | /dev | /dev/* | /sys | /sys/*) continue ;; esac
	mount -o "remount,bind,ro" "$place" 2>/dev/null || { [ "$place" != / ] || exit 120; }
done </proc/self/mounts
# The neighbors' folders and reports: an empty folder is mounted over each of $LAB_HIDDEN, and the submission back into it.
if [ -n "$LAB_HIDDEN" ]; then
	exec 9<"$LAB_SUBMISSION"
	mkdir "$LAB_TMP/submission" && mount -c --bind /proc/self/fd/9 "$LAB_TMP/submission" || exit 120
	exec 9<&-
	while read -r place; do
		mount -t tmpfs -o size=1m tmpfs "$place" || exit 120
	done <<<"$LAB_HIDDEN"
	mkdir -p "$LAB_SUBMISSION" && mount --bind "$LAB_TMP/submission" "$LAB_SUBMISSION" || exit 120
	umount "$LAB_TMP/submission" && rmdir "$LAB_TMP/submission" || exit 120
fi
export TMPDIR=$LAB_TMP
exec "$@"
"""
NAMESPACES = ["unshare", "--user", "--map-root-user", "--mount", "--net", "--ipc", "--uts", "--pid", "--fork",
              "--kill-child", "--mount-proc", "bash", "-c", CONFINE, "confine"]  # fmt: skip


def confinement():
    """What stands before a command that is confined, or nothing where that cannot be."""
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run([*NAMESPACES, "true"], env={**os.environ, "LAB_TMP": folder, "LAB_HIDDEN": ""}, capture_output=True, check=False)
    return NAMESPACES if found.returncode == 0 else []


def failed(submission, note):
    """A report with no points: grade.sh itself could not say anything."""
    return {"submission": str(submission), "points": 0, "of": 0, "checks": [], "failed": note}


def grade(submission, options, confined):
    """What grade.sh --json says of a submission."""
    command = [*confined, "prlimit", f"--nproc={PROCESSES}", "--core=0", str(HERE / "grade.sh"), "--json",
               f"--seconds={options['seconds']}", f"--pagers={options['pagers']}", *options["variant"], *options["programs"],
               str(submission.resolve())]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        # What cannot be hidden has the grader in it.
        needed = [HERE, pathlib.Path(folder), *(pathlib.Path(word.partition("=")[2]) for word in options["programs"])]
        hidden = [str(place) for place in options["hidden"] if not any(path.is_relative_to(place) for path in needed)]
        environment = {"PATH": os.environ["PATH"], "HOME": folder, "LAB_TMP": folder, "TMPDIR": folder,
                       "LAB_SUBMISSION": str(submission.resolve()), "LAB_HIDDEN": "\n".join(hidden)}  # fmt: skip
        try:
            done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=60 * options["minutes"], check=False)  # fmt: skip
        except subprocess.TimeoutExpired:
            return failed(submission, f"not graded: it took longer than {options['minutes']} minutes")
    if done.returncode in (0, 1) and done.stderr:
        print(f"{submission.name}: {done.stderr.strip()}", file=sys.stderr)
    # A report of a grader that did not end by itself may be somebody else's.
    try:
        if done.returncode in (0, 1):
            return json.loads(done.stdout)
        raise ValueError
    except ValueError:
        return failed(submission, f"not graded: {done.stderr.strip()[-300:] or 'no report'}")


def gradescope(report):
    """results.json, gradescope-autograders.readthedocs.io/en/latest/specs: a test has score, max_score, status, name,
    output; the whole has a score of its own where there are no tests."""
    tests = [{"name": f"{check['part']}: {check['check']}", "score": check["points"], "max_score": check["of"],
              "status": "passed" if check["points"] == check["of"] else "failed", "output": check["note"],
              "visibility": "visible"} for check in report["checks"]]  # fmt: skip
    found = {"output": report.get("failed", f"{report['points']} of {report['of']} points"), "visibility": "visible"}
    return {**found, **({"tests": tests} if tests else {"score": 0})}


def classroom(report):
    """What autograding-grading-reporter reads from PAGER_RESULTS, in base64: its sum of the scores is the grade."""
    tests = [{"name": f"{check['part']}: {check['check']}", "status": "pass" if check["points"] == check["of"] else "fail",
              "score": check["points"], "message": check["note"] or None, "line_no": 0, "execution_time": "",
              "test_code": ""} for check in report["checks"]]  # fmt: skip
    status = "error" if "failed" in report else "pass" if report["points"] == report["of"] else "fail"
    return {"version": 3, "status": status, "max_score": report["of"] or 100, "tests": tests}


FORMATS = {"gradescope": gradescope, "classroom": classroom}


def page(name, report):
    """What a student gets."""
    lines = [f"# {name}: {report['points']} of {report['of']}", "", report.get("failed", "")]
    lines += ["| part | check | points | |", "|---|---|---|---|"]
    for check in report["checks"]:
        note = check["note"].replace("|", "\\|").replace("<", "&lt;")
        lines.append(f"| {check['part']} | {check['check']} | {check['points']} of {check['of']} | {note} |")
    lost = [check for check in report["checks"] if check["points"] < check["of"]]
    lines += ["", f"{len(report['checks']) - len(lost)} checks passed, {len(lost)} did not." if report["checks"] else ""]
    return "\n".join(lines) + "\n"


def write_reports(folder, name, report):
    """The files of one submission."""
    (folder / f"{name}.md").write_text(page(name, report), encoding="utf-8")
    for kind, convert in FORMATS.items():
        text = json.dumps(convert(report), indent=1, ensure_ascii=False) + "\n"
        (folder / f"{name}.{kind}.json").write_text(text, encoding="utf-8")


def write_grades(folder, reports):
    """A line a submission, a column a check."""
    checks = [(check["part"], check["check"]) for report in reports.values() for check in report["checks"]]
    checks = list(dict.fromkeys(checks))
    with open(folder / "grades.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["submission", "points", "of", "failed", *(f"{part}: {check}" for part, check in checks)])
        for name, report in sorted(reports.items()):
            points = {(check["part"], check["check"]): check["points"] for check in report["checks"]}
            # A spreadsheet takes what begins with these for a formula.
            safe = "'" + name if name[0] in "=+-@" else name
            out.writerow([safe, report["points"], report["of"], report.get("failed", ""), *(points.get(c, "") for c in checks)])


def grade_folder(source, target, options, confined):
    """All of them. How many could not be graded."""
    submissions = sorted(path for path in source.iterdir() if path.is_dir() and not path.name.startswith("."))
    if not submissions:
        stop(f"{source}: has no folders; put each submission into one")
    target.mkdir(parents=True, exist_ok=True)
    reports = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options["jobs"]) as pool:
        options = {**options, "hidden": [source.resolve(), target.resolve()], "programs": [f"--programs={folder}/programs"]}
        # All at once would build the programs all at once.
        built = subprocess.run([HERE / "grade.sh", *options["programs"]], capture_output=True, text=True, check=False)
        if built.returncode:
            stop(built.stderr.strip())
        jobs = {pool.submit(grade, path, options, confined): path.name for path in submissions}
        for job in concurrent.futures.as_completed(jobs):
            name, report = jobs[job], job.result()
            reports[name] = report
            write_reports(target, name, report)
            print(f"{len(reports)}/{len(jobs)} {name}: {report['points']} of {report['of']} {report.get('failed', '')}".rstrip(), flush=True)
    write_grades(target, reports)
    return sum("failed" in report for report in reports.values())


def read_arguments(arguments):
    """(options, the other words)."""
    options = {"jobs": max(1, (os.cpu_count() or 2) // 2), "pagers": "apager,dpager,hpager", "seconds": 5, "minutes": 5, "one": None, "variant": [],
               "hidden": [], "programs": []}  # fmt: skip
    words = []
    for word in arguments:
        name, equals, value = word[2:].partition("=")
        if not word.startswith("--"):
            words.append(word)
        elif name in ("pagers", "one") and equals and value:
            options[name] = value
        elif name == "variant" and equals:
            if subprocess.run(["bash", HERE / "variant.sh", value], stdout=subprocess.DEVNULL, check=False).returncode:
                sys.exit(125)
            options[name] = [word]
        elif name in ("jobs", "seconds", "minutes") and value.isdigit() and int(value) > 0:
            options[name] = int(value)
        elif word == "--help":
            print(__doc__)
            sys.exit(0)
        else:
            usage(f"{word} cannot be understood")
    return options, words


def stop(text):
    """125, as with the loaders."""
    print(f"grade_all.py: {text}", file=sys.stderr)
    sys.exit(125)


def usage(wrong):
    """A sentence and 125, as for any wrong usage here."""
    stop(f"{wrong}; write grade_all.py FOLDER REPORTS, or try --help")


def warned_confinement():
    """As confinement; says so where there is none. To be called once it is clear that something is graded."""
    confined = confinement()
    if not confined:
        print("grade_all.py: no user namespaces here: only time, memory and output are limited, and the network is open", file=sys.stderr)
    return confined


def main(arguments):
    """Exit status."""
    options, words = read_arguments(arguments)
    if not shutil.which("prlimit"):
        stop("there is no prlimit; apt-get install util-linux brings it")
    if options["one"]:
        if len(words) != 1 or words[0] not in FORMATS:
            usage(f"--one wants one of {', '.join(FORMATS)}")
        report = grade(pathlib.Path(options["one"]), options, warned_confinement())
        print(json.dumps(FORMATS[words[0]](report), indent=1))
        return int("failed" in report)
    if len(words) != 2:
        usage("name the folder of submissions and one for the reports" if len(words) < 2 else f"there are two folders; leave out {words[2]}")
    source, target = map(pathlib.Path, words)
    if not source.is_dir():
        stop(f"{source}: is no folder; name the folder of submissions")
    return int(grade_folder(source, target, options, warned_confinement()) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
