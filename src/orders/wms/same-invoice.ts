import type { Order } from "../../kit/warehouse/warehouse-client.ts";

/** Whether an order names this number of an invoice, or none. */
export function isOfNumber({ invoiceReference }: Order, { number }: { number: string }): boolean {
  return invoiceReference === null || invoiceReference.trim() === number;
}

/** The fiscal ids of a client: its own, and those of companies that were merged with it. */
export type FiscalIds = { taxId: string | null; mergedTaxIds?: readonly string[] };

/** Whether an order names one of these fiscal ids of its client, or none. */
export function isOfFiscalId({ clientCui }: Order, { taxId, mergedTaxIds = [] }: FiscalIds): boolean {
  if (clientCui === null) return true;
  return [taxId, ...mergedTaxIds].some((one) => one !== null && bareFiscalId(clientCui) === bareFiscalId(one));
}

/** A fiscal id in capitals, without spaces and without RO before it: people write these or leave them out. */
export function bareFiscalId(text: string): string {
  return text.replaceAll(/\s/g, "").toUpperCase().replace(/^RO/, "");
}

/** Whether two texts are the same amount. */
export function isSameAmount(one: string, other: string): boolean {
  return bareAmount(one) === bareAmount(other);
}

/** An amount without zeros at its beginning and end; another text stays as it is. */
function bareAmount(text: string): string {
  const [, sign = "", whole = "", decimals = ""] = /^\s*(-?)0*(\d+)(?:\.(\d*?)0*)?\s*$/.exec(text) ?? [];
  if (whole === "") return text;
  const amount = decimals === "" ? whole : `${whole}.${decimals}`;
  return amount === "0" ? amount : sign + amount;
}
