// The pages are whole without this. It writes times in the reader's own zone, keeps
// a page fresh while something happens, and makes the keyboard quicker.
"use strict";

const zone = {
	time: {year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false},
	hour: {hour: "2-digit", minute: "2-digit", hour12: false},
	day: {month: "short", day: "numeric"},
};

function localize(root) {
	for (const t of root.querySelectorAll("time[datetime]")) {
		const at = new Date(t.dateTime);
		if (!isNaN(at)) {
			t.title = t.dateTime;
			t.textContent = at.toLocaleString(undefined, zone.time);
		}
	}
	for (const t of root.querySelectorAll("text[data-time]")) {
		const at = new Date(t.dataset.time);
		if (!isNaN(at)) t.textContent = at.toLocaleString(undefined, zone[t.dataset.show] || zone.day);
	}
}

// take reads a page and puts its parts in the place of those here. What is open
// stays open, and the focus stays where it is. It returns false, and changes nothing,
// where the page is no longer wanted once it is there.
async function take(address, wanted, ids) {
	const reply = await fetch(address, {headers: {"Accept": "text/html"}});
	if (!reply.ok) throw new Error(reply.status);
	const text = await reply.text();
	if (!wanted()) return false;
	const fresh = new DOMParser().parseFromString(text, "text/html");
	document.title = fresh.title;
	const focus = document.activeElement && document.activeElement.id;
	const open = new Set([...document.querySelectorAll("details[open][id]")].map(d => d.id));
	for (const part of document.querySelectorAll("[data-part]")) {
		if (ids && !ids.includes(part.id)) continue;
		const next = fresh.getElementById(part.id);
		if (!next) continue;
		localize(next);
		for (const d of next.querySelectorAll("details[id]")) if (open.has(d.id)) d.open = true;
		if (next.innerHTML === part.innerHTML) continue;
		const inside = part.contains(document.activeElement);
		const scrolled = [...part.querySelectorAll(".scroll")].map(s => s.scrollLeft);
		part.replaceChildren(...next.childNodes);
		part.querySelectorAll(".scroll").forEach((s, i) => s.scrollLeft = scrolled[i] || 0);
		const again = inside && focus && document.getElementById(focus);
		if (again) again.focus({preventScroll: true});
	}
	return true;
}

// Live: one stream says that there is something new, and the page is read again.
function follow(address) {
	const shown = document.getElementById("live"), text = document.getElementById("live-text");
	const say = (state, words) => {
		shown.className = "live " + state;
		if (text.textContent !== words) text.textContent = words;
	};
	let busy = false, due = false;
	const fresh = async () => {
		if (busy) { due = true; return; }
		busy = true;
		const here = location.href; // a detail may be opened while it is read
		try { due = !await take(here, () => location.href === here) || due; } catch { /* the next change tries again */ }
		busy = false;
		if (due) { due = false; fresh(); }
	};
	const stream = new EventSource(address);
	stream.addEventListener("open", () => say("is-live", "Live"));
	stream.addEventListener("change", fresh); // at once when it opens, for what came meanwhile
	stream.addEventListener("error", () => {
		say("is-lost", stream.readyState === EventSource.CLOSED ? "Not live: reload the page" : "Not live: the server is gone");
	});
	addEventListener("pagehide", () => stream.close());
	addEventListener("pageshow", e => { if (e.persisted) location.reload(); });
}

let chosen = ""; // the address of the detail that was opened or closed last

// swapDetail shows the details of an address beside the timeline, without leaving the page.
async function swapDetail(href) {
	const address = new URL(href);
	chosen = href;
	try {
		if (!await take(address.pathname + address.search, () => chosen === href, ["detail", "part-timeline"])) return false;
	} catch { location.href = href; return false; }
	history.replaceState(null, "", address.pathname + address.search);
	return true;
}

async function openDetail(link) {
	if (await swapDetail(link.href)) document.getElementById("detail-head").focus();
}

async function closeDetail() {
	const panel = document.querySelector("#detail .panel[data-row]");
	const close = document.getElementById("detail-close");
	if (!panel || !close) return;
	const row = panel.dataset.row;
	if (!await swapDetail(close.href)) return;
	const back = document.getElementById(row);
	if (back) back.focus();
}

document.addEventListener("click", e => {
	if (e.defaultPrevented || e.button || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
	const link = e.target.closest("a");
	if (!link || !document.getElementById("detail")) return;
	if (link.id === "detail-close") { e.preventDefault(); closeDetail(); return; }
	if (link.hash === "#detail" && link.pathname === location.pathname) { e.preventDefault(); openDetail(link); }
});

document.addEventListener("keydown", e => {
	if (e.metaKey || e.ctrlKey || e.altKey) return;
	const typing = e.target.closest("input, select, textarea");
	if (e.key === "Escape" && !typing) {
		const back = document.getElementById("back");
		if (document.querySelector("#detail .panel[data-row]")) closeDetail();
		else if (back) location.href = back.href;
		return;
	}
	if (typing) return;
	if (e.key === "/") {
		const search = document.querySelector(".search input[type=search]");
		if (search) { e.preventDefault(); search.focus(); }
		return;
	}
	if (!["ArrowDown", "ArrowUp", "Home", "End"].includes(e.key)) return;
	if (e.target.closest("pre, summary, .panel")) return;
	const rows = [...document.querySelectorAll("a.row")];
	if (!rows.length) return;
	const at = rows.indexOf(document.activeElement);
	if (at < 0 && e.target !== document.body && e.target.id !== "main") return;
	const to = {ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, Home: 0, End: rows.length - 1}[e.key];
	if (rows[to]) { e.preventDefault(); rows[to].focus(); }
});

// A token is handed over once, behind the #, which no browser sends: it is
// exchanged for a cookie that no script can read.
async function enter() {
	const token = new URLSearchParams(location.hash.slice(1)).get("token");
	if (!token || !document.getElementById("locked")) return;
	history.replaceState(null, "", location.pathname);
	const reply = await fetch("/dashboard/enter", {headers: {"Authorization": "Bearer " + token}});
	if (reply.ok) location.reload();
}

localize(document);
enter();
if (document.body.dataset.live) follow(document.body.dataset.live);
