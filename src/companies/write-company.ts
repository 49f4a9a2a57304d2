import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { draftOf, storable, type Draft } from "../platform/fields/draft.ts";
import type { Input } from "../platform/fields/fields.ts";
import { sendsEncrypted, type Ciphertexts } from "../platform/fields/stored-values.ts";
import type { FieldErrors, Mode } from "../platform/fields/validation.ts";
import { checkUsers } from "../users/check-users.ts";
import {
  companyExists,
  findCompanyCiphertexts,
  insertCompany,
  changeCompany,
  type Written,
} from "./company-queries.ts";
import { company } from "./company.ts";

/** The outcome of a create or an update. Each door says it in its own words. */
export type CompanyWritten = Written | { outcome: "invalid"; messages: FieldErrors };

type Store = Pick<Deps, "database" | "keyring">;

/** Creates a company; `row` is as companyJson reads it. */
export async function createCompany(store: Store, actor: Actor, input: Input): Promise<CompanyWritten> {
  const { database, keyring } = store;
  const { tenant } = actor;
  const draft = await checked(store, actor, input, "create");
  if (draft.messages !== null) return { outcome: "invalid", messages: draft.messages };
  const assignedUser = draft.users.get(Number(draft.values.assigned_to)) ?? null;
  return await insertCompany(tenant, database, storable(company, draft, { keyring, tenant }, actor), assignedUser);
}

type CompanyUpdated = CompanyWritten | { outcome: "missing" };

/** Changes the fields that were sent, and no others; `row` is as companyJson reads it. */
export async function updateCompany(store: Store, actor: Actor, id: string, input: Input): Promise<CompanyUpdated> {
  return await change(store, actor, id, input, null);
}

/**
 * The same of a version that somebody saw (its updated_at); nothing where it was changed since, which is `outdated`. The
 * statement itself decides.
 */
export async function updateCompanyAsOf(
  store: Store,
  actor: Actor,
  id: string,
  input: Input,
  version: string | null,
): Promise<CompanyUpdated | { outcome: "outdated" }> {
  const written = await change(store, actor, id, input, version);
  if (written.outcome !== "missing" || version === null) return written;
  return { outcome: (await companyExists(actor.tenant, store.database, id)) ? "outdated" : "missing" };
}

async function change(
  store: Store,
  actor: Actor,
  id: string,
  input: Input,
  version: string | null,
): Promise<CompanyUpdated> {
  const { database, keyring } = store;
  const { tenant } = actor;
  const draft = await checked(store, actor, input, "update");
  if (draft.messages !== null) {
    // A missing company is reported before a wrong input.
    if (!(await companyExists(tenant, database, id))) return { outcome: "missing" };
    return { outcome: "invalid", messages: draft.messages };
  }
  const stored = await ciphertextsFor(store, actor, id, draft);
  if (stored === null) return { outcome: "missing" };
  const values = storable(company, draft, { keyring, tenant }, actor, stored);
  return (await changeCompany(tenant, database, id, values, version)) ?? { outcome: "missing" };
}

async function checked({ database }: Store, { tenant }: Actor, input: Input, mode: Mode): Promise<Draft> {
  const draft = draftOf(company, input, mode);
  const [checked = draft] = await checkUsers(tenant, database, company, [draft]);
  return checked;
}

/** An encrypted value that stays the same keeps its ciphertext, so the stored one is read where one is sent. */
async function ciphertextsFor(
  { database }: Store,
  { tenant }: Actor,
  id: string,
  draft: Draft,
): Promise<Ciphertexts | null> {
  return sendsEncrypted(company.fields, draft.values) ? await findCompanyCiphertexts(tenant, database, id) : {};
}
