import { copyText } from "./copy-text.js";

/**
 * The mouse. A click in a row follows its link, and a click on a fact edits it, but not while text is selected. A
 * button with `data-copy` copies the value before it.
 */

const OF_ITSELF = "a, button, input, select, textarea, label, summary, details, form.in-place";
const COPIED_MS = 2_000;

// Buttons that need JavaScript are hidden without it.
document.documentElement.classList.add("scripted");

document.addEventListener("click", (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const copied = target.closest?.("[data-copy]");
  if (copied) return void copy(copied);
  if (event.defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  if (!getSelection().isCollapsed || target.closest?.(OF_ITSELF)) return;
  const link =
    target.closest?.(".list tbody tr")?.querySelector("td.name a") ??
    target.closest?.("dd")?.querySelector(":scope > .edit");
  // The click has moved the focus to an outer element.
  link?.focus({ preventScroll: true });
  link?.click();
});

async function copy(button) {
  let value = button.previousSibling;
  while (value.textContent.trim() === "") value = value.previousSibling;
  await copyText(value.textContent.trim(), button);
  const label = button.querySelector(".hidden");
  const before = label.textContent;
  if (before === document.body.dataset.copied) return;
  label.role = "status";
  label.textContent = button.title = document.body.dataset.copied;
  button.classList.add("done");
  setTimeout(() => {
    label.removeAttribute("role");
    label.textContent = button.title = before;
    button.classList.remove("done");
  }, COPIED_MS);
}
