// What moves the page: slider, buttons, keys, search, the link.

class Player {
	constructor(runs) {
		const most = runs.flatMap((run) => LINES.map(([name]) => run.counts[name].reduce((a, b) => Math.max(a, b), 0)));
		Object.assign(this, { axis: new Axis(runs), playing: false, now: -1, found: [] });
		unit = unitFor(this.axis.length);
		this.views = runs.map((run, number) => new RunView(run, number, this.axis, Math.max(...most), this));
		$("runs").className = runs.length === 1 ? "one" : "two";
		$("unit").append(...UNITS.map(([name]) => element("option", "", name)));
		$("unit").value = unit[0];
		this.addControls();
		this.readLink();
	}

	addControls() {
		const clicks = {
			play: () => this.play(!this.playing), back: () => this.step(false), forward: () => this.step(true),
			closer: () => this.zoom(0.5), wider: () => this.zoom(2), whole: () => this.zoom(Infinity),
			previous: () => this.seekFound(false), next: () => this.seekFound(true), help: () => $("keys").showModal(),
		};
		for (const [id, does] of Object.entries(clicks)) $(id).addEventListener("click", does);
		$("slider").addEventListener("input", () => this.seek(this.ofSlider(), true));
		$("scale").addEventListener("change", () => this.setScale());
		$("unit").addEventListener("change", () => {
			unit = UNITS.find(([name]) => name === $("unit").value);
			for (const view of this.views) view.writeAbout();
			this.redraw();
		});
		$("search").addEventListener("input", () => this.search());
		$("search").addEventListener("keydown", (key) => {
			if (key.key === "Enter") this.seekFound(!key.shiftKey);
			if (key.key === "Escape") $("search").blur();
		});
		addEventListener("keydown", (key) => this.key(key));
		addEventListener("resize", () => this.redraw());
		addEventListener("hashchange", () => this.readLink());
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
	}

	redraw() {
		shades.clear();
		document.body.style.setProperty("--clock", `${timeWords(this.axis.length).length + 1}ch`);
		for (const view of this.views) view.count = -1;
		this.redrawCharts();
		this.seek(this.now);
	}

	// The window has another size or place.
	redrawCharts() {
		const { axis } = this;
		for (const view of this.views) {
			view.chart.prepare();
			view.chart.draw(this.now);
		}
		$("window").style.marginLeft = `${100 * axis.from}%`;
		$("window").style.width = `${100 * axis.width}%`;
		$("window").hidden = axis.whole;
		$("wider").disabled = $("whole").disabled = axis.whole;
		this.writeLink();
	}

	setScale() {
		this.axis.setOrdered($("scale").value === "order");
		$("slider").max = this.axis.ordered ? this.axis.moments.length : this.axis.length;
		this.redraw();
	}

	zoom(factor, time = this.now) {
		this.axis.zoom(factor, time);
		this.redrawCharts();
	}

	zoomTo(from, to) {
		this.axis.show(this.axis.from + from * this.axis.width, (to - from) * this.axis.width);
		this.redrawCharts();
	}

	pan(part) {
		this.axis.pan(part);
		this.redrawCharts();
	}

	ofSlider() {
		const value = Number($("slider").value);
		if (value === 0) return -1;
		return this.axis.ordered ? this.axis.moments[value - 1] : value;
	}

	step(forward) {
		this.play(false);
		this.seek(this.axis.step(this.now, forward));
	}

	// In all runs; then "next" goes from one to the next in time.
	search() {
		const moments = new Set();
		for (const view of this.views) {
			const events = searchRun(view.run, $("search").value);
			view.sought = new Set(events.map((event) => event.index));
			for (const event of events) moments.add(event.time - view.run.start);
			view.drawRows();
		}
		this.found = [...moments].sort((a, b) => a - b);
		$("previous").disabled = $("next").disabled = !this.found.length;
		this.showFound();
		this.writeLink();
	}

	showFound() {
		const upTo = firstWhere(this.found.length, (index) => this.found[index] > this.now);
		const here = upTo && this.found[upTo - 1] === this.now ? `${upTo} of ` : "";
		$("found").textContent = !$("search").value.trim() ? "" : this.found.length ? `${here}${this.found.length}` : "none";
	}

	// After the last one comes the first one again.
	seekFound(forward) {
		const { found, now } = this;
		if (!found.length) return;
		const at = firstWhere(found.length, (index) => (forward ? found[index] > now : found[index] >= now));
		this.play(false);
		this.seek(found[(forward ? at : at - 1 + found.length) % found.length]);
	}

	key(key) {
		const { target } = key, types = target.tagName === "INPUT" && target.type !== "range" && target.type !== "checkbox";
		if (types || target.tagName === "SELECT" || key.ctrlKey || key.altKey || key.metaKey) return;
		if (key.key === " " && (target.tagName === "BUTTON" || target.type === "checkbox")) return;
		if ($("keys").open && key.key !== "?") return;
		const sideways = (part, forward) => (key.shiftKey ? this.pan(part) : this.step(forward));
		const does = {
			ArrowLeft: () => sideways(-0.25, false), ArrowRight: () => sideways(0.25, true),
			Home: () => this.seek(-1), End: () => this.seek(this.axis.length), " ": () => this.play(!this.playing),
			"+": () => this.zoom(0.5), "=": () => this.zoom(0.5), w: () => this.zoom(0.5), "-": () => this.zoom(2), s: () => this.zoom(2),
			a: () => this.pan(-0.25), d: () => this.pan(0.25), 0: () => this.zoom(Infinity),
			"/": () => { $("search").focus(); $("search").select(); }, n: () => this.seekFound(true), N: () => this.seekFound(false),
			"?": () => ($("keys").open ? $("keys").close() : $("keys").showModal()),
		}[key.key];
		if (!does) return;
		key.preventDefault();
		does();
	}

	// To a time in ns since the first event; -1: before it.
	seek(time, bySlider) {
		this.now = time;
		if (!bySlider)
			$("slider").value = this.axis.ordered ? this.axis.momentsUpTo(time) : Math.max(0, time);
		$("clock").textContent = $("slider").ariaValueText = timeWords(time);
		if (this.axis.follow(time)) this.redrawCharts();
		for (const view of this.views) view.draw(time);
		this.showFound();
		this.writeLink();
	}

	play(on) {
		clearInterval(this.timer);
		this.playing = on;
		$("play").innerHTML = on ? "&#10074;&#10074;" : "&#9654;";
		$("play").ariaLabel = on ? "Stop" : "Play";
		// A screen reader reads each event that one goes to, but not those that pass by.
		for (const view of this.views) view.find("now").ariaLive = on ? "off" : "polite";
		if (!on) return;
		let share = this.axis.share(Math.max(0, this.now)) % 1, before = performance.now();
		this.timer = setInterval(() => {
			const now = performance.now();
			share = Math.min(1, share + (now - before) / 1000 / Number($("speed").value));
			before = now;
			this.seek(this.axis.timeAt(share));
			if (share === 1) this.play(false);
		}, 30);
	}

	// #t=700000&zoom=600000,900000&axis=order&find=main, times in ns.
	readLink() {
		const link = new URLSearchParams(location.hash.slice(1)), [from, to] = (link.get("zoom") || "").split(",").map(Number);
		$("scale").value = link.get("axis") === "order" ? "order" : "time";
		$("search").value = link.get("find") || "";
		this.now = /^-?\d+$/.test(link.get("t")) ? Number(link.get("t")) : -1;
		this.setScale();
		if (to > from) this.axis.showTimes(from, to);
		this.search();
		this.redraw();
	}

	// The page's address stands still for half a second before it changes: browsers limit how often it may.
	writeLink() {
		clearTimeout(this.linking);
		this.linking = setTimeout(() => {
			const link = new URLSearchParams(), { axis } = this, find = $("search").value.trim();
			if (this.now >= 0) link.set("t", this.now);
			if (!axis.whole) link.set("zoom", `${Math.max(0, axis.windowTimeAt(0))},${axis.windowTimeAt(1)}`);
			if (axis.ordered) link.set("axis", "order");
			if (find) link.set("find", find);
			history.replaceState(null, "", `#${link}`.replace("%2C", ","));
		}, 500);
	}
}

const LEGEND = {
	hidden: "hidden", fault: "touched: a fault", populate: "populated: in memory", reveal: "revealed by the policy",
	huge: "huge pages asked for", "system call": "for a system call", retire: "at the end of lazy paging",
};

$("legend").append(...Object.entries(LEGEND).map(([cause, text]) => legendItem(CAUSE_COLORS[cause], text)),
	legendItem("--native", "left to the kernel"));
const player = new Player(JSON.parse($("data").textContent).map((data) => new Run(data)));
document.title = player.views.map((view) => view.title()).join(" | ");
