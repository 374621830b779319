// Pages and faults over time; below them a stroke for each event.

const LINES = [["present", "--populate"], ["revealed", "--reveal"], ["fault", "--fault"]];
const MARGIN = { left: 46, right: 10, top: 10, bottom: 34 };
const RUG_COLOURS = {
	fault: "--fault", reveal: "--reveal", populate: "--populate", huge: "--huge", call: "--call",
	retire: "--retire", signal: "--signal", fatal: "--fault",
};

function rugColour(kind) {
	return RUG_COLOURS[kind] || "--other";
}

// A round number not much below a quarter of the range.
function roundStep(range) {
	const power = 10 ** Math.floor(Math.log10(Math.max(range, 1) / 4));
	return Math.max(1, power * ([5, 2, 1].find((factor) => factor * power <= range / 4) || 1));
}

class Chart {
	// axis.share(time): where on the axis a time is, 0 to 1.
	constructor(run, canvas, axis, most) {
		Object.assign(this, { run, canvas, axis, most: 1.04 * Math.max(1, most) });
	}

	x(time) {
		return MARGIN.left + this.axis.share(time) * (this.width - MARGIN.left - MARGIN.right);
	}

	y(value) {
		return this.height - MARGIN.bottom - value / this.most * (this.height - MARGIN.top - MARGIN.bottom);
	}

	// The time under the mouse.
	timeAt(mouse) {
		const share = (mouse.clientX - this.canvas.getBoundingClientRect().left - MARGIN.left) /
			(this.canvas.clientWidth - MARGIN.left - MARGIN.right);
		return this.axis.timeAt(Math.min(1, Math.max(0, share)));
	}

	// Drawn once for a size and an axis; from then on a look is two copies and the line between them.
	prepare() {
		const scale = devicePixelRatio || 1;
		this.width = this.canvas.clientWidth || 600;
		this.height = 150;
		this.canvas.width = Math.round(this.width * scale);
		this.canvas.height = Math.round(this.height * scale);
		// What was is full, what is to come is pale.
		[this.past, this.future] = [1, 0.25].map((alpha) => {
			const layer = Object.assign(element("canvas"), { width: this.canvas.width, height: this.canvas.height });
			const context = layer.getContext("2d");
			context.scale(scale, scale);
			this.drawGrid(context);
			context.globalAlpha = alpha;
			for (const [name, shade] of LINES) this.drawLine(context, name, colour(shade));
			this.drawRug(context);
			return layer;
		});
	}

	draw(now) {
		const context = this.canvas.getContext("2d"), { width, height } = this.canvas;
		const x = Math.round(this.x(Math.max(0, now)) * width / this.width), thick = Math.max(1, Math.round(1.5 * width / this.width));
		context.clearRect(0, 0, width, height);
		if (x < width) context.drawImage(this.future, x, 0, width - x, height, x, 0, width - x, height);
		if (x > 0) context.drawImage(this.past, 0, 0, x, height, 0, 0, x, height);
		context.fillStyle = colour("--ink");
		context.fillRect(x - thick / 2, 0, thick, height * 0.87);
	}

	drawGrid(context) {
		const step = roundStep(this.most);
		context.font = "11px system-ui, sans-serif";
		context.textAlign = "right";
		for (let value = 0; value <= this.most; value += step) {
			context.fillStyle = colour("--line");
			context.fillRect(MARGIN.left, Math.round(this.y(value)), this.width - MARGIN.left - MARGIN.right, 1);
			context.fillStyle = colour("--dim");
			context.fillText(String(value), MARGIN.left - 6, this.y(value) + 4);
		}
		for (const [share, align] of [[0, "left"], [0.25, "center"], [0.5, "center"], [0.75, "center"], [1, "right"]]) {
			const time = this.axis.timeAt(share);
			context.textAlign = align;
			context.fillText(time <= 0 ? "0" : timeWords(Math.round(time)), this.x(time), this.height - 4);
		}
	}

	drawLine(context, name, shade) {
		const counts = this.run.counts[name], { events, start } = this.run;
		context.strokeStyle = shade;
		context.lineWidth = 1.8;
		// Where each page is a fault of its own, the two lines are one: both are seen.
		context.setLineDash(name === "fault" ? [6, 6] : []);
		context.beginPath();
		context.moveTo(this.x(0), this.y(0));
		for (let index = 0; index < events.length; index++) {
			const x = this.x(events[index].time - start);
			context.lineTo(x, this.y(counts[index]));
			context.lineTo(x, this.y(counts[index + 1]));
		}
		context.stroke();
		context.setLineDash([]);
	}

	drawRug(context) {
		for (const event of this.run.events) {
			context.fillStyle = colour(rugColour(event.kind));
			context.fillRect(this.x(event.time - this.run.start) - 0.5, this.height - MARGIN.bottom + 4, 1, 10);
		}
	}
}
