/**
 * The form of an invoice during typing; only its page loads this script. A number appears beside its field as the
 * server reads it, if it may be meant differently. Each line shows its amount, and the sum is below. A line in the last
 * row adds another row. Enter moves to the next line, and from the fields above to the first line. Cells pasted from a
 * spreadsheet become lines. A SKU completes from earlier lines (`data-lines` is their URL), and fills the description,
 * the price, the unit and the VAT rate.
 */

import { inLanguage, lineAmount, readBeside, readNumber, totalsOf } from "./numbers.js";

const MOST_LINES = 200;
const language = document.documentElement.lang === "ro" ? "ro" : "en";
/** The place of the unit among the fields of a line. */
const UNIT = 3;
/** Description, price, unit and VAT rate by SKU; null until a SKU field has the focus. */
let earlier = null;

document.addEventListener("input", ({ target }) => {
  if (target.name === "currency") return readAgain(document.querySelector("[data-lines]"));
  showRead(target);
  const table = target.closest?.("[data-lines]");
  if (!table) return;
  if (target.matches("[list]")) complete(target);
  addUp(table);
});

document.addEventListener("focusin", ({ target }) => {
  const table = target.matches?.("[data-lines] [list]") && target.closest("table");
  if (table && earlier === null) void loadEarlier(table.dataset.lines);
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

document.addEventListener("paste", (event) => {
  const { target, clipboardData } = event;
  const table = target.closest?.("[data-lines]");
  const cells = table ? cellsOf(clipboardData.getData("text")) : [];
  if (cells.length < 2 && (cells[0]?.length ?? 0) < 2) return;
  event.preventDefault();
  const body = table.tBodies[0];
  const column = fieldsOf(target.closest("tr")).indexOf(target);
  const first = [...body.rows].indexOf(target.closest("tr"));
  const taken = cells.slice(0, MOST_LINES - first);
  for (const [at, texts] of taken.entries()) {
    while (body.rows.length <= first + at) addRow(body);
    const fields = fieldsOf(body.rows[first + at])
      .slice(column)
      .filter(takes(taken, column));
    for (const [index, field] of fields.entries()) if (index < texts.length) field.value = texts[index];
    for (const field of fields) showRead(field);
  }
  table.parentElement.querySelector("[data-told]").textContent = taken.length < cells.length ? table.dataset.full : "";
  addUp(table);
});

document.querySelector("form.invoice [data-until-script]").remove();
restoreLines(document.querySelector("[data-lines]"));

/** Which fields of a row take the pasted cells: a number where the unit would be says that they have no units. */
function takes(cells, column) {
  const unit = UNIT - column;
  const hasNumbers = unit >= 0 && cells.some((texts) => readNumber(texts[unit] ?? "", language) !== null);
  return hasNumbers ? (field) => !field.name.endsWith(".unit") : () => true;
}

/** Shows a restored form (saved-form.js) with the lines that the page does not have. */
function restoreLines(table) {
  const { form } = table.querySelector("input");
  if (form.missing === undefined) return;
  for (const [name, value] of form.missing) {
    const at = Number(/^lines\.(\d+)\./.exec(name)?.[1] ?? -1);
    for (let row = table.tBodies[0].rows.length; row <= at && row < MOST_LINES; row++) addRow(table.tBodies[0]);
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
  }
  readAgain(table);
}

/** Amounts are read in the currency of the form. */
function readAgain(table) {
  for (const field of table.closest("form").querySelectorAll("input")) showRead(field);
  addUp(table);
}

function currencyIn(form) {
  return form.elements.namedItem("currency")?.value;
}

/** The currency of a field, if it is an amount. */
function currencyOf({ form, name }) {
  return /(?:total|unit_price)$/.test(name) ? currencyIn(form) : undefined;
}

/** The cells of a text from a spreadsheet: tabs between them; a cell with a line break is in quotes. */
function cellsOf(text) {
  const rows = [[]];
  const whole = text.replace(/\r?\n$/, "");
  for (const [, quoted, plain, end] of whole.matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/gy)) {
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    rows.at(-1).push(cell.replaceAll(/\s+/g, " ").trim());
    if (end === "") break;
    if (end !== "\t") rows.push([]);
  }
  return rows;
}

async function loadEarlier(address) {
  earlier = new Map();
  try {
    const lines = await (await fetch(address)).json();
    earlier = new Map(lines.map(([sku, ...others]) => [sku, others]));
    const options = lines.map(([sku, description]) => Object.assign(new Option(description), { value: sku }));
    document.getElementById("skus").append(...options);
  } catch {
    // Without them, everything can be typed.
    return;
  }
  // A SKU may have been typed meanwhile.
  const { activeElement: field } = document;
  if (!field.matches("[data-lines] [list]")) return;
  complete(field);
  addUp(field.closest("table"));
}

/** Fills the description and the price of a known SKU, unless something else was typed there. */
function complete(field) {
  const known = earlier?.get(field.value);
  if (!known) return;
  const [, description, , unit, price, rate] = fieldsOf(field.closest("tr"));
  for (const [index, other] of [description, price, unit, rate].entries()) {
    if (known[index] === "") continue;
    if (other.value !== "" && other.value !== (other.dataset.filled ?? other.dataset.begins)) continue;
    other.value = other.dataset.filled = known[index];
    showRead(other);
  }
}

function showRead(field) {
  const read = document.getElementById(`${field.id}-read`);
  if (field.inputMode === "decimal" && read) read.textContent = readBeside(field.value, language, currencyOf(field));
}

function addUp(table) {
  const body = table.tBodies[0];
  const form = table.closest("form");
  const currency = currencyIn(form);
  const shown = (amount) => inLanguage(amount, language, currency);
  const isUsed = (row) => fieldsOf(row).some(({ name, value }) => value !== "" && !/\.(?:unit|vat_rate)$/.test(name));
  if (isUsed(body.rows[body.rows.length - 1])) addRow(body);
  const rows = [...body.rows];
  const lines = rows.map((row) => {
    const [quantity, price, rate] = [...row.querySelectorAll("input.number")].map(numberOf);
    const amount = lineAmount(quantity, price, currency);
    row.querySelector("output").textContent = amount === null ? "" : shown(amount);
    return { quantity, unit_price: price, vat_rate: isUsed(row) ? rate : null };
  });
  const used = rows.filter(isUsed);
  form.querySelector("[data-count]").textContent = used.length;
  const remark = form.querySelector("[data-no-sku]");
  if (remark) {
    const count = used.filter((row) => fieldsOf(row)[0].value.trim() === "").length;
    remark.hidden = count === 0;
    remark.querySelector("output").textContent = count;
  }
  const { vat, total, byRate } = totalsOf(lines, currency);
  form.querySelector("[data-taxed]").hidden = byRate.length === 0;
  form.querySelector("[data-vat]").textContent = shown(vat);
  form.querySelector("[data-sum]").textContent = shown(total);
}

function fieldsOf(row) {
  return [...row.querySelectorAll("input")];
}

function addRow(body) {
  const at = body.rows.length;
  if (at < MOST_LINES) body.append(emptyCopy(body.rows[at - 1], at));
}

function numberOf(field) {
  return readNumber(field.value, language, currencyOf(field))?.value ?? null;
}

function emptyCopy(row, at) {
  const copy = row.cloneNode(true);
  for (const input of copy.querySelectorAll("input")) {
    const label = input.getAttribute("aria-label").replace(/\d+/, String(at + 1));
    input.id = input.name = input.name.replace(/\d+/, String(at));
    input.setAttribute("aria-label", label);
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
    input.value = input.dataset.begins ?? "";
    delete input.dataset.filled;
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
