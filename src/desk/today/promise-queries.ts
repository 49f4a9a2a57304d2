import { isOwnedBy } from "../../customers/companies/live-company-queries.ts";
import { isOverdue } from "../../orders/invoices/money-queries.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callWith, namedStatement } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { COMPANY_OF_ITEM, countedOf, countIn, MOST_SCANNED, type CountedItems } from "./counted-queries.ts";
import type { ItemsQuery } from "./today-queries.ts";

const BROKEN = "promises p where p.tenant_id = $1 and p.until < :today::date";
const brokenOf = `(
    select p.until, p.company_id from ${BROKEN} order by p.until, p.company_id limit ${MOST_SCANNED}
  ) n
  ${COMPANY_OF_ITEM}
  cross join lateral (
    select from invoices i where i.tenant_id = $1 and i.company_id = n.company_id and ${isOverdue(":today::date")} limit 1
  ) i`;

const broken = selectList({
  companyId: column.text("p.company_id"),
  name: column.text("c.name"),
  until: column.text("p.until"),
  note: "p.note",
});

/** A promise to pay whose day is over, of a company that still has an overdue invoice. */
export type BrokenPromise = Selected<typeof broken>;

const brokenStatement = namedStatement(
  "broken_promises",
  `select ${broken.sql}
  from (
    select n.company_id from ${brokenOf} where ${isOwnedBy("c", ":assigned_to")} order by n.until, n.company_id limit :most
  ) n
  join promises p on p.tenant_id = $1 and p.company_id = n.company_id
  cross join lateral (select name from companies where tenant_id = $1 and id = p.company_id offset 0) c
  order by p.until, p.company_id`,
);

const countBrokenStatement = namedStatement("count_broken_promises", countedOf(brokenOf, BROKEN));

/** The promises whose day is over, the longest first. */
export async function listBrokenPromises(
  tenant: TenantId,
  { database }: { database: Database },
  { assignedTo, ...others }: ItemsQuery,
): Promise<{ promises: BrokenPromise[] } & CountedItems> {
  const values = { ...others, assigned_to: assignedTo };
  const calls = [callWith(brokenStatement, values), callWith(countBrokenStatement, values)];
  const [rows = [], counted] = await database.slow.readAll(tenant, calls);
  return { promises: rows.map(broken.read), ...countIn(counted) };
}
