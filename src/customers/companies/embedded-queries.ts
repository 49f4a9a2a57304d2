import type { Statement } from "../../platform/postgres/statement.ts";

/** The most resources of a kind that a company embeds. */
export const EMBEDDED_MAX = 100;

/**
 * The resources of companies, as one statement for all of them: $2: the companies' ids, $3: the most bytes of text of a
 * row. Each row begins with its company, and ends with the bytes that were left out. One more than EMBEDDED_MAX of each
 * company are read, which shows whether there are more.
 * @param columns of the table, by their names; the first is the id
 * @param texts the columns whose bytes count
 */
export function embeddedStatement({
  table,
  columns,
  texts,
  listed,
  order,
}: {
  table: string;
  columns: readonly string[];
  texts: readonly string[];
  listed: string;
  order: string;
}): Statement {
  const always = new Set(["id", "updated_at"]);
  const selected = columns.map((name) =>
    always.has(name) ? `k.${name}` : `case when k.bytes <= $3 then k.${name} end`,
  );
  const bytes = texts.map((name) => `coalesce(octet_length(k.${name}::text), 0)`).join(" + ");
  return {
    name: `embedded_${table}`,
    text: `select p.id, ${selected.join(", ")}, case when k.bytes > $3 then k.bytes else 0 end
  from unnest($2::bigint[]) with ordinality p (id, place)
  cross join lateral (
    select k.*, ${bytes} as bytes, row_number() over () as place from (
      select k.* from ${table} k where k.tenant_id = $1 and k.company_id = p.id and ${listed}
      order by ${order} limit ${EMBEDDED_MAX + 1}
    ) k
  ) k
  order by p.place, k.place`,
  };
}
