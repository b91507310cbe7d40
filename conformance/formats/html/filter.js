"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

  // What needs a script is hidden without one.
  for (const x of all("button[hidden], #filter")) x.hidden = false;

  // Filters: a row is shown if it fits all of them, a failure if its row is.
  const rows = all("#requirements tbody tr").map((row) => ({row, text: row.textContent.toLowerCase()}));
  const about = all("article.result").map((article) => ({article, row: find(article.dataset.row), text: article.textContent.toLowerCase()}));
  const findings = all("article.finding").map((row) => ({row, text: row.textContent.toLowerCase()}));
  const controls = ["text", "category", "level", "verdict", "operation", "kind"].map((name) => ({name, input: find("by-" + name)})).filter((c) => c.input);
  const filter = () => {
    const words = find("by-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const more = new Map(about.map((a) => [a.row, a.text]));
    const show = ({row, text}) => {
      const whole = text + " " + (more.get(row) || "");
      const fits = controls.every(({name, input}) => name === "text" || !input.value || ` ${row.dataset[name]} `.includes(` ${input.value} `)) &&
        words.every((word) => whole.includes(word));
      row.hidden = !fits;
      return fits;
    };
    const found = findings.filter(show).length;
    const shown = rows.filter(show).length;
    for (const {article, row} of about) article.hidden = row.hidden;
    for (const x of all("details.known")) x.hidden = Boolean(x.querySelector("article")) && !x.querySelector("article:not([hidden])");
    find("shown").textContent = (findings.length ? found + " of " + findings.length + " findings and " : "") + shown + " of " + rows.length + " requirements shown";
  };
  if (rows.length) {
    for (const {input} of controls) input.addEventListener("input", filter);
    find("reset").addEventListener("click", () => {
      for (const {input} of controls) input.value = "";
      filter();
      find("by-text").focus();
    });
    // A count leads to what it counts.
    for (const link of all("a[data-level]")) {
      link.addEventListener("click", () => {
        for (const {name, input} of controls) input.value = link.dataset[name] || "";
        filter();
      });
    }
    filter(); // a browser may have kept what was chosen
  }
})();
