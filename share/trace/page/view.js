// A run on the screen.

const ROW = 22;
const $ = (id) => document.getElementById(id);

class RunView {
	// The player is asked to seek(time), zoomTo(from, to) in shares of the window, zoom(factor, time), pan(part).
	constructor(run, number, axis, most, player) {
		const part = $("run").content.cloneNode(true).firstElementChild;
		Object.assign(this, { run, player, part, shown: new Set(run.about.kinds), count: -1, sought: new Set() });
		part.dataset.run = number;
		this.find = (name) => part.querySelector(`.${name}`);
		this.writeTitle();
		this.counters = new Map(COUNTERS.filter(([name]) => name !== "fork" || run.counts.fork[run.events.length])
			.map(([name, words]) => [name, this.addCounter(name, words)]));
		$("runs").append(part);
		this.map = new MemoryMap(run, this.find("map"), $("hint"), (time) => player.seek(time));
		this.find("lines").append(...LINES.map(([name, shade]) => legendItem(shade, new Map(COUNTERS).get(name))));
		this.chart = new Chart(run, this.find("chart"), axis, most);
		this.find("chart").setAttribute("aria-label", `Pages present, pages revealed and faults over time, ${this.title()}`);
		this.addMouse(this.find("chart"));
		this.addFilters();
		this.find("list").addEventListener("scroll", () => this.drawRows());
	}

	title() {
		return this.part.querySelector("h1").textContent;
	}

	writeTitle() {
		const { about } = this.run, name = about.program.replace(/.*\//, "");
		const title = this.part.querySelector("h1");
		title.append(name, element("span", "", ` under ${about.loader}, policy ${about.policy}`));
		this.writeAbout();
	}

	writeAbout() {
		const { about, events } = this.run;
		this.find("about").textContent = `engine ${about.engine}, ${events.length} events in ` +
			`${timeWords(this.run.length)}, ${about.ended}` + (about.lost ? `, ${about.lost} events lost` : "");
	}

	// A click goes there, a drag selects what the window is to be, a double click shows all. The wheel zooms over the
	// time axis, and with Ctrl (or two fingers on a touchpad) over all of the chart.
	addMouse(canvas) {
		let start = null;
		const { chart, player } = this, selected = (mouse) => [start, chart.shareAt(mouse)];
		const far = (mouse) => Math.abs(chart.shareAt(mouse) - start) * chart.inner > 4;
		canvas.addEventListener("pointerdown", (mouse) => {
			if (mouse.button !== 0) return;
			start = chart.shareAt(mouse);
			canvas.setPointerCapture(mouse.pointerId);
		});
		canvas.addEventListener("pointermove", (mouse) => start !== null && chart.draw(player.now, far(mouse) && selected(mouse)));
		canvas.addEventListener("pointerup", (mouse) => {
			if (start === null) return;
			if (far(mouse)) player.zoomTo(...selected(mouse).sort((a, b) => a - b));
			else player.seek(chart.timeAt(mouse));
			start = null;
		});
		canvas.addEventListener("pointercancel", () => { start = null; chart.draw(player.now); });
		canvas.addEventListener("dblclick", () => player.zoom(Infinity));
		canvas.addEventListener("wheel", (wheel) => {
			const sideways = wheel.shiftKey || Math.abs(wheel.deltaX) > Math.abs(wheel.deltaY);
			if (!wheel.ctrlKey && !sideways && !chart.onAxis(wheel)) return;
			wheel.preventDefault();
			if (sideways) player.pan(Math.sign(wheel.deltaX || wheel.deltaY) / 8);
			else player.zoom(wheel.deltaY < 0 ? 0.8 : 1.25, chart.timeAt(wheel));
		}, { passive: false });
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
			label.append(box, legendItem(rugColor(kind),
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
		box.style.borderLeftColor = `var(${event ? rugColor(event.kind) : "--other"})`;
		if (!event) {
			lines.push(element("p", "what", this.run.events.length ? "Before the first event" : "There are no events."));
			if (this.run.events.length) lines.push(element("p", "dim", "The right arrow goes to it, the space bar plays, ? lists the keys."));
		} else {
			const reason = this.run.reasonOf(event), by = event.place || (reason && reason.place);
			lines.push(element("p", "what", eventWords(this.run, event)));
			if (reason) lines.push(element("p", "", `for: ${eventWords(this.run, reason)}`));
			if (by) lines.push(this.byLine(by));
			lines.push(element("p", "dim", `event ${this.count} of ${this.run.events.length}, ` +
				`${timeWords(event.time - this.run.start)} after the first, process ${event.pid}, thread ${event.tid}` +
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
		const row = element("div", `row${late}${here}${this.sought.has(event.index) ? " sought" : ""}`);
		row.role = "listitem";
		row.ariaPosInSet = at + 1;
		row.ariaSetSize = this.chosen.length;
		if (here) row.ariaCurrent = "true";
		row.style.top = `${at * ROW}px`;
		row.style.borderLeftColor = `var(${rugColor(event.kind)})`;
		row.append(element("span", "", timeWords(event.time - this.run.start)), element("span", "", eventWords(this.run, event)),
			element("span", "", placeWords(event.place)));
		row.title = `${eventWords(this.run, event)}${event.place ? `, by ${placeWords(event.place)}` : ""}`;
		row.addEventListener("click", () => this.player.seek(event.time - this.run.start));
		return row;
	}
}
