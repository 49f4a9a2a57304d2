/** A menu closes on Escape and on a click beside it; one with a form opens into its first field, a list's crumb leads back to the list as it was. */

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
    event.preventDefault();
  }
});

document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.matches("details.menu[open]")) target.querySelector("textarea, input:not([type=hidden])")?.focus();
  },
  true,
);

// A list is remembered by its path, in this tab.
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
