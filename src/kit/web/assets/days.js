/** A day that is pasted as people write it, a call with its call-back by one key, and an e-mail that was written. */

import { readDay } from "./typed-day.js";

// A browser's date field only accepts a date in the system's format.
document.addEventListener("paste", (event) => {
  const { target, clipboardData } = event;
  const day = target.type === "date" && readDay(clipboardData.getData("text"));
  if (!day) return;
  event.preventDefault();
  target.value = day;
  target.dispatchEvent(new Event("input", { bubbles: true }));
});

// Prepares the form for a call, with a call-back on the day that the button names, or for an e-mail. A link to a mail
// program shows the button for that.
document.addEventListener("click", ({ target }) => {
  const asked = document.querySelector("[data-written]");
  if (asked && target.closest?.("a[href^='mailto:']")) asked.hidden = false;
  const { callback, log = callback && "call" } = target.dataset ?? {};
  if (!log) return;
  const { kind, note, callback_date: day } = target.form.elements;
  kind.value = log;
  if (callback) day.value = callback;
  else asked.hidden = true;
  note.focus();
});
