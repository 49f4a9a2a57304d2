import type { Order } from "../../kit/warehouse/warehouse-client.ts";

/** Whether nothing that an order says of its invoice's number is another one. */
export function isOfNumber({ invoiceReference }: Order, { number }: { number: string }): boolean {
  return invoiceReference === null || invoiceReference.trim() === number;
}

/** The fiscal ids of a client: its own, and those of companies that were merged with it. */
export type FiscalIds = { taxId: string | null; mergedTaxIds?: readonly string[] };

/** Whether nothing that an order says of its client's fiscal id is another one. */
export function isOfFiscalId({ clientCui }: Order, { taxId, mergedTaxIds = [] }: FiscalIds): boolean {
  if (clientCui === null) return true;
  return [taxId, ...mergedTaxIds].some((one) => one !== null && bareFiscalId(clientCui) === bareFiscalId(one));
}

/** A fiscal id without what people write or leave out: case, spaces, and RO before it. */
export function bareFiscalId(text: string): string {
  return text.replaceAll(/\s/g, "").toUpperCase().replace(/^RO/, "");
}

/** Whether two totals are one amount. */
export function isSameAmount(one: string, other: string): boolean {
  return bareAmount(one) === bareAmount(other);
}

/** An amount without the zeros that say nothing; a text that is none stays as it is. */
function bareAmount(text: string): string {
  const [, sign = "", whole = "", decimals = ""] = /^\s*(-?)0*(\d+)(?:\.(\d*?)0*)?\s*$/.exec(text) ?? [];
  if (whole === "") return text;
  const amount = decimals === "" ? whole : `${whole}.${decimals}`;
  return amount === "0" ? amount : sign + amount;
}
