// The address space: a box for each part, a cell for each page, or for several where there are many.

// What a cell shows: of those that happened to its pages, the last in this order.
const CELL_CAUSES = ["hidden", "retire", "reveal", "system call", "huge", "populate", "fault"];
const CAUSE_COLORS = {
	hidden: "--hidden", reveal: "--reveal", "system call": "--call", retire: "--retire", huge: "--huge",
	populate: "--populate", fault: "--fault",
};
// Parts with few cells stand side by side.
const MOST_CELLS = 4096, FEW_CELLS = 48, CELL = 7;

function element(name, className, text) {
	const made = document.createElement(name);
	if (className) made.className = className;
	if (text !== undefined) made.textContent = text;
	return made;
}

// A swatch, and what it means.
function legendItem(shade, text) {
	const item = element("span"), swatch = element("i", "swatch");
	swatch.style.background = `var(${shade})`;
	item.append(swatch, text);
	return item;
}

// The style's colors, until it changes between light and dark.
const shades = new Map();

function color(name) {
	if (!shades.has(name)) shades.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
	return shades.get(name);
}

class PartMap {
	constructor(part) {
		this.part = part;
		this.first = Math.floor(part.start / PAGE);
		this.pages = Math.max(1, Math.ceil(part.end / PAGE) - this.first);
		this.each = 1;
		while (this.pages / this.each > MOST_CELLS) this.each *= 2;
		this.count = Math.ceil(this.pages / this.each);
		// Of each cell: [index of the event, its rank], the rank ever higher.
		this.changes = Array.from({ length: this.count }, () => []);
	}

	// The cells [from, to) of a range of pages; none: from === to.
	cellsOf(page, pages) {
		const from = Math.max(page, this.first), to = Math.min(page + pages, this.first + this.pages);
		if (from >= to) return [0, 0];
		return [Math.floor((from - this.first) / this.each), Math.ceil((to - this.first) / this.each)];
	}

	paint(event, pages, rank) {
		const [from, to] = this.cellsOf(Math.floor(event.address / PAGE), pages);
		for (let cell = from; cell < to; cell++) {
			const changes = this.changes[cell];
			if (!changes.length || changes[changes.length - 1][1] < rank) changes.push([event.index, rank]);
		}
	}

	// The last change of a cell among the first `count` events, or null.
	changeAt(cell, count) {
		const changes = this.changes[cell];
		for (let at = changes.length - 1; at >= 0; at--)
			if (changes[at][0] < count) return changes[at];
		return null;
	}
}

class MemoryMap {
	constructor(run, parent, hint, seek) {
		this.run = run;
		this.parts = run.parts.map((part) => new PartMap(part));
		for (const event of run.events) this.paint(event);
		this.boxes = this.parts.map((map) => this.box(map, parent, hint, seek));
	}

	paint(event) {
		const pages = event.kind === "fault" ? 1 : event.pages;
		if (event.cause === null || event.kind === "call" || event.kind === "retire" || !pages) return;
		const rank = CELL_CAUSES.indexOf(event.cause);
		for (const map of this.parts) map.paint(event, pages, rank);
	}

	box(map, parent, hint, seek) {
		const few = map.count <= FEW_CELLS, box = element("div", few ? "part few" : "part"), name = element("div", "name");
		const canvas = element("canvas"), found = { map, canvas, columns: 1 }, { part } = map;
		name.append(element("span", "", part.label), element("span", "dim", `${part.size}, 0x${part.hex}` +
			(map.each > 1 ? `, a cell is ${map.each} pages` : "")));
		canvas.role = "img";
		canvas.ariaLabel = `The pages of ${part.label}`;
		if (few) canvas.style.width = `${map.count * CELL}px`;
		box.append(name, canvas);
		parent.append(box);
		canvas.addEventListener("mousemove", (mouse) => this.showHint(found, mouse, hint));
		canvas.addEventListener("mouseleave", () => { hint.hidden = true; });
		canvas.addEventListener("click", (mouse) => {
			const change = map.changeAt(this.cellUnder(found, mouse), this.run.events.length);
			if (change) seek(this.run.events[change[0]].time - this.run.start);
		});
		return found;
	}

	cellUnder({ map, canvas, columns }, mouse) {
		const box = canvas.getBoundingClientRect();
		const column = Math.floor((mouse.clientX - box.left) / CELL), row = Math.floor((mouse.clientY - box.top) / CELL);
		return Math.max(0, Math.min(map.count - 1, row * columns + Math.min(column, columns - 1)));
	}

	showHint(box, mouse, hint) {
		const cell = this.cellUnder(box, mouse), { map } = box, change = map.changeAt(cell, this.run.events.length);
		const address = ((map.first + cell * map.each) * PAGE).toString(16);
		const event = change && this.run.events[change[0]];
		hint.textContent = `0x${address} in ${map.part.label}\n` + (event
			? `${timeWords(event.time - this.run.start)}: ${eventWords(this.run, event)}`
			: map.part.state === "native" ? "left to the kernel" : "hidden to the end");
		hint.hidden = false;
		hint.style.left = `${Math.max(4, Math.min(mouse.clientX + 14, innerWidth - hint.offsetWidth - 8))}px`;
		hint.style.top = `${mouse.clientY + 16}px`;
	}

	// After the first `count` events; the pages of the last one have a border.
	draw(count) {
		const colors = CELL_CAUSES.map((cause) => color(CAUSE_COLORS[cause]));
		const last = this.run.events[count - 1], look = { native: color("--native"), ink: color("--ink"), colors };
		for (const box of this.boxes) this.drawPart(box, count, last, look);
	}

	drawPart(box, count, last, look) {
		const { map, canvas } = box, width = canvas.clientWidth || 600, scale = devicePixelRatio || 1;
		box.columns = Math.max(1, Math.floor(width / CELL));
		const height = Math.ceil(map.count / box.columns) * CELL;
		if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
			canvas.width = Math.round(width * scale);
			canvas.height = Math.round(height * scale);
			canvas.style.height = `${height}px`;
		}
		const context = canvas.getContext("2d");
		context.setTransform(scale, 0, 0, scale, 0, 0);
		context.clearRect(0, 0, width, height);
		const [from, to] = last ? map.cellsOf(Math.floor(last.address / PAGE), last.pages || 1) : [0, 0];
		for (let cell = 0; cell < map.count; cell++) {
			const change = map.changeAt(cell, count), rank = change ? change[1] : 0;
			const x = (cell % box.columns) * CELL, y = Math.floor(cell / box.columns) * CELL;
			context.fillStyle = rank || map.part.state !== "native" ? look.colors[rank] : look.native;
			context.fillRect(x, y, CELL - 1, CELL - 1);
			if (cell >= from && cell < to) {
				context.strokeStyle = look.ink;
				context.strokeRect(x - 0.5, y - 0.5, CELL, CELL);
			}
		}
	}
}
