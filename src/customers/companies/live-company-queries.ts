import { METADATA } from "../../platform/fields/custom.ts";
import { insertedColumns, type ColumnTypes } from "../../platform/fields/sql.ts";

/** A condition on companies: the tenant's, and not deleted. */
export const live = "tenant_id = $1 and deleted_at is null";

/** A condition: the row's company is not deleted. What belongs to a deleted one is hidden with it. */
export function ofLiveCompany(alias: string): string {
  return `exists (
    select from companies c where c.tenant_id = $1 and c.id = ${alias}.company_id and c.deleted_at is null
  )`;
}

/** A list of rows that belong to a company. */
export const companyParent = { table: "companies", column: "company_id", live: "deleted_at is null" };

/** In place of a user's id, for the companies without an owner: no user has this id. */
export const NO_OWNER = "0";

/**
 * A condition on a company's owner. A company of a user who left has none.
 * @param parameter a user's id, NO_OWNER, or null for all companies
 */
export function isOwnedBy(alias: string, parameter: string): string {
  return `(${parameter}::bigint is null or coalesce(${alias}.assigned_to, ${NO_OWNER}) = ${parameter} or (${parameter} = ${NO_OWNER}
    and ${alias}.assigned_to in (select u.id from users u where u.tenant_id = $1 and u.deactivated_at is not null)))`;
}

/**
 * A new row of a company ($2), its columns from $3 on; none if there is no such company. A soft delete is an update,
 * which a foreign key's lock would not keep out: the company is locked explicitly.
 */
export function insertOfCompany(table: string, alias: string, types: ColumnTypes): string {
  // A parameter has one type: that of a text which is JSON too is text.
  const inserted = insertedColumns(types, (name, index, type) => {
    return `$${index + 3}::${name === METADATA && type !== "text" ? `text::${type}` : type}`;
  });
  return `insert into ${table} as ${alias} (tenant_id, company_id, ${inserted.names})
  select $1, parent.id, ${inserted.values}
  from (select id from companies where tenant_id = $1 and id = $2 and deleted_at is null for share) parent`;
}

/** The selection of `columns` of a company ($2), which is `c` there; no row if there is no such company. */
export function selectCompany(columns: string): string {
  return `select ${columns} from companies c where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null`;
}

/**
 * The live companies `c` that a function found (`found`). With this join, a cluster runs the function on the tenant's
 * node: elsewhere, Citus refuses it in a transaction that has changed companies.
 */
export const foundCompanies = `from found join companies c on c.tenant_id = $1 and c.id = found.id and c.deleted_at is null
      where c.id = any(array(select id from found))`;
