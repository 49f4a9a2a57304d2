import { html, type Html } from "../../kit/web/html.ts";
import { amount, type Language } from "../../kit/web/language.ts";
import { bucketNames } from "../../orders/invoices/money-queries.ts";
import type { CurrencyReceivable } from "../../orders/reports/receivables-queries.ts";
import { moneyWords } from "./money-words.ts";

const [WIDTH, HEIGHT, GAP] = [1_000, 12, 4];
/** The later, the darker: buckets differ without colour, on paper too. */
const SHADES = ["0.25", "0.4", "0.6", "0.8", "1"];

/** The buckets of an ageing as one bar; null if nothing is owed. The figures above it have the amounts. */
export function ageingBar(of: CurrencyReceivable, language: Language): Html | null {
  const owed = Number(of.owed);
  if (owed <= 0) return null;
  const words = moneyWords[language];
  const parts = bucketNames.map((name) => ({ name, share: Number(of[name]) / owed })).filter(({ share }) => share > 0);
  const said = parts.map(({ name }) => `${words.buckets[name]} ${amount(language, of[name], of.currency)}`).join(", ");
  let at = 0;
  const bars = parts.map(({ name, share }) => {
    const [x, width] = [at, share * WIDTH];
    at += width;
    const shade = SHADES[bucketNames.indexOf(name)];
    return html`<rect x="${x.toFixed(1)}" width="${Math.max(1, width - GAP).toFixed(1)}" height="${HEIGHT}" fill="currentColor" fill-opacity="${shade}"/>`;
  });
  return html`<svg class="picture" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words.bar(said)}">${bars}</svg>`;
}
