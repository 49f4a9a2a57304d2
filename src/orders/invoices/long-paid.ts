import { now } from "../../platform/clock.ts";
import type { RowByName } from "../../platform/fields/reader.ts";

/**
 * An invoice that was paid and has not changed for this many days is history: lists do not offer it for sending. Its
 * own page does.
 */
const LONG_PAID_DAYS = 90;

/** The condition that an invoice `i` was paid that long ago. */
export const isLongPaidSql = `(i.status = 'paid' and i.edited_at < now() - interval '${LONG_PAID_DAYS} days')`;

/** The same for a row with listedInvoiceMembers. */
export function isLongPaid({ status, edited_at: edited = null }: RowByName): boolean {
  return status === "paid" && edited !== null && now() - Date.parse(edited) > LONG_PAID_DAYS * 24 * 3_600_000;
}
