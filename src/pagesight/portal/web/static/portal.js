// What all pages share: keys, menus, dialogs, times, and parts that were loaded later.
"use strict";

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];

function say(text) {
  $("#said").textContent = text;
}

// Moments in the time zone of the reader.
function localise(within = document) {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
  for (const time of $$("time[datetime]", within)) {
    const moment = format.format(new Date(time.dateTime));
    if ("local" in time.dataset) time.textContent = moment;
    else time.title = moment;
  }
}

// Parts that came after the page did: the parser makes shadow roots of its own only. Styles go in
// as sheets made here, as the page's policy knows the nonce of the page alone.
function openShadows(within = document) {
  for (const template of $$("template[shadowrootmode]", within)) {
    const root = template.parentElement.attachShadow({ mode: "open" });
    root.append(template.content.cloneNode(true));
    for (const style of $$("style", root)) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style.textContent);
      root.adoptedStyleSheets.push(sheet);
      style.remove();
    }
    template.remove();
  }
}

// A picture that cannot be had is better not there at all.
function mendPictures(within = document) {
  for (const host of $$(".foreign > div", within)) {
    const pictures = $$("img", host.shadowRoot ?? host);
    for (const picture of pictures) {
      if (picture.complete && !picture.naturalWidth) picture.remove();
      else picture.addEventListener("error", () => picture.remove());
    }
  }
}

function isTyping(target) {
  return target.isContentEditable || target.matches("input:not([type=range], [type=checkbox], [type=radio]), select, textarea");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeMenus();
  if (document.body.dataset.keys === "off" && event.key !== "?") return;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if ($("dialog[open]")) return;
  if (event.key === "?") {
    event.preventDefault();
    $("#keys")?.showModal();
    return;
  }
  const link = $(`a[data-key="${CSS.escape(event.key)}"]`);
  if (link) link.click();
});

function closeMenus(except) {
  for (const menu of $$("details.menu[open]")) {
    if (menu === except) continue;
    if (menu.contains(document.activeElement)) $("summary", menu).focus();
    menu.open = false;
  }
}

document.addEventListener("click", (event) => {
  const opens = event.target.closest("[data-opens]");
  if (opens) document.getElementById(opens.dataset.opens).showModal();
  const copies = event.target.closest("[data-copies]");
  if (copies) copy(copies);
  closeMenus(event.target.closest("details.menu"));
});

async function copy(button) {
  const source = document.getElementById(button.dataset.copies);
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = "Copied";
    say("Copied");
  } catch {
    getSelection().selectAllChildren(source); // without https, a person copies it
    say("Selected; copy it with your keyboard");
  }
}

// What cannot be undone is asked first.
document.addEventListener("submit", (event) => {
  const asking = event.submitter?.dataset.asks ?? event.target.dataset.asks;
  if (asking && !confirm(asking)) event.preventDefault();
});

// A page that waits for a worker looks again, until it says something else.
async function wait(waiting) {
  const address = waiting.dataset.waits;
  const answer = await fetch(address).catch(() => null);
  const text = answer?.ok ? await answer.text() : "";
  if (text && !text.includes("data-waits=")) location.replace(address);
  else setTimeout(wait, 1000, waiting);
}

function freshen(within = document) {
  openShadows(within);
  localise(within);
  mendPictures(within);
}

freshen();
// On a phone, tabs are in a row that scrolls.
for (const here of $$("main nav [aria-current]")) {
  const row = here.parentElement;
  row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
}
const waiting = $("[data-waits]");
if (waiting) setTimeout(wait, 700, waiting);
