"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const all = (selector) => [...document.querySelectorAll(selector)];

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
    for (const x of [target.closest("details.known"), target, ...target.querySelectorAll("details.failure")]) if (x?.matches("details")) x.open = true;
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
