import type { Secrets } from "../../platform/encryption/keyring.ts";
import { membersWriter } from "../../platform/fields/json.ts";
import { writeRows } from "../../platform/fields/long-texts.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { vatMembers } from "./line-totals.ts";

/** The most bytes of an invoice's lines that are read with those of others; longer ones are read a few at a time. */
export const LINES_BYTES = 8_192;

const listLines = slowQuery<[ids: string[]]>(
  "lines_of_invoices",
  `select i.id, i.currency, case when octet_length(i.lines) <= ${LINES_BYTES} then i.lines end,
    case when octet_length(i.lines) > ${LINES_BYTES} then octet_length(i.lines) else 0 end
  from invoices i join unnest($2::bigint[]) with ordinality asked (id, place) on asked.id = i.id
  where i.tenant_id = $1 and i.id = any($2)
  order by asked.place`,
).rows();

const wholeLines = slowQuery<[ids: string[]]>(
  "whole_lines_of_invoices",
  "select i.id, i.currency, i.lines from invoices i where i.tenant_id = $1 and i.id = any($2::bigint[])",
).rows();

const write = membersWriter([{ name: "lines", kind: "list" }]);

/** The member `lines` of listed invoices, each behind a comma, in the order of the rows. */
export async function readIncludedLines(
  tenant: TenantId,
  database: Database,
  invoices: Row[],
  secrets: Secrets,
): Promise<string[] | AsyncIterable<string>> {
  const ids = invoices.map(([id]) => String(id));
  const rows = ids.length === 0 ? [] : await listLines(tenant, database, ids);
  return writeRows({
    rows,
    write: ([, currency, lines]) => `,${write([lines ?? null], secrets)}${vatMembers(lines ?? null, currency ?? null)}`,
    whole: async (some) => await wholeLines(tenant, database, some),
  });
}
