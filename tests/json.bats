#!/usr/bin/env bats
#
# Every key of the JSON that is written is in docs/json.md, and every key there is written.

load helpers

BENCH=$ROOT/build/musl-release/bench

setup() {
	cd "$ROOT" || return
	J=$BATS_TEST_TMPDIR
}

# documented SECTION FILE...
documented() {
	python3 tests/json_keys.py "$@"
}

@test "--stats=FILE" {
	./hybrid_loader --stats="$J/hybrid" ./prog1 >/dev/null
	./all_at_once_loader --stats="$J/all" ./prog1 >/dev/null
	expect "signal 11" ./on_demand_loader --stats="$J/killed" ./prog4
	for file in hybrid all killed; do
		documented "--stats=FILE" "$J/$file"
	done
}

@test "--explain=json" {
	requires lazy
	./hybrid_loader --explain=json ./prog1 >/dev/null 2>"$J/hybrid"
	./all_at_once_loader --explain=json ./prog1 >/dev/null 2>"$J/all"
	./on_demand_loader --explain=json "$GUESTS/musl-static/process_spawn" >/dev/null 2>"$J/children"
	expect "signal 11" ./on_demand_loader --explain=json ./prog4
	documented "--explain=json" "$J/hybrid" "$J/all" "$J/children" "$J/found.err"
}

@test "page-layout --json" {
	fresh_make placement
	# Frames have numbers for root only, and only then there are colors.
	build/share/page-layout --json --colors=4 self >"$J/r.json" || {
		build/share/page-layout --json self | sed 's/^  "process"/  "colors": [0],&/' >"$J/r.json"
	}
	documented "page-layout --json" "$J/r.json"
}

@test "compare" {
	"$BENCH/compare" --rounds=1 --warmup=1 --counters=1 --json="$J/r.json" --loader=./hybrid_loader ./prog3 >/dev/null
	# A counter that this machine has is not absent.
	python3 - "$J/r.json" <<-'END'
		import json, sys
		results = json.load(open(sys.argv[1]))
		results["absent"].setdefault("cycles", "none here")
		results["warnings"].append("none here")
		json.dump(results, open(sys.argv[1], "w"))
	END
	documented "compare and make bench" "$J/r.json"
}

@test "experiments" {
	local all=("$BENCH"/{prefault,access,services,fault_cost,start,frames}) program
	for program in "${all[@]}"; do
		[ ! -e "$program" ] || "$program" --size=2 --rounds=1 --folder="$J" --json="$J/${program##*/}" >/dev/null
	done
	of_this_processor "${all[@]}"
	documented Experiments "${all[@]/#$BENCH/$J}"
}

@test "cold.py" {
	requires learner
	bench/cold.py --rounds=1 --json="$J/r.json" ./prog3 >/dev/null
	documented "cold.py and make cold" "$J/r.json"
}

@test "replay" {
	./on_demand_loader --guard=none --record="$J/profile" ./prog2 >/dev/null
	"$BENCH/replay" --json="$J/r.json" "$J/profile" >/dev/null
	documented replay "$J/r.json"
}

@test "the check finds a key that is missing in the document, and one that nobody writes" {
	./hybrid_loader --stats="$J/stats" ./prog1 >/dev/null
	sed 's/"faults"/"fallacies"/' "$J/stats" >"$J/other"
	ran 1 documented "--stats=FILE" "$J/other"
	[ "${lines[0]}" = "docs/json.md, --stats=FILE: lacks fallacies" ]
	[ "${lines[1]}" = "docs/json.md, --stats=FILE: nobody writes faults" ]
}
