#!/usr/bin/env bats
#
# What reads the traces that --trace=FILE writes: as Trace Event JSON and as a picture. The traces in
# tests/data are handmade; what must come of them is written down here.

load helpers

DATA=$ROOT/tests/data

setup_file() {
	# Its font cache goes here, and not to the user's home.
	export MPLCONFIGDIR=$BATS_FILE_TMPDIR
}

setup() {
	requires python3
	cd "$ROOT" || return 1
	ERR=$BATS_TEST_TMPDIR/err
}

@test "without matplotlib: a sentence that says what to install" {
	mkdir "$BATS_TEST_TMPDIR/none"
	echo 'raise ImportError("none")' >"$BATS_TEST_TMPDIR/none/matplotlib.py"
	export PYTHONPATH=$BATS_TEST_TMPDIR/none
	for tool in share/trace/trace_plot.py bench/plots.py; do
		ends 125 python3 "$tool" "$DATA/small.trace" "$BATS_TEST_TMPDIR/a.svg"
		says "${tool##*/} needs matplotlib (none): apt-get install python3-matplotlib"
	done
}

# picture TRACE: as $PICTURE, an SVG that an XML parser reads.
picture() {
	PICTURE=$BATS_TEST_TMPDIR/picture.svg
	ends 0 fresh_make picture TRACE="$1" PICTURE="$PICTURE" || return 1
	python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$PICTURE"
}

# shows TEXT...: each is a text of the picture, from its start. In SVG, & < > are written &amp; and so on.
shows() {
	local text failed=0
	for text in "$@"; do
		python3 - "$PICTURE" "$text" <<-'PYTHON' || { echo "not in the picture: $text"; failed=1; }
			import sys, xml.dom.minidom
			found = xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("text")
			texts = ["".join(n.data for n in t.childNodes if n.nodeType == n.TEXT_NODE) for t in found]
			sys.exit(not any(t.strip().startswith(sys.argv[2]) for t in texts))
		PYTHON
	done
	return $failed
}

# lacks TEXT: nowhere in the picture.
lacks() {
	! grep -F -- "$1" "$PICTURE"
}

# refused TEXT: the file $BAD, by trace_json.py; nothing is written.
refused() {
	ends 125 python3 share/trace/trace_json.py "$BAD" "$BATS_TEST_TMPDIR/bad.json" &&
		says "trace_json.py: $BAD$1" && [ ! -e "$BATS_TEST_TMPDIR/bad.json" ] && return 0
	echo "expected: $1"
	return 1
}

@test "JSON: exactly the events of the trace" {
	ends 0 fresh_make trace-json TRACE="$DATA/small.trace" JSON="$BATS_TEST_TMPDIR/small.json"
	[ ! -s "$ERR" ]
	cat >"$BATS_TEST_TMPDIR/expected" <<-'END'
		M process_name 100 100 - - small (hybrid_loader)
		M process_name 102 102 - - small (child)
		M thread_name 100 100 - - first thread
		M thread_name 100 101 - - thread 101
		M thread_name 102 102 - - first thread
		X read fault 100 100 1.0 0.5 fault 0x403010 1 state+0x10
		C pages 100 100 1.0 - 1 0
		i reveal 100 100 1.5 t fault 0x403000 1 state+0x0
		X write fault 100 100 4.0 1.25 fault 0x404008 1 table+0x8
		C pages 100 100 4.0 - 2 0
		i populate 100 100 4.6 t populate 0x404000 1 table+0x0
		i populate 100 100 5.25 t populate 0x405000 3 table+0xff8
		C pages 100 100 5.25 - 5 0
		i thread 100 101 9.0 t
		i read 100 100 9.0 t system call 0x410000 2 buffer+0x0
		i reveal 100 100 9.1 t system call 0x410000 2 buffer+0x0
		C pages 100 100 9.1 - 5 2
		i write fault 100 101 9.5 t fault 0x406020 1 table+0x2018
		i SIGUSR1 100 100 12.0 t 0x400400 on_signal+0x0
		X write fault 100 100 13.0 0.7 fault 0x412000 1 table+0xe000
		C pages 100 100 13.0 - 6 2
		i huge 100 100 13.7 t huge 0x413000 64 table+0xf000
		C pages 100 100 13.7 - 6 66
		i fork 102 102 15.0 p
		X write fault 102 102 16.0 0.2 fault 0x403020 1 state+0x20
		C pages 102 102 16.0 - 1 0
		i reveal 102 102 16.2 t fault 0x403000 1 state+0x0
		i exec 102 102 17.0 p
		i thread-exit 100 101 18.0 t
		i retire 100 100 19.0 p retire
		i reveal 100 100 19.5 t retire 0x402000 2
		C pages 100 100 19.5 - 6 67
		i reveal 100 100 19.7 t retire 0x404000 256 table+0x0
		C pages 100 100 19.7 - 6 252
	END
	python3 - "$BATS_TEST_TMPDIR/small.json" >"$BATS_TEST_TMPDIR/found" <<-'PYTHON'
		import json, sys
		trace = json.load(open(sys.argv[1]))
		assert trace["displayTimeUnit"] == "ns"
		for e in trace["traceEvents"]:
		    shown = [e["ph"], e["name"], e["pid"], e["tid"], e.get("ts", "-"), e.get("dur", e.get("s", "-"))]
		    a = e["args"]
		    for key in ("name", "present", "revealed", "cause", "address", "pages", "symbol"):
		        if key in a:
		            shown.append(a[key])
		    print(*shown)
	PYTHON
	diff "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/found"
}

@test "JSON: fields as the Trace Event Format wants them" {
	for trace in small odd; do
		ends 0 python3 share/trace/trace_json.py "$DATA/$trace.trace" "$BATS_TEST_TMPDIR/$trace.json"
		python3 - "$BATS_TEST_TMPDIR/$trace.json" <<-'PYTHON'
			import json, sys
			trace = json.load(open(sys.argv[1]))
			assert trace["displayTimeUnit"] in ("ms", "ns")
			for e in trace["traceEvents"]:
			    assert type(e["pid"]) is int and type(e["tid"]) is int and type(e["name"]) is str, e
			    assert type(e["args"]) is dict, e
			    if e["ph"] == "M":
			        assert e["name"] in ("process_name", "thread_name") and type(e["args"]["name"]) is str, e
			        continue
			    assert type(e["ts"]) in (int, float), e
			    if e["ph"] == "X":
			        assert e["dur"] >= 0, e
			    elif e["ph"] == "i":
			        assert e["s"] in "gpt", e
			    else:
			        assert e["ph"] == "C" and all(type(v) is int for v in e["args"].values()), e
		PYTHON
	done
	# What the trace says of the run, and a name with everything in it.
	python3 - "$BATS_TEST_TMPDIR/odd.json" <<-'PYTHON'
		import json, sys
		trace = json.load(open(sys.argv[1]))
		about = trace["otherData"]
		assert about["program"] == './a "b" $c$ <d>' and about["ended"] == "signal 11" and about["lost"] == 12
		fault = [e for e in trace["traceEvents"] if e["ph"] == "X"][0]
		assert fault["args"]["symbol"] == "main.(*Pool[go.shape.int]).get a$b$c <T&U>+0x8", fault
	PYTHON
}

@test "pages are counted as a set of them would" {
	seeded
	PYTHONPATH=share/trace python3 - <<-'PYTHON'
		import os, random, sys
		sys.dont_write_bytecode = True
		import trace_json
		random.seed(int(os.environ["SEED"]))
		for _ in range(300):
		    ranges = [(s, s + random.randrange(1, 30)) for s in random.choices(range(100), k=40)]
		    painter, pages = trace_json.Painter(ranges), set()
		    for start, end in ranges:
		        painter.paint(start, end)
		        pages.update(range(start, end))
		        assert painter.pages == len(pages), (ranges, start, end)
	PYTHON
}

@test "the picture names the run, the sections, the symbols and what was done" {
	requires matplotlib
	picture "$DATA/small.trace"
	shows "small under hybrid_loader, policy adaptive" \
		"engine guard, 20 events, exit 0, 2 processes, 3 threads" \
		".text, 5.75 KiB  400000" ".fini .eh_frame, 48 bytes" ".init_array .got, 64 bytes" \
		".data, 2 KiB  403000" ".bss, 1 MiB  403800" "table (3)" "state (2)" \
		"touched: fault (5)" "populated (2)" "huge pages asked for (1)" "for a system call (1)" \
		"end of lazy paging (1)" "left to the kernel"
	# No page was revealed by the policy, and .tbss takes no place.
	lacks "revealed by policy"
	lacks ".tbss"
	lacks "lost"
	cp "$PICTURE" "$PICTURE.first"
	picture "$DATA/small.trace"
	cmp "$PICTURE" "$PICTURE.first"
}

@test "a stripped program's regions; names that mean something elsewhere; lost events" {
	requires matplotlib
	picture "$DATA/odd.trace"
	grep -q '^trace_plot.py: .*/odd.trace: 12 events lost$' "$ERR"
	shows 'a "b" $c$ <d> under on_demand_loader' "r-x file, 8 KiB  7f0000000000" \
		"rw- bss, 64 KiB  7f0000003000" 'main.(*Pool[go' \
		"engine guard, 3 events, signal 11, 1 elsewhere in memory, 12 events lost"
	grep -q 'a\$b\$c &lt;T&amp;U&gt; (1)' "$PICTURE"
	ends 0 python3 share/trace/trace_json.py "$DATA/odd.trace" "$BATS_TEST_TMPDIR/odd.json"
	says "odd.trace: 12 events lost"
}

@test "a picture as PNG, of no events, and of many sections" {
	requires matplotlib
	local trace=$BATS_TEST_TMPDIR/t i
	ends 0 fresh_make picture TRACE="$DATA/small.trace" PICTURE="$BATS_TEST_TMPDIR/p.png"
	[ "$(head -c 8 "$BATS_TEST_TMPDIR/p.png" | od -An -tx1)" = " 89 50 4e 47 0d 0a 1a 0a" ]
	sed -n '1,/^events$/p' "$DATA/small.trace" >"$trace"
	printf 'end\t0\t0\texit 3\n' >>"$trace"
	picture "$trace"
	shows "engine guard, 0 events, exit 3" ".bss, 1 MiB  403800"
	lacks "touched: fault"
	# More sections than can be read: the mappings are shown instead.
	sed '/^section/d; /^events/,$d' "$DATA/small.trace" >"$trace"
	for ((i = 0; i < 50; i++)); do
		printf 'section\t%x\t%x\t.s%d\n' $((0x404000 + i * 4096)) $((0x405000 + i * 4096)) $i
	done >>"$trace"
	sed -n '/^events/,$p' "$DATA/small.trace" >>"$trace"
	picture "$trace"
	shows "rw- bss, 1 MiB  404000"
	lacks ".s12"
}

@test "200 000 events are an image in the picture, not as many shapes" {
	requires matplotlib
	local trace=$BATS_TEST_TMPDIR/t
	sed -n '1,/^events$/p' "$DATA/small.trace" >"$trace"
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 100000; i++) {
			page = 1028 + int(rand() * 250)
			printf "%d\t100\t100\tfault\t%x\t1\t400200\twrite\ttable+0x8\tmain+0x20\n", i * 20, page * 4096 + 8
			printf "%d\t100\t100\tpopulate\t%x\t4\t0\tahead\ttable+0x8\t-\n", i * 20 + 9, page * 4096
		}
		printf "end\t200000\t0\texit 0\n"
	}' >>"$trace"
	picture "$trace"
	grep -q '<image' "$PICTURE"
	[ "$(stat -c %s "$PICTURE")" -lt 1000000 ]
	shows "touched: fault (100000)" "populated (100000)" "table (100000)" ".bss, 1 MiB  403800"
}

@test "a trace whose loader was killed is shown as far as it goes" {
	local good=$DATA/small.trace part=$BATS_TEST_TMPDIR/part
	JSON=$BATS_TEST_TMPDIR/json
	sed '/^end/d' "$good" >"$part"
	ran 0 python3 share/trace/trace_json.py "$part" "$JSON"
	[ "$output" = "trace_json.py: $part: cut off after 20 events" ]
	grep -q '"ended": "cut off"' "$JSON"
	head -c -3 "$part" >"$part.cut"
	ran 0 python3 share/trace/trace_json.py "$part.cut" "$JSON"
	[ "$output" = "trace_json.py: $part.cut: cut off after 19 events" ]
	# A trace that is really cut off, because the loader is killed.
	./on_demand_loader --retire=never --trace="$BATS_TEST_TMPDIR/trace" "$GUESTS/musl-static/signal_continue" 3>&- 4>&- &
	until grep -q '^State:.*stopped' "/proc/$!/status"; do sleep 0.02; done
	kill -KILL $!
	wait $! || true
	ran 0 python3 share/trace/trace_json.py "$BATS_TEST_TMPDIR"/trace.partial-* "$JSON"
	[[ $output == *": cut off after "*" events" ]]
	[ ! -e "$BATS_TEST_TMPDIR/trace" ]
}

@test "a file that is no trace, or damaged, has one sentence" {
	local good=$DATA/small.trace
	BAD=$BATS_TEST_TMPDIR/bad
	: >"$BAD" && refused ": not a trace: it does not begin with 'page-trace'; name one that --trace=FILE has written"
	head -c 5000 /dev/zero >"$BAD" && refused ": not a trace"
	cp README.md "$BAD" && refused ": not a trace"
	sed '1s/1/2/' "$good" >"$BAD" && refused ": trace of version '2', not 1"
	head -n 12 "$good" >"$BAD" && refused ": cut off before its events"
	(cat "$good" && printf more) >"$BAD" && refused ":41: something after the end"
	sed '20s/\t/ /' "$good" >"$BAD" && refused ":20: 9 fields, not 10"
	sed '20s/$/\tmore/' "$good" >"$BAD" && refused ":20: 11 fields, not 10"
	sed '20s/^[0-9]*/-5/' "$good" >"$BAD" && refused ":20: '-5' is not a number"
	sed '20s/^[0-9]*/5c/' "$good" >"$BAD" && refused ":20: '5c' is not a decimal number"
	sed '8s/400000/40000g/' "$good" >"$BAD" && refused ":8: '40000g' is not a hexadecimal number"
	sed '8s/402000/3ff000/' "$good" >"$BAD" && refused ":8: 3ff000 is below 400000"
	sed '8s/\tnative//' "$good" >"$BAD" && refused ":8: 5 fields, not 6"
	sed '/^policy/d' "$good" >"$BAD" && refused ":18: events before a line 'policy'"
	sed '25d' "$good" >"$BAD" && refused ":39: the end says 20 events, and there are 19"
	(cat "$good" && echo) >"$BAD" && refused ":41: something after the end"
	BAD=/nowhere/trace refused ": No such file or directory"
	BAD=$ROOT refused ": Is a directory"
}

@test "the picture's own refusals, and those of make" {
	requires matplotlib
	ends 2 fresh_make picture TRACE=/nowhere PICTURE="$BATS_TEST_TMPDIR/p.svg"
	grep -q '^trace_plot.py: /nowhere: No such file or directory; name a trace that --trace=FILE has written$' "$ERR"
	ends 2 fresh_make picture TRACE="$DATA/small.trace" PICTURE="$BATS_TEST_TMPDIR/p.gif"
	grep -q "^trace_plot.py: .*/p.gif: a picture's name ends in .svg or .png$" "$ERR"
	ends 2 fresh_make picture TRACE="$DATA/small.trace" PICTURE=/nowhere/p.svg
	grep -q '^trace_plot.py: /nowhere/p.svg: No such file or directory; name another file$' "$ERR"
	[ -z "$(find "$BATS_TEST_TMPDIR" -name 'p.*')" ]
	ends 2 fresh_make picture TRACE="$DATA/small.trace"
	grep -q 'make picture needs PICTURE=file.svg' "$ERR"
	ends 2 fresh_make trace-json JSON="$BATS_TEST_TMPDIR/j"
	grep -q 'make trace-json needs TRACE=file' "$ERR"
	refuses "trace_json.py TRACE JSON" python3 share/trace/trace_json.py
}

@test "words and kinds that a later loader adds are no error" {
	requires matplotlib
	local trace=$BATS_TEST_TMPDIR/t
	sed -e '3a later\tword\tof two fields' -e '/\tthread-exit\t/s/thread-exit/later/' "$DATA/small.trace" >"$trace"
	ends 0 python3 share/trace/trace_json.py "$trace" "$BATS_TEST_TMPDIR/j"
	grep -q '"ph": "i", "name": "later"' "$BATS_TEST_TMPDIR/j"
	picture "$trace"
	shows "touched: fault (5)"
}
