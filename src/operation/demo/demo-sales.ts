import { dayAfter } from "../../platform/dates.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { demoTable, type DemoRow } from "./demo-table.ts";

/** A year and 14 months, so that each period of /sales has the same days of the year before. */
export const DEMO_SALES_DAYS = 790;
/** Days to pay. */
const TERM = 30;
const FIRST_ORDER = 70_000;

/** The sales of each month, as a share of their usual quantity: most before Easter and the winter holidays. */
const SEASONS = [0.8, 0.85, 1.15, 1.3, 1, 0.95, 0.8, 0.5, 1, 1.1, 1.35, 1.6];

/** An invoice of a regular customer, and its payments. */
export type DemoSale = {
  taxId: string;
  invoice: Input & { number: string; issued_on: string };
  payments: DemoPayment[];
};
export type DemoPayment = { amount: string; paid_on: string; reference: string };

/**
 * The sales to regular customers by their rhythms in data/, oldest first: an invoice every few weeks, until the day on
 * which some stopped. Those bought 366 days ago: /sales shows them from the third day of each period on. `late` is the
 * usual day of payment after the due one; the newest `unpaid` of those that are due have none, or a part. Seasons
 * belong to real months, so these dates are not moved.
 */
export function demoSales(): DemoSale[] {
  const sales = demoTable("rhythms").flatMap((rhythm, at) => {
    const [every, newest] = [Number(rhythm.every), Number(rhythm.newest)];
    const count = Math.floor((DEMO_SALES_DAYS - newest) / every) + 1;
    const due = Math.ceil(Math.max(0, TERM + 1 - newest) / every);
    return Array.from({ length: count }, (_, place) => {
      return sale(rhythm, { at, place, age: newest + place * every, unpaid: place - due - Number(rhythm.unpaid) });
    });
  });
  return sales
    .toSorted((one, other) => Date.parse(one.invoice.issued_on) - Date.parse(other.invoice.issued_on))
    .map(numbered);
}

/** @param unpaid below 0: unpaid, of which -1 is the oldest */
function sale(
  { company_tax_id: taxId = "", sku, description, price, quantity: usual, late }: DemoRow,
  { at, place, age, unpaid }: Record<"at" | "place" | "age" | "unpaid", number>,
): DemoSale {
  const issued = dayAfter(-age, "UTC");
  const season = SEASONS[Number(issued.slice(5, 7)) - 1] ?? 1;
  const chance = 0.85 + ((at * 5 + place * 7) % 11) * 0.03;
  // Customers buy a tenth less for each year before.
  const quantity = Math.max(1, Math.round(Number(usual) * season * chance * (1 - age / 3_650)));
  const cents = quantity * Math.round(Number(price) * 100);
  const paidAge = Math.max(1, age - TERM - Number(late));
  const part = Math.round(cents * 0.4);
  const payments =
    unpaid >= 0
      ? place % 5 === 4
        ? [payment(part, paidAge + 5), payment(cents - part, paidAge)]
        : [payment(cents, paidAge)]
      : unpaid === -1 && age > TERM && at % 2 === 0
        ? [payment(part, Math.max(1, age - TERM))]
        : [];
  return {
    taxId,
    invoice: {
      number: "",
      issued_on: issued,
      due_on: dayAfter(TERM - age, "UTC"),
      total: decimal(cents),
      currency: "RON",
      status: "issued",
      lines: [{ sku, description, quantity: String(quantity), unit_price: price }],
    },
    payments,
  };
}

function payment(cents: number, age: number): DemoPayment {
  return { amount: decimal(cents), paid_on: dayAfter(-age, "UTC"), reference: `OP ${3_000 + (cents % 6_000)}` };
}

function decimal(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Its number, and its order, which has arrived. */
function numbered(each: DemoSale, index: number): DemoSale {
  const { issued_on: issued } = each.invoice;
  const order = FIRST_ORDER + index;
  return {
    ...each,
    invoice: {
      ...each.invoice,
      number: `DMO-${issued.slice(0, 4)}-${4_000 + index}`,
      wms_instance: index % 2 === 0 ? "nord.depozit.example" : "sud.depozit.example",
      wms_order_id: order,
      wms_order_number: `WO-${order}`,
      wms_status: "delivered",
      wms_synced_at: `${issued}T12:00:00.000000Z`,
    },
  };
}
