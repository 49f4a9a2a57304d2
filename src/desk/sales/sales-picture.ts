import { html, type Html } from "../../kit/web/html.ts";
import { amount, day, nearDay, type Language } from "../../kit/web/language.ts";
import type { Unit } from "../../orders/reports/sales-period.ts";
import type { CurrencySales, Sales } from "../../orders/reports/sales-queries.ts";
import { salesWords } from "./sales-words.ts";

const [WIDTH, HEIGHT] = [1_000, 140];

/**
 * The columns of a currency beside those of the year before; null if nothing was sold. Those of the period are filled
 * and the others outlined, so they differ without colour, on paper too. The figures and the table are the truth.
 */
export function salesPicture(
  of: CurrencySales,
  { columns, unit, timeZone }: Pick<Sales, "columns"> & { unit: Unit; timeZone: string },
  language: Language,
): Html | null {
  const words = salesWords[language];
  const own = columns.filter(({ currency }) => currency === of.currency);
  const most = Math.max(...own.flatMap(({ sold, sold_before: before }) => [Number(sold), Number(before)]));
  const [first] = own;
  if (!(most > 0) || first === undefined) return null;
  const best = own.reduce((one, other) => (Number(other.sold) > Number(one.sold) ? other : one), first);
  const money = (value: string) => amount(language, value, of.currency) ?? "";
  const said = words.picture(
    words.units[unit],
    money(of.sold),
    money(of.sold_before),
    money(best.sold),
    day(language, best.from),
  );
  const step = WIDTH / own.length;
  const width = step * 0.38;
  const bar = (value: string, x: number, looks: Html) => {
    const height = Math.max(0, (Number(value) / most) * (HEIGHT - 2));
    return html`<rect x="${x.toFixed(1)}" y="${(HEIGHT - 1 - height).toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"${looks}/>`;
  };
  const filled = html` fill="currentColor"`;
  const outlined = html` fill="none" stroke="currentColor" stroke-width="1" vector-effect="non-scaling-stroke"`;
  const bars = own.map(({ sold, sold_before: before }, at) => {
    const x = at * step + step * 0.08;
    return html`${bar(sold, x, filled)}${bar(before, x + width + step * 0.06, outlined)}`;
  });
  const [now, earlier] = words.legend;
  return html`<svg class="picture" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${said}">${bars}<path d="M0 ${HEIGHT - 0.5}H${WIDTH}" stroke="currentColor" vector-effect="non-scaling-stroke"/></svg>
<p class="muted">■ ${now} □ ${earlier} · ${nearDay(language, first.from, timeZone)} - ${nearDay(language, own.at(-1)?.from ?? first.from, timeZone)} · ${words.units[unit]}</p>`;
}
