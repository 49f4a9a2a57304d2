import { copyText } from "./copy-text.js";

/**
 * Keyboard shortcuts. An element is reached by its `aria-keyshortcuts`, first in the row with the focus, then in the
 * page outside rows. `g` and the letter of `data-go` open a place. Rows, the search and the records beside this one
 * have keys of their own. All are off during typing, in a dialog, and with Ctrl, Alt or Meta.
 */

/** Rows of lists and of Today. */
const ROW = ".list tr, .things > li";
const ROW_LINK = ".list td.name a, .things .what a";
const GO_MS = 1_500;
let goUntil = 0;

document.addEventListener("keydown", (event) => {
  const { key, target, repeat } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (key === "Escape" && target.matches?.("input[type=search]")) return target.blur();
  if (document.querySelector("dialog[open]") !== null || isTyping(target)) return;
  if (key === "j") return goToRow(event, 1);
  if (key === "k") return goToRow(event, -1);
  if (repeat || key.length !== 1) return;
  const isGoing = event.timeStamp < goUntil;
  goUntil = key === "g" ? event.timeStamp + GO_MS : 0;
  if (isGoing) return handle(event, document.querySelector(`[data-go="${CSS.escape(key)}"]`), use);
  if (key === "[") return openBeside(-1);
  if (key === "]") return openBeside(1);
  if (key === "y") return void copyAddress();
  if (key === "u") return handle(event, document.querySelector("#notice form button"), use);
  if (key === "x" || key === "X") return handle(event, boxOfRow(), (box) => tick(box, event.shiftKey));
  if (key === "d") return handle(event, firstAction(), use);
  if (key === "/") return handle(event, document.querySelector("main form[role=search] input[type=search]"), focusAll);
  const byKey = `[aria-keyshortcuts~="${CSS.escape(key)}"]`;
  // A key of a row acts on no row without the focus.
  const ofPage = [...document.querySelectorAll(byKey)].find((element) => !element.closest(ROW)) ?? null;
  const found = row()?.querySelector(byKey) ?? ofPage;
  // Without a composer in the page, `l` opens that of the row's company.
  if (found === null && key === "l") return logInRow();
  handle(event, found, use);
});

// The rows of the list that a record was opened from.
document.addEventListener("click", ({ target }) => {
  if (!target.closest?.(ROW_LINK)) return;
  const paths = [...document.querySelectorAll(ROW_LINK)].map(({ pathname }) => pathname);
  sessionStorage.setItem("rows", JSON.stringify(paths));
});

const rows = JSON.parse(sessionStorage.getItem("rows") ?? "[]");
const place = rows.indexOf(location.pathname);
if (place !== -1) document.querySelector(".back")?.append(` ${place + 1}/${rows.length}`);

function openBeside(step) {
  const path = place === -1 ? undefined : rows[place + step];
  if (path !== undefined) location.assign(path);
}

async function copyAddress() {
  const notice = document.getElementById("notice");
  await copyText(location.href, notice);
  const line = document.createElement("div");
  line.className = "notice good";
  line.textContent = document.body.dataset.copied;
  notice.replaceChildren(line);
}

function row() {
  return document.activeElement.closest(ROW);
}

function logInRow() {
  const link = row()?.querySelector("[href^='/companies/']");
  if (link) location.assign(`${link.pathname}#note`);
}

function isTyping(element) {
  return element.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") ?? false;
}

/** Handles the key only if its element exists. */
function handle(event, element, act) {
  if (element === null) return;
  event.preventDefault();
  act(element);
}

function use(element) {
  if (element.matches("textarea, select")) element.focus();
  else element.click();
}

function focusAll(input) {
  input.focus();
  input.select();
}

/** The first button of the row with the focus. */
function firstAction() {
  return row()?.querySelector(".action :is(button, summary, a)") ?? null;
}

/** The checkbox of the row with the focus, or else of the row under the pointer. */
function boxOfRow() {
  const chosen = row() ?? document.querySelector(".list tr:hover");
  return chosen?.querySelector("td.check input") ?? null;
}

/** Clicks a checkbox; select.js handles Shift. */
function tick(box, shiftKey) {
  box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey }));
}

function goToRow(event, step) {
  const links = [...document.querySelectorAll(ROW_LINK)];
  const current = links.findIndex((link) => link.closest(ROW).contains(document.activeElement));
  const next = current === -1 ? 0 : Math.min(Math.max(current + step, 0), links.length - 1);
  handle(event, links[next] ?? null, (link) => link.focus());
}
