// The page with its parts drawn on it. At any time, the parts in front do not overlap: a larger one
// takes the place of those in it, or they take its place.
"use strict";

const sheet = $("#sheet"), layer = $("#zones"), list = $("#picked"), cuts = $("#cuts");
const [width, height] = [Number(sheet.dataset.width), Number(sheet.dataset.height)];
const zones = new Map();
let current = null, isCutting = false;

function start() {
  const picture = $("#sheet img");
  picture.style.width = `${(100 * picture.getAttribute("width")) / width}%`;  // the page may stick out of its window
  for (const box of $$("#as-list input")) addZone(box);
  for (const zone of zones.values()) zone.children = [...zones.values()].filter((one) => one.parent === zone.id);
  for (const zone of zones.values()) draw(zone);
  layer.addEventListener("pointerover", (event) => event.target.zone && point(event.target.zone));
  layer.addEventListener("focusin", (event) => point(event.target.zone));
  layer.addEventListener("click", (event) => event.target.zone && choose(event.target.zone));
  document.addEventListener("keydown", byKey);
  for (const button of $$("[data-does]")) button.addEventListener("click", () => does[button.dataset.does]());
  $("#as-list").addEventListener("change", showPicked);
  showPicked();
}

function addZone(box) {
  const { id, parent, name, text, box: place, front } = box.dataset;
  const [x, y, w, h] = place.split(" ").map(Number);
  zones.set(id, { id, parent: parent || null, name, text, x, y, w, h, isFront: front === "true", isCut: false, box });
}

function draw(zone) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "zone";
  button.zone = zone;
  button.setAttribute("aria-label", labelled(zone));
  const { style } = button;
  style.left = `${(100 * zone.x) / width}%`;
  style.top = `${(100 * zone.y) / height}%`;
  style.width = `${(100 * zone.w) / width}%`;
  style.height = `${(100 * zone.h) / height}%`;
  zone.button = button;
  layer.append(button);
  show(zone);
}

// One that is around another one may begin with the same words.
function labelled(zone) {
  const count = [...below(zone)].length;
  const size = count ? `${count} ${count === 1 ? "piece" : "pieces"} in it` : "no pieces in it";
  return `${zone.name}, ${size}. ${zone.text.slice(0, 100)}`;
}

function show(zone) {
  zone.button.dataset.front = zone.isFront;
  zone.button.dataset.cut = zone.isCut;
  zone.button.tabIndex = zone.isFront ? 0 : -1;
  zone.button.hidden = !zone.isFront && !zone.box.checked && !zone.isCut;
  zone.button.setAttribute("aria-pressed", zone.box.checked);
}

function point(zone) {
  current = zone;
  const now = $("#now");
  now.firstElementChild.textContent = zone.name;
  now.lastElementChild.textContent = zone.text;
}

// Along the tree

function* above(zone) {
  for (let one = zones.get(zone.parent); one; one = zones.get(one.parent)) yield one;
}
function* below(zone) {
  for (const child of zone.children) { yield child; yield* below(child); }
}

function front(zone, isFront) {
  zone.isFront = isFront;
  show(zone);
}

function grow() {
  const parent = current && zones.get(current.parent);
  if (!parent) return say("There is nothing larger");
  for (const one of below(parent)) front(one, false);
  parent.wasAt = current;
  front(parent, true);
  goTo(parent);
}

function shrink() {
  if (!current?.children.length) return say("There is nothing smaller in it");
  const target = current.wasAt ?? current.children[0];
  const { children } = current;
  front(current, false);
  for (const child of children) front(child, true);
  goTo(target);
}

function goTo(zone) {
  point(zone);
  zone.button.focus({ preventScroll: isInSight(zone.button) });
  say(labelled(zone));
}

function isInSight(button) {
  const { top, bottom } = button.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

// Picking

function choose(zone) {
  if (isCutting) return cut(zone);
  const isPicked = !zone.box.checked;
  for (const one of [...above(zone), ...below(zone)]) if (isPicked && one.box.checked) unpick(one);
  zone.box.checked = isPicked;
  if (!isPicked) unpick(zone);
  show(zone);
  showPicked();
  say(isPicked ? `Picked: ${zone.name}` : `Not picked any more: ${zone.name}`);
}

function unpick(zone) {
  zone.box.checked = false;
  for (const one of below(zone)) if (one.isCut) { one.isCut = false; show(one); }
  show(zone);
}

function cut(zone) {
  if (![...above(zone)].some((one) => one.box.checked)) {
    say("Pick a part first, and then a piece inside it");
    if (zone.box.checked) shrink();
    return;
  }
  zone.isCut = !zone.isCut;
  show(zone);
  showPicked();
  say(zone.isCut ? `Left out: ${zone.name}` : `Not left out any more: ${zone.name}`);
}

function toggleCutting() {
  isCutting = !isCutting;
  layer.classList.toggle("cutting", isCutting);
  $('[data-does="cut"]').setAttribute("aria-pressed", isCutting);
  say(isCutting ? "Choose a piece inside a picked part; it is left out" : "Choose parts");
  // Pieces of what is picked come to the front.
  if (isCutting) for (const zone of zones.values()) if (zone.box.checked && zone.isFront && zone.children.length) {
    front(zone, false);
    for (const child of zone.children) front(child, true);
  }
}

function showPicked() {
  const picked = [...zones.values()].filter((zone) => zone.box.checked);
  const left = [...zones.values()].filter((zone) => zone.isCut);
  list.replaceChildren(...picked.map((zone) => entry(zone, zone.text, () => choose(zone))), ...left.map((zone) => entry(zone, "left out", () => cut(zone))));
  cuts.replaceChildren(...left.map(field));
  $("#none").hidden = picked.length > 0;
  $("#next").disabled = picked.length === 0;
  for (const zone of zones.values()) show(zone);
}

function entry(zone, detail, undo) {
  const item = document.createElement("li"), text = document.createElement("div"), name = document.createElement("b"), more = document.createElement("small"), button = document.createElement("button");
  name.textContent = zone.name;
  more.textContent = detail;
  button.type = "button";
  button.className = "icon";
  button.textContent = "×";
  button.setAttribute("aria-label", `Not ${zone.name}`);
  button.addEventListener("click", () => { const was = isCutting; isCutting = detail === "left out"; undo(); isCutting = was; });
  text.append(name, more);
  item.append(text, button);
  return item;
}

function field(zone) {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = "without";
  input.value = zone.id;
  return input;
}

const does = { grow, shrink, cut: toggleCutting };
const KEYS = { "+": grow, "=": grow, "-": shrink, x: toggleCutting };

function byKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const action = KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  if (event.key === "x" && current && [...above(current)].some((one) => one.box.checked)) cut(current);
  else action();
}

start();
