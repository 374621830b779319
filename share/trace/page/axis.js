// The axis: time, or events at equal distances. The slider has all of it, the charts the window [from, to] of it.

class Axis {
	constructor(runs) {
		this.length = Math.max(1, ...runs.map((run) => run.length));
		// When something happens, in any of the runs.
		this.moments = [...new Set(runs.flatMap((run) => run.events.map((event) => event.time - run.start)))];
		this.moments.sort((a, b) => a - b);
		this.setOrdered(false);
	}

	setOrdered(ordered) {
		this.ordered = ordered;
		this.show(0, 1);
	}

	// Where on the whole axis a time is, 0 to 1.
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

	get width() {
		return this.to - this.from;
	}

	get whole() {
		return this.width === 1;
	}

	// Where in the window a time is: 0 to 1, or outside of these.
	windowShare(time) {
		return (this.share(time) - this.from) / this.width;
	}

	windowTimeAt(share) {
		return this.timeAt(this.from + share * this.width);
	}

	// Sets the window, moved and narrowed so that it lies on the axis, and ten ns or events wide at least.
	show(from, width) {
		const least = Math.min(1, 10 / (this.ordered ? this.moments.length || 1 : this.length));
		const wide = Math.min(1, Math.max(least, width));
		this.from = Math.max(0, Math.min(1 - wide, from));
		this.to = wide === 1 ? 1 : this.from + wide;
	}

	showTimes(from, to) {
		const first = this.share(Math.max(0, from));
		this.show(first, this.share(to) - first);
	}

	// Makes the window `factor` times as wide; a time that is in it stays where it is.
	zoom(factor, time) {
		const at = Math.max(this.from, Math.min(this.to, this.share(Math.max(0, time)))), fixed = (at - this.from) / this.width;
		this.show(0, this.width * factor);
		this.show(at - fixed * this.width, this.width);
	}

	// Moves the window by a part of its width.
	pan(part) {
		this.show(this.from + part * this.width, this.width);
	}

	// Moves the window to a time that is outside of it. False: the time is inside.
	follow(time) {
		const at = this.share(Math.max(0, time));
		if (at >= this.from && at <= this.to) return false;
		this.show(at - this.width / 2, this.width);
		return true;
	}
}
