/**
 * A menu opens, follows the arrow keys, and closes on Escape and on a click outside. A menu with a form focuses its
 * first field. A notice closes by its button, and by itself after NOTICE_MS unless it reports an error. The breadcrumb
 * of a list leads back to the list as it was.
 */

const NOTICE_MS = 6_000;
const LOOK_MS = 500;
const noticed = new WeakMap();

// A notice stays while it is hovered or focused.
setInterval(() => {
  for (const notice of document.querySelectorAll("#notice .notice:not(.wrong)")) {
    const isInUse = notice.matches(":hover, :focus-within");
    const since = isInUse ? 0 : (noticed.get(notice) ?? 0);
    noticed.set(notice, since + LOOK_MS);
    if (since >= NOTICE_MS) notice.remove();
  }
}, LOOK_MS);

const STEPS = { ArrowDown: 1, ArrowUp: -1 };
const OPTIONS = "summary, :scope > div :is(a, button)";

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented) return;
  const menu = target.closest?.("details.menu");
  if (key in STEPS && menu && target.matches(OPTIONS.replace(":scope", "details.menu"))) {
    event.preventDefault();
    menu.open = true;
    const options = [...menu.querySelectorAll(OPTIONS)].filter((option) => option.checkVisibility());
    return options.at((options.indexOf(target) + STEPS[key]) % options.length)?.focus();
  }
  if (key !== "Escape") return;
  const open = document.querySelectorAll("details.menu[open]");
  for (const each of open) {
    each.open = false;
    if (each.contains(document.activeElement)) each.querySelector("summary").focus();
    event.preventDefault();
  }
  if (open.length === 0 && !target.matches?.("input, select, textarea")) document.querySelector(".notice")?.remove();
});

document.addEventListener("click", (event) => {
  const { target } = event;
  if (target.closest?.("[data-print]")) print();
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
  const notice = target.closest?.(".notice .close")?.parentElement;
  if (!notice) return;
  event.preventDefault();
  notice.remove();
});

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches("details.menu[open]")) target.querySelector("textarea, input:not([type=hidden])")?.focus();
  },
  true,
);

// The URL of a list is saved by its path, in this tab.
addEventListener("pagehide", remember);

document.addEventListener("click", ({ target }) => {
  const crumb = target.closest?.("a.back");
  const list = crumb && sessionStorage.getItem(`list ${crumb.pathname}`);
  if (list) crumb.href = list;
});

function remember() {
  if (document.querySelector("main form[data-live]") === null) return;
  sessionStorage.setItem(`list ${location.pathname}`, location.pathname + location.search);
}
