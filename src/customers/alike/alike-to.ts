import type { Store } from "../../kit/deps.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { trim } from "../../platform/text.ts";
import { findByKeysOfNew } from "./alike-candidate-queries.ts";
import { alikeKeys, compareCompanies, type AlikeEvidence, type Compared } from "./compare-companies.ts";
import { catchUp } from "./find-alike.ts";

/** A stored company that looks like a new one, as the API names it. */
export type Alike = { id: number; name: string; evidence: AlikeEvidence[] };
export type AlikeFound = Alike & { city: string | null; isSure: boolean };

/** Stored companies of each new one. */
const MOST = 5;
/** New companies that are compared at once. */
const TOGETHER = 200;

/** The stored companies that look like new ones, after the newest ones were compared. */
export async function alikeTo(
  store: Store,
  tenant: TenantId,
  inputs: readonly Input[],
  rest?: (companies: number) => Promise<void>,
): Promise<Alike[][]> {
  if (inputs.length === 0) return [];
  // Of a request with a key, the last write would be committed with the answer, and not be seen before.
  await catchUp({ database: store.database.unattended }, tenant);
  const found = await findAlikeTo(store, tenant, inputs, rest);
  return found.map((some) => some.map(({ id, name, evidence }) => ({ id, name, evidence })));
}

/**
 * The stored companies that look like new ones, the sure ones first.
 * @param inputs the fields of each new company, as sent
 * @param rest waits before each part until others had their turn
 */
export async function findAlikeTo(
  { database, keyring }: Store,
  tenant: TenantId,
  inputs: readonly Input[],
  rest: (companies: number) => Promise<void> = async () => {},
): Promise<AlikeFound[][]> {
  const digestOf = digestsOf(keyring, tenant);
  const told: AlikeFound[][] = [];
  for (let start = 0; start < inputs.length; start += TOGETHER) {
    const part = inputs.slice(start, start + TOGETHER).map((input) => comparedOf(input, digestOf));
    await rest(part.length);
    const found = part.map((): AlikeFound[] => []);
    for (const { index, ...other } of await findByKeysOfNew(reading(tenant, database), part.map(alikeKeys))) {
      const company = part[index];
      const match = company === undefined ? null : compareCompanies(company, other);
      if (match === null) continue;
      found[index]?.push({ id: Number(other.id), name: other.name, city: other.city, ...match });
    }
    for (const each of found) {
      told.push(each.toSorted((a, b) => Number(b.isSure) - Number(a.isSure) || a.id - b.id).slice(0, MOST));
    }
  }
  return told;
}

/** The fields of which each alone leads to other companies: the same fiscal id, phone, or e-mail domain. */
export const sharedFields = ["tax_id", "phone", "email"] as const;
export type CompaniesSharing = Record<(typeof sharedFields)[number], Pick<Compared, "id" | "name" | "city">[]>;

/** The stored companies that share one of these fields with a new one. `input`: its fields, as typed. */
export async function findSharing(store: Store, tenant: TenantId, input: Input): Promise<CompaniesSharing> {
  const digestOf = digestsOf(store.keyring, tenant);
  const keys = sharedFields.map((field) => alikeKeys(comparedOf({ [field]: input[field] }, digestOf)));
  const hasKeys = keys.some((each) => Object.values(each).some((key) => key !== null));
  if (hasKeys) await catchUp(store, tenant, 1);
  const found = hasKeys ? await findByKeysOfNew(reading(tenant, store.database), keys) : [];
  const of = (field: keyof CompaniesSharing) =>
    found.filter(({ index }) => sharedFields[index] === field).slice(0, MOST);
  return { tax_id: of("tax_id"), phone: of("phone"), email: of("email") };
}

function reading(tenant: TenantId, database: Database): Run {
  return async ({ statement, parameters }) => await database.quick.read(tenant, statement, parameters);
}

function digestsOf(keyring: Store["keyring"], tenant: TenantId): (phone: string) => string | null {
  return (phone) => keyring.phoneDigests(tenant, phone)[0] ?? null;
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
