"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

  // What needs this script is hidden without it.
  for (const x of all("button[hidden], #filter")) x.hidden = false;

  // Filters: a row is shown if it fits all of them, a failure if its row is.
  const rows = all(".rows tbody tr").map((row) => ({row, text: row.textContent.toLowerCase()}));
  const about = all("article.result").map((article) => ({article, row: find(article.dataset.row), text: article.textContent.toLowerCase()}));
  const controls = ["text", "level", "verdict", "operation"].map((name) => ({name, input: find("by-" + name)})).filter((c) => c.input);
  const filter = () => {
    const words = find("by-text").value.toLowerCase().split(/\s+/).filter(Boolean);
    const more = new Map(about.map((a) => [a.row, a.text]));
    let shown = 0;
    for (const {row, text} of rows) {
      const whole = text + " " + (more.get(row) || "");
      const fits = controls.every(({name, input}) => name === "text" || !input.value || row.dataset[name] === input.value) &&
        words.every((word) => whole.includes(word));
      row.hidden = !fits;
      if (fits) shown++;
    }
    for (const {article, row} of about) article.hidden = row.hidden;
    find("shown").textContent = shown + " of " + rows.length + " requirements shown";
  };
  if (rows.length) {
    for (const {input} of controls) input.addEventListener("input", filter);
    find("reset").addEventListener("click", () => {
      for (const {input} of controls) input.value = "";
      filter();
      find("by-text").focus();
    });
    filter(); // a browser may have kept what was chosen
  }

  // Copying: pages from a file may not use the clipboard in every browser; then the
  // command is selected, ready for the keyboard.
  const copy = async (button) => {
    const command = find(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "Copied";
      find("copied").textContent = "Copied to the clipboard";
    } catch {
      getSelection().selectAllChildren(command);
      find("copied").textContent = "Selected: copy it with the keyboard";
    }
  };
  for (const button of all("button[data-copy]")) button.addEventListener("click", () => copy(button));

  const failures = all("details.failure");
  for (const button of all("button[data-all]")) {
    button.addEventListener("click", () => {
      for (const x of failures) x.open = button.dataset.all === "open";
    });
  }

  // A link to a requirement opens its failures.
  const follow = () => {
    const target = /^#[fq]\d+$/.test(location.hash) && find(location.hash.slice(1));
    if (!target) return;
    for (const x of [target, ...target.querySelectorAll("details.failure")]) if (x.matches("details")) x.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  follow();

  // Printing shows what is closed, but for the bytes.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = all("details:not([open]):not(.bytes)");
    for (const x of opened) x.open = true;
  });
  addEventListener("afterprint", () => {
    for (const x of opened) x.open = false;
  });
})();
