import { request } from "../../../harness.ts";
import { ordersOf } from "./ledger.ts";
import type { Person, Sender, Stage, Steps } from "./stage.ts";

/** Two companies, those with one warehouse first if $2: others merge only while nothing of them is on its way. */
const PAIR = `select a.id::int as kept, b.id::int as other
  from companies a join companies b on b.tenant_id = a.tenant_id and b.id <> a.id and b.deleted_at is null
  where a.tenant_id = $1 and a.deleted_at is null
  order by $2 and (warehouse_of_company(a.tenant_id, a.id)).subdomain
    is distinct from (warehouse_of_company(b.tenant_id, b.id)).subdomain, random() limit 1`;

/** Any merge: one whose kept company was merged later is refused. */
const MERGE = "select id::text from merges where tenant_id = $1 and undone_at is null order by random() limit 1";

/** Companies are merged, and merges undone in any order, while their invoices are sent. */
export function mergesOf(stage: Stage, { tenantId, token }: Person): Steps {
  const write = async (path: string, body?: object) => {
    const { url } = await stage.server.current();
    return (await request(url, "POST", path, body, { token })).status < 300;
  };
  return {
    merged: async () => {
      const [pair] = await stage.sql(PAIR, [tenantId, Math.random() < 0.7]);
      return pair !== undefined && (await write(`/api/v1/companies/${String(pair.kept)}/merge`, { from: pair.other }));
    },
    "merge undone": async () => {
      const [merge] = await stage.sql(MERGE, [tenantId]);
      return merge !== undefined && (await write(`/api/v1/merges/${String(merge.id)}/undo`));
    },
  };
}

/** The companies that are there now, each with those merged into it: the connections that they had. */
export async function liveSenders(stage: Stage, person: Person): Promise<Sender[]> {
  const live = await stage.sql("select id::int from companies where tenant_id = $1 and deleted_at is null", [
    person.tenantId,
  ]);
  const ids = new Set(live.map(({ id }) => Number(id)));
  return person.senders.filter(({ id }) => ids.has(id));
}

/** A person's file of invoices. An invoice that is there is the company's that has it now. */
export async function fileOf(stage: Stage, person: Person): Promise<string> {
  const rows = await stage.sql("select number, company_id::text as company from invoices where tenant_id = $1", [
    person.tenantId,
  ]);
  const owners = new Map(rows.map(({ number, company }) => [String(number), String(company)]));
  const live = await liveSenders(stage, person);
  const lines = person.numbers.map((number, index) => {
    return `${owners.get(number) ?? live[index % live.length]?.id},${number},12.50`;
  });
  return ["company_id,number,total", ...lines].join("\n");
}

/** The company that a merged one has become; the same one if it is there. */
export async function companyNow({ server }: Stage, token: string, id: number): Promise<number> {
  const { url } = await server.current();
  const answer = await request(url, "GET", `/api/v1/companies/${id}`, undefined, { token }).catch(() => null);
  return Number(answer?.headers.get("x-merged-into") ?? id);
}

/**
 * The orders whose invoices could be changed or removed as if no warehouse had them
 * (docs/decisions/0041-what-the-warehouse-may-have.md). The orders are read first: each attempt is stored before it.
 */
export async function countUnprotected(stage: Stage): Promise<number> {
  const orders = (await ordersOf(stage)).filter(({ vanished }) => !vanished);
  const rows = await stage.sql(
    `select 'liaison/' || t.slug || '/' || i.id as pair from invoices i join tenants t on t.id = i.tenant_id
    where i.wms_order_id is not null or i.wms_state in ('queued', 'sending', 'unknown') or i.wms_open_since is not null`,
  );
  const isProtected = new Set(rows.map(({ pair }) => String(pair)));
  return orders.filter(({ external_source: source, external_order_id: id }) => !isProtected.has(`${source}/${id}`))
    .length;
}
