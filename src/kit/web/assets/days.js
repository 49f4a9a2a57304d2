/** A day that is pasted as people write it, and a call with its call-back by one key. */

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

// Prepares the form for a call, with a call-back on the day that the button names.
document.addEventListener("click", ({ target }) => {
  const { callback } = target.dataset;
  if (!callback) return;
  const { kind, note, callback_date: day } = target.form.elements;
  kind.value = "call";
  day.value = callback;
  note.focus();
});
