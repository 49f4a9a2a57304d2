import { rowTable } from "../../kit/tables/rows.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { listedDay, wholeNumber, type Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import type { OrderDay, OrderDays, WarehouseTime } from "../../orders/wms/orders/order-days-queries.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { columnPicture } from "../reports/column-picture.ts";
import { age } from "./lanes-strip.ts";

/** Pixels of the picture. */
const SIZE = [32, "280"] as const;
const MARKS = { sent: "■", shipped: "□", failed: "▒" } as const;
const kinds = Object.keys(MARKS) as (keyof typeof MARKS)[];

/** The last days as a picture and, when it is opened, as a table; null if nothing happened. */
export function daysStrip({ days, warehouses }: OrderDays, { language, session }: PageRequest): Html | null {
  const words = orderListWords[language];
  const total = (kind: keyof typeof MARKS) => days.reduce((sum, day) => sum + day[kind], 0);
  const number = (value: number) => wholeNumber(language, value);
  if (kinds.every((kind) => total(kind) === 0)) return null;
  const legend = kinds.map((kind) => `${words.moves[kind]} ${number(total(kind))}`);
  const said = `${words.lastDays(days.length)}: ${legend.join(", ")}.`;
  const groups = days.map((day) => kinds.map((kind) => String(day[kind])));
  const { timeZone } = session.workspace;
  const table = rowTable<OrderDay>(days.toReversed(), [
    ["date", words.day, ({ day }) => listedDay(language, day, timeZone)],
    ...kinds.map((kind) => ["number", words.moves[kind], (of: OrderDay) => number(of[kind])] as const),
  ]);
  return html`<details><summary class="lanes"><span>${words.lastDays(days.length)} <span aria-hidden="true">▾</span></span>
${columnPicture(groups, said, ...SIZE)}
<span>${kinds.map((kind) => html`<span>${MARKS[kind]} ${words.moves[kind]} ${number(total(kind))}</span> `)}</span></summary>
${table}</details>
${warehouses.length > 0 && html`<ul class="lanes" aria-label="${words.toShipped}">${warehouses.map((of) => timeItem(of, language))}</ul>`}`;
}

function timeItem({ instance, shipped, median, longest }: WarehouseTime, language: Language): Html {
  const words = orderListWords[language];
  return html`<li><a href="/orders?instance=${encodeURIComponent(instance)}" translate="no">${instance}</a> <span>${words.took(age(median), age(longest), shipped)}</span></li>`;
}
