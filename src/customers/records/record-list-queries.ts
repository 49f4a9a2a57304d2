import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { readPage, type List } from "../../platform/postgres/read-page.ts";
import { selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { recordKinds, type RecordKind } from "./record.ts";

const columns = selectList({
  id: "r.id",
  number: "r.number",
  title: "r.title",
  status: "r.status",
  amount: "r.amount",
  currency: "r.currency",
  startsOn: "r.starts_on",
});

/** A record of a company, as PostgreSQL's text. */
export type ListedRecord = Selected<typeof columns>;

const lists = new Map(recordKinds.map((kind) => [kind, listOf(kind)]));

function listOf(kind: RecordKind): List {
  const ofCompany = "r.tenant_id = $1 and r.company_id = $2";
  return {
    count: { name: `count_${kind}`, text: `select count(*) from ${kind} r where ${ofCompany}` },
    page: {
      name: `list_${kind}`,
      text: `select ${columns.sql} from ${kind} r where ${ofCompany} order by r.id desc limit $3 offset $4`,
    },
  };
}

/** One page of a company's records of a kind, the newest first, and how many there are in all. */
export async function listRecords(
  tenant: TenantId,
  database: Database,
  kind: RecordKind,
  companyId: string,
  page: PageQuery,
): Promise<{ records: ListedRecord[]; total: number }> {
  const list = lists.get(kind);
  if (list === undefined) throw new Error(`there is no kind ${kind}`);
  const { rows, total } = await readPage(database.quick, tenant, list, [companyId], page);
  return { records: rows.map(columns.read), total };
}
