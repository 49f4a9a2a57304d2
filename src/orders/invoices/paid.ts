import type { RowByName } from "../../platform/fields/reader.ts";

/** Decimals as they are stored: at most this many behind the point. */
const PLACES = 6;

/** The members `paid` and `left` of an invoice with payments, each behind a comma. */
export function paidMembers(total: string | null, paid: string | null): string {
  if (paid === null || Number(paid) === 0) return "";
  const left = leftOf(total, paid);
  return `,"paid":"${paid}","left":${left === null ? "null" : `"${left}"`}`;
}

/** The rest of an invoice's total, exact; negative if too much was paid; null without a total. */
export function leftOf(total: string | null, paid: string | null): string | null {
  if (total === null) return null;
  if (paid === null || paid === "0") return total;
  const places = Math.max(placesOf(total), placesOf(paid));
  const left = scaled(total) - scaled(paid);
  return `${left < 0n ? "-" : ""}${unscaled(left < 0n ? -left : left, places)}`;
}

/** The exact sum of decimals that are not negative. */
export function sumOfDecimals(decimals: readonly string[]): string {
  return unscaled(decimals.reduce((sum, decimal) => sum + scaled(decimal), 0n)).replace(/\.?0+$/, "");
}

/** The same for a row with listedInvoiceMembers. */
export function leftOfRow({ total = null, paid = null }: RowByName): string | null {
  return leftOf(total, paid);
}

/** The rest as reports of debts have it: a cancelled invoice has no total. */
export function restOfRow(row: RowByName): string | null {
  return leftOfRow(row.status === "cancelled" ? { ...row, total: "0" } : row);
}

function scaled(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(PLACES, "0"));
}

function unscaled(value: bigint, places = PLACES): string {
  const digits = value.toString().padStart(PLACES + 1, "0");
  const fraction = digits.slice(-PLACES).slice(0, places);
  return digits.slice(0, -PLACES) + (fraction === "" ? "" : `.${fraction}`);
}

function placesOf(decimal: string): number {
  return decimal.split(".")[1]?.length ?? 0;
}
