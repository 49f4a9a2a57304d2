import { noteChange } from "../../kit/changes/note-change-queries.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { quickQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList } from "../../platform/postgres/statement.ts";
import type { MergeableTable, Move, Whole } from "./merge-queries.ts";
import type { MergeableNoun } from "./mergeable-noun.ts";

/** The days in which a merge can be undone. */
export const UNDO_DAYS = 30;

/** The history of the kept one names the other one, and the merge. */
export async function noteInHistory(
  run: Run,
  { type, nameOf }: Pick<MergeableNoun, "type" | "nameOf">,
  { kept, other, mergeId, by }: { kept: Whole; other: Whole; mergeId: string; by: string },
  isUndo = false,
): Promise<void> {
  const told = { id: Number(other.id), name: nameOf(other.values), merge: Number(mergeId) };
  const merged = isUndo ? { from: told, to: null } : { from: null, to: told };
  const { id, parent } = kept;
  await noteChange(run, { type, id, companyId: parent ?? id, action: "updated", changed: { merged }, by });
}

/** The triggers of what moves see the merge, so it is stored first. Returns its id. */
export const beginMerge = stepQuery<Move & Pick<MergeableTable, "type">>(
  "begin_merge",
  "insert into merges (tenant_id, type, kept_id, from_id, merged_by) values ($1, :type, :to, :from, :by) returning id",
).of((rows) => String(oneValue(rows)));

const storeMoved = stepQuery<[id: string, moved: string, before: string]>(
  "note_merge",
  "update merges m set moved = $3::jsonb, before = $4 where m.tenant_id = $1 and m.id = $2 returning m.id",
).nothing();

const forgetOld = stepQuery(
  "forget_merges",
  `update merges m set before = null
  where m.tenant_id = $1 and m.before is not null and m.merged_at < now() - interval '${UNDO_DAYS} days' returning m.id`,
).nothing();

/** Stores what an undo needs, and removes what older merges needed. */
export async function noteMerge(
  run: Run,
  id: string,
  { moved: rows, before }: { moved: Readonly<Record<string, readonly string[]>>; before: string },
): Promise<void> {
  await storeMoved(run, id, JSON.stringify(rows), before);
  await forgetOld(run);
}

const merge = selectList({
  id: column.text("m.id"),
  type: column.text<MergeableTable["type"]>("m.type"),
  keptId: column.text("m.kept_id"),
  fromId: column.text("m.from_id"),
  before: "m.before",
  isUndone: column.flag("m.undone_at is not null"),
  isOver: column.flag(`m.merged_at < now() - interval '${UNDO_DAYS} days'`),
  moved: column.text("m.moved"),
  /** The later merge of the kept one, which is to be undone first. */
  later: `(select max(l.id) from merges l where l.tenant_id = $1 and l.type = m.type and l.from_id = m.kept_id
    and l.id > m.id and l.undone_at is null)`,
});

export const lockMerge = stepQuery<[id: string]>(
  "lock_merge",
  `select ${merge.sql} from merges m where m.tenant_id = $1 and m.id = $2 for update of m`,
).first(merge.read);

/**
 * The keys of custom fields of a noun whose values do not count: of deleted fields that still have some. For a merge,
 * also of those that were deleted or defined since.
 */
export const keysToLeave = stepQuery<[noun: MergeableTable["type"], mergeId: string | null]>(
  "keys_to_leave",
  `select k.key from custom_fields k left join merges m on m.tenant_id = $1 and m.id = $3
  where k.tenant_id = $1 and k.noun = $2
    and (k.deleted_at is not null and k.purged_at is null or greatest(k.deleted_at, k.created_at) > m.merged_at)`,
).all(([key]) => String(key));

export const noteUndone = stepQuery<[id: string, by: string]>(
  "merge_undone",
  "update merges m set undone_at = now(), undone_by = $3, before = null where m.tenant_id = $1 and m.id = $2 returning m.id",
).nothing();

/** The name of the one that went into the other. */
const goneName = column.text(`case m.type when 'company' then (
      select c.name from companies c where c.tenant_id = $1 and c.id = m.from_id
    ) else (
      select k.first_name || ' ' || k.last_name from contacts k where k.tenant_id = $1 and k.id = m.from_id
    ) end`);

const named = selectList({ type: column.text<MergeableTable["type"]>("m.type"), from: goneName });

/** The type of a merge, and the name of the one that went into the other; null without such a merge. */
export const findMerge = quickQuery<[id: string]>(
  "find_merge",
  `select ${named.sql} from merges m where m.tenant_id = $1 and m.id = $2`,
).first(named.read);

const latest = selectList({ id: column.text("m.id"), from: goneName, at: column.text("m.merged_at") });

/** Merges into a company or contact that can be undone, the latest first. */
export const mergesInto = quickQuery<[type: MergeableTable["type"], id: string]>(
  "merges_into",
  `select ${latest.sql} from merges m
  where m.tenant_id = $1 and m.type = $2 and m.kept_id = $3 and m.undone_at is null
    and m.merged_at >= now() - interval '${UNDO_DAYS} days'
  order by m.id desc limit 5`,
).all(latest.read);
