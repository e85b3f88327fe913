"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const say = (text) => { document.getElementById("status").textContent = text; };
  root.classList.add("js");

  const themes = ["auto", "light", "dark"];
  const theme = document.getElementById("theme");
  theme.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "auto") + 1) % themes.length];
    root.dataset.theme = next;
    theme.textContent = `Theme: ${next}`;
    theme.setAttribute("aria-label", `Colour theme: ${next === "auto" ? "as the system" : next}`);
  });

  for (const select of all("select[data-switch]")) {
    const show = () => {
      for (const panel of all(`[data-panel="${select.dataset.switch}"]`)) {
        panel.hidden = panel.dataset.key !== select.value;
      }
    };
    select.addEventListener("change", show);
    show();
  }

  async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    throw new Error("no clipboard");
  }

  for (const button of all("button.copy")) {
    const words = button.textContent;
    button.addEventListener("click", async () => {
      const source = button.parentElement.querySelector("code, pre");
      try {
        await copy(source.textContent.trim());
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = "Selected";
      }
      say(button.textContent);
      setTimeout(() => { button.textContent = words; }, 1600);
    });
  }

  function value(row, column) {
    const text = row.cells[column].textContent.trim();
    if (text === "–" || text === "") return null;
    const number = Number.parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) || /^[^\d-]/.test(text) ? text : number;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function sort(table, header) {
    const falling = header.getAttribute("aria-sort") === "ascending"
      || (!header.hasAttribute("aria-sort") && header.classList.contains("n"));
    for (const other of all("th[aria-sort]", table)) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const column = Number(header.dataset.sort);
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [value(row, column), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return falling ? compare(b, a) : compare(a, b);
    });
    body.append(...rows.map(([, row]) => row));
  }

  for (const header of all("table.sortable th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(header.closest("table"), header));
  }

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open])");
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
})();
