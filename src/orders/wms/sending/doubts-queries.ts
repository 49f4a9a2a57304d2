import { slowQuery } from "../../../platform/postgres/query.ts";
import { column, selectList } from "../../../platform/postgres/statement.ts";
import { LATE_DAYS } from "../../invoices/credit-queries.ts";
import { hasNoStreet } from "../../invoices/delivery-queries.ts";
import { dueDay, leftSql, unpaidOf } from "../../invoices/money-queries.ts";
import { isSendable } from "./sending-queries.ts";

const sendable = selectList({
  id: column.text("i.id"),
  hasNoStreet: column.flag(hasNoStreet),
  lacksSku: column.flag(
    "exists (select from json_array_elements(i.lines::json) l where coalesce(btrim(l ->> 'sku'), '') = '')",
  ),
});

/** Those of some invoices that would be sent, and what their warehouse would miss. */
export const listSendable = slowQuery<[ids: readonly string[]]>(
  "list_sendable",
  `select ${sendable.sql} from invoices i, companies c
  where i.tenant_id = $1 and i.id = any($2::bigint[]) and c.tenant_id = $1 and ${isSendable}`,
).all(sendable.read);

const debtors = selectList({
  late: column.number(`count(distinct n.company_id) filter (where $3::date - s.since > ${LATE_DAYS})`),
  overLimit: column.number("count(distinct n.company_id) filter (where s.owed > c.credit_limit)"),
});

/**
 * The companies of some invoices that pay late, and those that owe more than their limit in the currency of one of
 * the invoices, which are included. @param today in the workspace's time zone
 */
export const countDebtors = slowQuery<[ids: readonly string[], today: string]>(
  "count_debtors",
  `select ${debtors.sql}
  from (select distinct company_id, currency from invoices where tenant_id = $1 and id = any($2::bigint[])) n
  join companies c on c.tenant_id = $1 and c.id = n.company_id
  cross join lateral (
    select sum(o.rest) filter (where o.currency is not distinct from n.currency) as owed, min(o.due) filter (where o.rest > 0) as since from (
      select ${leftSql} as rest, i.currency, ${dueDay} as due
      from (${unpaidOf("n.company_id")}) i
    ) o
  ) s`,
).only(debtors.read);
