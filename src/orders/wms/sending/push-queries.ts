import {
  hasWarehouse,
  isConnectionOf,
  keyRefusedAt,
  subdomainOf,
} from "../../../customers/companies/warehouse-of-company.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { slowQuery } from "../../../platform/postgres/query.ts";
import { column, selectList, type Selected, type Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { openSince } from "../../invoices/locked-queries.ts";

const columns = selectList({
  id: column.text("i.id"),
  number: column.text("i.number"),
  state: column.text("i.wms_state"),
  status: column.text("i.status"),
  isConnected: column.flag(hasWarehouse("c")),
  /** Whether the warehouse refuses the key. */
  isKeyRefused: column.flag(`${keyRefusedAt("c")} is not null`),
  subdomain: subdomainOf("c"),
  /** Whether the warehouse may have it, so that it is looked up whatever its status. */
  isOpen: column.flag(`${openSince("i")} is not null`),
});

/** An invoice, and the facts that decide whether it may be sent. */
export type InvoiceStanding = Selected<typeof columns>;

const from = `from invoices i join companies c on c.tenant_id = $1 and ${isConnectionOf("c")}
  where i.tenant_id = $1`;
const ofScope = {
  id: statement("invoice_standing", `${from} and i.id = $2`),
  number: statement("invoice_to_push", `${from} and i.number = $2`),
  company: statement(
    "invoices_of_company_to_push",
    `${from} and i.company_id = $2 and i.wms_state in ('not_sent', 'failed') and i.id > $3 order by i.id limit $4`,
  ),
  all: statement(
    "invoices_to_push",
    `${from} and i.wms_state in ('not_sent', 'failed') and ${hasWarehouse("c")}
      and i.id > $2 order by i.id limit $3`,
  ),
};

function statement(name: string, text: string): Statement {
  return { name, text: `select ${columns.sql} ${text}` };
}

/** Null if there is no such invoice. */
export async function findStanding(tenant: TenantId, database: Database, id: string): Promise<InvoiceStanding | null> {
  return columns.first(await database.quick.read(tenant, ofScope.id, [id]));
}

/** The same by the number. */
export async function findStandingByNumber(
  tenant: TenantId,
  database: Database,
  number: string,
): Promise<InvoiceStanding | null> {
  return columns.first(await database.quick.read(tenant, ofScope.number, [number]));
}

/**
 * The invoices that are neither sent nor being sent, of a company or of all connected companies (null), by ascending id
 * after the given one.
 */
export async function listPushable(
  tenant: TenantId,
  database: Database,
  companyId: string | null,
  { after, limit }: { after: string; limit: number },
): Promise<InvoiceStanding[]> {
  const rows =
    companyId === null
      ? await database.slow.read(tenant, ofScope.all, [after, limit])
      : await database.slow.read(tenant, ofScope.company, [companyId, after, limit]);
  return rows.map(columns.read);
}

const failedStatement: Statement = {
  name: "list_failed",
  text: `select i.id from invoices i
  where i.tenant_id = $1 and i.wms_state = 'failed' and i.id > $2 and ($3::text is null or i.number = $3) order by i.id limit $4`,
};

/** Ids of invoices that failed, of one number or of any (null), by ascending id from behind one. */
export async function listFailed(
  tenant: TenantId,
  database: Database,
  number: string | null,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await database.slow.read(tenant, failedStatement, [after, number, limit]);
  return rows.map(([id]) => String(id));
}

/** The number of a tenant's invoices in each state that some are in. */
export const countStates = slowQuery(
  "count_states",
  "select wms_state, count(*) from invoices where tenant_id = $1 group by wms_state",
).of((rows) => new Map(rows.map(([state, count]) => [String(state), Number(count)])));
