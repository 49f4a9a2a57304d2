/**
 * Keyboard shortcuts. An element is reached by its `aria-keyshortcuts`; rows and the search have keys of their own.
 * They are off during typing, in a dialog, and with Ctrl, Alt or Meta.
 */

/** Rows of lists and of Today. */
const ROW = ".list tr, .things > li";

document.addEventListener("keydown", (event) => {
  const { key, target, repeat } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (key === "Escape" && target.matches?.("input[type=search]")) return target.blur();
  if (document.querySelector("dialog[open]") !== null || isTyping(target)) return;
  if (key === "j") return goToRow(event, 1);
  if (key === "k") return goToRow(event, -1);
  if (repeat || key.length !== 1) return;
  if (key === "d") return take(event, firstAction(), use);
  if (key === "/") return take(event, document.querySelector("main form[role=search] input[type=search]"), focusAll);
  take(event, document.querySelector(`[aria-keyshortcuts~="${CSS.escape(key)}"]`), use);
});

function isTyping(element) {
  return element.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") ?? false;
}

/** Handles the key only if its element exists. */
function take(event, element, act) {
  if (element === null) return;
  event.preventDefault();
  act(element);
}

function use(element) {
  if (element.matches("textarea")) element.focus();
  else element.click();
}

function focusAll(input) {
  input.focus();
  input.select();
}

/** The first button of the row with the focus. */
function firstAction() {
  return document.activeElement.closest(ROW)?.querySelector(".action :is(button, summary, a)") ?? null;
}

function goToRow(event, step) {
  const links = [...document.querySelectorAll(".list td.name a, .things .what a")];
  const current = links.findIndex((link) => link.closest(ROW).contains(document.activeElement));
  const next = current === -1 ? 0 : Math.min(Math.max(current + step, 0), links.length - 1);
  take(event, links[next] ?? null, (link) => link.focus());
}
