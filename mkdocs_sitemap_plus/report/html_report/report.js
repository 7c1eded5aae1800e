
"use strict";
// This script sorts and filters the table. Without it, all else is there.
(() => {
  const at = (id) => document.getElementById(id);
  const body = at("table").tBodies[0];
  const heads = [...at("table").tHead.rows[0].cells];
  let most = 500; // a browser takes seconds to lay out 10,000 rows
  const collator = new Intl.Collator("en", { numeric: true });
  const rows = Array.from(body.rows, (row, place) => ({
    row,
    place,
    text: `${row.textContent} ${row.cells[0].dataset.key}`.toLowerCase(),
    tags: row.dataset.tags.split(" "),
    keys: Array.from(row.cells, (cell) => cell.dataset.key ?? cell.textContent),
  }));

  function compare(column, sign) {
    // Empty keys come last in both directions. Rows with equal keys keep their first order.
    return (one, other) => {
      const [a, b] = [one.keys[column], other.keys[column]];
      if (!a !== !b) return a ? -1 : 1;
      return sign * collator.compare(a, b) || one.place - other.place;
    };
  }

  function sort(head, column) {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    rows.sort(compare(column, up ? 1 : -1));
    body.replaceChildren(...rows.map((each) => each.row));
    filter();
  }

  function filter() {
    const words = at("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const tags = [at("show").value, at("section").value].filter(Boolean);
    let count = 0;
    for (const each of rows) {
      const fits = tags.every((tag) => each.tags.includes(tag)) && words.every((word) => each.text.includes(word));
      count += fits;
      each.row.hidden = !fits;
      each.row.classList.toggle("more", count > most); // not on the screen, but on paper
    }
    const all = rows.length.toLocaleString("en");
    at("count").value = count === rows.length ? `${all} ${count === 1 ? "page" : "pages"}` : `${count.toLocaleString("en")} of ${all}`;
    at("nothing").hidden = count > 0;
    at("more").hidden = count <= most;
    at("more").textContent = `Show all ${count.toLocaleString("en")}`;
  }

  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(head, column));
    head.replaceChildren(button);
  });
  let waiting = 0;
  at("find").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(filter, rows.length > 2000 ? 150 : 0);
  });
  for (const id of ["show", "section"]) at(id).addEventListener("change", filter);
  at("more").addEventListener("click", () => {
    most = Infinity;
    filter();
  });
  at("controls").addEventListener("submit", (event) => event.preventDefault());
  at("controls").hidden = false;
  filter(); // after a reload, a browser may keep what was chosen before
})();
