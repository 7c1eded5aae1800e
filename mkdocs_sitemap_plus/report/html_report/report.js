"use strict";
// This script lays out, sorts and filters the table. Without it, the first rows and all else are there.
(() => {
  const at = (id) => document.getElementById(id);
  const data = JSON.parse(at("data").textContent);
  const body = at("table").tBodies[0];
  const heads = [...at("table").tHead.rows[0].cells];
  const columns = heads.map((head) => head.className);
  const collator = new Intl.Collator("en", { numeric: true });
  const number = (count) => count.toLocaleString("en");

  const rows = data.rows.map((values, place) => {
    const [name, url = null, path = "", source = "", section = 0, lastmod = "", instant = ""] = values;
    const [origin = null, note = "", reason = null, detail = "", freq = "", prio = "", codes = []] = values.slice(7);
    return {
      place, name, path, source, section, lastmod, origin, note, reason, detail, freq, prio, codes,
      url: url === 1 ? data.base + path : url,
      instant: instant || lastmod.slice(0, 19),
    };
  });
  const status = (row) => (row.reason !== null ? data.reasons[row.reason] : row.lastmod ? "listed" : "undated");
  const found = (row) => row.codes.map((code) => data.codes[code]);

  function make(name, kind, ...content) {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    element.append(...content);
    return element;
  }

  const cells = {
    page(row) {
      const link = row.url ? make("a", "", row.name) : row.name;
      if (row.url) Object.assign(link, { href: row.url, rel: "noreferrer" });
      const cell = make("th", "page", link, make("small", "", row.source || row.path));
      cell.scope = "row";
      return cell;
    },
    date(row) {
      const date = row.lastmod ? make("time", "", row.lastmod.slice(0, 10)) : make("span", "none", "–");
      if (row.lastmod) date.dateTime = row.lastmod;
      return make("td", "date", date, ...(row.note ? [make("small", "", row.note)] : []));
    },
    freq: (row) => make("td", "freq", row.freq),
    prio: (row) => make("td", "prio", row.prio),
    status(row) {
      const kind = row.reason !== null ? "out" : row.lastmod ? "in" : "half";
      const cell = make("td", "status", make("span", `badge ${kind}`, status(row)));
      if (row.detail) cell.append(make("small", "", row.detail));
      cell.append(...found(row).map((code) => make("span", "badge warning", code)));
      return cell;
    },
  };

  // What the columns are sorted by. Empty keys come last in both directions.
  const keys = {
    page: (row) => row.path.toLowerCase(),
    date: (row) => row.instant,
    freq: (row) => String(data.frequencies.indexOf(row.freq)).replace("-1", ""),
    prio: (row) => row.prio,
    status: (row) => [status(row), row.detail, ...found(row)].join(" "),
  };

  let shown = rows; // those that the filters let through
  let drawn = 0; // how many of them are laid out

  function draw(most) {
    const part = document.createDocumentFragment();
    for (; drawn < Math.min(most, shown.length); drawn++) {
      part.append(make("tr", "", ...columns.map((column) => cells[column](shown[drawn]))));
    }
    body.append(part);
    const left = shown.length - drawn;
    at("more").hidden = left === 0;
    at("more").textContent = left > data.most ? `Show ${number(data.most)} more` : `Show all ${number(shown.length)}`;
  }

  function drawAgain(most = data.first) {
    drawn = 0;
    body.replaceChildren();
    draw(most);
  }

  function sort(head, column) {
    const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
    for (const row of rows) row.key = keys[column](row);
    const compare = column === "date" ? (a, b) => (a < b ? -1 : a > b) : collator.compare;
    // Rows with equal keys keep their first order.
    rows.sort((a, b) => !a.key - !b.key || sign * compare(a.key, b.key) || a.place - b.place);
    filter();
  }

  function fits(row, choice) {
    const [kind, which] = choice.split(" ");
    if (kind === "listed") return row.reason === null;
    if (kind === "undated") return row.reason === null && row.origin === null;
    if (kind === "out") return row.reason !== null;
    if (kind === "found") return row.codes.length > 0;
    return kind === "codes" ? row.codes.includes(Number(which)) : row[kind] === Number(which);
  }

  function text(row) {
    const parts = [row.name, row.path, row.source, row.lastmod, row.note, row.freq, row.prio, status(row), row.detail];
    row.text ??= [...parts, ...found(row)].join(" ").toLowerCase();
    return row.text;
  }

  function filter() {
    const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const choices = [at("show").value, at("section").value && `section ${at("section").value}`].filter(Boolean);
    shown = rows.filter(
      (row) => choices.every((choice) => fits(row, choice)) && words.every((word) => text(row).includes(word)),
    );
    const [count, all] = [shown.length, rows.length];
    at("count").value = count < all ? `${number(count)} of ${number(all)}` : `${number(all)} ${all === 1 ? "page" : "pages"}`;
    at("nothing").hidden = count > 0;
    drawAgain();
  }

  heads.forEach((head, place) => {
    const button = make("button", "", head.textContent);
    button.type = "button";
    button.addEventListener("click", () => sort(head, columns[place]));
    head.replaceChildren(button);
  });
  let waiting = 0;
  at("find").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, rows.length > 2000 ? 150 : 0);
  });
  for (const id of ["show", "section"]) at(id).addEventListener("change", filter);
  at("more").addEventListener("click", () => draw(drawn + data.most));
  addEventListener("beforeprint", () => {
    drawAgain(data.most);
    at("unprinted").textContent = `Only the first ${number(drawn)} of ${number(shown.length)} pages are printed.`;
    at("unprinted").hidden = drawn === shown.length;
  });
  addEventListener("afterprint", () => drawAgain());
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("controls").hidden = false;
  filter(); // after a reload, a browser may keep what was chosen before
})();
