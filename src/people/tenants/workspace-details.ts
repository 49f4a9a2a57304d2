import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { fieldTable } from "../../platform/fields/fields.ts";
import { DECIMAL, type Values } from "../../platform/fields/validation.ts";

/** The fields of a workspace about its sales. */
export const detailFields = fieldTable([
  { name: "payment_days", kind: "integer", min: 0, max: 365, required: true },
  { name: "vat_rates", kind: "string", max: 60 },
  { name: "begins_with_vat", kind: "boolean", default: false },
]);

const MOST_RATES = 8;

/** The VAT rates in a typed text: `21%, 11 5,5` is 21, 11 and 5.5. Null if one of them is none. */
export function ratesIn(text: string): string[] | null {
  const rates = text
    .split(/[\s;%]+/)
    .map((rate) => rate.replace(/,$/, "").replace(",", "."))
    .filter((rate) => rate !== "");
  const isRate = (rate: string) => DECIMAL.test(rate) && /^\d{1,3}(?:\.\d{1,2})?$/.test(rate) && Number(rate) <= 100;
  return rates.length <= MOST_RATES && rates.every(isRate) ? [...new Set(rates)] : null;
}

/** The details as they are stored, or their errors. */
export function storedDetails(values: Values): { values: Values } | { errors: FieldErrors } {
  if (values.vat_rates === undefined) return { values };
  const rates = ratesIn(String(values.vat_rates ?? ""));
  if (rates === null) return { errors: { vat_rates: [{ code: "notDecimal" }] } };
  return { values: { ...values, vat_rates: rates.join(" ") } };
}
