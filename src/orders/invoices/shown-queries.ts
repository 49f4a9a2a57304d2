import { callWith, namedStatement } from "../../platform/postgres/query.ts";
import type { Call } from "../../platform/postgres/statement.ts";

/** Limit of the count: more than these cannot be handled by hand (docs/decisions/0051-one-truth-about-an-order.md). */
export const MOST_IN_NEED = 1_000;

/** The condition of an invoice `i` that has a need by now: a range of its index (invoices_needing). */
const hasNeed = "i.wms_needs_at is not null and i.wms_needs_at <= now() and i.wms_settled_at is null";

/** The condition of an invoice `i` that needs attention now, because it is not put off. */
export const isInNeed = `${hasNeed} and (i.wms_put_off_until is null or i.wms_put_off_until <= now())`;

/** The condition of an invoice `i` whose need is put off: a range of its index (invoices_put_off). */
export const isPutOff = `${hasNeed} and i.wms_put_off_until is not null and i.wms_put_off_until > now()`;

/** The condition of an invoice `i` whose need a person may put off. A link without an instance is confirmed instead. */
export const mayBePutOff = `${hasNeed} and i.wms_shown <> 'to_be_confirmed'`;

/**
 * The condition of an invoice that is being processed. It must equal that of the index invoices_under_way word for
 * word.
 */
export const isUnderWay = "(i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')";

/** The condition of an invoice `k` that is cancelled although its order is not, until a person accepts that. */
export const isCancelledHere = "k.wms_needs_at is not null and k.wms_shown in ('cancelled_here', 'shipped_cancelled')";

/** The condition of an invoice whose order is final, or cancelled as the invoice is: as the index invoices_done. */
export const isDone = "(i.wms_shown like 'final:%' or i.wms_shown = 'cancelled')";

const inNeedStatement = namedStatement(
  "count_invoices_in_need",
  `select count(*) from (select from invoices i where i.tenant_id = $1 and ${isInNeed} limit :most) n`,
);

/** The call that counts a tenant's invoices in need of attention, up to MOST_IN_NEED. */
export const countInNeed: Call = callWith(inNeedStatement, { most: MOST_IN_NEED });

/** The newest invoices `i` first: the order of their lists, and of the indexes that serve these. */
export const NEWEST_FIRST = "order by i.issued_on desc nulls last, i.id desc";
