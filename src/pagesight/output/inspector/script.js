"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const [WIDTH, HEIGHT] = data.size;
  const MOST_TAGS = 400; // on the picture at a time
  const MARGIN = 24; // around the sheet, as in the style
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const stage = $("stage"), sheet = $("sheet"), tree = $("tree"), panel = $("panel");

  const state = { layer: -1, chosen: -1, over: -1, query: "", labels: true, scale: 1, fit: "width" };
  let layer = null; // the prepared layer that is shown

  /* ---- making elements; texts of the page only ever become text ---- */

  function make(tag, fields = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(fields)) {
      if (name === "color") element.style.setProperty("--color", value);
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name in element && name !== "role") element[name] = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  function drawing(tag, fields) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(fields)) element.setAttribute(name, value);
    return element;
  }

  const ICONS = {
    twist: "M5 3l5 5-5 5", out: "M8 13V3M4 7l4-4 4 4", into: "M8 3v10M4 9l4 4 4-4",
    previous: "M10 3L5 8l5 5", next: "M6 3l5 5-5 5", close: "M4 4l8 8M12 4l-8 8",
  };

  function icon(name) {
    const svg = drawing("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
    svg.append(drawing("path", { d: ICONS[name] }));
    return svg;
  }

  /* ---- layers: marks in the order of the tree, with levels and colours ---- */

  function prepared(given) {
    const place = new Map(given.marks.map((mark, index) => [mark.id, index]));
    const inside = given.marks.map(() => []);
    const roots = [];
    given.marks.forEach((mark, index) => {
      const above = place.get(mark.parent);
      (above === undefined || above >= index ? roots : inside[above]).push(index);
    });
    const marks = [];
    const waiting = roots.reverse().map((index) => ({ index, above: -1, rank: 0, of: roots.length }));
    waiting.forEach((entry, i) => { entry.rank = waiting.length - i; });
    while (waiting.length) {
      const { index, above, rank, of } = waiting.pop();
      const here = marks.length;
      const level = above < 0 ? 0 : marks[above].level + 1;
      marks.push(viewed(given.marks[index], { here, above, level, rank, of, leaf: !inside[index].length }));
      for (let i = inside[index].length - 1; i >= 0; i--) {
        waiting.push({ index: inside[index][i], above: here, rank: i + 1, of: inside[index].length });
      }
    }
    for (let i = marks.length - 1; i >= 0; i--) { // the place after its last descendant
      const mark = marks[i];
      mark.end = Math.max(mark.end, i + 1);
      if (mark.above >= 0) marks[mark.above].end = Math.max(marks[mark.above].end, mark.end);
    }
    const labels = new Map(), levels = new Map();
    for (const mark of marks) {
      mark.color = given.colors[mark.label] || levelColor(mark.level);
      if (mark.label) labels.set(mark.label, (labels.get(mark.label) || 0) + 1);
      levels.set(mark.level, (levels.get(mark.level) || 0) + 1);
    }
    return { ...given, marks, labels, levels, folded: new Set(), hidden: new Set(), hiddenLevels: new Set() };
  }

  function viewed(mark, position) {
    const [x, y, width, height] = mark.box;
    const text = mark.text || "", label = mark.label || "";
    const snippet = text.replace(/\s+/g, " ").slice(0, 160);
    const searched = `${label}\n${mark.xpath || ""}\n${mark.css || ""}`.toLowerCase();
    return { ...mark, ...position, x, y, width, height, text, label, snippet, searched, area: width * height, end: 0 };
  }

  function levelColor(level) {
    const cycle = data.levels.length - 1;
    return data.levels[level < 1 ? 0 : ((level - 1) % cycle) + 1];
  }

  const isOff = (mark) => layer.hidden.has(mark.label) || layer.hiddenLevels.has(mark.level);
  const isShown = (mark) => !isOff(mark) && (!layer.matches || layer.matches.has(mark.here));
  const nameOf = (mark) => mark.label || `Zone ${mark.id}`;
  const tagOf = (mark) => (mark.xpath || "").split("/").pop().replace(/\[.*/, "") || "page";

  function showLayer(index) {
    if (!data.layers[index] || index === state.layer) return;
    state.layer = index;
    const given = data.layers[index];
    layer = given.ready || (given.ready = prepared(given));
    state.chosen = state.over = -1;
    [...$("layers").children].forEach((button, i) => button.setAttribute("aria-pressed", i === index));
    $("labels").disabled = !layer.labels.size;
    tree.classList.toggle("flat", layer.levels.size === 1);
    tree.style.setProperty("--names", `${Math.min(12, Math.max(0, ...[...layer.labels.keys()].map((label) => label.length)))}ch`);
    tree.scrollTop = 0;
    legend();
    search();
    choose(-1);
  }

  /* ---- the legend: what is shown on the picture ---- */

  function legend() {
    const chips = [];
    for (const [label, count] of layer.labels) {
      chips.push(chip(label, count, layer.colors[label], layer.hidden, label, [...layer.labels.keys()]));
    }
    if (layer.levels.size > 1) {
      const all = [...layer.levels.keys()].sort((a, b) => a - b);
      chips.push(make("em", {}, "Levels"));
      for (const level of all) {
        const color = layer.labels.size ? "var(--faint)" : levelColor(level);
        const button = chip(String(level + 1), 0, color, layer.hiddenLevels, level, all);
        button.classList.add("level");
        button.title = `Level ${level + 1}: ${layer.levels.get(level)}`;
        button.setAttribute("aria-label", button.title);
        chips.push(button);
      }
    }
    $("legend").replaceChildren(...chips);
  }

  function chip(name, count, color, hidden, key, all) {
    const toggle = (event) => {
      if (event.shiftKey) {
        const alone = all.every((other) => hidden.has(other) === (other !== key));
        hidden.clear();
        if (!alone) all.filter((other) => other !== key).forEach((other) => hidden.add(other));
      } else if (!hidden.delete(key)) hidden.add(key);
      const at = [...$("legend").children].indexOf(event.currentTarget);
      legend();
      $("legend").children[at].focus();
      draw();
      renderRows();
    };
    return make("button", { type: "button", "aria-pressed": !hidden.has(key), color, onclick: toggle },
      make("span", { className: "dot" }), name, ...(count ? [make("b", {}, String(count))] : []));
  }

  /* ---- the tree: only rows in sight are in the document ---- */

  function search() {
    const query = state.query.trim().toLowerCase();
    layer.matches = null;
    layer.paths = new Set();
    if (query) {
      layer.matches = found(query);
      for (const match of layer.matches) {
        let above = layer.marks[match].above;
        while (above >= 0 && !layer.paths.has(above)) {
          layer.paths.add(above);
          above = layer.marks[above].above;
        }
      }
    }
    $("count").textContent = query ? `${layer.matches.size} of ${layer.marks.length}` : "";
    unfold();
    draw();
  }

  function found(query) {
    const matches = new Set(), inside = new Set(); // of the zones with a text, the innermost
    for (let i = layer.marks.length - 1; i >= 0; i--) {
      const { searched, text, above } = layer.marks[i];
      const read = text.toLowerCase().includes(query);
      if (searched.includes(query) || (read && !inside.has(i))) matches.add(i);
      if (read || inside.has(i)) inside.add(above);
    }
    return matches;
  }

  function unfold() {
    const rows = [];
    for (let i = 0; i < layer.marks.length;) {
      const listed = !layer.matches || layer.matches.has(i) || layer.paths.has(i);
      if (listed) rows.push(i);
      i = !layer.matches && layer.folded.has(i) ? layer.marks[i].end : i + 1;
    }
    layer.rows = rows;
    layer.rowOf = new Map(rows.map((mark, row) => [mark, row]));
    renderRows();
  }

  const rowHeight = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"));

  function renderRows() {
    const rows = $("rows");
    if (!layer || !layer.rows.length) {
      const reason = layer ? "Nothing matches." : "There are no layers in this report.";
      rows.style.height = "auto";
      rows.replaceChildren(make("p", { className: "nothing" }, reason));
      return;
    }
    const height = rowHeight();
    rows.style.height = `${layer.rows.length * height}px`;
    const first = Math.max(0, Math.floor(tree.scrollTop / height) - 8);
    const last = Math.min(layer.rows.length, Math.ceil((tree.scrollTop + tree.clientHeight) / height) + 8);
    const elements = [];
    for (let row = first; row < last; row++) elements.push(rowElement(layer.marks[layer.rows[row]], row * height));
    rows.replaceChildren(...elements);
    if (state.chosen >= 0 && $(`row-${state.chosen}`)) tree.setAttribute("aria-activedescendant", `row-${state.chosen}`);
    else tree.removeAttribute("aria-activedescendant");
  }

  function rowElement(mark, top) {
    const row = make("div", {
      id: `row-${mark.here}`, className: "row", role: "treeitem", color: mark.color,
      "aria-level": mark.level + 1, "aria-posinset": mark.rank, "aria-setsize": mark.of,
      "aria-selected": mark.here === state.chosen,
    });
    row.style.top = `${top}px`;
    row.style.setProperty("--level", Math.min(mark.level, 14));
    if (!mark.leaf) row.setAttribute("aria-expanded", !!layer.matches || !layer.folded.has(mark.here));
    row.classList.toggle("over", mark.here === state.over);
    row.classList.toggle("off", isOff(mark));
    row.classList.toggle("path", !!layer.matches && !layer.matches.has(mark.here));
    row.append(make("span", { className: "twist" }, ...(mark.leaf ? [] : [icon("twist")])), make("span", { className: "dot" }));
    if (mark.label) row.append(make("span", { className: "name" }, mark.label));
    else if (!mark.leaf || !mark.snippet) row.append(make("span", { className: "name code", dir: "ltr" }, tagOf(mark)));
    row.append(make("span", { className: "snippet", dir: "auto" }, ...marked(mark)));
    if (mark.confidence !== undefined) row.append(make("span", { className: "sure" }, percent(mark.confidence)));
    else if (!mark.leaf) row.append(make("span", { className: "sure", title: "zones inside" }, String(mark.end - mark.here - 1)));
    return row;
  }

  function marked({ here, snippet: text }) {
    const query = state.query.trim().toLowerCase();
    const at = layer.matches && layer.matches.has(here) ? text.toLowerCase().indexOf(query) : -1;
    if (at < 0 || text.toLowerCase().length !== text.length) return [text];
    const from = Math.max(0, at - 24); // so that what was found is in sight
    return [(from ? "…" : "") + text.slice(from, at), make("mark", {}, text.slice(at, at + query.length)), text.slice(at + query.length)];
  }

  const percent = (value) => `${Math.round(value * 100)} %`;

  function revealRow(index) {
    let mark = layer.marks[index];
    while (!layer.rowOf.has(mark.here) && mark.above >= 0) mark = layer.marks[mark.above];
    const row = layer.rowOf.get(mark.here);
    if (row === undefined) return;
    const height = rowHeight(), top = row * height, room = tree.clientHeight - 12;
    if (top < tree.scrollTop) tree.scrollTop = top - height;
    else if (top + height > tree.scrollTop + room) tree.scrollTop = top + 2 * height - room;
    renderRows();
  }

  function fold(index, closed) {
    if (layer.marks[index].leaf || layer.matches) return;
    if (closed ?? !layer.folded.has(index)) layer.folded.add(index);
    else layer.folded.delete(index);
    if (state.chosen > index && state.chosen < layer.marks[index].end && layer.folded.has(index)) choose(index);
    unfold();
  }

  /* ---- the picture ---- */

  const outline = (mark) => `M${mark.x} ${mark.y}h${mark.width}v${mark.height}h${-mark.width}z`;

  const shade = drawing("path", { class: "shade", "fill-rule": "evenodd" });
  const over = drawing("rect", { class: "over" });
  const chosen = drawing("rect", { class: "chosen" });

  function draw() {
    const groups = new Map();
    for (const mark of layer ? layer.marks : []) {
      if (!isShown(mark)) continue;
      if (!groups.has(mark.color)) groups.set(mark.color, []);
      groups.get(mark.color).push(outline(mark));
    }
    const nested = layer && !layer.labels.size ? " nested" : "";
    const paths = [...groups].map(([color, outlines]) =>
      drawing("path", { class: `group${nested}`, d: outlines.join(""), stroke: color, fill: color }));
    $("boxes").replaceChildren(...paths, shade, over, chosen);
    placeTags();
    placeFocus();
  }

  function placeFocus() {
    frame(over, state.over);
    frame(chosen, state.chosen);
    const mark = layer && layer.marks[state.chosen];
    shade.classList.toggle("on", !!mark);
    if (mark) shade.setAttribute("d", `M0 0H${WIDTH}V${HEIGHT}H0z${outline(mark)}`);
    placeTip();
  }

  function frame(rect, index) {
    const mark = layer && layer.marks[index];
    rect.style.display = mark ? "" : "none";
    if (!mark) return;
    for (const name of ["x", "y", "width", "height"]) rect.setAttribute(name, mark[name]);
    rect.setAttribute("stroke", mark.color);
    rect.setAttribute("fill", mark.color);
  }

  function placeTip() {
    const mark = layer && layer.marks[state.over >= 0 ? state.over : state.chosen];
    $("tip").hidden = !mark;
    if (!mark) return;
    const size = `${Math.round(mark.width)} × ${Math.round(mark.height)}`;
    $("tip").replaceChildren(nameOf(mark), make("span", {}, size));
    $("tip").style.background = mark.color;
    const tagged = state.labels && isTagged(mark); // then it takes the place of the tag
    $("tip").classList.toggle("inside", tagged);
    const width = $("tip").offsetWidth, above = mark.y * state.scale - 23;
    const left = Math.min(mark.x + mark.width, WIDTH) * state.scale - width;
    $("tip").style.left = `${Math.max(0, left)}px`;
    $("tip").style.top = `${tagged ? mark.y * state.scale : above >= 0 ? above : (mark.y + mark.height) * state.scale + 4}px`;
  }

  const isTagged = (mark) => mark.label && mark.height * state.scale >= 14
    && mark.width * state.scale >= 6.2 * mark.label.length + 12;

  function placeTags() {
    const tags = [];
    const wanted = layer && state.labels && layer.labels.size ? layer.marks : [];
    const scale = state.scale, top = stage.scrollTop - sheet.offsetTop, left = stage.scrollLeft - sheet.offsetLeft;
    for (const mark of wanted) {
      const x = mark.x * scale, y = mark.y * scale, width = mark.width * scale;
      if (!isTagged(mark) || !isShown(mark)) continue;
      if (y > top + stage.clientHeight || y + 20 < top || x > left + stage.clientWidth || x + width < left) continue;
      const tag = make("span", { className: "tag" }, mark.label);
      tag.style.cssText = `right:${WIDTH * scale - x - width}px;top:${y}px;background:${mark.color}`;
      tags.push(tag);
      if (tags.length === MOST_TAGS) break;
    }
    $("tags").replaceChildren(...tags);
  }

  function markAt(event) {
    const edge = sheet.getBoundingClientRect();
    const x = (event.clientX - edge.left) / state.scale, y = (event.clientY - edge.top) / state.scale;
    return layer ? layer.marks.filter((mark) => isShown(mark)
      && x >= mark.x && y >= mark.y && x <= mark.x + mark.width && y <= mark.y + mark.height)
      .sort((one, other) => one.area - other.area || other.level - one.level) : [];
  }

  function scrollToBox(mark) {
    const scale = state.scale, pad = 40;
    const top = sheet.offsetTop + mark.y * scale, height = mark.height * scale;
    const left = sheet.offsetLeft + mark.x * scale, width = mark.width * scale;
    const to = {};
    if (top < stage.scrollTop + pad / 2 || top + Math.min(height, stage.clientHeight / 2) > stage.scrollTop + stage.clientHeight - pad) {
      to.top = height > stage.clientHeight - 2 * pad ? top - pad : top - (stage.clientHeight - height) / 2;
    }
    if (left < stage.scrollLeft || left + width > stage.scrollLeft + stage.clientWidth) to.left = left - pad;
    if (Object.keys(to).length) stage.scrollTo({ ...to, behavior: calm.matches ? "auto" : "smooth" });
  }

  /* ---- zoom ---- */

  function setScale(scale, fit = "", at = null) {
    scale = Math.min(4, Math.max(0.02, scale));
    const point = at || { x: stage.clientWidth / 2, y: stage.clientHeight / 2 };
    const x = (stage.scrollLeft + point.x - sheet.offsetLeft) / state.scale;
    const y = (stage.scrollTop + point.y - sheet.offsetTop) / state.scale;
    Object.assign(state, { scale, fit });
    sheet.style.width = `${WIDTH * scale}px`;
    sheet.style.height = `${HEIGHT * scale}px`;
    $("picture").style.width = `${data.picture.width * scale}px`;
    $("picture").style.height = `${data.picture.height * scale}px`;
    $("cut").style.top = `${data.picture.height * scale}px`;
    stage.scrollTo({ left: x * scale - point.x + sheet.offsetLeft, top: y * scale - point.y + sheet.offsetTop, behavior: "instant" });
    $("zoom-actual").textContent = percent(scale);
    $("zoom-width").setAttribute("aria-pressed", fit === "width");
    $("zoom-page").setAttribute("aria-pressed", fit === "page");
    placeTags();
    placeTip();
  }

  const fits = {
    width: () => Math.min(1.5, (stage.clientWidth - (stage.clientWidth < 600 ? 20 : 2 * MARGIN)) / WIDTH),
    page: () => Math.min(fits.width(), (stage.clientHeight - 2 * MARGIN) / HEIGHT),
  };
  const fitTo = (fit) => setScale(fits[fit](), fit, { x: stage.clientWidth / 2, y: 0 });
  const zoomBy = (factor, at) => setScale(state.scale * factor, "", at);

  /* ---- hovering and choosing ---- */

  function hover(index, fromPicture) {
    if (index === state.over) return;
    state.over = index;
    if (fromPicture && index >= 0) revealRow(index);
    for (const row of $("rows").children) row.classList.toggle("over", row.id === `row-${index}`);
    placeFocus();
  }

  function choose(index, { scroll = true } = {}) {
    state.chosen = index;
    const mark = layer && layer.marks[index];
    if (mark) {
      for (let above = mark.above; above >= 0; above = layer.marks[above].above) layer.folded.delete(above);
      unfold();
      revealRow(index);
      if (scroll) scrollToBox(mark);
    } else renderRows();
    placeFocus();
    fillPanel(mark);
    remember(mark);
  }

  function remember(mark) {
    const place = mark ? `#${layer.name}/${mark.id}` : state.layer > 0 ? `#${layer.name}` : " ";
    try { history.replaceState(null, "", mark || state.layer > 0 ? place : location.pathname + location.search); } catch { /* not everywhere allowed */ }
  }

  function step(direction) {
    if (!layer || !layer.rows.length) return;
    const mark = layer.marks[state.chosen];
    const row = mark ? layer.rowOf.get(state.chosen) : undefined;
    const last = layer.rows.length - 1;
    const moves = {
      next: () => layer.rows[row === undefined ? 0 : Math.min(row + 1, last)],
      previous: () => layer.rows[row === undefined ? last : Math.max(row - 1, 0)],
      out: () => (mark && mark.above >= 0 ? mark.above : state.chosen),
      into: () => (mark && !mark.leaf ? state.chosen + 1 : mark ? state.chosen : 0),
      first: () => layer.rows[0],
      last: () => layer.rows[last],
    };
    state.over = -1;
    choose(moves[direction]());
  }

  /* ---- the panel ---- */

  function fillPanel(mark) {
    panel.classList.toggle("page", !mark);
    panel.scrollTop = 0;
    if (mark) panel.style.setProperty("--color", mark.color);
    else panel.style.removeProperty("--color");
    panel.classList.toggle("wide", !mark && rowMarks().length > 0);
    panel.replaceChildren(...(mark ? zonePanel(mark) : [...tablePanel(), ...pagePanel()]));
  }

  const rowMarks = () => (layer && layer.table ? layer.marks.filter((mark) => mark.label === layer.table) : []);

  function tablePanel() {
    const rows = rowMarks();
    if (!rows.length) return [];
    const columns = [...new Set(rows.flatMap((mark) => Object.keys(mark.details || {})))];
    const head = make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)));
    const lines = rows.map((mark) => make("tr", { onclick: () => choose(mark.here) }, ...columns.map((name, index) => {
      const value = (mark.details || {})[name] || "";
      const shown = index ? value : make("button", { type: "button" }, value || nameOf(mark));
      return make("td", { dir: "auto", title: value }, shown);
    })));
    const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...lines));
    return [make("div", { className: "head" }, make("h2", {}, layer.title), make("span", { className: "faint" }, `${rows.length}`)),
      make("div", { className: "table", tabIndex: 0 }, table)];
  }

  function zonePanel(mark) {
    const parts = [heading(mark)];
    if (mark.text) parts.push(make("p", { className: "text", dir: "auto", tabIndex: 0 }, mark.text));
    const facts = [];
    if (mark.confidence !== undefined) facts.push(["confidence", meter(mark.confidence)]);
    for (const [name, value] of Object.entries(mark.details || {})) if (value) facts.push([name, colored(value)]);
    if (facts.length) facts.push(null);
    facts.push(["box", [`${mark.x}, ${mark.y} · ${mark.width} × ${mark.height}`]]);
    if (mark.xpath) facts.push(["XPath", [address(mark.xpath, "XPath")]]);
    if (mark.css) facts.push(["CSS", [address(mark.css, "CSS")]]);
    parts.push(factList(facts));
    return parts;
  }

  function heading(mark) {
    const steps = [["out", "The zone around it (←)", mark.above < 0], ["into", "The first zone inside (→)", mark.leaf],
      ["previous", "Previous (↑)", layer.rows[0] === mark.here], ["next", "Next (↓)", layer.rows.at(-1) === mark.here]];
    const buttons = steps.map(([name, title, disabled]) =>
      make("button", { type: "button", title, "aria-label": title, disabled, onclick: () => step(name) }, icon(name)));
    buttons.push(make("button", { type: "button", title: "Close (Esc)", "aria-label": "Close", onclick: () => choose(-1) }, icon("close")));
    const where = [mark.label ? `zone ${mark.id}` : "", layer.levels.size > 1 ? `level ${mark.level + 1}` : ""].filter(Boolean).join(" · ");
    return make("div", { className: "head" }, make("span", { className: "dot" }), make("h2", {}, nameOf(mark)),
      make("span", { className: "faint" }, where), make("div", { className: "steps" }, ...buttons));
  }

  function pagePanel() {
    const facts = [];
    if (data.url) facts.push(["address", [data.url]]);
    facts.push(["source", [data.source]]);
    facts.push(["size", [`${data.size[0].toLocaleString("en")} × ${data.size[1].toLocaleString("en")} px, ${data.nodes.toLocaleString("en")} nodes`]]);
    facts.push(["renderer", [data.renderer]]);
    if (data.picture.drawn) facts.push(["picture", ["drawn from the saved boxes, not photographed"]]);
    else if (data.picture.height < HEIGHT) facts.push(["picture", [`its first ${data.picture.height.toLocaleString("en")} px`]]);
    if (data.notes.length) facts.push(["notes", [data.notes.join("\n")]]);
    return [make("div", { className: "head" }, make("h2", {}, "This page")), factList(facts)];
  }

  function factList(facts) {
    const list = make("dl", { className: "facts" });
    for (const fact of facts) {
      if (fact) list.append(make("dt", {}, fact[0]), make("dd", {}, ...fact[1]));
      else list.append(make("div", { className: "gap", role: "none" }));
    }
    return list;
  }

  function meter(value) {
    const bar = make("i");
    bar.style.width = `${value * 100}%`;
    return [make("span", { className: "meter" }, bar), percent(value)];
  }

  function colored(value) {
    if (!/^#([0-9a-f]{6}|[0-9a-f]{8})$/i.test(value)) return [value];
    const swatch = make("span", { className: "swatch" });
    swatch.style.background = value;
    return [swatch, value];
  }

  function address(value, name) {
    const button = make("button", { type: "button", className: "plain", "aria-label": `Copy ${name}` }, "Copy");
    button.addEventListener("click", () => copy(value, button));
    return make("div", { className: "address" }, make("code", {}, value), button);
  }

  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch { // files and old browsers
      const field = make("textarea", { value: text });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.textContent = "Copied";
    button.classList.add("done");
    setTimeout(() => { button.textContent = "Copy"; button.classList.remove("done"); }, 1400);
  }

  /* ---- events ---- */

  const soon = (work) => {
    let waiting = false;
    return () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; work(); });
    };
  };
  const rowOf = (event) => {
    const row = event.target.closest(".row");
    return row ? Number(row.id.slice(4)) : -1;
  };

  sheet.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const [mark] = markAt(event);
    hover(mark ? mark.here : -1, true);
  });
  sheet.addEventListener("pointerleave", () => hover(-1));
  sheet.addEventListener("click", (event) => {
    const found = markAt(event);
    const at = found.findIndex((mark) => mark.here === state.chosen);
    const mark = found[at >= 0 ? (at + 1) % found.length : 0];
    choose(mark ? mark.here : -1, { scroll: false });
  });
  stage.addEventListener("click", (event) => { if (event.target === stage) choose(-1); });
  stage.addEventListener("scroll", soon(placeTags), { passive: true });
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const edge = stage.getBoundingClientRect();
    zoomBy(Math.exp(-event.deltaY / 400), { x: event.clientX - edge.left, y: event.clientY - edge.top });
  }, { passive: false });

  tree.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch") hover(rowOf(event)); });
  tree.addEventListener("pointerleave", () => hover(-1));
  tree.addEventListener("click", (event) => {
    const index = rowOf(event);
    if (index < 0) return;
    if (event.target.closest(".twist") && !layer.marks[index].leaf) fold(index);
    else choose(index);
  });
  tree.addEventListener("dblclick", (event) => { if (rowOf(event) >= 0 && !event.target.closest(".twist")) fold(rowOf(event)); });
  tree.addEventListener("scroll", soon(renderRows), { passive: true });

  $("filter").addEventListener("input", () => {
    state.query = $("filter").value;
    tree.scrollTop = 0;
    if (layer) search();
  });
  function setLabels(on) {
    state.labels = $("labels").checked = on;
    placeTags();
  }
  $("labels").addEventListener("change", () => setLabels($("labels").checked));
  $("zoom-in").addEventListener("click", () => zoomBy(1.25));
  $("zoom-out").addEventListener("click", () => zoomBy(0.8));
  $("zoom-actual").addEventListener("click", () => setScale(1));
  $("zoom-width").addEventListener("click", () => fitTo("width"));
  $("zoom-page").addEventListener("click", () => fitTo("page"));
  $("help-button").addEventListener("click", () => $("help").showModal());

  const KEYS = {
    ArrowDown: () => step("next"), ArrowUp: () => step("previous"),
    ArrowLeft: () => step("out"), ArrowRight: () => step("into"),
    Home: () => step("first"), End: () => step("last"),
    Enter: () => { if (state.chosen >= 0) fold(state.chosen); },
    Escape: () => choose(-1),
    "/": () => $("filter").select(), "?": () => $("help").showModal(),
    l: () => { if (!$("labels").disabled) setLabels(!state.labels); },
    c: () => { const button = panel.querySelector(".address button"); if (button) button.click(); },
    "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: () => setScale(1),
    w: () => fitTo("width"), p: () => fitTo("page"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.target === $("filter")) {
      if (key === "Escape") clearFilter();
      else if (key === "ArrowDown" || key === "Enter") leaveFilter();
      else return;
    } else if (key === "Enter" && event.target.closest("button, input")) return;
    else if (/^[1-9]$/.test(key)) showLayer(Number(key) - 1);
    else if (KEYS[key]) KEYS[key]();
    else return;
    event.preventDefault();
  });

  function clearFilter() {
    const empty = !state.query;
    $("filter").value = state.query = "";
    if (layer) search();
    if (empty) tree.focus();
  }

  function leaveFilter() {
    tree.focus();
    const first = layer && layer.matches ? Math.min(...layer.matches) : -1;
    if (Number.isFinite(first) && first >= 0) choose(first);
    else step("next");
  }

  new ResizeObserver(soon(() => {
    if (state.fit) fitTo(state.fit);
    else placeTags();
  })).observe(stage);
  new ResizeObserver(soon(renderRows)).observe(tree);

  /* ---- beginning ---- */

  $("title").textContent = data.title;
  $("source").textContent = data.url || data.source;
  $("boxes").setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  if (data.picture.height < HEIGHT) {
    $("cut").hidden = false;
    $("cut").textContent = `The picture ends here, at ${data.picture.height.toLocaleString("en")} of ${HEIGHT.toLocaleString("en")} pixels; the boxes go on.`;
  }
  $("layers").append(...data.layers.map((given, index) =>
    make("button", { type: "button", title: `${given.marks.length} zones (${index + 1})`, onclick: () => showLayer(index) }, given.title)));
  fitTo("width");
  stage.scrollTop = 0;
  const [name, id] = location.hash.slice(1).split("/");
  const asked = data.layers.findIndex((given) => given.name === name);
  if (data.layers.length) {
    showLayer(Math.max(asked, 0));
    const mark = asked >= 0 && id && layer.marks.find((each) => String(each.id) === id);
    if (mark) choose(mark.here);
  } else {
    renderRows();
    fillPanel(null);
    draw();
  }
})();
