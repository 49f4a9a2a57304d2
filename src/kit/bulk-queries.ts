import { METADATA, valuesText } from "../platform/fields/custom.ts";
import type { Writable } from "../platform/fields/draft.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import { TEXT_MAX } from "../platform/fields/fields.ts";
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
} from "../platform/fields/sql.ts";
import type { Ciphertexts } from "../platform/fields/stored-values.ts";
import type { Value } from "../platform/fields/validation.ts";
import type { Database, Run } from "../platform/postgres/database.ts";
import { stepQuery, type NamedStatement, type Step } from "../platform/postgres/query.ts";
import { bytesBefore, column, selectList, type Call, type Selected } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** A row as it is stored, by its columns as PostgreSQL's texts. Every change gives it another version. */
export type StoredRow = { version: string; columns: Record<string, string | null> };

/** The queries that write and read many rows of one noun at once, as steps of a transaction. */
export type Bulk = BulkRows & {
  /** A field whose update locks further rows that others write too. */
  locksMore?: string;
  /** Draws ids for new rows, in ascending order. */
  drawIds: Step<[count: number], string[]>;
  /**
   * `entries`: an array of the new rows as JSON, each with its id, the values from `storable` and every extra column.
   * Returns their ids and versions, in their order.
   */
  insert: Step<[entries: string], RowVersion[]>;
  /**
   * For updates of these columns. `entries`: an array of the changed rows as JSON, each with its id, these columns and
   * the author of the change. A row that would not change is not written. Returns the ids and versions of the others.
   */
  update(columns: readonly string[]): Step<[entries: string], RowVersion[]>;
  /**
   * Reads these columns of locked rows, by id, in a form that `update` can write again. Throws TooMuchStored if their
   * texts are too long in total.
   */
  stored(columns: readonly string[]): (run: Run, ids: readonly string[]) => Promise<Map<string, StoredRow>>;
  /**
   * Why this update of a stored row, which is locked, must be refused: wrong fields, or "sent" for locked columns. Null
   * if it need not.
   * @param found the columns that `identity.find` reads
   */
  refuses?(
    found: Readonly<Record<string, string | null>>,
    changed: Readonly<Record<string, Value>>,
  ): FieldErrors | "sent" | null;
  /** A field that has a computed value, of this column, while it is empty. A file with that value keeps it empty. */
  computedDay?: { field: string; as: string };
  /** A field with the id of another row of the same company. */
  refersTo?: RowOfCompany;
};

/** `companies`: those of the live rows with these ids, by their ids. */
type RowOfCompany = { field: string; companies: Step<[ids: readonly string[]], Map<string, string>> };

/** Rows of one noun, for files. */
export type BulkRows = Writable & {
  /** The field, other than the id, that identifies a row; null if every row without an id is new. */
  identity: Identity | null;
  /** Locks the rows with these ids that a file may refer to. */
  byId?: LookUp;
  /** Called after each batch that was committed. */
  wrote?(tenant: TenantId, database: Database): void;
  /** Called once the last rows are written. */
  finish?(tenant: TenantId, database: Database): Promise<void>;
  /** A page of all rows for an export (exports.ts); the extra columns are before the fields. */
  page: NamedStatement;
};

/** The queries that delete and restore many rows by their ids, as steps of a transaction. `by`: the author. */
export type BulkRemoval = {
  /** Deletes rows that are live and locked, except those with blockers. Returns a row for each id. */
  delete: Step<[ids: readonly string[], by: string], RemovedRow[]>;
  /** Locks the rows that can be restored, and those that are live. Returns their ids. */
  lock: Step<[ids: readonly string[]], string[]>;
  /** Restores rows that are locked; a live one stays unchanged. */
  restore: Step<[ids: readonly string[], by: string], void>;
  /** For a kind that can be merged: the ids of those that went into another row, with the merges. */
  mergesOf?: ((ids: readonly string[]) => Call) | undefined;
};

/** `blockers`: the tables whose rows prevent the deletion. */
type RemovedRow = { id: string; blockers: string[] };

/** The queries that restore rows `k` of a table. @param condition of the rows that can be restored */
export function restoringMany(table: string, condition = "true"): Pick<BulkRemoval, "lock" | "restore"> {
  const ofMany = "k.tenant_id = $1 and k.id = any($2::bigint[])";
  return {
    lock: stepQuery<[ids: readonly string[]]>(
      `lock_${table}_to_restore`,
      `select k.id from ${table} k where ${ofMany} and ${condition} order by k.id for no key update of k`,
    ).all(([id]) => String(id)),
    restore: stepQuery<[ids: readonly string[], by: string]>(
      `restore_many_${table}`,
      `update ${table} k set
    deleted_at = null,
    updated_at = case when k.deleted_at is null then k.updated_at else moment_after(k.updated_at) end,
    changed_by = case when k.deleted_at is null then k.changed_by else $3 end
  where ${ofMany}`,
    ).nothing(),
  };
}

export type Identity = {
  field: string;
  /** The unique index that decides. */
  index: string;
  /** The ids of the rows that have these identities, which are not locked. */
  ids: Step<[identities: readonly string[]], string[]>;
  /** Locks the rows that have these identities. */
  find: LookUp;
  spellings?: Spellings;
};

/** How files find a row whose identity is stored in another spelling. */
export type Spellings = {
  /** The rows that may have these identities. */
  find: FindSpelled;
  /** The same by identities that rows had before. Not only files use it. */
  former: FindSpelled;
  /**
   * As `find`, but locks the rows, at most `most` of an identity. Each has its `identity`, and `isStill` is false for
   * another spelling.
   */
  lock: { find: LookUp; most: number };
  /** One text for all spellings of an identity; others may share it. */
  key(text: string): string;
  isSame(one: string, other: string): boolean;
  /** One text for the spellings of an identity in one file. */
  nameOf(text: string): string;
};

/** `ordinal`: the place of an identity among those asked for, from 1; `identity`: as the row has it. */
type FindSpelled = Step<[identities: readonly string[]], { ordinal: number; id: string; identity: string }[]>;

/**
 * Locks and reads rows: `ordinal`, the place of a row's key among those asked for, from 1; `id`; its ciphertexts; and
 * the columns that `refuses` reads. `isStill`, if present, is false for a row that got another key while its lock was
 * awaited.
 */
export type LookUp = Step<[keys: readonly string[]], Ciphertexts[]>;

/** A row that was written. Every later change gives it another `version`. */
const rowVersion = selectList({ id: column.text("t.id"), version: column.text("t.updated_at") });
export type RowVersion = Selected<typeof rowVersion>;

/**
 * The most bytes of stored texts that are read for one write: each is in memory about ten times until it is written.
 */
export const MOST_STORED = 2 * 2 ** 20;

/** The rows have more than MOST_STORED bytes: write fewer at once. A single row never has. */
export class TooMuchStored extends Error {}

/** A column that is no field: the parent's id. */
export type ExtraColumn = { name: string; type: string };

/** @param alsoSets further assignments of an update of these columns, each behind a comma */
export function bulkWrites(
  noun: Writable,
  extra: readonly ExtraColumn[] = [],
  alsoSets: (columns: readonly string[]) => string = () => "",
): Writable & Pick<Bulk, "drawIds" | "insert" | "update" | "stored"> {
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
    drawIds: stepQuery<[count: number]>(
      `bulk_ids_${table}`,
      `select nextval('${table}_id_seq') from generate_series(1, $2::integer) where $1::bigint is not null`,
    ).all(([id]) => String(id)),
    // On Citus an insert that returns nothing would be a COPY, which row-level security refuses.
    insert: stepQuery<[entries: string]>(
      `bulk_insert_${table}`,
      `${insertEntries(table, new Map([["id", "bigint"], ...types]))} returning ${rowVersion.sql}`,
    ).all(rowVersion.read),
    update(set) {
      // The same set in another order would be another statement of the same name.
      const columns = names.filter((name) => set.includes(name));
      return stepQuery<[entries: string]>(
        `bulk_update_${table}_${maskOf(names, columns)}`,
        `update ${table} t set ${columns.map(assignmentOf).join(", ")},
          ${CHANGED_BY} = r.${CHANGED_BY}, updated_at = moment_after(t.updated_at)${alsoSets(columns)}
        from ${entriesOf(withId(types, [...columns, CHANGED_BY]))}
        where t.tenant_id = $1 and ${ofEntry()} and ${changes(types, columns)}
        returning ${rowVersion.sql}`,
      ).all(rowVersion.read);
    },
    stored(set) {
      const columns = names.filter((name) => set.includes(name));
      const read = stepQuery<[ids: readonly string[]]>(
        `bulk_stored_${table}_${maskOf(names, columns)}`,
        `select ${[rowVersion.sql, ...columns.map((name) => columnOf(name, "t"))].join(", ")} ${from(columns)}`,
      ).rows();
      return async (run, ids) => {
        const rows = await read(run, ids);
        if (rows.length < ids.length) throw new TooMuchStored();
        return new Map(
          rows.map(([id, version, ...values]) => {
            const byName = columns.map((name, index): [string, string | null] => [name, values[index] ?? null]);
            return [String(id), { version: String(version), columns: Object.fromEntries(byName) }];
          }),
        );
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
