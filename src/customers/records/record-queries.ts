import { bulkWrites, type Bulk } from "../../kit/bulk-queries.ts";
import { ciphertextsOf } from "../../platform/fields/sql.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { selectList } from "../../platform/postgres/statement.ts";
import { numberedList } from "../../platform/reads/numbered.ts";
import { companyIdColumn, pageOfCompaniesRows } from "../companies/company-bulk-queries.ts";
import { ofLiveCompany } from "../companies/live-company-queries.ts";
import { recordFields, recordOfKind, type RecordKind } from "./record.ts";

const found = ciphertextsOf(recordFields, "r", { ordinal: "found.ordinal", id: "r.id" });

/** Offers, deals, tickets or subscriptions by the hundred, each with its `company_id`. One without an id is new. */
export function recordBulk(kind: RecordKind): Bulk {
  const record = recordOfKind(kind);
  return {
    ...bulkWrites(record, [companyIdColumn]),
    identity: null,
    byId: stepQuery<[ids: readonly string[]]>(
      `lock_${kind}_by_id`,
      `select ${found.sql}
        from unnest($2::bigint[]) with ordinality as found (id, ordinal)
        join ${kind} r on r.tenant_id = $1 and r.id = found.id
        where r.id = any($2::bigint[]) and ${ofLiveCompany("r")}
        order by r.id for no key update of r`,
    ).all(found.read),
    page: pageOfCompaniesRows(record),
  };
}

const columns = selectList({
  number: "r.number",
  title: "r.title",
  status: "r.status",
  amount: "r.amount",
  currency: "r.currency",
  startsOn: "r.starts_on",
});

/** The records of a kind that a company (`:company`) has, newest first. */
export function recordsOfCompany(kind: RecordKind) {
  const condition = "r.tenant_id = $1 and r.company_id = :company";
  return numberedList(kind, { reader: "quick", table: `${kind} r`, condition, order: "r.id desc" }, columns);
}
