/**
 * A form that filters a list during typing: `data-live` names the elements to update. The page is requested as without
 * JavaScript, and these elements of the response replace the current ones. The URL follows, so that it can be shared.
 * With `data-opens`, Enter opens the first link of them.
 *
 * `data-asks` beside a field is the URL of a page that has the same elements for a value of the field. Their contents
 * follow during typing.
 */

import { sayOffline } from "./saved-form.js";

const PAUSE_MS = 120;
let pause = 0;
let asked = new AbortController();

document.addEventListener("input", ({ target }) => {
  const { form } = target;
  const hints = [...(target.closest(".field")?.querySelectorAll("[data-asks]") ?? [])];
  if (!hints[0] && !form?.matches("[data-live]")) return;
  clearTimeout(pause);
  if (hints[0]) return void (pause = setTimeout(() => void ask(hints, target), PAUSE_MS));
  pause = setTimeout(() => void follow(form), PAUSE_MS);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-live]");
  if (!form) return;
  event.preventDefault();
  clearTimeout(pause);
  void submit(form);
});

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (key !== "Escape" || !target.matches?.("form[data-live] input[type=search]") || target.value === "") return;
  // Escape closes a dialog at once.
  if (target.closest("dialog")) return;
  event.preventDefault();
  target.value = "";
  void follow(target.form);
});

// The browser restores the typed text, so the list must be loaded again.
addEventListener("popstate", () => location.reload());

async function submit(form) {
  await follow(form);
  if ("opens" in form.dataset) document.querySelector(`#${form.dataset.live} a`)?.click();
}

async function follow(form) {
  const fields = [...new FormData(form)].filter(([, value]) => value !== "");
  const query = new URLSearchParams(fields).toString();
  // A field with this name would hide the form's own property.
  const action = new URL(form.getAttribute("action"), location.href).href.split("?")[0];
  const address = action + (query === "" ? "" : `?${query}`);
  asked.abort();
  asked = new AbortController();
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { signal: asked.signal });
    // The session has ended, or the request failed: the browser opens the URL and shows the reason.
    if (!answer.ok || answer.redirected) return location.assign(address);
    replaceParts(new DOMParser().parseFromString(await answer.text(), "text/html"), form.dataset.live.split(" "));
    // A dialog does not change the URL of the page below.
    if (address !== location.href && form.closest("dialog") === null) history.replaceState(null, "", address);
  } catch (error) {
    if (error.name !== "AbortError") sayOffline(form);
  }
  form.removeAttribute("aria-busy");
}

async function ask(hints, { name, value }) {
  asked.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(`${hints[0].dataset.asks}?${new URLSearchParams({ [name]: value })}`, {
      signal: asked.signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const hint of hints) hint.replaceChildren(...(page.getElementById(hint.id)?.childNodes ?? []));
  } catch {
    // Without the hint, the form works as it does without scripts.
    return;
  }
}

function replaceParts(page, ids) {
  for (const id of ids) document.getElementById(id)?.replaceWith(page.getElementById(id));
}
