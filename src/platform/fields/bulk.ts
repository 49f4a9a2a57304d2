import type { Database, Run } from "../postgres/database.ts";
import type { NamedStatement } from "../postgres/query.ts";
import { bytesBefore, column, selectList, type SelectList, type Statement } from "../postgres/statement.ts";
import type { TenantId } from "../postgres/tenant-id.ts";
import { METADATA, valuesText } from "./custom.ts";
import type { Writable } from "./draft.ts";
import type { FieldErrors } from "./field-reasons.ts";
import { TEXT_MAX } from "./fields.ts";
import {
  assignmentOf,
  CHANGED_BY,
  changes,
  columnOf,
  insertEntries,
  maskOf,
  ofEntry,
  entriesOf,
  withId,
  writtenTypes,
  type ColumnTypes,
} from "./sql.ts";
import type { Ciphertexts } from "./stored-values.ts";
import type { Value } from "./validation.ts";

/**
 * The statements that write and read many rows of one noun at once. They run in a transaction of the tenant, which is
 * their $1.
 */
export type Bulk = BulkRows & {
  /** A field whose update locks further rows that others write too. */
  locksMore?: string;
  /** $2: the number of new rows. Returns an id for each, by ascending id. */
  ids: Statement;
  /**
   * $2: an array of the new rows as JSON, each with its id, the values from `storable` and every extra column. Returns
   * their ids and versions (writtenVersion), in their order.
   */
  insert: Statement;
  /**
   * For updates of these columns. $2: an array of the changed rows as JSON, each with its id, these columns and the
   * author of the change. A row that would not change is not written. Returns the ids and versions of the others.
   */
  update(columns: readonly string[]): Statement;
  /**
   * Reads rows by their ids ($2, bigint[]): their ids, their versions, and these columns, in the order of the extra
   * columns and the fields, in a form that `update` can write again. If their texts are long in total, only the first
   * rows (allStored).
   */
  stored(columns: readonly string[]): Statement;
  /**
   * Why this update of a stored row, which is locked, must be refused: wrong fields, or "sent" for locked columns. Null
   * if it need not.
   * @param found the columns that `identity.found` reads
   */
  refuses?(
    found: Readonly<Record<string, string | null>>,
    changed: Readonly<Record<string, Value>>,
  ): FieldErrors | "sent" | null;
  /** A field that has a computed value, of this column, while it is empty. A file with that value keeps it empty. */
  computed?: { field: string; as: string };
  /** A field with the id of another row of the same company. */
  refersTo?: RowOfCompany;
};

/** `companies`, $2: ids as bigint[]. The ids of the live rows, and their companies. */
type RowOfCompany = { field: string; companies: Statement };

/** Rows of one noun, for files. */
export type BulkRows = Writable & {
  /** The field, other than the id, that identifies a row; null if every row without an id is new. */
  identity: Identity | null;
  /** $2: ids as bigint[]. Locks the rows with these ids that a file may refer to. */
  byId?: LookUp;
  /** Called after each batch that was committed. */
  wrote?(tenant: TenantId, database: Database): void;
  /** Called once the last rows are written. */
  finish?(tenant: TenantId, database: Database): Promise<void>;
  /** A page of all rows for an export (exports.ts); the extra columns are before the fields. */
  page: NamedStatement;
};

/** The statements that delete and restore many rows. $2: their ids as bigint[], $3: the author of the changes. */
export type BulkRemoval = {
  /** Deletes rows that are live and locked, except those with blockers. Returns `named` for each id. */
  delete: Statement;
  /** `blockers`: the tables whose rows prevent the deletion. */
  named: SelectList<{ id: string; blockers: string[] }>;
  /** Without an author. Locks the rows that can be restored, and those that are live. Returns their ids. */
  lock: Statement;
  /** Restores rows that are locked; a live one stays unchanged. */
  restore: Statement;
  /** For a kind that can be merged. $2: ids. The id of each that went into another row, and the merge. */
  mergesOf?: Statement | undefined;
};

/** The statements that restore rows `k` of a table. @param condition of the rows that can be restored */
export function restoringMany(table: string, condition = "true"): Pick<BulkRemoval, "lock" | "restore"> {
  const ofMany = "k.tenant_id = $1 and k.id = any($2::bigint[])";
  return {
    lock: {
      name: `lock_${table}_to_restore`,
      text: `select k.id from ${table} k where ${ofMany} and ${condition} order by k.id for no key update of k`,
    },
    restore: {
      name: `restore_many_${table}`,
      text: `update ${table} k set
    deleted_at = null,
    updated_at = case when k.deleted_at is null then k.updated_at else moment_after(k.updated_at) end,
    changed_by = case when k.deleted_at is null then k.changed_by else $3 end
  where ${ofMany}`,
    },
  };
}

/** $2: identities as text[]. Locks the rows that have them. */
export type Identity = LookUp & {
  field: string;
  /** The unique index that decides. */
  index: string;
  /** $2: identities as text[]. The ids of the rows that have them, which are not locked. */
  ids: Statement;
  spellings?: Spellings;
};

/** How files find a row whose identity is stored in another spelling. */
export type Spellings = {
  /**
   * $2: identities as text[]. The rows that may have them: the place of each in $2, from 1, its id and its identity.
   */
  find: Statement;
  /** The same by identities that rows had before. Not only files use it. */
  former: Statement;
  found: SelectList<{ ordinal: number; id: string; identity: string }>;
  /**
   * As `find`, but locks the rows, at most `most` of an identity. Each has its `identity`, and `isStill` is false for
   * another spelling.
   */
  lock: LookUp & { most: number };
  /** One text for all spellings of an identity; others may share it. */
  key(text: string): string;
  isSame(one: string, other: string): boolean;
  /** One text for the spellings of an identity in one file. */
  nameOf(text: string): string;
};

export type LookUp = {
  find: Statement;
  /**
   * Reads a found row: `ordinal`, the place of its key in $2, from 1; `id`; its ciphertexts; and the columns that
   * `refusal` reads. `isStill`, if present, is false for a row that got another key while its lock was awaited.
   */
  found: SelectList<Ciphertexts>;
};

/** A written row. Every later change gives it another `version`. */
export const writtenVersion = selectList({ id: column.text("t.id"), version: column.text("t.updated_at") });

/**
 * The most bytes of stored texts that are read for one write: each is in memory about ten times until it is written.
 */
export const MOST_STORED = 2 * 2 ** 20;

/** The rows have more than MOST_STORED bytes: write fewer at once. A single row never has. */
export class TooMuchStored extends Error {}

/**
 * The rows with these ids, which are locked, by id: each column as PostgreSQL's text. `statement` is the result of
 * `stored` for these columns. Throws TooMuchStored.
 */
export async function allStored(
  run: Run,
  statement: Statement,
  columns: readonly string[],
  ids: readonly string[],
): Promise<Map<string, { version: string; columns: Record<string, string | null> }>> {
  const rows = await run(statement, [ids]);
  if (rows.length < ids.length) throw new TooMuchStored();
  return new Map(
    rows.map(([id, version, ...values]) => {
      const byName = columns.map((name, index): [string, string | null] => [name, values[index] ?? null]);
      return [String(id), { version: String(version), columns: Object.fromEntries(byName) }];
    }),
  );
}

/** A column that is no field: the parent's id. */
export type ExtraColumn = { name: string; type: string };

/** @param alsoSets further assignments of an update of these columns, each behind a comma */
export function bulkWrites(
  noun: Writable,
  extra: readonly ExtraColumn[] = [],
  alsoSets: (columns: readonly string[]) => string = () => "",
): Writable & Pick<Bulk, "ids" | "insert" | "update" | "stored"> {
  const { table, fields } = noun;
  const types: ColumnTypes = new Map([...extra.map(({ name, type }) => [name, type] as const), ...writtenTypes(noun)]);
  const names = [...types.keys()];
  const texts = fields.flatMap(({ name, kind, max }) => (kind === "list" || max === TEXT_MAX ? [name] : []));
  const long = new Set([...texts, METADATA]);
  const byIds = "t.tenant_id = $1 and t.id = any($2::bigint[])";
  const from = (columns: readonly string[]) => {
    const texts = columns
      .filter((name) => long.has(name))
      .map((name) => (name === METADATA ? valuesText("t") : `t.${name}`));
    if (texts.length === 0) return `from ${table} t where ${byIds}`;
    return `from (select t.id, ${bytesBefore(texts, "t.id")} as before from ${table} t where ${byIds}) page
        join ${table} t on t.tenant_id = $1 and t.id = page.id where page.before < ${MOST_STORED}`;
  };
  return {
    ...noun,
    ids: {
      name: `bulk_ids_${table}`,
      text: `select nextval('${table}_id_seq') from generate_series(1, $2::integer) where $1::bigint is not null`,
    },
    insert: {
      name: `bulk_insert_${table}`,
      // On Citus an insert that returns nothing would be a COPY, which row-level security refuses.
      text: `${insertEntries(table, new Map([["id", "bigint"], ...types]))} returning ${writtenVersion.sql}`,
    },
    update(set) {
      // The same set in another order would be another statement of the same name.
      const columns = names.filter((name) => set.includes(name));
      return {
        name: `bulk_update_${table}_${maskOf(names, columns)}`,
        text: `update ${table} t set ${columns.map(assignmentOf).join(", ")},
          ${CHANGED_BY} = r.${CHANGED_BY}, updated_at = moment_after(t.updated_at)${alsoSets(columns)}
        from ${entriesOf(withId(types, [...columns, CHANGED_BY]))}
        where t.tenant_id = $1 and ${ofEntry()} and ${changes(types, columns)}
        returning ${writtenVersion.sql}`,
      };
    },
    stored(set) {
      const columns = names.filter((name) => set.includes(name));
      return {
        name: `bulk_stored_${table}_${maskOf(names, columns)}`,
        text: `select ${[writtenVersion.sql, ...columns.map((name) => columnOf(name, "t"))].join(", ")} ${from(columns)}`,
      };
    },
  };
}

/**
 * Updates the planner's row count at once, rather than a minute later by autovacuum, so that cached plans are made
 * again. It does so only if there were fewer than `created` rows before: of a large table the planner knows enough, and
 * analyzing it takes a second.
 */
export async function analyzeGrown(database: Database, { table }: Writable, created: number): Promise<void> {
  const knownStatement = { name: "", text: `select reltuples from pg_class where oid = '${table}'::regclass` };
  const [known] = await database.readShared(knownStatement);
  if (Number(known?.[0] ?? 0) >= created) return;
  await database.owner([{ statement: { name: "", text: `analyze ${table}` }, parameters: [] }]);
}
