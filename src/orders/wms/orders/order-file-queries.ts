import type { Store } from "../../../kit/deps.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { namedStatement, readNamed } from "../../../platform/postgres/query.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { pageInvoiceColumns } from "../../invoices/invoice-json.ts";
import { listedInvoiceRow } from "../../invoices/invoice-row.ts";

/** An invoice of a file for people, with its company. */
export type FiledOrder = { invoice: RowByName; company: string; taxId: string | null; owner: string | null };

/** Invoices that are read at once. */
const AT_ONCE = 500;

const byIds = namedStatement(
  "orders_for_file",
  `select ${pageInvoiceColumns("i")}, c.name, c.tax_id, c.assigned_to
  from unnest(:ids::bigint[]) with ordinality as n (id, at)
  cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
  cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
  order by n.at`,
);

const nextIds = namedStatement(
  "ids_for_file",
  "select i.id from invoices i where i.tenant_id = $1 and i.id > :after order by i.id limit :limit",
);

/** The invoices with these ids, in their order; null: all of the tenant, by id. */
export async function* ordersForFile(
  tenant: TenantId,
  { database, keyring }: Store,
  ids: readonly string[] | null,
): AsyncGenerator<FiledOrder[]> {
  let after = "0";
  for (let at = 0; ; at += AT_ONCE) {
    const some =
      ids?.slice(at, at + AT_ONCE) ??
      (await readNamed(tenant, database.slow, nextIds, { after, limit: AT_ONCE })).map(([id]) => String(id));
    if (some.length === 0) return;
    after = some.at(-1) ?? after;
    const rows = await readNamed(tenant, database.slow, byIds, { ids: some });
    yield rows.map((row) => ({
      invoice: listedInvoiceRow(row, { keyring, tenant }),
      company: String(row.at(-3)),
      taxId: row.at(-2) ?? null,
      owner: row.at(-1) ?? null,
    }));
  }
}
