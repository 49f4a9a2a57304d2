import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { checkUsers } from "../../people/users/check-users.ts";
import { draftOf, draftOfUpdate, refusal, storable, type Draft } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { sendsEncrypted, type Ciphertexts } from "../../platform/fields/stored-values.ts";
import { customTable } from "../custom-fields/defined-fields.ts";
import { storedValues } from "../custom-fields/stored-values-queries.ts";
import {
  companyExists,
  findCompanyCiphertexts,
  insertCompany,
  changeCompany,
  type CompanyStored,
} from "./company-queries.ts";
import { company } from "./company.ts";

/** The outcome of a create or an update. Each door says it in its own words. */
export type CompanyWritten = CompanyStored | { outcome: "invalid"; messages: FieldErrors };

/** Creates a company; `row` is as companyJson reads it. */
export async function createCompany(store: Store, actor: Actor, input: Input): Promise<CompanyWritten> {
  const { database, keyring } = store;
  const { tenant } = actor;
  const draft = await checked(store, actor, input, null);
  if (draft.messages !== null) return { outcome: "invalid", messages: draft.messages };
  const assignedUser = draft.users.get(Number(draft.values.assigned_to)) ?? null;
  return await insertCompany(tenant, database, storable(company, draft, { keyring, tenant }, actor), assignedUser);
}

/** `outdated`: it is of none of the expected versions. */
type CompanyUpdated = CompanyWritten | { outcome: "missing" } | { outcome: "outdated" };

/**
 * Changes the fields that were sent, and no others, of a company of one of the expected versions: the statement itself
 * decides. `row` is as companyJson reads it.
 */
export async function updateCompany(
  store: Store,
  actor: Actor,
  id: string,
  input: Input,
  expected: Expected = null,
): Promise<CompanyUpdated> {
  const { database, keyring } = store;
  const { tenant } = actor;
  const draft = await checked(store, actor, input, id);
  if (draft.messages !== null) return refusal(draft.messages, await companyExists(tenant, database, id));
  const stored = await ciphertextsFor(store, actor, id, draft);
  if (stored === null) return { outcome: "missing" };
  const values = storable(company, draft, { keyring, tenant }, actor, stored);
  const written = await changeCompany(tenant, database, id, values, expected);
  if (written !== null || expected === null) return written ?? { outcome: "missing" };
  return { outcome: (await companyExists(tenant, database, id)) ? "outdated" : "missing" };
}

/** @param id of the company to change; null for a new one */
async function checked({ database }: Store, { tenant }: Actor, input: Input, id: string | null): Promise<Draft> {
  const custom = await customTable(tenant, database, "company");
  const draft =
    id === null
      ? draftOf(company, input, "create", custom)
      : await draftOfUpdate(company, input, custom, async () => storedValues.company(tenant, database, id));
  const [checked = draft] = await checkUsers(tenant, database, company, [draft]);
  return checked;
}

/** An unchanged encrypted value keeps its ciphertext, so a sent one is compared with the stored one. */
async function ciphertextsFor(
  { database }: Store,
  { tenant }: Actor,
  id: string,
  draft: Draft,
): Promise<Ciphertexts | null> {
  return sendsEncrypted(company.fields, draft.values) ? await findCompanyCiphertexts(tenant, database, id) : {};
}
