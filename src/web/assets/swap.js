/**
 * Takes parts of a page over from the answer to a link or a form, where the page would be left without JavaScript.
 *
 * - `data-swap` on a link or a form: the ids, with spaces between, of the elements that are replaced by those of the same id in
 *   the answer. That is a whole page: also where a form was refused, or the page that a form's redirect leads to. Of a form one
 *   names what changes when it was right, and what its own place is when it was refused. Where the answer has none of them, all
 *   of `main` is taken over.
 * - `data-focus` there: the id of the element that has the focus afterwards; else the first field of what was taken over has it.
 * - Escape in such a form follows its link with `data-leave`. Enter sends; in a text of several lines Ctrl+Enter does, as in every
 *   form that is a page of its own.
 * - A form with `class="in-place"` is sent as soon as a select of it changes, and when somebody leaves its text; one that has nothing
 *   new is left then. One that was refused stays.
 */

import { restAll } from "./busy.js";
import { isEdited, sayOffline, signInFor } from "./kept.js";

document.addEventListener("click", (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = target.closest?.("a[data-swap]");
  if (!link || event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  event.preventDefault();
  void swap(link, link.href, {}, () => location.assign(link.href));
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-swap]");
  if (!form || event.defaultPrevented) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  void swap(form, form.action, { method: "POST", body }, () => form.submit());
});

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, target } = event;
  const form = target.form;
  if (!form?.matches("[data-swap], .record")) return;
  if (key === "Enter" && (ctrlKey || metaKey)) form.requestSubmit();
  else if (key === "Escape" && form.matches("[data-swap]")) form.querySelector("[data-leave]")?.click();
  else return;
  event.preventDefault();
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("form.in-place[data-swap] select")) target.form.requestSubmit();
});

document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const form = target.form;
  // Somebody who goes to another window comes back; a form that is taken away has been sent or left already.
  if (!form?.matches("form.in-place[data-swap]") || !document.hasFocus()) return;
  if (form.matches("[aria-busy=true], :has([aria-busy=true])")) return;
  if (form.contains(relatedTarget) || form.querySelector("[aria-invalid=true], [role=alert]") !== null) return;
  if (isEdited(form)) form.requestSubmit();
  else form.querySelector("[data-leave]")?.click();
});

/** @param leave goes there without JavaScript's help */
async function swap(origin, address, request, leave) {
  // A second click or Enter while the first is under way would write twice.
  if (origin.getAttribute("aria-busy") === "true") return;
  origin.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, request);
    const isPage = answer.ok || answer.status === 409 || answer.status === 422;
    if (new URL(answer.url).pathname.startsWith("/sign-in"))
      return origin.matches("form") ? signInFor(origin) : leave();
    if (!isPage) return leave();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const ids = origin.dataset.swap.split(" ");
    // Somebody who went on to something else meanwhile stays there.
    const isHere = document.activeElement === document.body || origin.contains(document.activeElement);
    const taken = ids.flatMap((id) => takeOver(page, id, origin));
    if (taken.length === 0) taken.push(...takeOver(page, "main", origin));
    if (!isHere) return;
    const target = document.getElementById(origin.dataset.focus ?? "") ?? firstField(taken);
    target?.focus();
    if (target?.matches("input")) target.select();
  } catch {
    sayOffline(origin);
  } finally {
    origin.removeAttribute("aria-busy");
    restAll(origin);
  }
}

function takeOver(page, id, origin) {
  const [before, after] = [document.getElementById(id), page.getElementById(id)];
  // Something may have come along with a larger part already.
  if (!before || !after) return [];
  // Another form that is open in a larger part stays as it is.
  if ([...before.querySelectorAll("form.in-place")].some((form) => form !== origin && !form.contains(origin)))
    return [];
  // Parts that a person opened stay open.
  for (const { id: opened } of before.querySelectorAll("details[id][open]")) {
    after.querySelector(`#${CSS.escape(opened)}`)?.setAttribute("open", "");
  }
  before.replaceWith(after);
  return [after];
}

function firstField(elements) {
  const fields = elements.flatMap((element) => [
    ...element.querySelectorAll("[aria-invalid=true], input:not([type=hidden]), select, textarea"),
  ]);
  return fields.find((field) => field.matches("[aria-invalid=true]")) ?? fields[0];
}
