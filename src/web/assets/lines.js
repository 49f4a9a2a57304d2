/**
 * Numbers and dates during typing. A number appears beside its field as the server reads it, if it may be meant
 * differently. Each line of an invoice shows its amount, and the sum is below. Typing in the last row adds another one.
 * Enter moves to the next line, and from the fields above to the first line.
 */

import { inLanguage, lineAmount, readBeside, readDay, readNumber, sumOf } from "./numbers.js";

const MOST_LINES = 200;
const language = document.documentElement.lang === "ro" ? "ro" : "en";

document.addEventListener("input", ({ target }) => {
  const read = document.getElementById(`${target.id}-read`);
  if (target.inputMode === "decimal" && read) read.textContent = readBeside(target.value, language);
  const table = target.closest?.("[data-lines]");
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  const last = rows.at(-1);
  if (last.contains(target) && rows.length < MOST_LINES) last.after(emptyCopy(last, rows.length));
  const lines = rows.map((row) => {
    const [quantity, price] = [...row.querySelectorAll("input.number")].map(numberOf);
    const amount = lineAmount(quantity, price);
    row.querySelector("output").textContent = amount === null ? "" : inLanguage(amount, language);
    return { quantity, unit_price: price };
  });
  table.closest("form").querySelector("[data-sum]").textContent = inLanguage(sumOf(lines), language);
});

document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, isComposing, target } = event;
  if (key !== "Enter" || ctrlKey || metaKey || isComposing || !target.matches?.("form.invoice input")) return;
  const table = target.form.querySelector("[data-lines]");
  const row = target.closest("tr");
  // Below the lines, Enter creates the invoice.
  if (!row && table.compareDocumentPosition(target) === Node.DOCUMENT_POSITION_FOLLOWING) return;
  event.preventDefault();
  const next = row ? (row.nextElementSibling ?? row) : table.tBodies[0].rows[0];
  next.querySelector("input").focus();
});

// A browser's date field only accepts a date in the system's format.
document.addEventListener("paste", (event) => {
  const { target, clipboardData } = event;
  const day = target.type === "date" && readDay(clipboardData.getData("text"));
  if (!day) return;
  event.preventDefault();
  target.value = day;
  target.dispatchEvent(new Event("input", { bubbles: true }));
});

function numberOf({ value }) {
  return readNumber(value, language)?.value ?? null;
}

function emptyCopy(row, at) {
  const copy = row.cloneNode(true);
  for (const input of copy.querySelectorAll("input")) {
    const label = input.getAttribute("aria-label").replace(/\d+/, String(at + 1));
    input.id = input.name = input.name.replace(/\d+/, String(at));
    input.setAttribute("aria-label", label);
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
    input.value = "";
  }
  for (const error of copy.querySelectorAll(".error")) error.remove();
  for (const read of copy.querySelectorAll(".read")) {
    read.id = read.id.replace(/\d+/, String(at));
    read.textContent = "";
    read.previousElementSibling.setAttribute("aria-describedby", read.id);
  }
  copy.querySelector("output").textContent = "";
  return copy;
}
