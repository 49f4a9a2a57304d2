/**
 * Selection of rows in a list. `data-select-all` is a checkbox for all others of its form, and only exists with
 * JavaScript. `data-selected` shows the number of ticked boxes, or `data-total` if its box selects all that match. A
 * click with Shift, as the key Shift x (keys.js), gives all boxes from the last clicked one to this one its state.
 * `data-sums` shows the sums of the ticked boxes' `data-sum` by currency, or those of all that match.
 */

let last = null;

document.addEventListener("click", ({ target, shiftKey }) => {
  if (!target.matches("[data-select] tbody input[type=checkbox]")) return;
  const boxes = boxesOf(target.form);
  const [from, to] = [boxes.indexOf(last), boxes.indexOf(target)].sort((a, b) => a - b);
  if (shiftKey && from >= 0) for (const box of boxes.slice(from, to + 1)) box.checked = target.checked;
  last = target;
});

document.addEventListener("change", ({ target }) => {
  const { form } = target;
  if (!form?.matches("[data-select]")) return;
  if (target.matches("[data-select-all]")) for (const box of boxesOf(form)) box.checked = target.checked;
  show(form);
});

// A filtered list is a new form, and the browser's Back restores ticks.
new MutationObserver(showAll).observe(document.querySelector("main"), { childList: true, subtree: true });
addEventListener("pageshow", showAll);

function showAll() {
  for (const form of document.querySelectorAll("form[data-select]")) show(form);
}

function show(form) {
  const boxes = boxesOf(form);
  const ticked = boxes.filter((box) => box.checked).length;
  const all = form.querySelector("[data-select-all]");
  if (all) {
    all.hidden = false;
    all.checked = ticked > 0 && ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  }
  const whole = form.querySelector("[data-total]");
  // A page without one of its rows is not all that match.
  if (whole && ticked < boxes.length) whole.checked = false;
  write(form.querySelector("[data-selected]"), whole?.checked ? whole.dataset.total : String(ticked));
  write(form.querySelector("span[data-sums]"), whole?.checked ? whole.dataset.sums : sumsOf(boxes));
}

/** Written only if it differs, because the observer also watches this element. */
function write(element, text) {
  if (element && element.textContent !== (text ?? "")) element.textContent = text ?? "";
}

/** In thousandths, which are exact. Behind an amount and its currency are the currency's decimals, if not two. */
function sumsOf(boxes) {
  const sums = new Map();
  for (const { checked, dataset } of boxes) {
    if (!checked || !dataset.sum) continue;
    const [amount, currency, places = "2"] = dataset.sum.split(" ");
    const key = `${currency} ${places}`;
    sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(amount) * 1000));
  }
  return [...sums]
    .map(([key, sum]) => {
      const [currency, places] = key.split(" ");
      const digits = {
        minimumFractionDigits: sum % 1000 === 0 ? places : Math.max(places, 2),
        maximumFractionDigits: 3,
      };
      return ` · ${(sum / 1000).toLocaleString(document.documentElement.lang, digits)} ${currency}`;
    })
    .join("");
}

function boxesOf(form) {
  return [...form.querySelectorAll("tbody input[type=checkbox]")];
}
