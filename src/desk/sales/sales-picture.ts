import { html, type Html } from "../../kit/web/html.ts";
import { amount, day, monthIn, nearDay, type Language } from "../../kit/web/language.ts";
import type { Unit } from "../../orders/reports/sales-period.ts";
import type { CurrencySales, Sales } from "../../orders/reports/sales-queries.ts";
import { columnPicture } from "../reports/column-picture.ts";
import { salesWords } from "./sales-words.ts";

const HEIGHT = 140;
/** Days below the columns: more do not fit on a telephone. */
const MOST_DAYS = 6;

/** The columns of a currency beside those of the year before; null if nothing was sold. The table has the amounts. */
export function salesPicture(
  of: CurrencySales,
  { columns, unit, timeZone }: Pick<Sales, "columns"> & { unit: Unit; timeZone: string },
  language: Language,
): Html | null {
  const words = salesWords[language];
  const own = columns.filter(({ currency }) => currency === of.currency);
  const amounts = own.flatMap(({ sold, sold_before: before }) => [sold, before]);
  const most = amounts.reduce((one, other) => (Number(other) > Number(one) ? other : one), "0");
  const [first] = own;
  if (!(Number(most) > 0) || first === undefined) return null;
  const best = own.reduce((one, other) => (Number(other.sold) > Number(one.sold) ? other : one), first);
  const money = (value: string) => amount(language, value, of.currency) ?? "";
  const said = words.picture(
    words.units[unit],
    money(of.sold),
    money(of.sold_before),
    money(best.sold),
    day(language, best.from),
  );
  const shown = (from: string) =>
    unit === "month" ? monthIn(language, from) : unit === "year" ? from.slice(0, 4) : nearDay(language, from, timeZone);
  const [now, earlier] = words.legend;
  const groups = own.map(({ sold, sold_before: before }) => [sold, before]);
  return html`${columnPicture(groups, said, HEIGHT)}${axis(own.map(({ from }) => shown(from)))}
<p class="muted">■ ${now} □ ${earlier} · ${shown(first.from)} - ${shown(own.at(-1)?.from ?? first.from)} · ${words.columns[unit]} · ${words.tallest(money(most))}</p>`;
}

/** The days of some columns, each where its column begins. */
function axis(days: readonly string[]): Html {
  const every = Math.ceil(days.length / MOST_DAYS);
  const labels = days.flatMap((label, at) =>
    at % every === 0 && at + every <= days.length
      ? html`<text x="${Math.round((100 * at) / days.length)}%" y="14">${label}</text>`
      : [],
  );
  return html`<svg class="axis" width="100%" height="18" aria-hidden="true">${labels}</svg>`;
}
