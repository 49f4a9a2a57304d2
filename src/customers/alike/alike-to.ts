import type { Store } from "../../kit/deps.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { trim } from "../../platform/text.ts";
import { alikeKeys, compareCompanies, type AlikeEvidence, type Compared } from "./alike-keys.ts";
import { findByKeys } from "./alike-step-queries.ts";
import { catchUp } from "./find-alike.ts";

/** A stored company that looks like a new one. */
export type Alike = { id: number; name: string; evidence: AlikeEvidence[] };

/** Stored companies of each new one. */
const MOST = 5;
/** New companies that are compared at once. */
const TOGETHER = 50;

/**
 * The stored companies that look like new ones, the sure ones first.
 * @param inputs the fields of each new company, as sent
 * @param rest waits before each part until others had their turn
 */
export async function alikeTo(
  { database, keyring }: Store,
  tenant: TenantId,
  inputs: readonly Input[],
  rest: (companies: number) => Promise<void> = async () => {},
): Promise<Alike[][]> {
  if (inputs.length === 0) return [];
  await catchUp({ database }, tenant);
  const digestOf = (phone: string) => keyring.encryptPhone(tenant, "companies.phone", phone).split("=")[1] ?? null;
  const told: Alike[][] = [];
  for (let start = 0; start < inputs.length; start += TOGETHER) {
    const part = inputs.slice(start, start + TOGETHER).map((input) => comparedOf(input, digestOf));
    await rest(part.length);
    const found = part.map((): { isSure: boolean; alike: Alike }[] => []);
    const keys = part.flatMap((company, index) => alikeKeys(company).map((key) => [String(-index), key] as const));
    for (const { of, ...other } of await findByKeys(tenant, database, keys)) {
      const company = part[-Number(of)];
      const match = company === undefined ? null : compareCompanies(company, other);
      if (match === null) continue;
      const alike = { id: Number(other.id), name: other.name, evidence: match.evidence };
      found[-Number(of)]?.push({ isSure: match.isSure, alike });
    }
    for (const each of found) {
      const sorted = each.toSorted((a, b) => Number(b.isSure) - Number(a.isSure) || a.alike.id - b.alike.id);
      told.push(sorted.slice(0, MOST).map(({ alike }) => alike));
    }
  }
  return told;
}

function comparedOf(input: Input, digestOf: (phone: string) => string | null): Compared {
  const [name, taxId, phone, email, city] = ["name", "tax_id", "phone", "email", "city"].map((field) => {
    const value = input[field];
    return typeof value === "string" || typeof value === "number" ? trim(String(value)) || null : null;
  });
  return {
    id: "",
    name: name ?? "",
    taxId: taxId ?? null,
    phone: phone == null ? null : digestOf(phone),
    email: email ?? null,
    city: city ?? null,
  };
}
