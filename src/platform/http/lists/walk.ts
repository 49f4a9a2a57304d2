import type { Row } from "../../postgres/statement.ts";

/** Where a row stands in its list's order: what the order compares, as PostgreSQL's texts. */
export type Place = readonly (string | null)[];

/** Rows of a list that come behind a place, and the place (as a text) that the next ones are behind; null at the list's end. */
export type Walked = { rows: Row[]; next: string | null };

/** Of a list whose filters can match nothing. */
export const NOTHING_BEHIND: Walked = { rows: [], next: null };

/** The largest id that there can be. */
export const LAST_ID = "9223372036854775807";

/** At most so many rows are looked at ($2), and so many found ($3): a walk's first parameters behind the tenant. */
const [LOOKED_AT, FOUND] = ["$2", "$3"];

/**
 * A statement that reads a list behind a place. It stops at the rows that it looks for, and at as many rows looked at: what filters leave
 * over of those may be few, or none, and is a page all the same. So each page of a list takes as long as any other.
 * @param seen selects the rows behind the place, in the list's order, as far as $2: their ids, and what `place` and `matches` read of them
 * @param matches the filters, over the alias `k`
 * @param place what the list's order compares, over the alias `k`
 */
export function walkText({
  table,
  columns,
  order,
  place,
  seen,
  matches,
}: {
  table: string;
  columns: string;
  order: string;
  place: readonly string[];
  seen: string;
  matches: string;
}): string {
  const placeText = `json_build_array(${place.map((part) => `(${part})::text`).join(", ")})::text`;
  // PostgreSQL reads what is seen no further than the others ask it to.
  return `with seen as materialized (
    ${seen}
  ), found as materialized (
    select k.id from seen k where ${matches} limit ${FOUND}
  ), reached as materialized (
    select case when (select count(*) from found) < ${FOUND} then (
      select ${placeText} from (select * from seen offset ${LOOKED_AT} - 1 limit 1) k
    ) end as place
  )
  select reached.place, ${placeText}, ${columns}
  from reached left join ${table} k on k.tenant_id = $1 and k.id = any(array(select id from found))
  order by ${order}`;
}

/** The rows that a page's statement looks for: one more than it has, which says whether there are others. */
export function lookedFor(perPage: number): number {
  return perPage + 1;
}

/** The page in the answer of such a statement. */
export function walked(found: Row[], perPage: number): Walked {
  const rows = found.filter(([, , id]) => id !== null);
  const next = rows.length > perPage ? rows[perPage - 1]?.[1] : found[0]?.[0];
  return { rows: rows.slice(0, perPage).map(([, , ...row]) => row), next: next ?? null };
}
