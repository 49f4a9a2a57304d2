import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { hasOtherTotal } from "./other-total.ts";

/** The most bytes of an invoice's lines that a list reads: some hundred lines. */
const MOST_BYTES = 16_384;

const summed = selectList({
  id: column.text("i.id"),
  lines: column.text("i.lines"),
  total: column.text("i.total"),
  currency: column.textOrNull("i.currency"),
});

/** The ids of those invoices whose total is not the sum of their lines. Long lines are not read. */
export const idsWithOtherTotal = quickQuery<[ids: readonly string[]]>(
  "invoices_with_totals",
  `select ${summed.sql} from invoices i
  where i.tenant_id = $1 and i.id = any($2::bigint[]) and i.total is not null and octet_length(i.lines) between 3 and ${MOST_BYTES}`,
).of(
  (rows) =>
    new Set(
      rows
        .map(summed.read)
        .filter(hasOtherTotal)
        .map(({ id }) => id),
    ),
);
