/**
 * A form that narrows a list while one types or chooses: `data-live` names the elements that follow. The page is asked for as without
 * JavaScript, and of its answer those elements are taken over. The address follows too, so that it can be sent to somebody.
 */

import { sayOffline } from "./kept.js";

const PAUSE_MS = 120;
let pause = 0;
let asked = new AbortController();

document.addEventListener("input", ({ target }) => {
  const { form } = target;
  if (!form?.matches("[data-live]")) return;
  clearTimeout(pause);
  pause = setTimeout(() => void follow(form), PAUSE_MS);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  event.preventDefault();
  clearTimeout(pause);
  void follow(form);
});

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (key !== "Escape" || !target.matches?.("form[data-live] input[type=search]") || target.value === "") return;
  event.preventDefault();
  target.value = "";
  void follow(target.form);
});

// The browser restores what was typed; the list beside it is asked for anew.
addEventListener("popstate", () => location.reload());

async function follow(form) {
  const fields = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(fields).toString();
  // A field of this name would stand before the form's own property.
  const action = new URL(form.getAttribute("action"), location.href).href.split("?")[0];
  const address = action + (query === "" ? "" : `?${query}`);
  asked.abort();
  asked = new AbortController();
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { signal: asked.signal });
    // Signed out meanwhile, or in trouble: the browser goes there itself and shows why.
    if (!answer.ok || answer.redirected) return location.assign(address);
    takeOver(new DOMParser().parseFromString(await answer.text(), "text/html"), form.dataset.live.split(" "));
    // A dialog is on top of a page, which has its own address.
    if (address !== location.href && form.closest("dialog") === null) history.replaceState(null, "", address);
  } catch (error) {
    if (error.name !== "AbortError") sayOffline(form);
  }
  form.removeAttribute("aria-busy");
}

function takeOver(page, ids) {
  for (const id of ids) document.getElementById(id)?.replaceWith(page.getElementById(id));
}
