"use strict";
(() => {
  const source = document.getElementById("mentions-data");
  if (!source) return;
  const data = JSON.parse(source.textContent);
  const kinds = Object.keys(data.outcomes);
  const names = Object.values(data.outcomes);
  const SPURIOUS = kinds.indexOf("spurious");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const get = (id) => document.getElementById(id);
  const area = get("documents");
  const system = get("f-system");
  const search = get("f-search");
  const boxes = all("input[name=outcome]");
  const leaves = all("select[name=leaf]");

  const collect = (key, length) => {
    const found = Array.from({ length }, () => []);
    for (const element of all(`[data-${key}]`, area)) found[element.dataset[key]].push(element);
    return found;
  };
  const pieces = collect("m", data.mentions.length);
  const extras = collect("s", data.spurious.length);
  const articles = all("article", area).map((element) => ({
    element,
    shown: element.querySelector("[data-shown]"),
    text: all("h3, .text, .elsewhere", element).map((one) => one.textContent).join("\n").toLowerCase(),
  }));

  const entityName = (number) => (number < 0 ? "NIL" : data.entities[number]);
  const answered = ([outcome, entity]) =>
    kinds[outcome] === "missed" ? "–" : entityName(entity);

  function wanted() {
    return {
      system: Number(system.value || 0),
      outcomes: new Set(boxes.filter((box) => box.checked).map((box) => Number(box.value))),
      leaves: leaves.map((select) => select.value).filter((leaf) => leaf !== "").map(Number),
      words: search.value.trim().toLowerCase(),
    };
  }

  const carries = (links, chosen) =>
    chosen.length === 0 || links.some((link) => chosen.every((leaf) => link[2].includes(leaf)));

  function mark(elements, outcome, shown, surface) {
    for (const element of elements) {
      element.dataset.o = kinds[outcome] ?? "";
      element.classList.toggle("off", !shown);
    }
    const [first] = elements;
    if (!first) return;
    first.tabIndex = shown ? 0 : -1;
    first.setAttribute("aria-label", [surface, names[outcome]].filter(Boolean).join(", "));
  }

  function update() {
    const want = wanted();
    const tally = kinds.map(() => 0);
    const perDocument = articles.map(() => 0);
    const visible = articles.map(({ text }) => text.includes(want.words));
    let total = 0;
    data.mentions.forEach(([place, , , surface, links, answers], number) => {
      const outcome = answers.length ? answers[want.system][0] : -1;
      const fits = carries(links, want.leaves);
      const shown = fits && (outcome < 0 || want.outcomes.has(outcome));
      if (fits && visible[place] && outcome >= 0) tally[outcome] += 1;
      perDocument[place] += shown;
      total += 1;
      mark(pieces[number], outcome, shown, surface);
    });
    data.spurious.forEach(([place, , , surface, owner], number) => {
      const mine = owner === want.system;
      const fits = mine && want.leaves.length === 0;
      const shown = fits && want.outcomes.has(SPURIOUS);
      if (fits && visible[place]) tally[SPURIOUS] += 1;
      perDocument[place] += shown;
      total += mine;
      mark(extras[number], mine ? SPURIOUS : -1, shown, surface);
      for (const element of extras[number].slice(0, 1)) {
        if (shown) element.setAttribute("role", "group");
        else for (const name of ["role", "aria-label", "tabindex"]) element.removeAttribute(name);
      }
    });
    report(want, visible, perDocument, tally, total);
  }

  function report(want, visible, perDocument, tally, total) {
    const filtered = want.leaves.length > 0 || want.outcomes.size < kinds.length;
    let shown = 0;
    let documents = 0;
    articles.forEach(({ element, shown: label }, place) => {
      element.hidden = !visible[place] || (filtered && perDocument[place] === 0);
      label.textContent = `, ${perDocument[place]} marks shown`;
      if (element.hidden) return;
      shown += perDocument[place];
      documents += 1;
    });
    for (const output of all("output[data-count]")) {
      output.textContent = `(${tally[output.dataset.count].toLocaleString("en")})`;
    }
    const [some, whole] = [shown, total].map((number) => number.toLocaleString("en"));
    const text =
      `shown ${some} of ${whole} mentions, in ${documents} of ${articles.length} documents`;
    get("f-shown").textContent = text;
    get("f-printed").textContent = `: ${text}`;
    if (data.systems.length) get("f-name").textContent = data.systems[want.system];
  }

  const make = (tag, text, properties = {}) => {
    const element = Object.assign(document.createElement(tag), properties);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  function entity(name) {
    if (!/^https?:\/\/[^\s]+$/i.test(name)) return make("span", name, { className: "iri" });
    return make("a", name, { href: name, rel: "noreferrer", className: "iri" });
  }

  function linkDetails([number, type, carried]) {
    const item = make("li");
    item.append(entity(entityName(number)));
    const list = make("dl");
    if (type) list.append(make("dt", "Type"), make("dd", type));
    data.dimensions.forEach((dimension, place) => {
      const own = carried.filter((leaf) => data.leaves[leaf][0] === place);
      if (own.length) {
        list.append(make("dt", dimension));
        list.append(make("dd", own.map((leaf) => data.leaves[leaf][1]).join(", ")));
      }
    });
    item.append(list);
    return item;
  }

  function row(name, outcome, answer) {
    const line = make("tr");
    const header = make("th", name, { scope: "row" });
    const badge = make("span", undefined, { className: "badge" });
    badge.dataset.o = kinds[outcome];
    const cell = make("td");
    cell.append(badge, ` ${names[outcome]}`);
    if (answer !== "–") cell.append(make("br"), entity(answer));
    line.append(header, cell);
    return line;
  }

  function goldParts([, , , , links, answers]) {
    const list = make("ul", undefined, { className: "links" });
    list.append(...links.map(linkDetails));
    const table = make("table");
    table.append(make("caption", "Systems"));
    const body = table.createTBody();
    body.append(...answers.map((one, place) => row(data.systems[place], one[0], answered(one))));
    const title = links.length > 1 ? "Gold links" : "Gold link";
    return [make("h4", links.length ? title : "No gold link"), list, table];
  }

  function spuriousParts([, , , , owner, number]) {
    const table = make("table");
    table.append(make("caption", "A mention that the gold does not have"));
    table.createTBody().append(row(data.systems[owner], SPURIOUS, entityName(number)));
    return [table];
  }

  let current = null;

  function open(element, move) {
    const gold = element.dataset.m !== undefined;
    const record = gold ? data.mentions[element.dataset.m] : data.spurious[element.dataset.s];
    const title = make("h3", record[3] || "mention", { id: "detail-h", tabIndex: -1 });
    const place = make("p", `characters ${record[1]} to ${record[2]}`, { className: "meta" });
    get("detail-body").replaceChildren(
      title, place, ...(gold ? goldParts(record) : spuriousParts(record)));
    for (const other of all(".chosen", area)) other.classList.remove("chosen");
    const own = gold ? pieces[element.dataset.m] : extras[element.dataset.s];
    for (const piece of own) piece.classList.add("chosen");
    [current] = own;
    get("detail-close").hidden = false;
    get("detail").classList.add("open");
    if (move) title.focus({ preventScroll: true });
  }

  function close() {
    get("detail").classList.remove("open");
    get("detail-close").hidden = true;
    get("detail-body").replaceChildren(
      make("h3", "Details", { id: "detail-h", tabIndex: -1 }),
      make("p", "Choose a mention.", { className: "note" }));
    for (const other of all(".chosen", area)) other.classList.remove("chosen");
    if (current) current.focus();
    current = null;
  }

  const shownOne = (target) => {
    let element = target.closest(".m, .s");
    while (element && (element.classList.contains("off") || element.dataset.o === "")) {
      element = element.parentElement.closest(".m, .s");
    }
    return element;
  };

  function step(from, by) {
    const stops = all("article:not([hidden]) :is(.m, .s)[tabindex='0']", area);
    const next = stops[stops.indexOf(from) + by];
    if (next) next.focus();
  }

  area.addEventListener("click", (event) => {
    const element = shownOne(event.target);
    if (element && getSelection().isCollapsed) open(element, false);
  });
  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.target.matches(".m, .s")) return;
    if (event.key === "Enter" || event.key === " ") open(event.target, true);
    else if (event.key === "ArrowRight") step(event.target, 1);
    else if (event.key === "ArrowLeft") step(event.target, -1);
    else return;
    event.preventDefault();
  });
  get("mentions").addEventListener("keydown", (event) => {
    if (event.key === "Escape" && current) close();
  });
  get("detail-close").addEventListener("click", close);
  get("f-reset").addEventListener("click", () => {
    for (const box of boxes) box.checked = true;
    for (const select of leaves) select.value = "";
    search.value = "";
    update();
  });
  for (const control of [system, ...boxes, ...leaves]) control.addEventListener("change", update);
  search.addEventListener("input", update);
  const filters = document.querySelector(".filters");
  new ResizeObserver(() => {
    const height = getComputedStyle(filters).position === "sticky" ? filters.offsetHeight : 0;
    document.documentElement.style.setProperty("--filters", `${height}px`);
  }).observe(filters);
  update();
})();
