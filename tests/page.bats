#!/usr/bin/env bats
#
# make page: a run as a page for a browser. A real one opens it here, moves the slider, and tells what stands
# there; what should stand there is counted from the trace, in Python's sets of pages.

load helpers

DATA=$ROOT/tests/data

setup() {
	requires python3
	cd "$ROOT" || return 1
	PAGE=$BATS_TEST_TMPDIR/page.html
}

# in_browser SCRIPT [HASH]: what SCRIPT, appended to $PAGE, gives tell(), as JSON in $FOUND; the page is 1200
# pixels wide, or $WIDTH, in a frame: Chromium has no narrow windows. press(KEY) presses a key. Fails if the browser prints anything: an error, something that it may not fetch.
in_browser() {
	requires chromium
	local copy=$BATS_TEST_TMPDIR/copy.html dom=$BATS_TEST_TMPDIR/dom log=$BATS_TEST_TMPDIR/log
	FOUND=$BATS_TEST_TMPDIR/found.json
	{
		cat "$PAGE"
		echo '<pre id="told"></pre><script>'
		echo 'const tell = (value) => {'
		echo '	$("told").textContent = JSON.stringify(value);'
		echo '	if (parent !== window) parent.postMessage($("told").textContent, "*");'
		echo '};'
		echo 'const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));'
		echo "$1"
		echo '</script>'
	} >"$copy"
	if [ -n "${WIDTH-}" ]; then
		echo "<pre id=\"told\"></pre><iframe width=$WIDTH height=844 style=\"border: 0\" src=\"copy.html\"></iframe>" \
			'<script>onmessage = (message) => { told.textContent = message.data; };</script>' >"$BATS_TEST_TMPDIR/frame.html"
		copy=$BATS_TEST_TMPDIR/frame.html
	fi
	# The sandbox is not for root; the page is our own. Time runs ahead where nobody waits for anything else.
	HOME=$BATS_TEST_TMPDIR timeout 120 chromium --headless=new --no-sandbox --disable-gpu --window-size=1200,900 \
		--user-data-dir="$BATS_TEST_TMPDIR/profile" --enable-logging=stderr --virtual-time-budget=20000 \
		--dump-dom "file://$copy${2-}" >"$dom" 2>"$log" 3>&- 4>&-
	if grep CONSOLE "$log"; then return 1; fi
	python3 - "$dom" >"$FOUND" <<-'PYTHON'
		import html, re, sys
		print(html.unescape(re.search(r'<pre id="told">(.*?)</pre>', open(sys.argv[1]).read(), re.S)[1]))
	PYTHON
	[ "$(wc -c <"$FOUND")" -gt 1 ]
}

# slide STEP: each number that the page shows, at each place of the slider, or each so many, moved as a hand does.
slide() {
	in_browser "const step = $1; $SLIDE"
}
SLIDE='
	$("scale").value = "order";
	$("scale").dispatchEvent(new Event("change"));
	const found = [], slider = $("slider");
	for (let at = 0; at <= Number(slider.max); at += step) {
		slider.value = at;
		slider.dispatchEvent(new Event("input"));
		found.push(player.views.map((view) => Object.fromEntries(
			[...view.part.querySelectorAll("[data-counter]")].map((box) => [box.dataset.counter, Number(box.textContent)]))));
	}
	tell(found);'

# as_counted STEP TRACE...: $FOUND is what a walk through the traces counts at each moment, or each so many, at
# which something happens.
as_counted() {
	PYTHONPATH=share/trace python3 - "$FOUND" "$@" <<-'PYTHON'
		import json, sys
		sys.dont_write_bytecode = True
		import trace_file
		found, runs = json.load(open(sys.argv[1])), []
		for path in sys.argv[3:]:
		    events = sorted(trace_file.read(path).events, key=lambda event: event.time)
		    runs.append([(event.time - events[0].time, event) for event in events])
		moments = [-1] + sorted({time for events in runs for time, _ in events})
		moments = moments[:: int(sys.argv[2])]
		assert len(found) == len(moments), (len(found), len(moments))

		def count(events, moment):
		    present, revealed, kinds = set(), set(), {}
		    for time, event in events:
		        if time > moment:
		            break
		        kinds[event.kind] = kinds.get(event.kind, 0) + 1
		        first = event.address // 4096
		        pages = {(event.pid, first + i) for i in range(event.pages)}
		        if event.kind == "fault":
		            present.add((event.pid, first))
		        elif event.kind == "populate":
		            present |= pages
		        elif event.kind in ("reveal", "huge"):
		            revealed |= pages
		    names = ("fault", "call", "signal", "thread", "fork")
		    return dict({name: kinds.get(name, 0) for name in names}, all=sum(kinds.values()),
		                present=len(present), revealed=len(revealed - present))

		for moment, shown in zip(moments, found):
		    for events, numbers in zip(runs, shown):
		        expected = {name: n for name, n in count(events, moment).items() if name in numbers}
		        assert len(expected) >= 7 and numbers == expected, (moment, numbers, expected)
	PYTHON
}

@test "the slider moves, and the numbers are the trace's at each event" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	slide 1
	as_counted 1 "$DATA/small.trace"
}

@test "the page opens at the beginning of the run, and plays from there" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	in_browser '
		const faults = () => Number(player.views[0].counters.get("fault").textContent);
		const found = [$("clock").textContent, $("runs").querySelector(".now").innerText, faults()];
		player.play(true);
		const wait = () => (player.now < 1 ? setTimeout(wait, 30) : end());
		const end = () => { player.play(false); tell([...found, player.now, player.axis.length]); };
		wait();'
	python3 - "$FOUND" <<-'PYTHON'
		import json, sys
		clock, now, faults, later, length = json.load(open(sys.argv[1]))
		assert clock == "start" and now.startswith("Before the first event") and faults == 0, (clock, now, faults)
		assert 0 < later < length == 18700, (later, length)
	PYTHON
}

@test "one run or two: a window 390 pixels wide needs no scrolling to the side" {
	expect "exit 0" ./hybrid_loader --huge=never --trace="$BATS_TEST_TMPDIR/t" ./prog1
	for runs in "$BATS_TEST_TMPDIR/t" "$BATS_TEST_TMPDIR/t $DATA/small.trace"; do
		# shellcheck disable=SC2086 # one or two files
		ends 0 python3 share/trace/trace_page.py $runs "$PAGE"
		WIDTH=390 in_browser '
			const root = document.documentElement;
			player.seek(player.axis.length);
			const wide = [...document.querySelectorAll("body *")].filter((box) => box.getBoundingClientRect().right > root.clientWidth);
			tell([innerWidth, root.scrollWidth - root.clientWidth, player.views.length, wide.map((box) => box.outerHTML)])'
		python3 - "$FOUND" "$runs" <<-'PYTHON'
			import json, sys
			width, hidden, runs, wide = json.load(open(sys.argv[1]))
			assert width == 390 and hidden == 0 and runs == len(sys.argv[2].split()), (width, hidden, runs)
			assert not wide, wide
		PYTHON
	done
}

@test "zoom: keys, buttons, wheel and a drag change the axis, 0 and a double click show all of it" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	in_browser '
		const { chart } = player.views[0], { canvas } = chart, box = canvas.getBoundingClientRect(), found = [];
		const look = () => found.push([0, 1].map((share) => player.axis.windowTimeAt(share)).concat(chart.ticks().length, $("whole").disabled));
		const mouse = (name, share, y = 20, more = {}) => canvas.dispatchEvent(new (name === "wheel" ? WheelEvent : PointerEvent)(name, {
			clientX: box.left + 46 + share * chart.inner, clientY: box.top + y, cancelable: true, bubbles: true, ...more }));
		canvas.setPointerCapture = () => {};
		look();
		press("+"); look();
		press("d"); look();
		$("closer").click(); look();
		$("wider").click(); $("wider").click(); look();
		mouse("wheel", 0.5, 20, { deltaY: -1 }); look();
		mouse("wheel", 0.5, 140, { deltaY: -1 }); look();
		press("0"); look();
		mouse("wheel", 0.5, 20, { deltaY: -1, ctrlKey: true }); look();
		mouse("dblclick", 0.5); look();
		mouse("pointerdown", 0.75); mouse("pointermove", 0.5); mouse("pointerup", 0.25); look();
		player.seek(18000); look();
		mouse("pointerdown", 0.5); mouse("pointerup", 0.5);
		found.push(player.now);
		tell(found);'
	python3 - "$FOUND" <<-'PYTHON'
		import json, sys
		*looks, clicked = json.load(open(sys.argv[1]))
		near = lambda a, b: abs(a - b) < 40
		expected = [(0, 18700), (0, 9350), (2337, 11687), (2337, 7012), (0, 18700), (0, 18700), (1870, 16830), (0, 18700),
		            (1870, 16830), (0, 18700), (4675, 14025), (9350, 18700)]
		assert len(looks) == len(expected), looks
		for number, ((first, last, ticks, whole), (begin, end)) in enumerate(zip(looks, expected)):
		    assert near(first, begin) and near(last, end) and ticks >= 4, (number, first, last, ticks)
		    assert whole == ((begin, end) == (0, 18700)), number
		assert near(clicked, 14025), clicked
	PYTHON
}

@test "search finds a function, an address, a file and a call, and goes from one to the next" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	in_browser '
		const found = [], rows = () => [...$("runs").querySelectorAll(".row.sought")].map((row) => row.innerText);
		press("/");
		found.push(document.activeElement.id);
		for (const words of ["  Main+0x20", "0x404abc", "read", "0x00000001", "nothing of that kind"]) {
			$("search").value = words;
			$("search").dispatchEvent(new Event("input"));
			press("Home");
			const all = $("found").textContent, at = [];
			for (const key of ["n", "n", "N", "N"]) { press(key); at.push(player.now, $("found").textContent); }
			const current = $("runs").querySelector(".row.current");
			found.push([words, all, at, rows().length, current && current.classList.contains("sought")]);
		}
		tell(found);'
	PYTHONPATH=share/trace python3 - "$FOUND" "$DATA/small.trace" <<-'PYTHON'
		import json, sys
		sys.dont_write_bytecode = True
		import trace_file
		focus, *found = json.load(open(sys.argv[1]))
		events = sorted(trace_file.read(sys.argv[2]).events, key=lambda event: event.time)

		def pages(event):
		    first = event.address // 4096
		    return range(first, first + (1 if event.kind == "fault" else event.pages))

		holds = {
		    "  Main+0x20": lambda event: event.ip_symbol == "main+0x20" or event.symbol == "main+0x20",
		    "0x404abc": lambda event: 0x404 in pages(event),
		    "read": lambda event: "read" in event.kind + event.detail + event.ip_symbol,
		}
		assert focus == "search", focus
		for words, shown, at, rows, current in found:
		    times = sorted({event.time - events[0].time for event in events if words in holds and holds[words](event)})
		    if not times:
		        assert shown == "none" and rows == 0 and at == [-1, "none"] * 4, (words, shown, at)
		        continue
		    count = len(times)
		    walk = [0, 1 % count, 0, count - 1]
		    expected = [part for place in walk for part in (times[place], f"{place + 1} of {count}")]
		    assert rows > 0 and current, (words, rows)
		    assert at == expected, (words, at, expected)
	PYTHON
}

@test "? lists the keys, and each key of the list does something" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	in_browser '
		const found = [];
		press("?"); found.push($("keys").open, $("keys").innerText);
		press("?"); found.push($("keys").open);
		$("help").click(); found.push($("keys").open);
		press("End"); found.push(player.now);
		$("keys").close();
		const names = { "space": " ", "←": "ArrowLeft", "→": "ArrowRight" }, ignored = [];
		for (const cell of $("keys").querySelectorAll("td:first-child kbd")) {
			const key = new KeyboardEvent("keydown", { key: names[cell.textContent] || cell.textContent, bubbles: true, cancelable: true });
			if (document.body.dispatchEvent(key)) ignored.push(cell.textContent);
			$("keys").close();
		}
		tell([...found, ignored]);'
	python3 - "$FOUND" <<-'PYTHON'
		import json, sys
		found, words, closed, again, still, ignored = json.load(open(sys.argv[1]))
		assert [found, closed, again, still, ignored] == [True, False, True, -1, []], (found, closed, again, still, ignored)
		assert "zoom in" in words and "search for a function" in words, words
	PYTHON
}

@test "the page's address holds time, zoom, axis, search, and opens the page there" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	in_browser '
		const start = location.hash;
		player.seek(3000);
		player.zoomTo(0.1, 0.5);
		$("search").value = "main+0x20 & <b>";
		$("search").dispatchEvent(new Event("input"));
		setTimeout(() => tell([start, location.hash]), 2000);'
	link=$(python3 -c 'import json, sys; start, link = json.load(open(sys.argv[1])); assert start == ""; print(link)' "$FOUND")
	[ "$link" = '#t=3000&zoom=1870,9350&find=main%2B0x20+%26+%3Cb%3E' ]
	in_browser 'tell([player.now, player.axis.windowTimeAt(0), player.axis.windowTimeAt(1), $("search").value, $("scale").value])' "$link"
	grep -qF '[3000,1870,9350,"main+0x20 & <b>","time"]' "$FOUND"
	in_browser 'tell([player.now, $("slider").value, $("scale").value])' '#t=3000&axis=order'
	grep -q '\[3000,"[1-9]","order"\]' "$FOUND"
}

@test "one clock: all times of the page in one unit, which can be chosen" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	in_browser '
		const found = [], words = () => [$("clock"), ...["about", "now", "row"].map((name) => $("runs").querySelector(`.${name}`))];
		player.seek(3000);
		for (const name of ["", "ns", "µs", "ms", "s"]) {
			if (name) { $("unit").value = name; $("unit").dispatchEvent(new Event("change")); }
			found.push([$("unit").value, words().map((box) => box.innerText.match(/[0-9.]+ (ns|µs|ms|s)\b/g))]);
		}
		tell(found);'
	python3 - "$FOUND" <<-'PYTHON'
		import json, sys
		first, *rest = json.load(open(sys.argv[1]))
		assert first == rest[1], first
		for (unit, times), at in zip(rest, ("3000 ns", "3.000 µs", "0.003000 ms", "0.000003000 s")):
		    assert times[0] == [at] and all(found and all(time.endswith(" " + unit) for time in found) for found in times), (unit, times)
	PYTHON
}

@test "two runs side by side, each with its own numbers at the same time" {
	for trace in none adaptive; do
		expect "exit 0" ./hybrid_loader --huge=never --policy=$trace --trace="$BATS_TEST_TMPDIR/$trace" ./prog1
	done
	ends 0 fresh_make page TRACE="$BATS_TEST_TMPDIR/none" TRACE2="$BATS_TEST_TMPDIR/adaptive" PAGE="$PAGE"
	slide 31
	as_counted 31 "$BATS_TEST_TMPDIR/none" "$BATS_TEST_TMPDIR/adaptive"
	# The same at its end as what the loader counts itself.
	expect "exit 0" ./hybrid_loader --huge=never --policy=adaptive --stats="$BATS_TEST_TMPDIR/stats" ./prog1
	in_browser 'player.seek(player.axis.length); tell(player.views[1].counters.get("fault").textContent)'
	python3 - "$FOUND" "$BATS_TEST_TMPDIR/stats" <<-'PYTHON'
		import json, sys
		found, stats = (json.load(open(path)) for path in sys.argv[1:])
		assert int(found) == stats["faults"], (found, stats)
	PYTHON
}

@test "what happens, why, and in which source line" {
	expect "exit 0" ./hybrid_loader --huge=never --policy=next-7 --trace="$BATS_TEST_TMPDIR/t" ./prog1
	ends 0 fresh_make page TRACE="$BATS_TEST_TMPDIR/t" PAGE="$PAGE"
	in_browser '
		const { run } = player.views[0], of_main = run.events.filter((e) => e.place && e.place.line === "prog1.c:11");
		player.seek(of_main[1].time - run.start);
		const fault = $("runs").querySelector(".now").innerText;
		player.step(true);
		tell([fault, $("runs").querySelector(".now").innerText]);'
	python3 - "$FOUND" <<-'PYTHON'
		import json, re, sys
		fault, pages = json.load(open(sys.argv[1]))
		assert re.match(r"write of 0x\w+, first\+0x\w+ in \.bss\s+by main\+0x\w+, prog1\.c:11 +first\[i\] = i;\s+event", fault), fault
		assert re.match(r"8 pages 0x\w+–0x\w+ populated: .*\s+for: write of 0x\w+, first\+0x", pages), pages
	PYTHON
	# A program that has been built since is another one.
	cp prog1 "$BATS_TEST_TMPDIR/prog1"
	touch -d tomorrow "$BATS_TEST_TMPDIR/prog1"
	ends 0 fresh_make page TRACE="$BATS_TEST_TMPDIR/t" PROGRAM="$BATS_TEST_TMPDIR/prog1" PAGE="$PAGE"
	says "is newer than $BATS_TEST_TMPDIR/t: no source lines"
	if grep 'prog1\.c:11' "$PAGE"; then false; fi
}

@test "time: from a link, by keys, by play; and the map has the colours" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	in_browser '
		const clock = () => $("clock").textContent, found = [clock()];
		for (const key of ["ArrowRight", "ArrowLeft", "Home", "End"]) { press(key); found.push(clock()); }
		const map = player.views[0].map, bss = map.boxes.find((box) => box.map.part.label === ".bss");
		const at = (page) => {
			const cell = page - bss.map.first, canvas = bss.canvas, scale = canvas.width / canvas.clientWidth;
			const x = (cell % bss.columns) * 7 + 3, y = Math.floor(cell / bss.columns) * 7 + 3;
			const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
			const pixels = copy.getContext("2d", { willReadFrequently: true });
			pixels.drawImage(canvas, 0, 0);
			return [...pixels.getImageData(x * scale, y * scale, 1, 1).data].slice(0, 3).join();
		};
		press("End");
		found.push(at(0x404), at(0x406), at(0x410), at(0x412), at(0x414), at(0x500));
		press("Home");
		found.push(at(0x404));
		$("speed").value = "6";
		$("play").click();
		const wait = () => (player.playing ? setTimeout(wait, 100) : (found.push(clock()), tell(found)));
		wait();' '#t=3000'
	python3 - "$FOUND" <<-'PYTHON'
		import json, sys
		found = json.load(open(sys.argv[1]))
		assert found[:5] == ["3.000 µs", "3.600 µs", "3.000 µs", "start", "18.700 µs"], found
		touched, populated, for_a_call, huge, end, hidden = "213,94,0", "0,158,115", "230,159,0", "204,121,167", "60,64,67", "233,230,221"
		assert found[5:12] == [touched, touched, for_a_call, touched, huge, end, hidden], found
		assert found[12] == "18.700 µs", found
	PYTHON
}

@test "names that mean something in HTML; a run without events; one of 100 000" {
	local trace=$BATS_TEST_TMPDIR/t
	sed 's/<T&U>/<\/script><script>alert(1)<\/script>/' "$DATA/odd.trace" >"$trace"
	ends 0 python3 share/trace/trace_page.py "$trace" "$PAGE"
	says "12 events lost"
	in_browser 'tell([document.title, player.views[0].run.events[0].symbol, document.scripts.length])'
	grep -qF 'a \"b\" $c$ <d> under on_demand_loader' "$FOUND"
	grep -qF 'get a$b$c </script><script>alert(1)</script>+0x8",3]' "$FOUND"
	sed -n '1,/^events$/p' "$DATA/small.trace" >"$trace"
	printf 'end\t0\t0\texit 3\n' >>"$trace"
	ends 0 python3 share/trace/trace_page.py "$trace" "$PAGE"
	in_browser '$("play").click(); tell($("runs").querySelector(".now").innerText)'
	grep -q 'There are no events' "$FOUND"
	sed -n '1,/^events$/p' "$DATA/small.trace" >"$trace"
	awk 'BEGIN {
		for (i = 0; i < 100000; i++)
			printf "%d\t100\t100\tfault\t%x\t1\t400200\twrite\ttable+0x8\tmain+0x20\n", i * 20, 4210688 + i % 250 * 4096
		printf "end\t100000\t0\texit 0\n"
	}' >>"$trace"
	ends 0 python3 share/trace/trace_page.py "$trace" "$PAGE"
	in_browser 'player.seek(player.axis.length); press("+"); press("a"); $("search").value = "table"; player.search();
		tell([...player.views[0].counters].map(([name, box]) => name + box.textContent).concat($("found").textContent))'
	grep -qF '"present250","revealed0","fault100000"' "$FOUND"
	grep -qF '"100000 of 100000"' "$FOUND"
}

@test "make page and make calls without TRACE: a run of prog1" {
	ends 0 fresh_make page PAGE="$PAGE"
	grep -q 'prog1' "$PAGE"
	grep -qx "prog1 under on_demand_loader: $PAGE" "$BATS_TEST_TMPDIR/out"
	requires lazy
	ends 0 fresh_make calls
	grep -q '^writev(1, .* = 7$' "$BATS_TEST_TMPDIR/out"
}

@test "the page is one file, and its refusals are one sentence" {
	ends 0 fresh_make page TRACE="$DATA/small.trace" PAGE="$PAGE"
	if grep -E 'https?:|src=|@import|@[a-zA-Z.]+@' "$PAGE"; then false; fi
	[ "$(stat -c %s "$PAGE")" -lt 55000 ]
	ends 2 fresh_make page TRACE="$DATA/small.trace"
	grep -q 'make page needs PAGE=file.html' "$BATS_TEST_TMPDIR/err"
	ends 125 python3 share/trace/trace_page.py "$DATA/small.trace" "$BATS_TEST_TMPDIR/p.svg"
	says "trace_page.py: $BATS_TEST_TMPDIR/p.svg: a page's name ends in .html"
	ends 125 python3 share/trace/trace_page.py "$DATA/small.trace" "$BATS_TEST_TMPDIR/nowhere" "$PAGE"
	says "trace_page.py: $BATS_TEST_TMPDIR/nowhere: No such file or directory"
	ends 125 python3 share/trace/trace_page.py "$DATA/small.trace" README.md "$PAGE"
	says "trace_page.py: README.md: not a trace"
	ends 125 python3 share/trace/trace_page.py a b c d.html
	grep -q "one or two runs" "$BATS_TEST_TMPDIR/err"
}

@test "the course's pages are made of the parts as they are: make course-pages" {
	requires bash-static lazy
	local pages=$BATS_TEST_TMPDIR/pages
	make -s -C "$ROOT" course-pages PAGES="$pages"
	"$ROOT/on_demand_loader" --retire=never --stats="$BATS_TEST_TMPDIR/stats" "$ROOT/prog4" >/dev/null || true
	python3 - "$pages" "$BATS_TEST_TMPDIR/stats" <<-'EOF'
		import json, os, pathlib, re, sys

		parts = pathlib.Path("share/trace/page")
		template = (parts / "page.html").read_text()
		pieces = re.split(r"@RUNS@", re.sub(
		    r"@([a-z]+\.(?:js|css))@", lambda match: (parts / match[1]).read_text(), template))
		pages = sorted(pathlib.Path(sys.argv[1]).glob("*.html"))
		assert len(pages) == 3 and len(pieces) == 2, (pages, len(pieces))
		for page in pages:
		    text = page.read_text()
		    assert text.startswith(pieces[0]) and text.endswith(pieces[1]), page

		# prog4's faults, and the read that kills it.
		run = json.loads(pages[0].read_text()[len(pieces[0]):-len(pieces[1])])[0]
		kinds = [run["kinds"][number] for number in run["events"]["kind"]]
		faults = json.loads(pathlib.Path(sys.argv[2]).read_text())["faults"]
		assert kinds.count("fault") == faults > 0 and kinds[-1] == "fatal", (faults, kinds)
		assert faults == 4 or os.uname().machine != "x86_64", faults
	EOF
}
