import { namedStatement, type NamedStatement } from "../postgres/query.ts";
import type { ReadDescription } from "./description.ts";
import { orderText } from "./order.ts";

/** The most rows of a kind that a parent embeds. */
export const EMBEDDED_MAX = 100;

/** The members whose bytes are few. */
const SHORT: ReadonlySet<string> = new Set(["number", "boolean", "timestamp"]);

/**
 * The rows of several parents (`:parents`), as one statement for all of them. Each row begins with its parent, and ends
 * with the bytes that were left out, because its texts have more than `:bytes`. One more than EMBEDDED_MAX of each
 * parent are read, which shows whether there are more.
 */
export function embeddedStatement({
  name,
  table,
  members,
  parent,
  live = "true",
  orders,
}: ReadDescription): NamedStatement {
  const always = new Set(["id", "updated_at"]);
  const selected = members.map(({ name: column }) =>
    always.has(column) ? `k.${column}` : `case when k.bytes <= :bytes then k.${column} end`,
  );
  const texts = members.filter(({ kind }) => !SHORT.has(kind));
  const bytes = texts.map(({ name: column }) => `coalesce(octet_length(k.${column}::text), 0)`).join(" + ");
  const [order = []] = Object.values(orders);
  return namedStatement(
    `embedded_${name}`,
    `select p.id, ${selected.join(", ")}, case when k.bytes > :bytes then k.bytes else 0 end
  from unnest(:parents::bigint[]) with ordinality p (id, place)
  cross join lateral (
    select k.*, ${bytes} as bytes, row_number() over () as place from (
      select k.* from ${table} k where k.tenant_id = $1 and k.${parent?.column} = p.id and ${live}
      order by ${orderText(order)} limit ${EMBEDDED_MAX + 1}
    ) k
  ) k
  order by p.place, k.place`,
  );
}
