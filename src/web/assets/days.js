/** A day that is pasted as people write it. */

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
