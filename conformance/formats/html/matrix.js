"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

  // What needs this script is hidden without it.
  find("filter").hidden = false;

  // Filters: a row is shown if it fits all of them, a failure if its row is.
  const rows = all("#requirements tbody tr").map((row) => ({row, text: row.textContent.toLowerCase()}));
  const about = all("article.result").map((article) => ({article, row: find(article.dataset.row)}));
  const controls = ["text", "level", "operation", "kind"].map((name) => ({name, input: find("by-" + name)})).filter((c) => c.input);
  const fits = ({row, text}) => controls.every(({name, input}) => {
    if (name === "text") return input.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
    if (name === "kind") return !input.value || row.dataset.kind.split(" ").includes(input.value);
    return !input.value || row.dataset[name] === input.value;
  });
  const filter = () => {
    let shown = 0;
    for (const x of rows) {
      x.row.hidden = !fits(x);
      if (!x.row.hidden) shown++;
    }
    for (const {article, row} of about) article.hidden = row.hidden;
    find("shown").textContent = shown + " of " + rows.length + " requirements shown";
  };
  for (const {input} of controls) input.addEventListener("input", filter);
  find("reset").addEventListener("click", () => {
    for (const {input} of controls) input.value = "";
    filter();
    find("by-text").focus();
  });
  filter(); // a browser may have kept what was chosen
})();
