import { bytesLeftOut, listColumnsOf } from "../../platform/fields/long-texts.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import { companyStoredMembers } from "./company-json.ts";
import { companyFields } from "./company.ts";

const members = companyStoredMembers.map(({ name }) => name);

/**
 * The columns for companyJson, in its order: the members, then the assigned user's name. The name comes from a
 * sub-select, because a join costs each row of a page 2 microseconds more.
 */
export function companyColumns(alias: string): string {
  return `${memberColumns(alias)}, ${ownerName(alias)}`;
}

/** The columns without the name: a statement that writes returns these, because Citus accepts no sub-select there. */
export function memberColumns(alias: string): string {
  return columnsOf(members, alias);
}

/** The same for a list's row, whose long texts are left out (platform/fields/long-texts.ts). */
export function companyListColumns(alias: string): string {
  const columns = listColumnsOf(members, companyFields, alias);
  return `${columns}, ${ownerName(alias)}, ${bytesLeftOut(members, companyFields, alias)}`;
}

/** The name of the assigned user. */
export function ownerName(alias: string): string {
  return `(select u.name from users u where u.tenant_id = $1 and u.id = ${alias}.assigned_to)`;
}
