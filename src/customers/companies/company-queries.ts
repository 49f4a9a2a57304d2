import { externalConstraints } from "../../kit/external-ids/external-id-queries.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import {
  ciphertextsOf,
  insertEntries,
  isExpected,
  ofEntry,
  partialUpdate,
  writtenTypes,
} from "../../platform/fields/sql.ts";
import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import {
  column,
  selectList,
  type Call,
  type Row,
  type Selected,
  type Statement,
} from "../../platform/postgres/statement.ts";
import { storeUnique, uniqueIndex } from "../../platform/postgres/taken.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { commitCompany } from "./commit-company.ts";
import { companyColumns, memberColumns, ownerName } from "./company-columns.ts";
import { company, companyFields } from "./company.ts";
import { formerHolder } from "./former-tax-id-queries.ts";
import { selectCompany } from "./live-company-queries.ts";
import { hasWarehouse, keyRefusedAt, subdomainOf, usesWorkspaces } from "./warehouse-of-company.ts";

export type CompanyStored =
  | { outcome: "written"; row: Row }
  | { outcome: "tax-id-taken"; holder: TaxIdHolder; taxId: string; isFormer: boolean };

/**
 * The tables whose rows keep their company from being deleted, in the order in which they are reported
 * (docs/contract.md 6.6).
 */
export const BLOCKING_TABLES = ["invoices", "offers", "deals", "tickets", "subscriptions"] as const;
export type Blocker = (typeof BLOCKING_TABLES)[number];

/** A company with its two counts (companyWithCountsJson), or null. */
export const findCompany = quickQuery<[id: string]>(
  "find_company",
  selectCompany(`${companyColumns("c")},
    (select count(*) from contacts k where k.tenant_id = $1 and k.company_id = c.id and k.deleted_at is null),
    (select count(*) from addresses a where a.tenant_id = $1 and a.company_id = c.id and a.deleted_at is null)`),
).row();

/** A company as companyJson reads it ($2: its id), for a transaction. */
export const findCompanyRow = stepQuery<[id: string]>("company_row", selectCompany(companyColumns("c"))).row();

/**
 * A company's members, its owner's name, and the connection that holds for it: whether there is one, when its warehouse
 * refused the key, its subdomain, whether it would be the workspace's, and whether there is to be none; or null.
 */
export const findCompanyForPages = quickQuery<[id: string]>(
  "find_company_for_pages",
  selectCompany(
    `${companyColumns("c")}, ${hasWarehouse("c")}, ${keyRefusedAt("c")}, ${subdomainOf("c")}, ${usesWorkspaces("c")}, c.wms_never`,
  ),
).row();

export const companyExists = quickQuery<[id: string]>(
  "company_exists",
  "select 1 from companies where tenant_id = $1 and id = $2 and deleted_at is null",
).exists();

const named = selectList({ id: column.text("id"), name: column.text("name") });

/** The names of companies, also of those that were deleted. */
export const namesOfCompanies = quickQuery<[ids: string[]]>(
  "names_of_companies",
  `select ${named.sql} from companies where tenant_id = $1 and id = any($2::bigint[]) order by id`,
).all(named.read);

const ciphertexts = ciphertextsOf(companyFields, "c");

/** Null if there is no such company. */
export const findCompanyCiphertexts = quickQuery<[id: string]>(
  "find_company_ciphertexts",
  selectCompany(ciphertexts.sql),
).first(ciphertexts.read);

const insertStatement: Statement = {
  name: "insert_company",
  text: `${insertEntries("companies", writtenTypes(company))} returning ${memberColumns("t")}`,
};

/**
 * Stores a new company; values encrypted and defaults filled in. The unique index decides who gets a tax id.
 * @param assignedUser the name of the user whom `assigned_to` names, for the row
 */
export async function insertCompany(
  tenant: TenantId,
  database: Database,
  values: Values,
  assignedUser: string | null,
): Promise<CompanyStored> {
  const call = { statement: insertStatement, parameters: [], entries: [values] };
  const written = await writeUnlessTaken(tenant, database, values, call);
  if (written === null) throw new Error("an insert returned no row");
  return written.outcome === "written" ? { ...written, row: [...written.row, assignedUser] } : written;
}

const updateOf = partialUpdate(
  "update_company",
  company,
  (assignments, entries) => `with written as (
      update companies t set ${assignments} from ${entries}
      where t.tenant_id = $1 and ${ofEntry()} and t.deleted_at is null
      returning ${memberColumns("t")}
    ) select written.*, ${ownerName("written")} from written`,
);

/**
 * Changes the fields in `values` (encrypted); null if there is no such company, or it is of none of the expected
 * versions.
 */
export async function changeCompany(
  tenant: TenantId,
  database: Database,
  id: string,
  values: Values,
  expected: Expected,
): Promise<CompanyStored | null> {
  return await writeUnlessTaken(tenant, database, values, updateOf(id, values, expected), id);
}

const locking = callsOf<[id: string]>(
  "lock_company",
  "select 1 from companies where tenant_id = $1 and id = $2 and deleted_at is null for update",
);

const deletion = selectList({
  kinds: column.list<string>("array_to_json(kinds)"),
  deleted: column.number("(select count(*) from deleted)"),
});

const deletions = `with blockers as (
    select array_remove(array[${BLOCKING_TABLES.map(
      (table) => `case when exists (select from ${table} where tenant_id = $1 and company_id = $2) then '${table}' end`,
    ).join(", ")}], null) as kinds
  ), deleted as (
    update companies set deleted_at = moment_after(updated_at), updated_at = moment_after(updated_at), changed_by = $3
    from blockers
    where tenant_id = $1 and id = $2 and deleted_at is null and blockers.kinds = '{}'
      and ${isExpected("updated_at", "$4::timestamptz[]")}
    returning id
  )`;

const deleting = callsOf<[id: string, by: string, expected: Expected]>(
  "delete_company",
  `${deletions} select ${deletion.sql} from blockers`,
);

export type CompanyDeletion = { outcome: "deleted" | "missing" | "outdated" } | { outcome: "blocked"; kinds: string[] };

/**
 * Marks the company deleted unless it has related records, or is of none of the expected versions. It is locked first,
 * and the blockers are looked for in a statement of its own, which sees what committed while the lock was waited for.
 */
export async function deleteCompany(
  tenant: TenantId,
  database: Database,
  id: string,
  by: string,
  expected: Expected = null,
): Promise<CompanyDeletion> {
  const [locked, outcome] = await commitCompany(tenant, database, { deleted_at: "now" }, [
    locking(id),
    deleting(id, by, expected),
  ]);
  if (locked?.length === 0) return { outcome: "missing" };
  const { kinds, deleted } = deletion.read(outcome?.[0] ?? []);
  if (kinds.length > 0) return { outcome: "blocked", kinds };
  return { outcome: deleted === 1 ? "deleted" : "outdated" };
}

const holder = selectList({ id: column.number("c.id"), name: column.text("c.name"), tax_id: "c.tax_id" });

/** The live company that holds a tax id. */
export type TaxIdHolder = Selected<typeof holder>;

/** Null if no live company has the tax id. */
export const findHolder = quickQuery<[taxId: string]>(
  "find_holder",
  `select ${holder.sql}
  from company_ids_by_tax_id(array[$2]::text[]) found
  join companies c on c.tenant_id = $1 and c.id = found.id and found.id = found.id + 0 and c.deleted_at is null`,
).first(holder.read);

/**
 * Null if the statement wrote nothing. The fiscal id of a company that was merged into another one is that one's.
 * @param values what it changes
 * @param id of the company; null for a new one
 */
export async function writeUnlessTaken(
  tenant: TenantId,
  database: Database,
  values: Values,
  call: Call,
  id: string | null = null,
): Promise<CompanyStored | null> {
  const taxId = String(values.tax_id);
  const former = values.tax_id == null ? null : await formerHolder(tenant, database, taxId);
  // The index decides about a fiscal id that a company still has.
  if (former !== null && String(former.id) !== id && (await findHolder(tenant, database, taxId)) === null)
    return { outcome: "tax-id-taken", holder: former, taxId, isFormer: true };
  const write = async (): Promise<CompanyStored | null> => {
    const [[row] = []] = await commitCompany(tenant, database, values, [call]);
    return row === undefined ? null : { outcome: "written", row };
  };
  const unique = uniqueIndex("companies_tax_id", async (): Promise<CompanyStored | null> => {
    const found = await findHolder(tenant, database, taxId);
    return found && { outcome: "tax-id-taken", holder: found, taxId, isFormer: false };
  });
  return await storeUnique(write, [unique, ...externalConstraints(tenant, database, { type: "company", id, values })]);
}
