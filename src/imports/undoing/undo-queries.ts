import type { Database, Run } from "../../platform/postgres/database.ts";
import { selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { isKept } from "../../invoices/kept-queries.ts";
import { recordKinds } from "../../records/record.ts";
import { changeOurs, type Taken } from "../import-run-queries.ts";

/** The ways in which a row that an import wrote is left as it is when the import is undone. */
export const keptReasons = ["gone", "changed", "attached", "sent", "taken", "unreadable"] as const;
export type KeptReason = (typeof keptReasons)[number];

/** A table as far as undoing depends on it. Its row is `t`. */
type Table = {
  /** Whether a deleted row stays, with `deleted_at`. */
  isHidden: boolean;
  /** Something has been attached to a created row since: `false` where nothing can be. */
  attached: string;
  /** The warehouse may have it: `false` where no warehouse ever does. */
  sent: string;
  /** The name that people know it by. */
  title: string;
};

const ofCompany = (table: string, condition = "true") =>
  `exists (select from ${table} k where k.tenant_id = $1 and k.company_id = t.id and ${condition})`;

const hidden = { isHidden: true, attached: "false", sent: "false" };
const record: Table = { isHidden: false, attached: "false", sent: "false", title: "coalesce(t.number, t.title)" };

const tables: Readonly<Record<string, Table>> = {
  companies: {
    ...hidden,
    attached: [
      ofCompany("contacts", "k.deleted_at is null"),
      ofCompany("addresses", "k.deleted_at is null"),
      ...["invoices", ...recordKinds].map((table) => ofCompany(table)),
    ].join(" or "),
    title: "t.name",
  },
  contacts: {
    ...hidden,
    attached: "exists (select from activities k where k.tenant_id = $1 and k.contact_id = t.id)",
    title: "t.first_name || ' ' || t.last_name",
  },
  addresses: { ...hidden, title: "t.address" },
  invoices: {
    isHidden: false,
    attached: "false",
    sent: isKept("t"),
    title: "t.number",
  },
  ...Object.fromEntries(recordKinds.map((kind) => [kind, record])),
};

/** Why a row that was written (`r`) is left as it is: null where it is not. */
function reasonOf({ isHidden, attached, sent }: Table): string {
  return `case when t.id is null${isHidden ? " or t.deleted_at is not null" : ""} then 'gone'
    when r.is_interrupted or t.updated_at is distinct from r.version then 'changed'
    when ${sent} then 'sent'
    when r.is_created and (${attached}) then 'attached' end`;
}

const judgedBy = (reason: string) =>
  selectList({
    id: "r.id",
    resourceId: "r.resource_id",
    isCreated: "r.is_created",
    before: "r.before",
    reason,
  });
const judged = judgedBy("null");
const listed = selectList({ resourceId: "w.resource_id", title: "w.title", reason: "w.reason" });

type Statements = Record<"lock" | "judge" | "count" | "list", Statement> & { remove: Statement[] };

const statements: Readonly<Record<string, Statements>> = Object.fromEntries(
  Object.entries(tables).map(([name, table]) => [name, statementsOf(name, table)]),
);

function statementsOf(name: string, table: Table): Statements {
  const written = `import_rows r left join ${name} t on t.tenant_id = $1 and t.id = r.resource_id`;
  const named = (what: string, text: string): Statement => ({ name: `${what}_${name}`, text });
  return {
    lock: named(
      "lock_written",
      `select t.id from ${name} t where t.tenant_id = $1 and t.id = any($2::bigint[]) order by t.id for update`,
    ),
    judge: named(
      "judge_written",
      `select ${judgedBy(reasonOf(table)).sql} from ${written} where r.tenant_id = $1 and r.id = any($2::bigint[])`,
    ),
    count: named(
      "count_written",
      `select w.is_created, w.reason, count(*) from (
        select r.is_created, ${reasonOf(table)} as reason from ${written} where r.tenant_id = $1 and r.import_id = $2
      ) w group by w.is_created, w.reason`,
    ),
    list: named(
      "list_kept",
      `select ${listed.sql} from (
        select r.id, r.resource_id, ${table.title} as title, coalesce(r.outcome, ${reasonOf(table)}) as reason
        from ${written} where r.tenant_id = $1 and r.import_id = $2
      ) w where w.reason not in ('deleted', 'restored') order by w.id limit $3`,
    ),
    remove: table.isHidden ? [hide(name)] : remove(name),
  };
}

function hide(name: string): Statement {
  return {
    name: `hide_created_${name}`,
    text: `update ${name} t set deleted_at = moment_after(t.updated_at), updated_at = moment_after(t.updated_at),
      changed_by = $3
    where t.tenant_id = $1 and t.id = any($2::bigint[]) returning t.id`,
  };
}

/** For rows that are otherwise never deleted: nothing but this leaves a change in the history. */
function remove(name: string): Statement[] {
  const removal = {
    name: `remove_created_${name}`,
    text: `delete from ${name} t where t.tenant_id = $1 and t.id = any($2::bigint[]) and $3 <> '' returning t.id`,
  };
  if (name !== "invoices") return [removal];
  const history = {
    name: "history_of_removed_invoices",
    text: `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
    select t.tenant_id, clock_timestamp(), 'invoice', t.id, t.company_id, 'deleted', '{}', $3
    from invoices t where t.tenant_id = $1 and t.id = any($2::bigint[]) returning id`,
  };
  return [history, removal];
}

const pickStatement: Statement = {
  name: "pick_import_rows",
  text: `select r.id, r.resource_id from import_rows r
  where r.tenant_id = $1 and r.import_id = $2 and r.outcome is null order by r.id desc limit $3`,
};

/** A row that was written, by its own id and the resource's. */
export type Picked = { id: string; resourceId: string };

/** Some of the rows that are yet to be taken back, the last ones first. */
export async function pickRows(
  tenant: TenantId,
  database: Database,
  importId: string,
  most: number,
): Promise<Picked[]> {
  const rows = await database.slow.read(tenant, pickStatement, [importId, most]);
  return rows.map(([id, resourceId]) => ({ id: String(id), resourceId: String(resourceId) }));
}

export type Judged = Picked & { isCreated: boolean; before: string | null; reason: KeptReason | null };

/**
 * Locks resources, and says which of them are to be left as they are. Judged in a statement of its own, which sees what
 * committed while the lock was waited for.
 */
export async function lockAndJudge(
  tenant: TenantId,
  run: Run,
  table: string,
  picked: readonly Picked[],
): Promise<Judged[]> {
  const { lock, judge } = ofTable(tenant, table);
  await run(lock, [picked.map(({ resourceId }) => resourceId)]);
  const rows = await run(judge, [picked.map(({ id }) => id)]);
  return rows.map((row) => {
    const { id, resourceId, isCreated, before, reason } = judged.read(row);
    return {
      id: String(id),
      resourceId: String(resourceId),
      isCreated: isCreated === "t",
      before,
      reason: reason as KeptReason | null,
    };
  });
}

/** Deletes rows, as by `by`. */
export async function removeRows(
  tenant: TenantId,
  run: Run,
  table: string,
  ids: readonly string[],
  by: string,
): Promise<void> {
  for (const statement of ofTable(tenant, table).remove) await run(statement, [ids, by]);
}

const outcomeStatement: Statement = {
  name: "note_import_outcomes",
  text: `update import_rows r set outcome = e.outcome
  from json_to_recordset($2) as e (id bigint, outcome text)
  where r.tenant_id = $1 and r.id = e.id and e.id = e.id + 0 returning r.id`,
};

const undoneStatement: Statement = {
  name: "import_undone",
  text: `update imports i set deleted = i.deleted + $4, restored = i.restored + $5, kept = i.kept + $6
  where i.tenant_id = $1 and i.id = $2 and i.runner = $3 and i.state = 'undoing' returning i.id`,
};

/** Notes what became of rows, within the transaction that did it. Throws Overtaken. */
export async function noteOutcomes(
  tenant: TenantId,
  run: Run,
  { id, runner }: Taken,
  outcomes: readonly { id: string; outcome: "deleted" | "restored" | KeptReason }[],
): Promise<void> {
  const count = (...wanted: string[]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length;
  const [deleted, restored] = [count("deleted"), count("restored")];
  await run(outcomeStatement, [JSON.stringify(outcomes)]);
  await changeOurs(tenant, run, undoneStatement, [id, runner, deleted, restored, outcomes.length - deleted - restored]);
}

/** The consequences that undoing an import has now. */
export type Consequences = { deleted: number; restored: number; kept: number };

export async function countConsequences(
  tenant: TenantId,
  database: Database,
  table: string,
  importId: string,
): Promise<Consequences> {
  const rows = await database.slow.read(tenant, ofTable(tenant, table).count, [importId]);
  const consequences = { deleted: 0, restored: 0, kept: 0 };
  for (const [isCreated, reason, count] of rows) {
    const what = reason != null ? "kept" : isCreated === "t" ? "deleted" : "restored";
    consequences[what] += Number(count);
  }
  return consequences;
}

/** A row that is left as it is, and why; `title` is null where it is gone. */
export type KeptResource = { resourceId: string; title: string | null; reason: KeptReason };

/** The first of the rows that undoing leaves as they are, or has left. */
export async function listKept(
  tenant: TenantId,
  database: Database,
  table: string,
  importId: string,
  most: number,
): Promise<KeptResource[]> {
  const rows = await database.slow.read(tenant, ofTable(tenant, table).list, [importId, most]);
  return rows.map((row) => {
    const { resourceId, title, reason } = listed.read(row);
    return { resourceId: String(resourceId), title, reason: reason as KeptReason };
  });
}

function ofTable(tenant: TenantId, table: string): Statements {
  const found = statements[table];
  if (found === undefined) throw new Error(`imports of ${tenant} write no ${table}`);
  return found;
}
