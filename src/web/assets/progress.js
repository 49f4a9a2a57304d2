/**
 * A page about something that goes on follows it: `data-refresh` marks the part that changes meanwhile, with the seconds between two
 * looks where it is not to be sooner. The part is taken over where it has changed: what has the focus there keeps it, ticks stay, and
 * while somebody types, has selected a text or opened a menu there, it waits. When the page has no such part any more, that something
 * is over, and the page is loaded as it is then, or the part alone where it has an id. Nobody asks for a page that nobody sees.
 */

const LONGEST_MS = 10_000;
let pauseMs = 1000;
/** The part as the server wrote it, before anybody did anything with it. */
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
  // The list was narrowed to one that has nothing to follow.
  if (part === null || isInUse(part)) return;
  const address = location.href;
  try {
    const answer = await fetch(address);
    // Meanwhile somebody may have begun something here, or narrowed the list.
    if (address !== location.href || !part.isConnected || isInUse(part)) return;
    if (!answer.ok || answer.redirected) return location.reload();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = part.id === "" ? partOf(page) : page.getElementById(part.id);
    if (next === null) return location.reload();
    const inNeed = page.getElementById("in-need");
    if (inNeed !== null) document.getElementById("in-need")?.replaceWith(inNeed);
    if (next.outerHTML === served) return;
    served = next.outerHTML;
    takeOver(part, next);
  } catch {
    // The server is away for a moment.
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

function takeOver(part, next) {
  const focused = part.contains(document.activeElement) ? placeOf(document.activeElement) : null;
  for (const box of part.querySelectorAll("input[type=checkbox]:checked")) {
    const same = next.querySelector(placeOf(box));
    if (same !== null) same.checked = true;
  }
  part.replaceWith(next);
  // It may say what is over by now; what can be taken back stays.
  document.querySelector("#notice .notice:not(.wrong, :has(form))")?.remove();
  if (focused !== null)
    (next.querySelector(focused) ?? next.querySelector("a, button"))?.focus({ preventScroll: true });
}

/** A selector of the element that stands for the same thing in another answer of the page. */
function placeOf(element) {
  if (element.id !== "") return `#${CSS.escape(element.id)}`;
  const named = ["href", "formaction", "name", "value", "data-select-all"].filter((name) => element.hasAttribute(name));
  const attributes = named.map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`);
  return `${element.localName}${attributes.join("")}`;
}
