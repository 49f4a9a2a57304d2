import type { RowByName } from "../../platform/fields/reader.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** An invoice that waits for its warehouse, or for a person. */
export type Attention = {
  id: string;
  number: string;
  companyId: string;
  companyName: string;
  /** The columns that shownState and reasonOf read. */
  shown: RowByName;
};

const columns = selectList({
  id: "i.id",
  number: "i.number",
  companyId: "i.company_id",
  companyName: "c.name",
  wms_shown: "i.wms_shown",
  wms_status: "i.wms_status",
  wms_needs_at: "i.wms_needs_at",
  wms_error: "i.wms_error",
});

const statement: Statement = {
  name: "invoices_that_wait",
  text: `select ${columns.sql} from (
    (select * from invoices i where i.tenant_id = $1 and i.wms_state = 'failed' order by i.id desc limit $2)
    union all (select * from invoices i where i.tenant_id = $1 and i.wms_state = 'unknown' order by i.id desc limit $2)
    union all (select * from invoices i where i.tenant_id = $1 and i.wms_state = 'sending' order by i.id desc limit $2)
    union all (select * from invoices i where i.tenant_id = $1 and i.wms_state = 'queued' order by i.id desc limit $2)
  ) i join companies c on c.tenant_id = $1 and c.id = i.company_id
  order by array_position(array['failed', 'unknown', 'sending', 'queued'], i.wms_state), i.id desc`,
};

/** Those that failed, then those of unknown outcome, then the others; of each the newest. */
export async function listAttention(tenant: TenantId, database: Database, limitEach: number): Promise<Attention[]> {
  const rows = await database.slow.read(tenant, statement, [limitEach]);
  return rows
    .map((row) => columns.read(row))
    .map(({ id, number, companyId, companyName, ...shown }) => ({
      id: String(id),
      number: String(number),
      companyId: String(companyId),
      companyName: String(companyName),
      shown,
    }));
}
