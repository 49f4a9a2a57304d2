import type { FieldTable } from "../fields/fields.ts";
import type { Member } from "../fields/json.ts";
import type { PageQuery } from "../http/lists/pagination.ts";
import type { Database } from "../postgres/database.ts";
import type { TenantId } from "../postgres/tenant-id.ts";
import type { CommonCounts } from "./custom-values.ts";
import type { FilterValues, ReadFilters } from "./filters.ts";
import type { ListPage } from "./numbered.ts";
import type { RowOrder } from "./order.ts";

/**
 * A list, described once. Every statement that reads its rows is compiled from the description. All SQL is over the
 * table's alias `k`; the tenant is $1, other parameters have names. A filter, an order or an exact look-up is one line
 * of it.
 */
export type ListDescription<F extends ReadFilters, Sort extends string> = {
  /** The name in the names of its statements. */
  name: string;
  table: string;
  /** The columns of its rows; the first is the id. */
  members: readonly Member[];
  /** The fields, if their long texts are left out of a list's rows (platform/fields/long-texts.ts). */
  fields?: FieldTable;
  /** SQL of further values behind the columns. */
  beside?: string;
  /** The condition of the list's rows, which the indexes of its orders have too. */
  live?: string;
  /** A condition that each row is checked for. The indexes do not have it. */
  shown?: string;
  /** The table of the row that the list belongs to, and the column with the id of that row (`:parent`). */
  parent?: { table: string; column: string; live: string };
  orders: Readonly<Record<Sort, RowOrder>>;
  /** The order without a parameter; else the first one. */
  byDefault?: NoInfer<Sort>;
  filters: F;
  /** The most rows that a page behind a cursor scans for matches. */
  scanned: number;
  /** The same for a list among few ids; `scanned` by default. */
  scannedAmong?: number;
  /**
   * A function that finds the ids behind a position, if the directions of the order differ. Its parameters: the parent,
   * the position, the limit.
   */
  behind?: string;
  /** By hand: a numbered page of rows that have indexed filters. */
  numbered?: (
    tenant: TenantId,
    database: Database,
    asked: { filters: FilterValues<F>; sort: Sort },
    page: PageQuery,
  ) => Promise<ListPage>;
  /** By hand: the ids of all rows that have these indexed filters, as an array; null if they are not few. */
  few?: (tenant: TenantId, database: Database, filters: FilterValues<F>) => Promise<string | null>;
  /** The noun whose values of custom fields find its rows (custom-values.ts). Its filters have `custom`. */
  values?: string;
  /** The counts of common values of its rows, if they are kept. */
  common?: CommonCounts;
  /** Exact look-ups by their parameters. `true`: by the column; else a function of `:value` that returns ids. */
  exact?: Readonly<Record<string, true | string>>;
};

/** A description without the parts by hand. */
export type ReadDescription = Omit<ListDescription<ReadFilters, string>, "numbered" | "few">;
