import { columnsOf } from "../platform/fields/sql.ts";
import { companyMembers } from "./company-json.ts";

/**
 * The columns that companyJson takes, in its order: the members, then the assigned user's name. The name comes by a
 * sub-select, because a join costs each row of a page 2 microseconds more.
 */
export function companyColumns(alias: string): string {
  const members = columnsOf(
    companyMembers.map(({ name }) => name),
    alias,
  );
  return `${members}, (select u.name from users u where u.tenant_id = $1 and u.id = ${alias}.assigned_to)`;
}
