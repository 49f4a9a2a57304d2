/**
 * The list of the dialog that finds companies, contacts, pages and actions, loaded when it is first opened
 * (finder-key.js). live.js loads its results from the page /find during typing. The focus stays in the field, and the
 * arrow keys move through the results.
 */

const dialog = document.getElementById("finder");
const input = dialog.querySelector("input[type=search]");
let opensFirst = false;

input.setAttribute("role", "combobox");
input.setAttribute("aria-expanded", "true");
input.setAttribute("aria-autocomplete", "list");
input.setAttribute("aria-controls", "found");
input.addEventListener("keydown", choose);
new MutationObserver(prepare).observe(dialog, { childList: true, subtree: true });
input.form.requestSubmit();

function choose(event) {
  const { key } = event;
  if (key === "Escape") {
    // The browser would clear the field first.
    event.preventDefault();
    return dialog.close();
  }
  if (key !== "ArrowDown" && key !== "ArrowUp" && key !== "Enter") return;
  event.preventDefault();
  if (key !== "Enter") return select(chosen() + (key === "ArrowDown" ? 1 : -1));
  // Enter right after typing applies to the typed text, not to older results.
  if (isAnswered()) return options()[chosen()]?.click();
  opensFirst = true;
  input.form.requestSubmit();
}

/** Turns the links from the page, and the actions of the visible record, into the list of the field. */
function prepare() {
  const found = document.getElementById("found");
  offerActionsInView(found);
  if (options().length > 0) found.setAttribute("role", "listbox");
  found.setAttribute("aria-label", input.labels[0].textContent);
  for (const list of found.querySelectorAll("ul")) list.setAttribute("role", "group");
  for (const item of found.querySelectorAll("li")) item.setAttribute("role", "none");
  for (const [index, option] of options().entries()) {
    option.id = `found-${index}`;
    option.setAttribute("role", "option");
    option.tabIndex = -1;
  }
  select(0);
  if (!opensFirst || !isAnswered()) return;
  opensFirst = false;
  options()[0]?.click();
}

/** Adds the links and buttons below the page's heading, except those that the list already has. */
function offerActionsInView(found) {
  if (document.getElementById("found-in-view") !== null) return;
  const known = new Set([...found.querySelectorAll("a")].map(({ href }) => href));
  const words = folded(input.value).split(/\s+/);
  const actions = [...document.querySelectorAll("main .heading :is(a, button)")].filter(
    (action) => !known.has(action.href) && words.every((word) => folded(action.textContent).includes(word)),
  );
  if (actions.length === 0) return;
  const list = document.createElement("ul");
  list.id = "found-in-view";
  list.ariaLabel = document.querySelector("main h1").textContent.trim();
  list.append(...actions.map(offer));
  found.querySelector(".empty")?.remove();
  found.prepend(list);
}

function offer(action) {
  const [item, button, label] = ["li", "button", "span"].map((name) => document.createElement(name));
  button.type = "button";
  button.className = "quiet";
  label.textContent = action.textContent.trim();
  button.append(label);
  item.append(button);
  button.addEventListener("click", () => {
    dialog.close();
    action.click();
  });
  return item;
}

/** Ignores case and accents. */
function folded(text) {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

function select(index) {
  const all = options();
  const chosen = all[(index + all.length) % all.length];
  for (const option of all) option.setAttribute("aria-selected", String(option === chosen));
  if (!chosen) return input.removeAttribute("aria-activedescendant");
  input.setAttribute("aria-activedescendant", chosen.id);
  chosen.scrollIntoView({ block: "nearest" });
}

function options() {
  return [...dialog.querySelectorAll("#found :is(a, button)")];
}

function chosen() {
  return options().findIndex((option) => option.getAttribute("aria-selected") === "true");
}

/** Whether the results belong to the text in the field. */
function isAnswered() {
  return document.getElementById("found").dataset.search === input.value.trim();
}
