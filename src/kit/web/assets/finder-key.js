/**
 * Opens the dialog that finds everything. Its script (finder.js) is loaded the first time. The keyboard shortcuts are
 * part of the page /find, and are shown in a dialog too.
 */

const dialog = document.getElementById("finder");
let isLoaded = false;

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== "k") return;
  event.preventDefault();
  open();
});

document.addEventListener("click", (event) => {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  const link = target.closest?.("a[href^='/find']");
  if (!dialog || ctrlKey || metaKey || shiftKey || !link) return;
  if (link.hash === "#shortcuts") void showShortcuts(link);
  else if (link.search === "") open();
  else return;
  event.preventDefault();
});

/** Loads the rules of the dialogs, the first time. */
function addStyles() {
  const { styles } = dialog.dataset;
  if (!styles) return;
  delete dialog.dataset.styles;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = styles;
  document.head.append(link);
}

async function showShortcuts(link) {
  dialog.close();
  addStyles();
  try {
    const answer = await fetch(link.pathname);
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("shortcuts");
    const shown = document.createElement("dialog");
    shown.setAttribute("closedby", "any");
    shown.setAttribute("aria-label", found.querySelector("h2").textContent);
    shown.addEventListener("close", () => shown.remove());
    shown.append(found);
    document.body.append(shown);
    shown.showModal();
  } catch {
    location.assign(link.href);
  }
}

function open() {
  // The page /find has no dialog.
  if (!dialog) return document.getElementById("find")?.focus();
  if (dialog.open) return dialog.close();
  if (document.querySelector("dialog[open]")) return;
  const input = dialog.querySelector("input[type=search]");
  input.value = "";
  addStyles();
  dialog.showModal();
  if (isLoaded) return input.form.requestSubmit();
  // Without it, Enter opens the page /find.
  import(dialog.dataset.script).then(
    () => (isLoaded = true),
    () => {},
  );
}
