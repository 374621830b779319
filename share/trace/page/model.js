"use strict";
// What a run was, and what is true of it after the first N of its events. Nothing here knows the screen.

const PAGE = 4096;

// What is counted, and how it is called; the first ones are numbers of pages.
const COUNTERS = [
	["present", "pages present"], ["revealed", "pages revealed"], ["fault", "faults"], ["call", "system calls"],
	["signal", "signals"], ["thread", "threads begun"], ["fork", "children"], ["all", "events"],
];

const KIND_WORDS = { reveal: "revealed", populate: "populated", huge: "asked for as huge pages" };

// The least index at which found(index) is true, or length; where it is true it stays true.
function firstWhere(length, found) {
	let low = 0, high = length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (found(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

// Rows out of the columns that trace_page.py writes.
function decodeEvents(data) {
	const columns = data.events, addresses = columns.address.split(" ");
	let time = 0, present = 0, revealed = 0;
	return columns.time.map((delta, index) => {
		time += delta;
		present += columns.present[index];
		revealed += columns.revealed[index];
		const hex = addresses[index], symbol = data.symbols[columns.symbol[index]];
		const place = data.places[columns.place[index]], [pid, tid] = data.threads[columns.thread[index]];
		const address = parseInt(hex, 16);
		return {
			index, time, pid, tid, hex, address, pages: columns.pages[index],
			kind: data.kinds[columns.kind[index]], cause: data.causes[columns.cause[index]] || null,
			detail: data.details[columns.detail[index]],
			symbol: symbol ? `${symbol[0]}+0x${(address - parseInt(symbol[1], 16)).toString(16)}` : null,
			place: place ? { hex: place[0], symbol: place[1], line: place[2], text: place[3] } : null,
			present, revealed,
		};
	});
}

class Run {
	constructor(data) {
		this.about = data;
		this.parts = data.parts.map(([start, end, label, size, state]) =>
			({ start: parseInt(start, 16), end: parseInt(end, 16), hex: start, label, size, state }));
		this.events = decodeEvents(data);
		this.start = this.events.length ? this.events[0].time : 0;
		this.length = this.events.length ? this.events[this.events.length - 1].time - this.start : 0;
		this.count();
	}

	// Each counter after each number of events.
	count() {
		const total = this.events.length, latest = new Map();
		this.counts = {};
		for (const [name] of COUNTERS) this.counts[name] = new Float64Array(total + 1);
		this.events.forEach((event, index) => {
			for (const [name] of COUNTERS)
				this.counts[name][index + 1] = this.counts[name][index] + (name === event.kind || name === "all" ? 1 : 0);
			const before = latest.get(event.pid) || { present: 0, revealed: 0 };
			for (const name of ["present", "revealed"])
				this.counts[name][index + 1] += event[name] - before[name];
			latest.set(event.pid, event);
		});
	}

	// How many events there were up to a time since the first one, in ns.
	eventsAt(time) {
		return firstWhere(this.events.length, (index) => this.events[index].time - this.start > time);
	}

	partOf(address) {
		return this.parts.find((part) => address >= part.start && address < part.end) || null;
	}

	// What an event that brings pages follows from: the last other event of its thread.
	reasonOf(event) {
		if (!KIND_WORDS[event.kind]) return null;
		for (let index = event.index - 1; index >= 0; index--) {
			const other = this.events[index];
			if (other.pid === event.pid && other.tid === event.tid && !KIND_WORDS[other.kind]) return other;
		}
		return null;
	}
}

// 0x401000, main+0x10 in .text
function addressWords(run, event) {
	const part = run.partOf(event.address);
	return `0x${event.hex}` + (event.symbol ? `, ${event.symbol}` : "") + (part ? ` in ${part.label}` : "");
}

function pagesWords(event) {
	const end = (event.address + event.pages * PAGE).toString(16);
	return `${event.pages} page${event.pages === 1 ? "" : "s"} 0x${event.hex}–0x${end}`;
}

// What happened, in a line.
function eventWords(run, event) {
	switch (event.kind) {
	case "fault": return `${event.detail} of ${addressWords(run, event)}`;
	case "fatal": return `${event.detail} of ${addressWords(run, event)} kills the process`;
	case "reveal": case "populate": case "huge":
		return `${pagesWords(event)} ${KIND_WORDS[event.kind]}: ${event.detail}`;
	case "call": return `system call ${event.detail}` + (event.pages ? `; ${event.pages} pages revealed for it` : "");
	case "signal": return `${event.detail}: its handler ${event.symbol || "0x" + event.hex} is entered`;
	case "thread": return `thread ${event.tid} begins`;
	case "thread-exit": return `thread ${event.tid} ends`;
	case "fork": return `process ${event.pid} begins`;
	case "exec": return `process ${event.pid} becomes another program`;
	case "retire": return `lazy paging ends: ${event.detail}`;
	default: return `${event.kind} ${event.detail}`;
	}
}

// main+0x10, prog1.c:12
function placeWords(place) {
	if (!place) return "";
	return (place.symbol === "-" ? `0x${place.hex}` : place.symbol) + (place.line ? `, ${place.line}` : "");
}

// The page has one clock: ns since a run's first event, written in one unit.
const UNITS = [["ns", 1, 0], ["µs", 1e3, 3], ["ms", 1e6, 6], ["s", 1e9, 9]];
let unit = UNITS[1];

// The largest unit of which a run of that many ns has at least ten, or ns.
function unitFor(length) {
	return [...UNITS].reverse().find(([, size]) => length >= 10 * size) || UNITS[0];
}

function timeWords(time, digits = unit[2]) {
	return time < 0 ? "start" : `${(time / unit[1]).toFixed(digits)} ${unit[0]}`;
}

// What a search looks at: an event's line in the list, in lower case.
function searchWords(run, event) {
	const place = event.place ? ` ${placeWords(event.place)} 0x${event.place.hex}` : "";
	return `${event.kind} ${eventWords(run, event)}${place}`.toLowerCase();
}

// The events that have these words, or whose pages have this address (0x...).
function searchRun(run, text) {
	const wanted = text.trim().toLowerCase(), address = /^0x[0-9a-f]+$/.test(wanted) ? parseInt(wanted, 16) : null;
	const holds = (event) => {
		const first = Math.floor(event.address / PAGE) * PAGE, pages = event.kind === "fault" ? 1 : event.pages;
		return address >= first && address < first + pages * PAGE;
	};
	if (!wanted) return [];
	return run.events.filter((event) => {
		event.words = event.words || searchWords(run, event);
		return event.words.includes(wanted) || (address !== null && holds(event));
	});
}
