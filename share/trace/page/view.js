// What is on the screen, and what moves it.

const ROW = 22;
const $ = (id) => document.getElementById(id);

// The slider's axis: time, or events at equal distances; both with the moments at which something happens.
class Axis {
	constructor(runs) {
		this.length = Math.max(1, ...runs.map((run) => run.length));
		this.moments = [...new Set(runs.flatMap((run) => run.events.map((event) => event.time - run.start)))];
		this.moments.sort((a, b) => a - b);
		this.ordered = false;
	}

	share(time) {
		if (!this.ordered) return Math.min(1, time / this.length);
		return time < 0 ? 0 : this.momentsUpTo(time) / Math.max(1, this.moments.length);
	}

	timeAt(share) {
		if (!this.ordered) return Math.round(share * this.length);
		const index = Math.round(share * this.moments.length);
		return index ? this.moments[index - 1] : -1;
	}

	momentsUpTo(time) {
		return firstWhere(this.moments.length, (index) => this.moments[index] > time);
	}

	// The moment before a time, or after it.
	step(time, forward) {
		const count = this.momentsUpTo(time);
		if (forward) return count < this.moments.length ? this.moments[count] : time;
		return count > 1 ? this.moments[count - 2] : -1;
	}
}

class RunView {
	constructor(run, number, axis, most, seek) {
		const part = $("run").content.cloneNode(true).firstElementChild;
		Object.assign(this, { run, seek, part, shown: new Set(run.about.kinds), count: -1 });
		part.dataset.run = number;
		this.find = (name) => part.querySelector(`.${name}`);
		this.writeTitle();
		this.counters = new Map(COUNTERS.filter(([name]) => name !== "fork" || run.counts.fork[run.events.length])
			.map(([name, words]) => [name, this.addCounter(name, words)]));
		$("runs").append(part);
		this.map = new MemoryMap(run, this.find("map"), $("hint"), seek);
		this.find("lines").append(...LINES.map(([name, shade]) => legendItem(shade, new Map(COUNTERS).get(name))));
		this.chart = new Chart(run, this.find("chart"), axis, most);
		this.find("chart").addEventListener("pointerdown", (mouse) => seek(this.chart.timeAt(mouse)));
		this.find("chart").addEventListener("pointermove", (mouse) => mouse.buttons && seek(this.chart.timeAt(mouse)));
		this.addFilters();
		this.find("list").addEventListener("scroll", () => this.drawRows());
	}

	writeTitle() {
		const { about, events } = this.run, name = about.program.replace(/.*\//, "");
		const title = this.part.querySelector("h1");
		title.append(name, element("span", "", ` under ${about.loader}, policy ${about.policy}`));
		this.find("about").textContent = `engine ${about.engine}, ${events.length} events in ` +
			`${timeWords(this.run.length)}, ${about.ended}` + (about.lost ? `, ${about.lost} events lost` : "");
	}

	addCounter(name, words) {
		const box = element("div", "counter"), value = element("b", "", "0");
		value.dataset.counter = name;
		box.append(value, element("span", "", words));
		this.find("counters").append(box);
		return value;
	}

	addFilters() {
		for (const kind of this.run.about.kinds) {
			const label = element("label"), box = element("input");
			box.type = "checkbox";
			box.checked = true;
			box.addEventListener("change", () => {
				this.shown[box.checked ? "add" : "delete"](kind);
				this.choose();
				this.drawRows();
			});
			label.append(box, legendItem(rugColour(kind),
				`${kind} (${this.run.events.filter((event) => event.kind === kind).length})`));
			this.find("filters").append(label);
		}
		this.choose();
	}

	// The rows of the list: events of the kinds that are wanted.
	choose() {
		this.chosen = this.run.events.filter((event) => this.shown.has(event.kind));
		this.find("rows").style.height = `${this.chosen.length * ROW}px`;
	}

	draw(now) {
		const count = this.run.eventsAt(now);
		this.chart.draw(now);
		if (count === this.count) return;
		this.count = count;
		for (const [name, value] of this.counters) value.textContent = this.run.counts[name][count];
		this.map.draw(count);
		this.drawNow();
		this.scroll();
	}

	// What happens now, and what it follows from.
	drawNow() {
		const event = this.run.events[this.count - 1], box = this.find("now"), lines = [];
		box.replaceChildren();
		box.style.borderLeftColor = `var(${event ? rugColour(event.kind) : "--other"})`;
		if (!event) {
			lines.push(element("p", "dim", this.run.events.length ? "Before the first event." : "There are no events."));
		} else {
			const reason = this.run.reasonOf(event), by = event.place || (reason && reason.place);
			lines.push(element("p", "what", eventWords(this.run, event)));
			if (reason) lines.push(element("p", "", `for: ${eventWords(this.run, reason)}`));
			if (by) lines.push(this.byLine(by));
			lines.push(element("p", "dim", `event ${this.count} of ${this.run.events.length}, ${event.time} ns since the ` +
				`program's start, process ${event.pid}, thread ${event.tid}` +
				(this.count === this.run.events.length ? `; then it ended: ${this.run.about.ended}` : "")));
		}
		box.append(...lines);
	}

	byLine(place) {
		const line = element("p", "", `by ${placeWords(place)} `);
		if (place.text) line.append(element("code", "source", place.text));
		return line;
	}

	// The list follows: its current row in the middle.
	scroll() {
		const list = this.find("list"), rows = firstWhere(this.chosen.length, (at) => this.chosen[at].index >= this.count);
		list.scrollTop = Math.max(0, rows * ROW - list.clientHeight / 2);
		this.drawRows();
	}

	// Only the rows that can be seen exist.
	drawRows() {
		const list = this.find("list"), first = Math.floor(list.scrollTop / ROW);
		const rows = this.chosen.slice(first, first + Math.ceil(list.clientHeight / ROW) + 1);
		this.find("rows").replaceChildren(...rows.map((event, at) => this.row(event, first + at)));
	}

	row(event, at) {
		const late = event.index >= this.count ? " later" : "", here = event.index === this.count - 1 ? " current" : "";
		const row = element("div", `row${late}${here}`);
		row.style.top = `${at * ROW}px`;
		row.style.borderLeftColor = `var(${rugColour(event.kind)})`;
		row.append(element("span", "", timeWords(event.time - this.run.start)), element("span", "", eventWords(this.run, event)),
			element("span", "", placeWords(event.place)));
		row.title = `${eventWords(this.run, event)}${event.place ? `, by ${placeWords(event.place)}` : ""}`;
		row.addEventListener("click", () => this.seek(event.time - this.run.start));
		return row;
	}
}

class Player {
	constructor(runs) {
		const most = runs.flatMap((run) => LINES.map(([name]) => run.counts[name].reduce((a, b) => Math.max(a, b), 0)));
		this.axis = new Axis(runs);
		this.views = runs.map((run, number) => new RunView(run, number, this.axis, Math.max(...most), (time) => this.seek(time)));
		this.playing = false;
		$("runs").className = runs.length === 1 ? "one" : "two";
		this.addControls();
		const wanted = /[#&]t=(-?\d+)/.exec(location.hash);
		// Without a time in the link: the whole run, as it was at its end.
		this.now = wanted ? Number(wanted[1]) : this.axis.length;
		this.setScale();
	}

	addControls() {
		$("slider").addEventListener("input", () => this.seek(this.ofSlider(), true));
		$("play").addEventListener("click", () => this.play(!this.playing));
		$("back").addEventListener("click", () => this.step(false));
		$("forward").addEventListener("click", () => this.step(true));
		$("scale").addEventListener("change", () => this.setScale());
		addEventListener("keydown", (key) => this.key(key));
		addEventListener("resize", () => this.redraw());
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
	}

	redraw() {
		shades.clear();
		for (const view of this.views) {
			view.count = -1;
			view.chart.prepare();
		}
		this.seek(this.now);
	}

	setScale() {
		this.axis.ordered = $("scale").value === "order";
		$("slider").max = this.axis.ordered ? this.axis.moments.length : this.axis.length;
		this.redraw();
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

	key(key) {
		if (/^(SELECT|BUTTON)$/.test(key.target.tagName) || key.ctrlKey || key.altKey || key.metaKey) return;
		const does = {
			ArrowLeft: () => this.step(false), ArrowRight: () => this.step(true), " ": () => this.play(!this.playing),
			Home: () => this.seek(-1), End: () => this.seek(this.axis.length),
		}[key.key];
		if (!does || key.target.type === "checkbox") return;
		key.preventDefault();
		does();
	}

	// To a time in ns since the first event; -1: before it.
	seek(time, bySlider) {
		this.now = time;
		if (!bySlider)
			$("slider").value = this.axis.ordered ? this.axis.momentsUpTo(time) : Math.max(0, time);
		$("clock").textContent = timeWords(time);
		for (const view of this.views) view.draw(time);
	}

	play(on) {
		clearInterval(this.timer);
		this.playing = on;
		$("play").innerHTML = on ? "&#10074;&#10074;" : "&#9654;";
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
}

const LEGEND = {
	hidden: "hidden", fault: "touched: a fault", populate: "populated: in memory", reveal: "revealed by the policy",
	huge: "huge pages asked for", "system call": "for a system call", retire: "at the end of lazy paging",
};

$("legend").append(...Object.entries(LEGEND).map(([cause, text]) => legendItem(CAUSE_COLOURS[cause], text)),
	legendItem("--native", "left to the kernel"));
const player = new Player(JSON.parse($("data").textContent).map((data) => new Run(data)));
document.title = player.views.map((view) => view.part.querySelector("h1").textContent).join(" | ");
