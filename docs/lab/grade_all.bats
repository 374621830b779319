#!/usr/bin/env bats
#
# The lab's other tools for teachers: a folder of submissions at once, what Gradescope and GitHub Classroom read, and
# the archives that are handed out.

load ../../tests/helpers

LAB=$ROOT/docs/lab

setup() {
	requires python3
	SUBMISSIONS=$BATS_TEST_TMPDIR/submissions
	REPORTS=$BATS_TEST_TMPDIR/reports
	mkdir "$SUBMISSIONS"
}

# submission NAME [solution]
submission() {
	[ -z "${2-}" ] || requires solution
	mkdir -p "$SUBMISSIONS/$1/guests"
	cp "$LAB"/skeleton/{Makefile,*.[ch]} "$SUBMISSIONS/$1"
	cp "$LAB"/skeleton/guests/{Makefile,*.[ch]} "$SUBMISSIONS/$1/guests"
	[ -z "${2-}" ] || cp "$LAB"/solution/*.c "$SUBMISSIONS/$1"
}

grade_all() {
	ends "$1" "$LAB/grade_all.py" --jobs=2 "${@:2}" "$SUBMISSIONS" "$REPORTS"
}

# With the keys that gradescope-autograders.readthedocs.io/en/latest/specs and the sources of
# autograding-grading-reporter have, and types that they take.
well_formed() {
	python3 - "$REPORTS" "$@" <<-'PYTHON'
		import json, pathlib, sys
		folder = pathlib.Path(sys.argv[1])
		for name in sys.argv[2:]:
		    found = json.load(open(folder / f"{name}.gradescope.json"))
		    assert set(found) <= {"score", "execution_time", "output", "output_format", "visibility", "tests", "extra_data"}
		    assert "score" in found or found["tests"]
		    for test in found.get("tests", []):
		        assert set(test) <= {"score", "max_score", "status", "name", "output", "visibility", "number", "tags"}
		        assert 0 <= test["score"] <= test["max_score"] and test["status"] in ("passed", "failed"), test
		        assert type(test["name"]) is str and type(test["output"]) is str
		    points = sum(test["score"] for test in found.get("tests", []))
		    found = json.load(open(folder / f"{name}.classroom.json"))
		    assert found["status"] in ("pass", "fail", "error") and type(found["max_score"]) is int and found["max_score"] > 0
		    assert all(test["status"] in ("pass", "fail", "error") and type(test["score"]) in (int, float) for test in found["tests"])
		    assert sum(test["score"] for test in found["tests"]) == points
	PYTHON
}

@test "a folder at once: CSV, a page each, and what the platforms read" {
	submission anna solution
	submission berta
	mkdir "$SUBMISSIONS/carl" "$SUBMISSIONS/.hidden"
	touch "$SUBMISSIONS/list.txt"
	grade_all 0
	python3 - "$REPORTS/grades.csv" <<-'PYTHON'
		import csv, sys
		rows = {row["submission"]: row for row in csv.DictReader(open(sys.argv[1]))}
		assert {name: (row["points"], row["of"], row["failed"]) for name, row in rows.items()} == {
		    "anna": ("100", "100", ""), "berta": ("10", "100", ""), "carl": ("0", "100", "")}, rows
		assert rows["berta"]["build: builds"] == "5" and rows["berta"]["apager: hello"] == "0"
	PYTHON
	[ "$(head -n 1 "$REPORTS/berta.md")" = "# berta: 10 of 100" ]
	grep -q '^| apager | hello | 0 of 2 | step 1 is missing' "$REPORTS/berta.md"
	well_formed anna berta carl
}

@test "each is confined: no network, no files of others, nothing goes on, and the others are graded" {
	requires user_namespaces
	submission anna solution
	mkdir "$SUBMISSIONS/mallory"
	cat >"$SUBMISSIONS/mallory/Makefile" <<-END
		.RECIPEPREFIX = >
		clean:
		all:
		>-echo changed >"$SUBMISSIONS/anna/stack.c"
		>-echo changed >"$BATS_TEST_TMPDIR/outside"
		>-rm -rf "$SUBMISSIONS/anna"
		>(setsid sleep 4321 &)
		>if cat "$SUBMISSIONS"/anna/*.c "$REPORTS"/*; then false; fi
		>test "\$\$(ls "$SUBMISSIONS")" = mallory
		>test "\$\$(grep -c : /proc/net/dev)" = 1
		>test "\$\$(ls -d /proc/[0-9]* | wc -l)" -lt 30
	END
	grade_all 0
	[ ! -e "$BATS_TEST_TMPDIR/outside" ]
	cmp "$LAB/solution/stack.c" "$SUBMISSIONS/anna/stack.c"
	if pgrep -f 'sleep 4321'; then false; fi
	grep -q '^anna,100,100' "$REPORTS/grades.csv"
	cat "$REPORTS/mallory.md"
	grep -q '^mallory,10,100' "$REPORTS/grades.csv"
}

@test "one that takes too long is said to be ungraded; names that a spreadsheet would run" {
	mkdir "$SUBMISSIONS/=cmd" "$SUBMISSIONS/slow"
	printf 'all:\n\tsleep 600\nclean:\n' >"$SUBMISSIONS/slow/Makefile"
	sed 's/60 \* options\["minutes"\]/6/' "$LAB/grade_all.py" >"$BATS_TEST_TMPDIR/grade_all.py"
	cp -r "$LAB"/{grade.sh,apart.c,witness.c,machine,skeleton} "$BATS_TEST_TMPDIR"
	chmod +x "$BATS_TEST_TMPDIR/grade_all.py"
	LAB=$BATS_TEST_TMPDIR grade_all 1
	grep -q '^slow,0,0,not graded: it took longer than 5 minutes' "$REPORTS/grades.csv"
	grep -q "^'=cmd," "$REPORTS/grades.csv"
	well_formed slow
}

@test "a part alone has its own points" {
	submission anna solution
	grade_all 0 --pagers=apager
	grep -q '^anna,40,40' "$REPORTS/grades.csv"
	ends 125 "$LAB/grade.sh" --pagers=vpager "$SUBMISSIONS/anna"
	grade_all 0 --pagers=dpager --variant=autumn-2026
	grep -q '^anna,36,40' "$REPORTS/grades.csv"
	refuses "name one SEED" "$LAB/grade_all.py" --variant= "$SUBMISSIONS" "$REPORTS"
	ends 125 "$LAB/grade_all.py" --jobs=0 "$SUBMISSIONS" "$REPORTS"
	refuses "name the folder of submissions and one for the reports" "$LAB/grade_all.py" "$SUBMISSIONS"
	refuses "--bogus cannot be understood" "$LAB/grade_all.py" --bogus "$SUBMISSIONS" "$REPORTS"
	ends 0 "$LAB/grade_all.py" --help
	refuses "/nowhere: is no folder" "$LAB/grade_all.py" /nowhere "$REPORTS"
}

@test "Gradescope's archive has its two files at the top, and makes results.json" {
	local at=$BATS_TEST_TMPDIR/autograder
	ends 0 fresh_make -C "$ROOT" lab-autograder
	mkdir -p "$at/source"
	python3 -m zipfile -e "$ROOT/build/autograder.zip" "$at/source"
	[ -f "$at/source/setup.sh" ]
	chmod +x "$at"/source/run_autograder "$at"/source/lab/grade*
	submission anna solution
	cp -r "$SUBMISSIONS/anna" "$at/submission"
	AUTOGRADER=$at "$at/source/run_autograder"
	mkdir "$REPORTS"
	cp "$at/results/results.json" "$REPORTS/anna.gradescope.json"
	# The one of a term grades with its numbers.
	ends 0 fresh_make -C "$ROOT" lab-autograder VARIANT=autumn-2026
	python3 -m zipfile -e "$ROOT/build/autograder.zip" "$at/source"
	AUTOGRADER=$at "$at/source/run_autograder"
	grep -q 'block by block' "$at/results/results.json"
	"$LAB/grade_all.py" --one="$at/submission" classroom >"$REPORTS/anna.classroom.json"
	well_formed anna
	python3 -c 'import json, sys; assert sum(t["score"] for t in json.load(open(sys.argv[1]))["tests"]) == 100' \
		"$REPORTS/anna.gradescope.json"
}

# handed_out [PART]: in out-PART, without the solution, and every link leads somewhere.
handed_out() {
	local folder=$BATS_TEST_TMPDIR/out-${1-}
	mkdir "$folder"
	ends 0 "$LAB/handout.py" ${1:+--part=$1} "$folder.tar.gz"
	tar xzf "$folder.tar.gz" -C "$folder"
	[ ! -e "$folder/loader-lab/docs/lab/solution" ] && [ ! -e "$folder/loader-lab/docs/lab/grade_all.py" ] || return 1
	python3 - "$folder/loader-lab" <<-'PYTHON'
		import pathlib, re, sys
		root, wrong = pathlib.Path(sys.argv[1]), []
		for path in root.rglob("*.md"):
		    for target in re.findall(r"\]\(([^)\s#]+)", path.read_text()):
		        if "://" not in target and not (path.parent / target).exists():
		            wrong.append((path.name, target))
		# What the skeleton's messages and the documents name without a link.
		for path in (*root.rglob("*.md"), *root.rglob("skeleton/*.c")):
		    for name in re.findall(r"docs/course/[\w-]+\.md", path.read_text()):
		        if not (root / name).exists():
		            wrong.append((path.name, name))
		print(wrong)
		sys.exit(bool(wrong) or not (root / "README.md").exists())
	PYTHON
}

@test "the hand-out: no solution in it, every link leads somewhere, and it is graded" {
	refuses "handout.py: /nowhere/handout.tar.gz: No such file or directory" "$LAB/handout.py" /nowhere/handout.tar.gz
	handed_out
	ends 1 "$BATS_TEST_TMPDIR/out-/loader-lab/docs/lab/grade.sh" "$BATS_TEST_TMPDIR/out-/loader-lab/docs/lab/skeleton"
	grep -q 'total: 10 of 100' "$BATS_TEST_TMPDIR/out"
}

@test "the hand-out of a part: what is not to be written is there, and it is graded" {
	requires solution
	handed_out stack
	handed_out pager
	# With the missing files from the solution each part has all of its points.
	cp "$LAB/solution/stack.c" "$BATS_TEST_TMPDIR/out-stack/loader-lab/docs/lab/skeleton"
	ends 0 "$BATS_TEST_TMPDIR/out-stack/loader-lab/docs/lab/grade.sh" --pagers=apager \
		"$BATS_TEST_TMPDIR/out-stack/loader-lab/docs/lab/skeleton"
	ends 1 "$BATS_TEST_TMPDIR/out-pager/loader-lab/docs/lab/grade.sh" --pagers=apager,dpager \
		"$BATS_TEST_TMPDIR/out-pager/loader-lab/docs/lab/skeleton"
	grep -q 'total: 42 of 70' "$BATS_TEST_TMPDIR/out"
	cp "$LAB"/solution/{fault,dpager}.c "$BATS_TEST_TMPDIR/out-pager/loader-lab/docs/lab/skeleton"
	ends 0 "$BATS_TEST_TMPDIR/out-pager/loader-lab/docs/lab/grade.sh" --pagers=apager,dpager \
		"$BATS_TEST_TMPDIR/out-pager/loader-lab/docs/lab/skeleton"
}

@test "handout.py: wrong usage is one sentence" {
	ends 0 "$LAB/handout.py" --help
	ends 125 "$LAB/handout.py" --part=bogus "$BATS_TEST_TMPDIR/archive.tar.gz"
	says "there is no part 'bogus'; choose stack or pager"
	refuses "name one ARCHIVE" "$LAB/handout.py"
}

@test "the solution has an archive of its own" {
	requires solution
	ends 0 fresh_make -C "$ROOT" lab-solution
	tar -tzf "$ROOT/build/loader-lab-solution.tar.gz" | grep -qx 'solution/stack.c'
}

@test "a copy of the repository without the solution: what needs it is refused in one sentence, or skipped" {
	local copy=$BATS_TEST_TMPDIR/copy
	mkdir -p "$copy/tests"
	cp -r "$ROOT/docs" "$copy"
	cp "$ROOT"/tests/*.bash "$copy/tests"
	rm -rf "$copy/docs/lab/solution"
	ends 125 "$copy/docs/lab/handout.py" --part=stack "$BATS_TEST_TMPDIR/part.tar.gz"
	says "--part=stack: $copy/docs/lab/solution is missing"
	[ ! -e "$BATS_TEST_TMPDIR/part.tar.gz" ]
	ends 2 fresh_make -C "$copy" -f docs/lab/lab.mk lab-solution
	grep -q '^lab-solution: this copy of the repository has no docs/lab/solution$' "$BATS_TEST_TMPDIR/err"
	ends 0 bats "$copy/docs/lab" -f 'handout.py: wrong usage|says once|^the hand-out|argc and argv|a folder at once|laid over'
	cat "$BATS_TEST_TMPDIR/out"
	[ "$(grep -c '^ok .* # skip this copy of the repository has no docs/lab/solution' "$BATS_TEST_TMPDIR/out")" = 4 ]
	[ "$(grep -c '^ok [^#]*$' "$BATS_TEST_TMPDIR/out")" = 3 ]
}
