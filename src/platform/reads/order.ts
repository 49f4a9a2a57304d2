import type { Position } from "../http/lists/cursor.ts";

/**
 * One of the values that an order compares, as SQL over the table's alias `k`. `beginning` is the value before all
 * rows. The last value of an order is the id.
 */
export type OrderPart = { sql: string; beginning: string; isDescending?: true; isNullable?: true };
export type RowOrder = readonly OrderPart[];

/** The largest id that there can be. */
export const LAST_ID = "9223372036854775807";

/** The order of ids alone. */
export const byId: RowOrder = [{ sql: "k.id", beginning: "0" }];
export const byIdDown: RowOrder = [{ sql: "k.id", beginning: LAST_ID, isDescending: true }];

/** The order for `order by`. Null is last in both directions. */
export function orderText(order: RowOrder): string {
  return order
    .map(
      ({ sql, isDescending, isNullable }) => `${sql}${isDescending ? " desc" : ""}${isNullable ? " nulls last" : ""}`,
    )
    .join(", ");
}

/** The position before all rows. */
export function beginningOf(order: RowOrder): Position {
  return order.map(({ beginning }) => beginning);
}

/** The values of a position by the names of their parameters. */
export function afterValues(position: Position): Record<string, string | null> {
  return Object.fromEntries(position.map((value, index) => [parameter(index).slice(1), value]));
}

/** The position of a row (`k`), as SQL. */
export function positionSql(order: RowOrder): string {
  return `json_build_array(${order.map(({ sql }) => `(${sql})::text`).join(", ")})::text`;
}

/**
 * The conditions of the rows behind a position, which exclude each other. Each of them is one range of an index with
 * this order, unless the order's directions differ.
 */
export function rangesBehind(order: RowOrder): string[] {
  const [first, ...others] = order;
  const isOneWay = order.every(({ isDescending }) => isDescending === first?.isDescending);
  if (first === undefined || !isOneWay) return [nested(order)];
  const values = order.map((_, index) => parameter(index));
  const sign = first.isDescending ? "<" : ">";
  const behind =
    others.length === 0
      ? `${first.sql} ${sign} ${values[0]}`
      : `(${order.map(({ sql }) => sql).join(", ")}) ${sign} (${values.join(", ")})`;
  if (!first.isNullable) return [behind];
  // Behind a value come the rows without one, all of them; behind a row without a value only later ones.
  const [next] = others;
  const later = `${next?.sql} ${sign} case when ${values[0]} is null then ${values[1]} else ${next?.beginning} end`;
  return [behind, `${first.sql} is null and ${later}`];
}

function nested([part, ...others]: RowOrder, index = 0): string {
  if (part === undefined) return "false";
  const value = parameter(index);
  const isBehind = `${part.sql} ${part.isDescending ? "<" : ">"} ${value}`;
  return others.length === 0 ? isBehind : `(${isBehind} or (${part.sql} = ${value} and ${nested(others, index + 1)}))`;
}

function parameter(index: number): string {
  return `:after${index + 1}`;
}
