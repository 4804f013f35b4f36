// The slider of a part: another moment, without leaving the page.
"use strict";

const slider = $("#to");
let asked = 0;

async function show(number) {
  const mine = ++asked;
  const address = `?to=${number}`;
  const answer = await fetch(address);
  if (!answer.ok || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["now-title", "changes-title", "pictures-title"]) swap(id, page);
  const fresh = $(".timeline", page);
  $(".timeline").replaceChildren(...document.importNode(fresh, true).children);
  slider.setAttribute("aria-valuetext", $("#to", page).getAttribute("aria-valuetext"));
  freshen();
  history.replaceState(null, "", address);
}

// A section comes, goes, or is another one.
function swap(id, page) {
  const old = document.getElementById(id)?.closest("section");
  const fresh = page.getElementById(id)?.closest("section");
  if (old && fresh) old.replaceWith(document.importNode(fresh, true));
  else if (old) old.remove();
  else if (fresh) $("#seen > .stack").append(document.importNode(fresh, true));
}

slider?.addEventListener("input", () => show(slider.value));
