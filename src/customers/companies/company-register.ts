import type { Deps } from "../../kit/deps.ts";
import type { Exchange } from "../../platform/outbound/http-client.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { isWithin } from "../../platform/text.ts";
import { TAX_ID_MAX } from "./company.ts";

/** The members of an answer whose texts are proposed, by the names of a company's fields. */
export const LOOKED_UP = ["name", "registration_number", "address", "city", "county", "postal_code"] as const;

/** `isVatPayer`: null if the register does not say it. Texts are not checked yet. */
export type RegisteredCompany = {
  texts: Partial<Record<(typeof LOOKED_UP)[number], string>>;
  isVatPayer: boolean | null;
};

/** `private`: the address is in a network that may not be called. `unreadable`: the answer breaks the contract. */
export type RegisterAnswer =
  | { outcome: "found"; company: RegisteredCompany }
  | { outcome: "missing" | "down" | "private" | "unreadable" };

/** Reads an answer of the contract in docs/company-lookup.yaml. A member of another type is left out. */
function answerIn(exchange: Exchange): RegisterAnswer {
  if (exchange.outcome === "unsent" && exchange.reason === "address") return { outcome: "private" };
  if (exchange.outcome === "unknown" && exchange.reason === "too-large") return { outcome: "unreadable" };
  if (exchange.outcome !== "answered") return { outcome: "down" };
  const { status, body } = exchange;
  if (status === 404) return { outcome: "missing" };
  if (status >= 500 || status === 429) return { outcome: "down" };
  const data = status === 200 ? dataIn(body) : null;
  if (data === null) return { outcome: "unreadable" };
  const texts = LOOKED_UP.flatMap((name) => {
    const text = data[name];
    return typeof text === "string" ? [[name, text] as const] : [];
  });
  const isVatPayer = typeof data.vat_payer === "boolean" ? data.vat_payer : null;
  return { outcome: "found", company: { texts: Object.fromEntries(texts), isVatPayer } };
}

function dataIn(body: Buffer): Record<string, unknown> | null {
  try {
    const { data } = JSON.parse(body.toString()) as { data?: unknown };
    return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** `.` and `..` lead elsewhere in the path of an address, even if they are encoded. */
const DOTS = /^\.{1,2}$/;

/** Asks the register of LIAISON_COMPANY_LOOKUP_URL. Throws Overloaded. @param taxId as a person typed it */
export async function lookUpCompany(
  { database, register, sharing }: Deps,
  tenant: TenantId,
  url: string,
  taxId: string,
): Promise<RegisterAnswer> {
  const id = taxId.replaceAll(/\s/g, "");
  if (DOTS.test(id) || !isWithin(id, TAX_ID_MAX)) return { outcome: "missing" };
  const address = new URL(`${url}/companies/${encodeURIComponent(id)}`);
  const ask = async () =>
    await register.exchange({ method: "GET", url: address, headers: { accept: "application/json" } });
  return answerIn(await sharing.places.companyLookups.use(tenant, ask, database.caller));
}
