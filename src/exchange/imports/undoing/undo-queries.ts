import type { CustomNoun } from "../../../customers/custom-fields/custom-field.ts";
import { recordKinds } from "../../../customers/records/record.ts";
import { MOST_STORED } from "../../../kit/bulk-queries.ts";
import { hasLockedColumns } from "../../../orders/invoices/locked-queries.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import { slowQuery, stepQuery, type Step } from "../../../platform/postgres/query.ts";
import { bytesBefore, column, selectList, type Row, type Selected } from "../../../platform/postgres/statement.ts";
import { changeOfOurs, type ClaimedImport } from "../import-run-queries.ts";

/** The most rows of an import whose undo is counted beforehand. */
export const MOST_COUNTED = 50_000;

/** Why an undo leaves a row unchanged. */
export const unchangedReasons = ["gone", "changed", "attached", "sent", "taken", "unreadable"] as const;
export type UnchangedReason = (typeof unchangedReasons)[number];

/** The properties of a table that an undo depends on. Its row is `t`. */
type Table = {
  /** Its name; otherwise the key here. */
  name?: string;
  /** Whether deleted rows stay, with `deleted_at`. */
  isSoftDeleted: boolean;
  /** The column that people know a row by. */
  title: string;
  /** A condition: something was attached to a created row since. */
  attached?: string;
  /** A condition: the warehouse may have the row. */
  sent?: string;
  /** Nobody can change a row: its version changes only where a merge moves it. */
  isNeverEdited?: true;
};

const ofCompany = (table: string, condition = "true") =>
  `exists (select from ${table} k where k.tenant_id = $1 and k.company_id = t.id and ${condition})`;

const record: Table = { isSoftDeleted: false, title: "coalesce(t.number, t.title)" };

const contacts: Table = {
  isSoftDeleted: true,
  title: "t.first_name || ' ' || t.last_name",
  attached: `exists (select from activities k where k.tenant_id = $1 and k.contact_id = t.id)
    or exists (select from planned_calls k where k.tenant_id = $1 and k.contact_id = t.id and k.deleted_at is null)`,
};

const tables: Readonly<Record<string, Table>> = {
  companies: {
    isSoftDeleted: true,
    title: "t.name",
    attached: [
      ofCompany(
        "contacts",
        `k.deleted_at is null and not exists (
        select from import_rows p where p.tenant_id = $1 and p.import_id = r.import_id and p.resource_id = k.id
          and p.is_person and p.version = k.updated_at and not p.is_interrupted)`,
      ),
      ofCompany("addresses", "k.deleted_at is null"),
      ...["invoices", "activities", ...recordKinds].map((table) => ofCompany(table)),
      // A call that the import's day did not make.
      ofCompany("planned_calls", "k.deleted_at is null and k.created_at > t.created_at"),
    ].join(" or "),
  },
  contacts,
  /** The contacts that an import of companies created. */
  persons: { ...contacts, name: "contacts" },
  addresses: { isSoftDeleted: true, title: "t.address" },
  invoices: { isSoftDeleted: false, title: "t.number", sent: hasLockedColumns("t") },
  payments: {
    isSoftDeleted: true,
    title: "(select i.number from invoices i where i.tenant_id = $1 and i.id = t.invoice_id)",
    isNeverEdited: true,
  },
  ...Object.fromEntries(recordKinds.map((kind) => [kind, record])),
};

/**
 * The written rows selected by `which`, as a table `w`. `reason` says why a row is left unchanged; null if it can be
 * undone.
 */
function writtenRows(
  { name, isSoftDeleted, title, attached = "false", sent = "false", isNeverEdited }: Table & { name: string },
  which: string,
  records = "import_rows",
): string {
  return `(
    select r.id, r.resource_id, r.is_created, r.version_before, r.before, r.outcome, ${title} as title,
      case
        when t.id is null or ${isSoftDeleted ? "t.deleted_at is not null" : "false"} then 'gone'
        when r.is_interrupted or ${isNeverEdited ? "false" : "t.updated_at is distinct from r.version"} then 'changed'
        when ${sent} then 'sent'
        when r.is_created and (${attached}) then 'attached'
      end as reason
    from ${records} r left join ${name} t on t.tenant_id = $1 and t.id = r.resource_id
    where r.tenant_id = $1 and ${which}
  ) w`;
}

const judged = selectList({
  id: column.text("w.id"),
  resourceId: column.text("w.resource_id"),
  isCreated: column.flag("w.is_created"),
  versionBefore: "w.version_before",
  before: "w.before",
  reason: column.textOrNull<UnchangedReason>("w.reason"),
});
export type Judged = Selected<typeof judged>;

/** A written row: the id of its record, and the id of the resource. */
export type Picked = Pick<Judged, "id" | "resourceId"> & { isPerson: boolean };

const listed = selectList({
  resourceId: column.text("w.resource_id"),
  /** Null if the row is gone. */
  title: "w.title",
  reason: column.text<UnchangedReason>("coalesce(w.outcome, w.reason)"),
});

const written = selectList({
  id: column.text("w.id"),
  resourceId: column.text("w.resource_id"),
  isCreated: column.flag("w.is_created"),
  /** Null if the row is gone. */
  title: "w.title",
});

/** Invoices are deleted only here, with their payments, so only an undo writes these changes to the history. */
const noteRemovedInvoices = stepQuery<[ids: readonly string[], by: string]>(
  "history_of_removed_invoices",
  `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
    select $1::bigint, clock_timestamp(), t.type, t.id, t.company_id, 'deleted', '{}', $3
    from (
      select 'payment' as type, p.id, p.company_id from payments p
      where p.tenant_id = $1 and p.invoice_id = any($2::bigint[]) and p.deleted_at is null
      union all
      select 'invoice', i.id, i.company_id from invoices i where i.tenant_id = $1 and i.id = any($2::bigint[])
    ) t returning id`,
).nothing();

/** The queries of an undo of rows of a table. */
export type UndoQueries = ReturnType<typeof queriesOf>;

const queries = new Map(Object.entries(tables).map(([name, table]) => [name, queriesOf(name, table)]));

export function undoQueries(table: string): UndoQueries {
  const found = queries.get(table);
  if (found === undefined) throw new Error(`imports write no ${table}`);
  return found;
}

function queriesOf(of: string, table: Table) {
  const { name = of } = table;
  const own = `r.import_id = $2 and ${of === "persons" ? "" : "not "}r.is_person`;
  const ofImport = writtenRows({ ...table, name }, own);
  const firstOfImport = writtenRows(
    { ...table, name },
    "true",
    `(select * from import_rows r where r.tenant_id = $1 and ${own} order by r.id limit ${MOST_COUNTED})`,
  );
  const lock = stepQuery<[ids: string[]]>(
    `lock_written_${of}`,
    `select t.id from ${name} t where t.tenant_id = $1 and t.id = any($2::bigint[]) order by t.id for update`,
  ).nothing();
  const judge = stepQuery<[ids: string[]]>(
    `judge_written_${of}`,
    `select ${judged.sql} from ${writtenRows({ ...table, name }, "r.id = any($2::bigint[])")}`,
  ).all(judged.read);
  return {
    /**
     * Locks resources and returns which ones must be left unchanged. The check is a statement of its own, so it sees
     * changes that were committed while the lock was waited for.
     */
    async lockAndJudge(run: Run, picked: readonly Picked[]): Promise<Judged[]> {
      await lock(
        run,
        picked.map(({ resourceId }) => resourceId),
      );
      return await judge(
        run,
        picked.map(({ id }) => id),
      );
    },

    /** Deletes rows on behalf of `by`. */
    remove: removing(name, table),

    /** The effects of an undo at this moment on the first MOST_COUNTED rows. */
    countConsequences: slowQuery<[importId: string]>(
      `count_written_${of}`,
      `select w.is_created, w.reason, count(*) from ${firstOfImport} group by w.is_created, w.reason`,
    ).of(consequencesOf),

    /** The first rows that an undo leaves, or has left, unchanged. */
    listUnchanged: slowQuery<[importId: string, most: number]>(
      `list_kept_${of}`,
      `select ${listed.sql} from ${ofImport}
      where coalesce(w.outcome, w.reason) not in ('deleted', 'restored') order by w.id limit $3`,
    ).all(listed.read),

    /** Rows that an import wrote and that were not undone, after a record (from 0), in the order of the file. */
    listWritten: slowQuery<[importId: string, after: string, most: number]>(
      `list_written_${of}`,
      `select ${written.sql} from (
        select r.id, r.resource_id, r.is_created, ${table.isSoftDeleted ? `case when t.deleted_at is null then ${table.title} end` : table.title} as title
        from import_rows r left join ${name} t on t.tenant_id = $1 and t.id = r.resource_id
        where r.tenant_id = $1 and ${own} and r.outcome is null and r.id > $3 order by r.id limit $4
      ) w order by w.id`,
    ).all(written.read),
  };
}

/** The effects of an undo at this moment. */
export type Consequences = { deleted: number; restored: number; kept: number };

function consequencesOf(rows: readonly Row[]): Consequences {
  const consequences = { deleted: 0, restored: 0, kept: 0 };
  for (const [isCreated, reason, count] of rows) {
    const what = reason != null ? "kept" : isCreated === "t" ? "deleted" : "restored";
    consequences[what] += Number(count);
  }
  return consequences;
}

type Removing = Step<[ids: readonly string[], by: string], void>;

/** Deleted rows of some tables stay; of others, only the history of invoices has the author. */
function removing(name: string, { isSoftDeleted }: Table): Removing {
  if (isSoftDeleted) {
    return stepQuery<[ids: readonly string[], by: string]>(
      `mark_created_deleted_${name}`,
      `update ${name} t set deleted_at = moment_after(t.updated_at), updated_at = moment_after(t.updated_at),
      changed_by = $3
    where t.tenant_id = $1 and t.id = any($2::bigint[]) returning t.id`,
    ).nothing();
  }
  const remove = stepQuery<[ids: readonly string[]]>(
    `remove_created_${name}`,
    `delete from ${name} t where t.tenant_id = $1 and t.id = any($2::bigint[]) returning t.id`,
  ).nothing();
  return async (run, ids, by) => {
    if (name === "invoices") await noteRemovedInvoices(run, ids, by);
    await remove(run, ids);
  };
}

/** The next rows to undo, the latest first. */
export const pickRows = slowQuery<[importId: string, most: number]>(
  "pick_rows",
  `select p.id, p.resource_id, p.is_person from (
    select r.id, r.resource_id, r.is_person, ${bytesBefore(["r.before"], "r.id desc")} as length
    from import_rows r where r.tenant_id = $1 and r.import_id = $2 and r.outcome is null order by r.id desc limit $3
  ) p where p.length < ${MOST_STORED} order by p.id desc`,
).all(([id, resourceId, isPerson]) => ({ id: String(id), resourceId: String(resourceId), isPerson: isPerson === "t" }));

const storeOutcomes = stepQuery<[outcomes: string]>(
  "note_import_outcomes",
  `update import_rows r set outcome = e.outcome
  from json_to_recordset($2) as e (id bigint, outcome text)
  where r.tenant_id = $1 and r.id = e.id and e.id = e.id + 0 returning r.id`,
).nothing();

const addUndone = changeOfOurs<{ deleted: number; restored: number; kept: number }>(
  "import_undone",
  "deleted = i.deleted + :deleted, restored = i.restored + :restored, kept = i.kept + :kept",
);

/** Records the outcome of rows, within the transaction that undid them. Throws ClaimLost. */
export async function noteOutcomes(
  run: Run,
  { id, runner }: ClaimedImport,
  outcomes: readonly { id: string; outcome: "deleted" | "restored" | UnchangedReason }[],
): Promise<void> {
  const count = (...wanted: string[]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
  const [deleted, restored] = [count("deleted"), count("restored")];
  await storeOutcomes(run, JSON.stringify(outcomes));
  await addUndone(run, { id, runner, deleted, restored, kept: outcomes.length - deleted - restored });
}

/** The keys of the custom fields of a noun that there were before an import, and still are. */
export const keysSinceImport = stepQuery<[noun: CustomNoun, importId: string]>(
  "keys_since_import",
  `select k.key from custom_fields k join imports i on i.tenant_id = $1 and i.id = $3
  where k.tenant_id = $1 and k.noun = $2 and k.deleted_at is null and k.created_at <= i.started_at`,
).all(([key]) => String(key));
