#!/usr/bin/env bats
#
# The bench: its programs run alike under the loaders, and its tools write what they promise and
# refuse what they cannot do. Nothing here looks at a time.

load helpers

BENCH=$ROOT/build/musl-release/bench
PROGRAMS=$ROOT/build/bench

setup() {
	cd "$ROOT" || return 1
	# For users without privileges: the folder of a test is root's alone.
	OPEN=$(mktemp -d)
	chmod 777 "$OPEN"
}

teardown() {
	rm -rf "$OPEN"
}

# json FILE EXPRESSION: true of what python calls `j`.
json() {
	python3 -c 'import json,sys; j = json.load(open(sys.argv[1])); sys.exit(not eval("(" + sys.argv[2] + ")"))' \
		"$@" && return 0
	echo "not true of $1: $2"
	return 1
}

compare() {
	"$BENCH/compare" --rounds=1 --warmup=1 "$@"
}

@test "every pattern in every kind of segment" {
	local area way words failed=0
	for area in bss-1 bss-4 data-16 rodata-16 text-4; do
		for way in sequential:read reverse:read random:read stride:read:17 streams:read:3 \
			sparse:read:1 few:read:10 dense:read moving:read:100; do
			IFS=: read -ra words <<<"$way"
			same_as_native "$PROGRAMS/touch-$area" "${words[@]}" || failed=1
			case $area in bss-* | data-*)
				words[1]="write"
				same_as_native "$PROGRAMS/touch-$area" "${words[@]}" || failed=1
				;;
			esac
		done
	done
	return "$failed"
}

@test "a run beside other programs is marked" {
	timeout 60 sh -c 'while :; do :; done' 3>&- &
	busy=$!
	ends 0 compare --rounds=1 --json="$BATS_TEST_TMPDIR/busy.json" ./prog3
	kill "$busy"
	grep -q 'the machine was busy with other programs' "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/err"
	json "$BATS_TEST_TMPDIR/busy.json" 'j["environment"]["load"] > 0.5 and any("busy" in text for text in j["warnings"])'
}

@test "wrong words for touch" {
	ends 125 "$PROGRAMS/touch-bss-1"
	ends 125 "$PROGRAMS/touch-bss-1" sideways read
	ends 125 "$PROGRAMS/touch-bss-1" stride read 0
}

@test "4 GiB of .bss, of which one percent is touched" {
	requires medium_model
	only_under on_demand_loader,hybrid_loader same_as_native "$PROGRAMS/touch-bss-4096" sparse write 1
}

@test "system calls, threads and children" {
	same_as_native "$PROGRAMS/calls" 2000
	same_as_native "$PROGRAMS/threads" 8
	same_as_native "$PROGRAMS/forks" 10
}

@test "compare writes JSON, CSV and Markdown" {
	local out=$BATS_TEST_TMPDIR/r
	ends 0 compare --counters=1 --seed=5 --json="$out.json" --csv="$out.csv" --markdown="$out.md" \
		--loader='./{all_at_once,hybrid}_loader' ./prog3
	json "$out.json" 'j["rounds"] == {"memory": 1, "counters": 1, "statistics": 1, "time": 1}'
	json "$out.json" '[c["loader"] for c in j["commands"]] ==
		[None, None, "./all_at_once_loader", "./hybrid_loader"]'
	json "$out.json" 'j["seed"] == 5 and all(len(c["samples"]) == 4 for c in j["commands"])'
	json "$out.json" 'j["commands"][3]["summary"]["peak_rss_kb"]["median"] > 3900'
	[ -z "$(engines_here)" ] || json "$out.json" 'j["commands"][3]["summary"]["faults_served"]["median"] > 0'
	json "$out.json" 'j["commands"][1]["summary"]["faults_served"] is None'
	# A counter has a number, or a reason why not.
	json "$out.json" 'all((s[m] is None) == (m in j["absent"])
		for s in (c["samples"][1] for c in j["commands"]) for m in s if m not in ("for", "ended"))'
	grep -q '^./prog3,./hybrid_loader,wall_ratio,' "$out.csv"
	grep -q '^| prog3 | hybrid_loader | ' "$out.md"
	ends 0 compare --against="$out.json" --loader='./{all_at_once,hybrid}_loader' ./prog3
	grep -q 'changed beyond the noise' "$BATS_TEST_TMPDIR/out"
	# Two files, and nothing is run.
	python3 - "$out.json" >"$out.slower.json" <<-'PYTHON'
		import json, sys
		results = json.load(open(sys.argv[1]))
		ratio = results["commands"][2]["summary"]["wall_ratio"]
		ratio.update({key: 2 * value + 100 for key, value in ratio.items()})
		del results["commands"][3]
		json.dump(results, sys.stdout)
	PYTHON
	ends 0 compare --against="$out.json" --now="$out.slower.json"
	grep -q '^prog3, all_at_once_loader: x native ' "$BATS_TEST_TMPDIR/out"
	grep -q '^1 changed beyond the noise, 3 did not; 1 commands are in one of the two only$' "$BATS_TEST_TMPDIR/out"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" = 2 ]
	refuses "--now wants --against=FILE" compare --now="$out.json"
	refuses "and no program: it runs nothing" compare --against="$out.json" --now="$out.json" ./prog3
}

@test "compare notices a run that ends otherwise, and one that fails natively" {
	printf '#!/bin/sh\nexit 3\n' >"$BATS_TEST_TMPDIR/wrong"
	chmod +x "$BATS_TEST_TMPDIR/wrong"
	ends 1 compare --loader="$BATS_TEST_TMPDIR/wrong" ./prog3
	grep -q '! exit 3, native: exit 0, in 2 of 3 runs of:' "$BATS_TEST_TMPDIR/out"
	ends 0 compare "$BATS_TEST_TMPDIR/wrong"
	grep -q 'Warning: wrong ends with status 3' "$BATS_TEST_TMPDIR/out"
	ends 0 compare ./prog4
	grep -q '! SIGSEGV' "$BATS_TEST_TMPDIR/out" && return 1
	printf '#!/bin/sh\nexec sleep 5\n' >"$BATS_TEST_TMPDIR/slow"
	chmod +x "$BATS_TEST_TMPDIR/slow"
	ends 1 compare --timeout=1 --loader="$BATS_TEST_TMPDIR/slow" ./prog3
	grep -q '! timed out' "$BATS_TEST_TMPDIR/out"
}

@test "compare refuses what it cannot do, in one line, before it measures" {
	refuses "no program was named: name one after the options" compare
	refuses "-l cannot be understood; try --help, and write a program and its arguments as one word" compare ./prog3 -l
	refuses "--json needs a value" compare ./prog3 --json
	cp ./prog3 "$BATS_TEST_TMPDIR/kept"
	refuses "kept is a program, and is not overwritten" compare --json="$BATS_TEST_TMPDIR/kept" ./prog3
	cmp ./prog3 "$BATS_TEST_TMPDIR/kept"
	refuses "--rounds is a number" compare --rounds=x ./prog3
	refuses "cannot write /nowhere/x.json: No such file or directory" compare --json=/nowhere/x.json ./prog3
	refuses "cannot read /nowhere" compare --against=/nowhere ./prog3
	echo '{}' >"$BATS_TEST_TMPDIR/empty.json"
	refuses "is no file that --json wrote" compare --against="$BATS_TEST_TMPDIR/empty.json" ./prog3
	refuses "cannot run ./no_such_program: No such file or directory" compare ./no_such_program
	refuses "has no name" compare --loader=' ' ./prog3
	refuses "no launcher at /nowhere" compare --launcher=/nowhere ./prog3
}

@test "a full disk loses no earlier results" {
	local out=$BATS_TEST_TMPDIR/r.json
	ends 0 compare --json="$out" ./prog3
	cp "$out" "$out.kept"
	# The limit counts 1024 bytes; SIGXFSZ is ignored so that the write fails instead.
	ends 125 bash -c 'trap "" XFSZ; ulimit -f 1; exec "$@"' bash \
		"$BENCH/compare" --rounds=1 --warmup=1 --json="$out" ./prog3
	says "cannot write $out: File too large"
	cmp "$out" "$out.kept"
	[ ! -e "$out.new" ]
	ends 125 compare --csv=/dev/full ./prog3
	says "cannot write /dev/full: No space left on device"
}

@test "every experiment, small and without privileges" {
	drop_privileges
	for name in prefault access services fault_cost start frames; do
		only_elsewhere "$ROOT/build/musl-release/bench/$name" && continue
		out=$OPEN/$name
		mkdir -m 777 "$out"
		ends 0 "${UNDER[@]}" "$ROOT/build/musl-release/bench/$name" --size=2 --rounds=1 --folder="$out" --json="$out/r.json"
		grep -q '^The source: ' "$BATS_TEST_TMPDIR/out"
		grep -Eq '^Here: (It holds|It does not hold|It cannot be said)' "$BATS_TEST_TMPDIR/out"
		json "$out/r.json" 'j["experiment"] == "'"$name"'" and len(j["tables"]) > 0'
		# What has no number has a reason.
		json "$out/r.json" 'all("absent_because" in r for t in j["tables"] for r in t["rows"]
			if any(None in v for v in r["columns"].values()))'
		[ "$(ls "$out")" = r.json ]
	done
	refuses "--size is a number" "$BENCH/prefault" --size=1
	refuses "takes options only, not 'here'" "$BENCH/prefault" here
}

# The setting is a file of ours, mounted over the kernel's.
@test "sessions with huge pages always put the setting back, and have pictures of their own" {
	requires matplotlib
	requires user_namespaces
	local results=$BATS_TEST_TMPDIR/results setting=/sys/kernel/mm/transparent_hugepage/enabled
	[ -e "$setting" ] || skip "this kernel has no transparent huge pages"
	printf 'always [madvise] never\n' >"$BATS_TEST_TMPDIR/setting"
	ROUNDS=1 SESSIONS="growth growth-always programs-always" MOST_MIB=4 ends 0 unshare -rm bash -c \
		'mount --bind "$1" "$2" && shift 2 && exec "$@"' - "$BATS_TEST_TMPDIR/setting" "$setting" \
		bench/suite.sh "$BENCH/compare" "$results" "$PROGRAMS"
	[ "$(cat "$BATS_TEST_TMPDIR/setting")" = madvise ]
	json "$results/growth-always.json" 'len(j["commands"]) > 8'
	# What any loader takes that calls exec stands beside what these take.
	json "$results/programs-always.json" 'any(c["loader"].endswith("/exec_only") for c in j["commands"] if c["loader"])'
	ends 0 fresh_make plots RESULTS="$results" PLOTS="$BATS_TEST_TMPDIR/plots"
	[ "$(grep -o 'time, ms; huge pages' "$BATS_TEST_TMPDIR/plots/growth.svg" | wc -l)" = 2 ]
}

@test "the suite and the pictures of it" {
	requires matplotlib
	local results=$BATS_TEST_TMPDIR/results plots=$BATS_TEST_TMPDIR/plots
	ROUNDS=1 SESSIONS="policies growth" MOST_MIB=16 \
		ends 0 bench/suite.sh "$BENCH/compare" "$results" "$PROGRAMS"
	json "$results/growth.json" 'any("touch-bss-16 " in (c["program"] or "") for c in j["commands"])'
	ends 0 "$BENCH/frames" --rounds=2 --json="$results/frames.json"
	ends 0 fresh_make plots RESULTS="$results" PLOTS="$plots"
	grep -q '^figure1: left out' "$BATS_TEST_TMPDIR/out"
	[ "$(ls "$plots")" = "$(printf '%s\n' frames.png frames.svg growth.png growth.svg policies.png policies.svg)" ]
	grep -q '<svg' "$plots/growth.svg"
	[ "$(stat -c %s "$plots/growth.png")" -lt 60000 ]
	ends 0 fresh_make plots RESULTS="$results" PLOTS="$plots.again"
	cmp "$plots/growth.svg" "$plots.again/growth.svg"
	ends 2 fresh_make plots RESULTS=/nowhere PLOTS="$plots"
	grep -q 'nothing to draw in /nowhere: run make bench' "$BATS_TEST_TMPDIR/err"
}

@test "wrong words for the scripts and tools of the bench" {
	for script in suite ratios record fault_parts; do
		refuses "usage: " "bench/$script.sh"
	done
	SESSIONS="policies bogus" ends 125 bench/suite.sh "$BENCH/compare" "$BATS_TEST_TMPDIR/r" "$PROGRAMS"
	says "SESSIONS: there is no bogus; there are programs patterns large huge arrays policies profiles engines areas growth programs-always growth-always"
	ROUNDS=x ends 125 bench/suite.sh "$BENCH/compare" "$BATS_TEST_TMPDIR/r" "$PROGRAMS"
	says "ROUNDS is a number from 1 to 999999, not 'x'"
	MOST_MIB=-1 ends 125 bench/suite.sh "$BENCH/compare" "$BATS_TEST_TMPDIR/r" "$PROGRAMS"
	says "MOST_MIB is a number"
	ROUNDS=x ends 125 bench/ratios.sh "$BENCH" "$PROGRAMS"
	says "ROUNDS is a number from 1 to 999999, not 'x'"
	[ ! -e "$BATS_TEST_TMPDIR/r" ]
	# Under make the status is make's own.
	ends 2 fresh_make bench SESSIONS=bogus RESULTS="$BATS_TEST_TMPDIR/r"
	grep -q "there is no bogus" "$BATS_TEST_TMPDIR/err"
}

@test "results that cannot be written are refused before anything runs" {
	local option program=$BATS_TEST_TMPDIR/program
	printf '#!/bin/sh\ntouch "$0.ran"\n' >"$program"
	chmod +x "$program"
	for option in json csv markdown; do
		ends 125 compare "--$option=/no/such/file" "$program"
		says "compare: cannot write /no/such/file: No such file or directory; name another file"
	done
	ends 125 bench/cold.py --json=/no/such/file "$program"
	says "cold.py: --json=/no/such/file cannot be written: No such file or directory; name another file"
	ends 125 timeout 20 "$BENCH/prefault" --json=/no/such/file
	says "prefault: cannot write /no/such/file: No such file or directory; name another file"
	ends 125 "$BENCH/replay" --json=/no/such/file tests/data/small.trace
	says "replay: cannot write /no/such/file: No such file or directory; name another file"
	refuses "compare: a file to write cannot be -; write ./- if that is meant, or /dev/stdout" compare --json=- "$program"
	[ ! -e "$program.ran" ]
	ends 0 compare --csv="$program.csv" ./prog3
	[ -s "$program.csv" ]
	refuses "cold.py: there is no program nothere; check its path, or install it" bench/cold.py nothere
}

@test "the replay of recorded touches" {
	requires lazy
	local recordings=$BATS_TEST_TMPDIR/recordings count
	ends 0 bench/record.sh ./on_demand_loader "$recordings" "$PROGRAMS"
	count=$(grep -c '/[a-z0-9-]*[.]profile$' "$BATS_TEST_TMPDIR/out")
	[ "$count" -ge 4 ]
	[ "$count" = "$(find "$recordings" -type f | wc -l)" ]
	ends 0 "$BENCH/replay" --json="$BATS_TEST_TMPDIR/r.json" "$recordings"/*.profile
	[ "$(grep -c 'pages touched' "$BATS_TEST_TMPDIR/out")" = "$count" ]
	[ "$(grep -c '^  adaptive ' "$BATS_TEST_TMPDIR/out")" = "$count" ]
	python3 -m json.tool "$BATS_TEST_TMPDIR/r.json" >/dev/null
	refuses "clairvoyant" "$BENCH/replay" --policy=clairvoyant "$recordings/prog1.profile"
	refuses "/nowhere" "$BENCH/replay" /nowhere
	refuses "README.md:1" "$BENCH/replay" README.md
}
