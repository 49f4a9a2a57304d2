/**
 * The lines of an invoice that is being typed: each has its amount, and below them is their sum. The last row makes another one
 * when something is typed in it. What is stored is added up by the server, exactly.
 */

const MOST_LINES = 200;

document.addEventListener("input", ({ target }) => {
  const table = target.closest?.("[data-lines]");
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  const last = rows.at(-1);
  if (last.contains(target) && rows.length < MOST_LINES) last.after(emptyCopy(last, rows.length));
  const format = new Intl.NumberFormat(document.documentElement.lang === "ro" ? "ro-RO" : "en-GB", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const amounts = rows.map((row) => {
    const [quantity, price] = [...row.querySelectorAll("input.number")].map(numberOf);
    const amount = quantity * price;
    row.querySelector("output").textContent = Number.isNaN(amount) ? "" : format.format(amount);
    return Number.isNaN(amount) ? 0 : amount;
  });
  const sum = table.closest("form").querySelector("[data-sum]");
  sum.textContent = format.format(amounts.reduce((total, amount) => total + amount, 0));
});

function numberOf({ value }) {
  const text = value.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2");
  return text === "" ? Number.NaN : Number(text);
}

function emptyCopy(row, at) {
  const copy = row.cloneNode(true);
  for (const input of copy.querySelectorAll("input")) {
    const label = input.getAttribute("aria-label").replace(/\d+/, String(at + 1));
    input.id = input.name = input.name.replace(/\d+/, String(at));
    input.setAttribute("aria-label", label);
    input.removeAttribute("aria-invalid");
    input.value = "";
  }
  copy.querySelector("output").textContent = "";
  return copy;
}
