/**
 * Replaces parts of a page from the response to a link or form, which without JavaScript would load another page.
 *
 * - `data-swap` on a link or form: the ids, separated by spaces, of elements to replace by those with the same id in
 *   the response. The response is a whole page, also after a rejected form or a redirect. A form names the elements
 *   that change on success and its own element for a rejection. If the response has none of them, all of `main` is
 *   replaced.
 * - `data-focus`: the id of the element to focus afterwards; by default the first field of the new parts.
 * - Escape in such a form follows its link with `data-leave`. Enter submits; in a text of several lines Ctrl+Enter
 *   submits, as in every form with a page of its own or in a row. Ctrl+Shift+Enter presses its button `send`.
 * - A form with `data-at-once` is submitted when a select of it changes, and needs no button.
 * - A form with `class="in-place"` is submitted when a select of it changes, and when its text loses the focus. A form
 *   without changes is closed then. A rejected form stays.
 */

import { restAll } from "./busy.js";
import { isEdited, sayOffline, signInFor } from "./saved-form.js";

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
  const { key, ctrlKey, metaKey, shiftKey, target } = event;
  const form = target.form;
  if (!form?.matches("[data-swap], .record, .log > form")) return;
  const button = shiftKey ? form.querySelector("button[name=send]") : null;
  if (key === "Enter" && (ctrlKey || metaKey)) form.requestSubmit(button);
  else if (key === "Escape" && form.matches("[data-swap]")) form.querySelector("[data-leave]")?.click();
  else return;
  event.preventDefault();
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("form:is(.in-place[data-swap], [data-at-once]) select")) target.form.requestSubmit();
});

document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const form = target.form;
  // Without window focus, the person will come back; a removed form was already submitted or closed.
  if (!form?.matches("form.in-place[data-swap]") || !document.hasFocus()) return;
  if (form.matches("[aria-busy=true], :has([aria-busy=true])")) return;
  if (form.contains(relatedTarget) || form.querySelector("[aria-invalid=true], [role=alert]") !== null) return;
  if (isEdited(form)) form.requestSubmit();
  else form.querySelector("[data-leave]")?.click();
});

/** @param leave follows the link or form without JavaScript */
async function swap(origin, address, request, leave) {
  // A second click or Enter during the request would write twice.
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
    // A person who has moved on meanwhile keeps the focus.
    const isHere = document.activeElement === document.body || origin.contains(document.activeElement);
    // A sheet closes once its form has been sent (phone.css).
    const isSheet = getComputedStyle(origin.parentElement).position === "fixed";
    const isFollowed = partUnderWay() !== null;
    const taken = ids.flatMap((id) => replacePart(page, id, origin));
    if (taken.length === 0) taken.push(...replacePart(page, "main", origin));
    if (!isFollowed) followPart();
    if (!isHere || isSheet) return;
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

/** Follows a part with `data-refresh`, if there is one. The script that does so is loaded when it is due. */
export function followPart() {
  const part = partUnderWay();
  if (part === null) return;
  // As the server sent it: meanwhile the person may change it.
  const served = part.outerHTML;
  const load = () => import("./progress.js").then(({ followFrom }) => followFrom(served)).catch(() => {});
  setTimeout(load, 1000 * (Number(part.dataset.refresh) || 1));
}

function partUnderWay() {
  return document.querySelector("[data-refresh]");
}

function replacePart(page, id, origin) {
  const [before, after] = [document.getElementById(id), page.getElementById(id)];
  // A larger part may already contain this element.
  if (!before || !after) return [];
  // Another open form in a larger part stays as it is.
  if ([...before.querySelectorAll("form.in-place")].some((form) => form !== origin && !form.contains(origin)))
    return [];
  // Parts that the person has opened stay open.
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
