import { totalsOf, type LineTotals } from "../../kit/web/assets/numbers.js";
import { textOrNull, type Values } from "../../platform/fields/validation.ts";

/** The net, VAT and total of stored lines; null if none of them has a VAT rate. */
export function vatOf(stored: string | null, currency: string | null): LineTotals | null {
  if (stored?.includes('"vat_rate":') !== true) return null;
  const lines = JSON.parse(stored) as Parameters<typeof totalsOf>[0];
  return lines.some(({ vat_rate: rate = null }) => rate !== null) ? totalsOf(lines, currency) : null;
}

/** The members `net` and `vat` of an invoice whose lines have VAT rates, each behind a comma. */
export function vatMembers(stored: string | null, currency: string | null): string {
  const totals = vatOf(stored, currency);
  return totals === null ? "" : `,"net":"${totals.net}","vat":"${totals.vat}"`;
}

/** A new invoice without a total gets that of its lines, if they have VAT rates. */
export function withTotal(values: Values): Values {
  const { lines = null, total = null, currency } = values;
  const totals = total === null && typeof lines === "string" ? vatOf(lines, textOrNull(currency)) : null;
  return totals === null ? values : { ...values, total: totals.total };
}
