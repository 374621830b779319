// Pages and faults over time; below them a strip with the events. All of it is drawn by columns of one pixel, so
// that a long trace costs little more than a short one.

const LINES = [["present", "--populate"], ["revealed", "--reveal"], ["fault", "--fault"]];
const MARGIN = { left: 46, right: 10, top: 10, bottom: 36 };
const RUG = 12;
const RUG_COLORS = {
	fault: "--fault", reveal: "--reveal", populate: "--populate", huge: "--huge", call: "--call",
	retire: "--retire", signal: "--signal", fatal: "--fault",
};

function rugColor(kind) {
	return RUG_COLORS[kind] || "--other";
}

// A round number not below that one: 1, 2 or 5 with zeros.
function roundUp(number) {
	const power = 10 ** Math.floor(Math.log10(number));
	return power * [1, 2, 5, 10].find((factor) => factor * power >= number * 0.999);
}

class Chart {
	constructor(run, canvas, axis, most) {
		Object.assign(this, { run, canvas, axis, most: 1.04 * Math.max(1, most) });
	}

	get inner() {
		return this.width - MARGIN.left - MARGIN.right;
	}

	x(time) {
		return MARGIN.left + this.axis.windowShare(time) * this.inner;
	}

	y(value) {
		return this.height - MARGIN.bottom - value / this.most * (this.height - MARGIN.top - MARGIN.bottom);
	}

	// Where the mouse is, 0 to 1 in the window.
	shareAt(mouse) {
		const share = (mouse.clientX - this.canvas.getBoundingClientRect().left - MARGIN.left) / this.inner;
		return Math.min(1, Math.max(0, share));
	}

	timeAt(mouse) {
		return this.axis.windowTimeAt(this.shareAt(mouse));
	}

	// Whether the mouse is on the time axis: the strip and what is below it.
	onAxis(mouse) {
		return mouse.clientY - this.canvas.getBoundingClientRect().top > this.height - MARGIN.bottom;
	}

	// Drawn once for a size and a window; from then on a look is two copies and the line between them.
	prepare() {
		const scale = devicePixelRatio || 1;
		this.width = this.canvas.clientWidth || 600;
		this.height = 150;
		this.canvas.width = Math.round(this.width * scale);
		this.canvas.height = Math.round(this.height * scale);
		this.columns = this.columnsOf();
		// What was is full, what is to come is pale.
		[this.past, this.future] = [1, 0.35].map((alpha) => {
			const layer = Object.assign(element("canvas"), { width: this.canvas.width, height: this.canvas.height });
			const context = layer.getContext("2d");
			context.scale(scale, scale);
			this.drawGrid(context);
			context.globalAlpha = alpha;
			for (const [name, shade] of LINES) this.drawLine(context, name, color(shade));
			this.drawRug(context);
			return layer;
		});
	}

	// Of each column of pixels, how many events there were at its left and at its right.
	columnsOf() {
		const columns = [], count = Math.max(1, Math.floor(this.inner));
		let before = this.axis.from > 0 ? this.run.eventsAt(this.axis.windowTimeAt(0) - 1) : 0;
		for (let column = 0; column <= count; column++) {
			if (column && before === this.run.events.length) break; // the run is over, another one goes on
			const after = this.run.eventsAt(this.axis.windowTimeAt(Math.min(1, (column + 0.5) / count)));
			columns.push([before, Math.max(before, after)]);
			before = Math.max(before, after);
		}
		return columns;
	}

	draw(now, selected) {
		const context = this.canvas.getContext("2d"), { width, height } = this.canvas, scale = width / this.width;
		const at = Math.min(width, Math.max(0, Math.round(this.x(Math.max(0, now)) * scale))), thick = Math.max(1, Math.round(1.5 * scale));
		context.clearRect(0, 0, width, height);
		if (at < width) context.drawImage(this.future, at, 0, width - at, height, at, 0, width - at, height);
		if (at > 0) context.drawImage(this.past, 0, 0, at, height, 0, 0, at, height);
		context.fillStyle = color("--ink");
		context.fillRect(at - thick / 2, 0, thick, height * 0.87);
		if (!selected) return;
		const [from, to] = selected.map((share) => (MARGIN.left + share * this.inner) * scale);
		context.globalAlpha = 0.25;
		context.fillStyle = color("--accent");
		context.fillRect(Math.min(from, to), 0, Math.abs(to - from), height);
		context.globalAlpha = 1;
	}

	drawGrid(context) {
		const step = Math.max(1, roundUp(this.most / 8));
		context.font = "11px system-ui, sans-serif";
		context.textAlign = "right";
		for (let value = 0; value <= this.most; value += step) {
			context.fillStyle = color("--line");
			context.fillRect(MARGIN.left, Math.round(this.y(value)), this.inner, 1);
			context.fillStyle = color("--dim");
			context.fillText(String(value), MARGIN.left - 6, this.y(value) + 4);
		}
		for (const [time, digits] of this.ticks()) {
			const x = this.x(time), words = time <= 0 ? "0" : timeWords(time, digits), half = context.measureText(words).width / 2;
			context.fillRect(Math.round(x), this.height - MARGIN.bottom + 4 + RUG, 1, 4);
			context.textAlign = "center";
			context.fillText(words, Math.max(MARGIN.left + half, Math.min(this.width - 3 - half, x)), this.height - 4);
		}
	}

	// [time, digits after the point] of each label of the time axis: round times, or those of events far apart.
	ticks() {
		const most = Math.max(2, Math.floor(this.inner / 90)), from = this.axis.windowTimeAt(0), to = this.axis.windowTimeAt(1);
		const step = Math.max(1, roundUp(Math.max(1, to - from) / most)), found = [];
		const digits = Math.min(unit[2], Math.max(0, Math.ceil(Math.log10(unit[1] / step))));
		if (this.axis.ordered)
			for (let at = 0; at <= most; at++) found.push([this.axis.windowTimeAt(at / most), digits]);
		else
			for (let time = Math.ceil(from / step) * step; time <= to; time += step) found.push([time, digits]);
		return found;
	}

	drawLine(context, name, shade) {
		const counts = this.run.counts[name];
		context.strokeStyle = shade;
		context.lineWidth = 1.8;
		// Where each page is a fault of its own, the two lines are one: both are seen.
		context.setLineDash(name === "fault" ? [6, 6] : []);
		context.beginPath();
		this.columns.forEach(([before, after], column) => {
			const x = MARGIN.left + column, seen = counts.subarray(before, after + 1);
			context.lineTo(x, this.y(seen[0]));
			if (after - before > 1) {
				context.lineTo(x, this.y(seen.reduce((a, b) => Math.min(a, b))));
				context.lineTo(x, this.y(seen.reduce((a, b) => Math.max(a, b))));
			}
			if (after > before) context.lineTo(x, this.y(seen[seen.length - 1]));
		});
		context.stroke();
		context.setLineDash([]);
	}

	// A stroke for each column with events, in the colors of all of them.
	drawRug(context) {
		const { events } = this.run, top = this.height - MARGIN.bottom + 3;
		this.columns.forEach(([before, after], column) => {
			const shades = new Set();
			for (let index = before; index < after; index++) shades.add(rugColor(events[index].kind));
			[...shades].sort().forEach((shade, at) => {
				context.fillStyle = color(shade);
				context.fillRect(MARGIN.left + column - 0.5, top + at * RUG / shades.size, 1, RUG / shades.size);
			});
		});
	}
}
