#!/usr/bin/env bats
#
# The figures of the documents: of one run, each by its name (bench/figures.py). Nothing is measured here.

load helpers

setup() {
	requires python3
	cd "$ROOT" || return 1
	R=$BATS_TEST_TMPDIR/results
	F=$BATS_TEST_TMPDIR/figures.json
	D=$BATS_TEST_TMPDIR/document.md
	mkdir "$R"
}

# environment LOAD CPU DATE
environment() {
	printf '"environment": {"cpu": "%s", "cpus": 2, "memory_kb": 4194304, "kernel": "Linux 6.18.44-x",' "$2"
	printf '"transparent_huge_pages": "madvise", "load": %s, "date": "%sT00:00:00Z"}' "$1" "$3"
}

# session NAME LOAD CPU: prog1 natively in 2 ms, under hybrid_loader in 0.97 of it; /usr/bin/jq in 1.21.
session() {
	cat >"$R/$1.json" <<-JSON
		{$(environment "$2" "$3" 2026-11-25), "commands": [
		 {"program": null, "loader": null, "summary": {}},
		 {"program": "./prog1", "loader": null, "summary": {"wall_ns": {"median": 2000000, "low": 1900000, "high": 2100000},
		  "peak_rss_kb": {"median": 3944, "low": 3944, "high": 3944}, "minor_faults": null}},
		 {"program": "./prog1", "loader": "./hybrid_loader --profile=/x/y", "summary":
		  {"wall_ratio": {"median": 0.971, "low": 0.93, "high": 1.014}, "peak_rss_kb": {"median": 12345, "low": 1, "high": 2}}},
		 {"program": "/usr/bin/jq --version", "loader": "./hybrid_loader --profile=/x/y", "summary":
		  {"wall_ratio": {"median": 1.21, "low": 1.1, "high": 1.3}}}]}
	JSON
}

# experiment NAME: a row in nanoseconds.
experiment() {
	cat >"$R/$1.json" <<-JSON
		{$(environment 1.5 cpu 2026-11-26), "tables": [{"title": "t", "rows": [
		 {"row": "SIGSEGV alone", "columns": {"ns a page, 1 at a time": [2400, 2500, 9000], "64 at a time": [null, null, null]}}]}]}
	JSON
}

# wrote TEXT: the last command, on standard output.
wrote() {
	[[ $(<"$BATS_TEST_TMPDIR/out") == *"$1"* ]] && return 0
	echo "not there: $1"
	cat "$BATS_TEST_TMPDIR/out"
	return 1
}

figures() {
	python3 bench/figures.py "$@"
}

@test "figures, tables and outputs are written by their names, and what differs is found" {
	session programs 0.2 cpu
	experiment fault_cost
	printf 'cpu\nMedians of 3\n\nprog1  1.00\nWarning: x\n' >"$R/prog1.txt"
	ends 0 figures collect "$R" "$F"
	wrote "left out, since only root measures them: growth-always, programs-always"
	cat >"$D" <<-'TEXT'
		It takes 9<!-- programs: prog: hybrid_loader --profile x --> (1<!-- programs: prog1: hybrid_loader --profile x low -->),
		2<!-- programs: prog1: native ms --> ms, 7<!-- programs: prog1: hybrid_loader --profile MB -->, 7<!-- fault_cost: SIGSEGV: 1 at a time -->,
		*somewhere*<!-- the run -->; 3<!-- programs: real programs: count -->; 5<!-- growth-always: prog1: native x -->

		<!-- figures: programs: native KB, -, hybrid_loader --profile x -->
		| | KB | why | x |
		|---|---|---|---|
		| prog1 | 1 | so | 2 |
		| it<!-- prog1 --> | 1 | so | 2 |

		<!-- output: prog1 -->
		```console
		$ compare
		...
		old
		...
		```
	TEXT
	ends 1 figures check "$F" "$D"
	wrote "$D:1: the figures' run has: It takes 0.97<!--"
	ends 0 figures write "$F" "$D"
	ends 0 figures check "$F" "$D"
	ends 0 cat "$D"
	wrote "It takes 0.97<!-- programs: prog: hybrid_loader --profile x --> (0.93<!--"
	wrote "2.00<!-- programs: prog1: native ms --> ms, 12.3<!-- programs: prog1: hybrid_loader --profile MB -->, 2.5<!--"
	wrote "*on cpu, 2 CPUs, 4 GB, Linux 6.18.44, 2026-11-25, load 0.2 before it*<!-- the run -->; 1<!--"
	wrote "5<!-- growth-always: prog1: native x -->"
	wrote "| prog1 | 3944 | so | 0.97 |"
	wrote "| it<!-- prog1 --> | 3944 | so | 0.97 |"
	wrote $'...\nMedians of 3\n\nprog1  1.00\n...'
}

@test "a name that the run does not have is said with its line" {
	session programs 0.2 cpu
	ends 0 figures collect "$R" "$F"
	cat >"$D" <<-'TEXT'
		1<!-- bogus: prog1: native x -->
		1<!-- programs: prog9: native ms -->
		1<!-- programs: prog1: native bogus -->
		<!-- figures: programs: native KB, native ms -->
		| | KB |
		|---|---|
		| prog1 | 1 |
	TEXT
	ends 1 figures write "$F" "$D"
	wrote "$D:1: there is no session bogus"
	wrote "$D:2: programs has 0 programs or rows that begin with 'prog9'"
	wrote "$D:3: 'prog1' in programs has no column 'native bogus'"
	wrote "$D:7: this row has fewer cells than the table has columns"
}

@test "figures of a busy machine, or of two, are not taken" {
	refuses "there are no results in $R" figures collect "$R" "$F"
	session programs 2.5 cpu
	refuses "the machine was busy (load 2.5)" figures collect "$R" "$F"
	session programs 0.2 cpu
	session patterns 0.2 other
	refuses "the results are of two machines" figures collect "$R" "$F"
	refuses "$R has results of another run: name another folder" figures quiet "$R"
	ends 125 figures
	grep -q '^figures.py: wrong usage' "$BATS_TEST_TMPDIR/err"
	refuses "there is no $BATS_TEST_TMPDIR/none.json" figures check "$BATS_TEST_TMPDIR/none.json" README.md
}

@test "make figures measures each session whose figures a document shows" {
	known=" $(sed -n 's/^FIGURES_SESSIONS := //p' bench/bench.mk) prog1 prefault fault_cost start "
	sessions=$(grep -rhoE --include='*.md' '([0-9*]|^)<!-- (figures: )?[a-z0-9_-]+: [^>`]+ -->' README.md docs |
		sed -E 's/^[^<]*<!-- (figures: )?([a-z0-9_-]+).*/\2/' | grep -vxE 'output|artifact' | sort -u)
	[ "$(wc -w <<<"$sessions")" -ge 6 ]
	for session in $sessions; do
		echo "$session"
		[[ $known == *" $session "* ]]
	done
}
