import type { Database } from "../platform/postgres/database.ts";
import type { Call, Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { ShownWord } from "./shown-state.ts";

/** Limit of the count: more than these cannot be handled by hand (docs/decisions/0051-one-truth-about-an-order.md). */
export const MOST_IN_NEED = 1_000;

/** The condition of an invoice `i` that has a need by now: a range of its index (invoices_in_need). */
const hasNeed = "i.wms_needs_at is not null and i.wms_needs_at <= now() and i.wms_settled_at is null";

/** The condition of an invoice `i` that needs attention now: nobody has put its need off. */
export const isInNeed = `${hasNeed} and (i.wms_put_off_until is null or i.wms_put_off_until <= now())`;

/** The condition of an invoice `i` whose need is put off: a range of its index (invoices_put_off). */
export const isPutOff = `${hasNeed} and i.wms_put_off_until is not null and i.wms_put_off_until > now()`;

/** The condition of an invoice `i` whose need a person may put off. A link without an instance is confirmed instead. */
export const mayBePutOff = `${hasNeed} and i.wms_shown <> 'to_be_confirmed'`;

/**
 * The condition of an invoice that is being processed. It must equal the index condition in migrations/0004 word for
 * word.
 */
export const isUnderWay = "(i.wms_shown in ('waiting', 'on_its_way', 'being_checked') or i.wms_shown like 'open:%')";

const inNeedStatement: Statement = {
  name: "count_invoices_in_need",
  text: `select count(*) from (select from invoices i where i.tenant_id = $1 and ${isInNeed} limit $2) n`,
};

/** The call that counts a tenant's invoices in need of attention, up to MOST_IN_NEED. */
export const countInNeed: Call = { statement: inNeedStatement, parameters: [MOST_IN_NEED] };

const ofWordStatement: Statement = {
  name: "count_invoices_of_word",
  text: "select count(*) from (select from invoices i where i.tenant_id = $1 and i.wms_shown = $2 limit $3) n",
};

const underWayStatement: Statement = {
  name: "count_invoices_under_way",
  text: `select count(*) from (select from invoices i where i.tenant_id = $1 and ${isUnderWay} limit $2) n`,
};

/**
 * The numbers of a tenant's invoices in each of some displayed states, and of those being processed; each at most
 * `limit`.
 */
export async function countShown<Word extends ShownWord>(
  tenant: TenantId,
  database: Database,
  words: readonly Word[],
  limit: number,
): Promise<{ [word in Word | "under_way"]: number }> {
  const calls: [string, Call][] = [
    ["under_way", { statement: underWayStatement, parameters: [limit] }],
    ...words.map((word): [string, Call] => [word, { statement: ofWordStatement, parameters: [word, limit] }]),
  ];
  const answers = await database.quick.readAll(
    tenant,
    calls.map(([, call]) => call),
  );
  const counts = calls.map(([name], index) => [name, Number(answers[index]?.[0]?.[0] ?? 0)]);
  return Object.fromEntries(counts) as { [word in Word | "under_way"]: number };
}
