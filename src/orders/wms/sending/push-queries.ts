import {
  hasWarehouse,
  isConnectionOf,
  keyRefusedAt,
  subdomainOf,
} from "../../../customers/companies/warehouse-of-company.ts";
import { quickQuery, slowQuery } from "../../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../../platform/postgres/statement.ts";
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

const from = `select ${columns.sql} from invoices i join companies c on c.tenant_id = $1 and ${isConnectionOf("c")}
  where i.tenant_id = $1`;

/** Null if there is no such invoice. */
export const findStanding = quickQuery<[id: string]>("invoice_standing", `${from} and i.id = $2`).first(columns.read);

/** The same by the number. */
export const findStandingByNumber = quickQuery<[number: string]>("invoice_to_push", `${from} and i.number = $2`).first(
  columns.read,
);

/** A page of rows by ascending id, after one. */
type After = { after: string; limit: number };
const IS_UNSENT = "i.wms_state in ('not_sent', 'failed') and i.id > :after order by i.id limit :limit";

/** The invoices of a company that are neither sent nor being sent. */
export const listPushableOfCompany = slowQuery<After & { company: string }>(
  "invoices_of_company_to_push",
  `${from} and i.company_id = :company and ${IS_UNSENT}`,
).all(columns.read);

/** The same of all connected companies. */
export const listPushable = slowQuery<After>(
  "invoices_to_push",
  `${from} and ${hasWarehouse("c")} and ${IS_UNSENT}`,
).all(columns.read);

/** Ids of invoices that failed, of one number or of any (null). */
export const listFailed = slowQuery<After & { number: string | null }>(
  "list_failed",
  `select i.id from invoices i where i.tenant_id = $1 and i.wms_state = 'failed' and i.id > :after
    and (:number::text is null or i.number = :number) order by i.id limit :limit`,
).all(([id]) => String(id));

/** The number of a tenant's invoices in each state that some are in. */
export const countStates = slowQuery(
  "count_states",
  "select wms_state, count(*) from invoices where tenant_id = $1 group by wms_state",
).of((rows) => new Map(rows.map(([state, count]) => [String(state), Number(count)])));
