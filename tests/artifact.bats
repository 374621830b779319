#!/usr/bin/env bats
#
# The artifact's report: claims, the figures of here beside the published ones. Nothing is measured here.

load helpers

setup() {
	requires python3
	cd "$ROOT" || return 1
	R=$BATS_TEST_TMPDIR/results
	mkdir "$R"
}

# results FILE PROGRAM LOADER MEASURE LOW MEDIAN HIGH
results() {
	python3 - "$@" >"$R/$1" <<-'PYTHON'
		import json, sys
		_, _, program, loader, measure, low, median, high = sys.argv
		machine = dict(cpu="x", cpus=2, memory_kb=4096, kernel="Linux", transparent_huge_pages="never", load=0, date="today")
		summary = {measure: dict(low=float(low), median=float(median), high=float(high))}
		print(json.dumps({"environment": machine, "warnings": ["<busy>"], "commands": [
		    {"program": None, "loader": None, "summary": {}}, {"program": program, "loader": loader, "summary": summary}]}))
	PYTHON
}

# reports COUNTS: how many claims agree and differ, and a page.
reports() {
	ends 0 python3 bench/artifact.py report "$R" docs/artifact.md "$R/report.html"
	grep -q "$1" "$BATS_TEST_TMPDIR/out"
}

@test "a claim agrees, differs, or was not measured" {
	results programs.json ./prog1 ./hybrid_loader wall_ratio 0.9 1.0 1.1
	reports ': 1 agrees, 0 differs, '
	grep -q '&lt;busy&gt;' "$R/report.html"
	grep -q '>1 (0.9 to 1.1) x native<' "$R/report.html"
	results programs.json ./prog1 ./hybrid_loader wall_ratio 1.9 2.0 2.1
	reports ': 0 agrees, 1 differs, '
	results programs.json ./prog1 ./hybrid_loader wall_ratio 0.39 1.02 1.75
	reports ': 0 agrees, 0 differs, 1 too noisy, '
	grep -q 'load 0.0, today' "$R/report.html"
	results programs.json ./prog1 ./on_demand_loader wall_ratio 1.5 1.6 1.9
	reports ': 0 agrees, 1 differs, 0 too noisy, '
	sed -i 's/"load": 0/"load": 55/' "$R/programs.json"
	ends 0 python3 bench/artifact.py report "$R" docs/artifact.md "$R/report.html"
	grep -q 'load 55.0: it was busy, today' "$R/report.html"
	results programs.json ./prog1 ./hybrid_loader wall_ratio 1.9 2.0 2.1
	echo '{"here": "It holds in part: x"}' >"$R/prefault.json"
	reports ': 0 agrees, 2 differs, '
	echo '{"here": "Too noisy to say: x"}' >"$R/prefault.json"
	reports ': 0 agrees, 1 differs, 1 too noisy, '
	echo '{"here": "It holds: x"}' >"$R/prefault.json"
	reports ': 1 agrees, 1 differs, '
}

@test "what is published becomes what is compared with; the document has the table" {
	results programs.json ./prog1 ./hybrid_loader wall_ratio 0.77 0.78 0.79
	ends 0 python3 bench/figures.py collect "$R" "$BATS_TEST_TMPDIR/own.json"
	results programs.json ./prog1 ./hybrid_loader wall_ratio 0.9 1.0 1.1
	ends 0 python3 bench/artifact.py report "$R" docs/artifact.md "$R/report.html" "$BATS_TEST_TMPDIR/own.json"
	grep -q '<td>0.78 (0.77 to 0.79) x native</td><td>1 (0.9 to 1.1) x native</td>' "$R/report.html"
	grep -q 'Published: x, 2 CPUs' "$R/report.html"
	ends 0 python3 bench/figures.py check docs/figures.json docs/artifact.md
	sed 's/| 978 (978 to/| 979 (978 to/' docs/artifact.md >"$BATS_TEST_TMPDIR/older.md"
	ends 1 python3 bench/figures.py check docs/figures.json "$BATS_TEST_TMPDIR/older.md"
	ends 0 python3 bench/figures.py write docs/figures.json "$BATS_TEST_TMPDIR/older.md"
	cmp docs/artifact.md "$BATS_TEST_TMPDIR/older.md"
	ends 125 python3 bench/artifact.py
}

@test "files that are not there, or hold something else" {
	refuses "/nowhere.md: No such file" python3 bench/artifact.py report "$R" /nowhere.md "$R/report.html"
	refuses "README.md has no claims" python3 bench/artifact.py report "$R" README.md "$R/report.html"
	ends 125 python3 bench/artifact.py report "$R" docs/artifact.md /nowhere/report.html
	says "/nowhere/report.html: No such file or directory"
	echo '{' >"$R/programs.json"
	refuses "programs.json is no JSON" python3 bench/artifact.py report "$R" docs/artifact.md "$R/report.html"
}

@test "each claim's command is a target of make, and its results are what that target writes" {
	python3 - <<-'PYTHON' | while read -r target; do
		import sys
		sys.dont_write_bytecode = True
		sys.path.insert(0, "bench")
		import artifact
		for claim in artifact.load_claims("docs/artifact.md"):
		    print(claim.command.split()[1])
	PYTHON
		grep -qE "^#   make $target |(prefault|fault_cost|start)" <<<"$(sed -n '1,60p' Makefile) $target"
	done
}
