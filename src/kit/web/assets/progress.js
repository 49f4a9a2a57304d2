/**
 * Updates a page about a process that is running, from the first moment on at which it may have changed (swap.js).
 * `data-refresh` marks the part that changes; its value is the minimum number of seconds between two requests. Only the
 * differences are written, so focus, ticked boxes and selected text stay. The update waits while the part has a focused
 * field or an open menu. Once the response lacks the part, the process is over: then the page is reloaded, or, if the
 * part has an id, made equal to the element of that id. Hidden pages make no requests.
 */

const LONGEST_MS = 10_000;
let pauseMs = 1000;
/** The part as the server sent it, without changes by the person. */
let served = "";

export function followFrom(part) {
  served = part;
  void follow();
}

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
    // A reload would lose what is selected.
    if (next === null) return holdsSelection(part) ? undefined : location.reload();
    const inNeed = page.getElementById("in-need");
    if (inNeed !== null) document.getElementById("in-need")?.replaceWith(inNeed);
    if (next.outerHTML === served) return;
    served = update(part, next) ? next.outerHTML : "";
  } catch {
    // The server is unavailable for a moment.
  }
}

function partOf(page) {
  return page.querySelector("[data-refresh]");
}

function isInUse(part) {
  const isTyping =
    part.contains(document.activeElement) &&
    document.activeElement.matches("input:not([type=checkbox]), select, textarea");
  return isTyping || part.querySelector("details[open], dialog[open], [aria-busy=true]") !== null;
}

/** Returns false if selected text kept a difference: the part is still followed then. */
function update(part, next) {
  const hadFocus = part.contains(document.activeElement);
  const isWhole = copyChildren(part, next);
  if (isWhole) copyAttributes(part, next);
  // The notice may be outdated now; one with an undo button stays.
  document.querySelector("#notice .notice:not(.wrong, :has(form))")?.remove();
  if (hadFocus && document.activeElement === document.body)
    part.querySelector("a, button")?.focus({ preventScroll: true });
  return isWhole;
}

/** Whether the selection begins or ends in a node: if the node went, so would the selection. */
function holdsSelection(node) {
  const { isCollapsed, anchorNode, focusNode } = getSelection();
  return !isCollapsed && (node.contains(anchorNode) || node.contains(focusNode));
}

/** Makes a node equal to another one. Returns false if selected text keeps a difference. */
function copy(node, next) {
  if (node.isEqualNode(next)) return true;
  if (node.nodeType === Node.ELEMENT_NODE && isAlike(node, next)) {
    copyAttributes(node, next);
    return copyChildren(node, next);
  }
  if (holdsSelection(node)) return false;
  node.replaceWith(next);
  return true;
}

function copyAttributes(node, next) {
  for (const name of node.getAttributeNames()) if (!next.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of next.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Equal nodes at the beginning and at the end stay; those between are matched by their keys, or in their order. */
function copyChildren(node, next) {
  const [before, after] = [[...node.childNodes], [...next.childNodes]];
  while (before.length > 0 && after.length > 0 && before[0].isEqualNode(after[0])) {
    before.shift();
    after.shift();
  }
  let follower = null;
  while (before.length > 0 && after.length > 0 && before.at(-1).isEqualNode(after.at(-1))) {
    follower = before.pop();
    after.pop();
  }
  let isWhole = true;
  for (const child of after) {
    const at = before.findIndex((each) => isAlike(each, child));
    // Those that were skipped are not in the other node, or in another order.
    for (const gone of at === -1 ? [] : before.splice(0, at)) isWhole = remove(gone) && isWhole;
    if (at === -1) node.insertBefore(child, before[0] ?? follower);
    else isWhole = copy(before.shift(), child) && isWhole;
  }
  for (const gone of before) isWhole = remove(gone) && isWhole;
  return isWhole;
}

function remove(node) {
  if (holdsSelection(node)) return false;
  node.remove();
  return true;
}

/** Whether two nodes show the same thing at two times: the same record, or elements without any. */
function isAlike(node, next) {
  return node.nodeName === next.nodeName && keyOf(node) === keyOf(next);
}

function keyOf(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return "";
  // A form's own property may be one of its fields.
  return node.getAttribute("id") || (node.matches("tr") && node.querySelector("td.name a")?.getAttribute("href")) || "";
}
