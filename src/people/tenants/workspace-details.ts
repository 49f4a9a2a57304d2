import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { fieldTable } from "../../platform/fields/fields.ts";
import { DECIMAL, type Values } from "../../platform/fields/validation.ts";

/** The fields of the firm itself, for the paper of its invoices. Its name is the workspace's. */
export const firmFields = fieldTable([
  { name: "tax_id", kind: "string", max: 20 },
  { name: "registration_number", kind: "string", max: 30 },
  { name: "address", kind: "string", max: 255 },
  { name: "phone", kind: "string", max: 30 },
  { name: "email", kind: "email", max: 255 },
  { name: "iban", kind: "string", max: 42 },
  { name: "bank", kind: "string", max: 100 },
]);

/** The fields of a workspace about its sales. */
export const salesFields = fieldTable([
  { name: "payment_days", kind: "integer", min: 0, max: 365, required: true },
  { name: "vat_rates", kind: "string", max: 60 },
  { name: "begins_with_vat", kind: "boolean", default: false },
  { name: "mail_language", kind: "enum", values: ["en", "ro"] },
]);

export const detailFields = [...firmFields, ...salesFields];

/** Whether the text is an IBAN whose check digits fit (ISO 13616). */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(/[\s.-]/g, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false;
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replaceAll(/[A-Z]/g, (one) =>
    String(Number.parseInt(one, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

/** The most bytes of a logo. */
export const LOGO_MAX = 200 * 1024;

/** The type of a picture by its first bytes; null if it is neither a PNG nor a JPEG. */
export function logoType(bytes: Buffer): "png" | "jpeg" | null {
  if (bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex"))) return "png";
  return bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")) ? "jpeg" : null;
}

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
