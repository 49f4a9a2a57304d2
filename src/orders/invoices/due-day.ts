import { daysUntil } from "../../platform/dates.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { leftOfRow } from "./paid.ts";

/** The day by which an invoice has to be paid: its own, or by the terms of its company or of the workspace. */
export function dueDayOf({ due_on: due = null, terms_due_on: byTerms = null }: RowByName): string | null {
  return (due ?? byTerms)?.slice(0, 10) ?? null;
}

/** The same of an open invoice; null of another one, and of a credit note, which is never late. */
export function openDueDayOf(invoice: RowByName): string | null {
  const isCredit = leftOfRow(invoice)?.startsWith("-") === true;
  return invoice.status === "issued" && !isCredit ? dueDayOf(invoice) : null;
}

/** The days since an open invoice was due; 0 if it is not late. */
export function daysLate(invoice: RowByName, timeZone: string): number {
  const due = openDueDayOf(invoice);
  return due === null ? 0 : Math.max(0, -daysUntil(due, timeZone));
}
