// My page: tiles are dragged, resized and moved by keys, and keep themselves up to date.
"use strict";

const SOON = 3000, LATER = 20000; // milliseconds between two looks for what is new
const COLUMNS = 12, ROW = 94, NARROW = matchMedia("(max-width: 700px)");

const grid = $("#grid");
let stack = null;

function start() {
  if (!grid) return;
  if (grid.dataset.edit === "true" && window.GridStack) {
    followWidth();
    NARROW.addEventListener("change", followWidth);
  }
  grid.addEventListener("click", takeOrPut);
  grid.addEventListener("keydown", moveByKey);
  grid.addEventListener("focusout", (event) => event.target.closest(".handle") && putDown(event.target));
  setTimeout(refresh, SOON);
}

// On a phone there is one column, which the style sheet makes.
function followWidth() {
  if (NARROW.matches && stack) {
    stack.destroy(false);
    stack = null;
    grid.classList.remove("grid-stack");
    $$(".grid-stack-item", grid).forEach((item) => item.removeAttribute("style"));
  } else if (!NARROW.matches && !stack) {
    grid.classList.add("grid-stack");
    stack = GridStack.init(
      { column: COLUMNS, cellHeight: ROW, margin: 8, handle: ".handle", float: false, animate: !matchMedia("(prefers-reduced-motion: reduce)").matches,
        resizable: { handles: "se" }, columnOpts: { breakpoints: [] } },
      grid,
    );
    stack.on("change", save);
  }
}

// Where things are

function places() {
  return Object.fromEntries(
    stack.engine.nodes.map(({ id, x, y, w, h }) => [id, { x, y, width: w, height: h }]),
  );
}

// Moves that come while one is being saved are saved together.
let saving = Promise.resolve(), isMore = false;
function save() {
  if (isMore) return;
  isMore = true;
  saving = saving.then(send);
}

async function send() {
  isMore = false;
  const answer = await fetch(`/tabs/${grid.dataset.tab}/places`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ places: places(), version: Number(grid.dataset.version) }),
    keepalive: true, // also if the page is left at once
  });
  if (answer.ok) grid.dataset.version = (await answer.json()).version;
  else if (answer.status === 409) location.reload(); // somebody else has changed the board
  else say("That could not be saved");
}

// By keys

function takeOrPut(event) {
  const handle = event.target.closest(".handle");
  if (!handle) return;
  const isTaken = handle.getAttribute("aria-pressed") === "true";
  if (isTaken) putDown(handle);
  else {
    handle.setAttribute("aria-pressed", "true");
    handle.closest(".tile").classList.add("is-moving");
    say(NARROW.matches ? "Use the arrow keys up and down" : "Use the arrow keys to move it, with Shift to resize it, Enter to put it down");
  }
}

function putDown(handle) {
  handle.setAttribute("aria-pressed", "false");
  handle.closest(".tile").classList.remove("is-moving");
}

const STEPS = { ArrowLeft: [-1, 0, "left"], ArrowRight: [1, 0, "right"], ArrowUp: [0, -1, "up"], ArrowDown: [0, 1, "down"] };

function moveByKey(event) {
  const handle = event.target.closest('.handle[aria-pressed="true"]');
  if (!handle) return;
  if (event.key === "Escape") putDown(handle);
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  if (stack) moveInGrid(handle, step, event.shiftKey);
  else moveByForm(handle, step[2]);
}

function moveInGrid(handle, [across, along], isResizing) {
  const item = handle.closest(".grid-stack-item");
  const { x, y, w, h } = item.gridstackNode;
  if (isResizing) stack.update(item, { w: Math.min(COLUMNS, Math.max(2, w + across)), h: Math.min(12, Math.max(2, h + along)) });
  else stack.update(item, { x: Math.min(COLUMNS - w, Math.max(0, x + across)), y: nextRow(item.gridstackNode, along) });
  const now = item.gridstackNode;
  say(`Column ${now.x + 1}, row ${now.y + 1}, ${now.w} wide, ${now.h} high`);
  handle.focus();
}

// One row up or down would be undone at once where another tile is: so past that one.
function nextRow({ id, x, y, w, h }, along) {
  if (!along) return y;
  const inTheWay = stack.engine.nodes.filter((n) => n.id !== id && n.x < x + w && x < n.x + n.w);
  if (along < 0) {
    const above = inTheWay.filter((n) => n.y < y).sort((a, b) => b.y - a.y)[0];
    return above ? above.y : Math.max(0, y - 1);
  }
  const below = inTheWay.filter((n) => n.y >= y + h).sort((a, b) => a.y - b.y)[0];
  return below ? y + below.h : y + 1;
}

function moveByForm(handle, way) {
  $(`.menu button[value="${way}"]`, handle.closest(".tile"))?.click();
}

document.addEventListener("keydown", (event) => {
  if (!/^[1-9]$/.test(event.key) || isTyping(event.target) || document.body.dataset.keys === "off") return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  $$(".tabs a")[Number(event.key) - 1]?.click();
});

// What is new

async function refresh() {
  if (!document.hidden) await update().catch(() => say("The server cannot be reached"));
  const isWaiting = $('.state[data-state="waiting"]', grid);
  setTimeout(refresh, isWaiting ? SOON : LATER);
}

async function update() {
  const answer = await fetch(`/boards/${grid.dataset.board}/stamps`);
  if (answer.status === 401 || answer.redirected) return location.reload();
  const stamps = await answer.json();
  for (const tile of $$(".tile", grid)) {
    const stamp = stamps[tile.dataset.uid];
    if (stamp && stamp !== tile.dataset.stamp && !tile.contains(document.activeElement)) await replace(tile);
  }
}

async function replace(tile) {
  const answer = await fetch(`/tiles/${tile.dataset.uid}/card`);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const card = document.importNode($(".tile", fresh), true);
  tile.replaceWith(card);
  freshen(card);
  say(`${$("h2", card).textContent.trim()}: ${$(".state", card).textContent}`);
}

start();
