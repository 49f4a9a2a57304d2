/**
 * Updates a page about a process that is running. `data-refresh` marks the part that changes; its value is the minimum
 * number of seconds between two requests. A changed part is replaced; focus and ticked boxes stay. The update waits
 * while the part has a focused field, selected text or an open menu. Once the response lacks the part, the process is
 * over: then the page is reloaded, or, if the part has an id, replaced by the element of that id. Hidden pages make no
 * requests.
 */

const LONGEST_MS = 10_000;
let pauseMs = 1000;
/** The part as the server sent it, without changes by the person. */
let served = partOf(document)?.outerHTML;

if (served !== undefined) plan();

function plan() {
  setTimeout(follow, Number(partOf(document)?.dataset.refresh ?? 0) * 1000 || pauseMs);
}

async function follow() {
  if (!document.hidden) await look();
  pauseMs = Math.min(pauseMs * 1.1, LONGEST_MS);
  if (partOf(document) !== null) plan();
}

async function look() {
  const part = partOf(document);
  // The list was filtered and has nothing to update.
  if (part === null || isInUse(part)) return;
  const address = location.href;
  try {
    const answer = await fetch(address);
    // The person may have started something here, or filtered the list, during the request.
    if (address !== location.href || !part.isConnected || isInUse(part)) return;
    if (!answer.ok || answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = part.id === "" ? partOf(page) : page.getElementById(part.id);
    if (next === null) return location.reload();
    const inNeed = page.getElementById("in-need");
    if (inNeed !== null) document.getElementById("in-need")?.replaceWith(inNeed);
    if (next.outerHTML === served) return;
    served = next.outerHTML;
    replacePart(part, next);
  } catch {
    // The server is unavailable for a moment.
  }
}

function partOf(page) {
  return page.querySelector("[data-refresh]");
}

function isInUse(part) {
  const selection = getSelection();
  const isSelecting = selection !== null && !selection.isCollapsed && selection.containsNode(part, true);
  const isTyping =
    part.contains(document.activeElement) &&
    document.activeElement.matches("input:not([type=checkbox]), select, textarea");
  return isSelecting || isTyping || part.querySelector("details[open], dialog[open], [aria-busy=true]") !== null;
}

function replacePart(part, next) {
  const focused = part.contains(document.activeElement) ? placeOf(document.activeElement) : null;
  for (const box of part.querySelectorAll("input[type=checkbox]:checked")) {
    const same = next.querySelector(placeOf(box));
    if (same !== null) same.checked = true;
  }
  part.replaceWith(next);
  // The notice may be outdated now; one with an undo button stays.
  document.querySelector("#notice .notice:not(.wrong, :has(form))")?.remove();
  if (focused !== null)
    (next.querySelector(focused) ?? next.querySelector("a, button"))?.focus({ preventScroll: true });
}

/** A selector for the corresponding element in another response. */
function placeOf(element) {
  if (element.id !== "") return `#${CSS.escape(element.id)}`;
  const named = ["href", "formaction", "name", "value", "data-select-all"].filter((name) => element.hasAttribute(name));
  const attributes = named.map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`);
  return `${element.localName}${attributes.join("")}`;
}
