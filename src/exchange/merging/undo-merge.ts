import { findHolder, type TaxIdHolder } from "../../customers/companies/company-queries.ts";
import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { METADATA } from "../../platform/fields/custom.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { isUniqueViolation } from "../../platform/postgres/failures.ts";
import { openedRecord, withoutChanges } from "./merge-record.ts";
import type { Moved } from "./merge.ts";
import { mergeableNouns, type MergeableNoun } from "./mergeable-noun.ts";
import { keysToLeave, lockMerge, noteInHistory, noteUndone } from "./stored-merge-queries.ts";

/** The number of rows of each kind, and of values of the kept one (`fields`). */
export type Undone = Moved;

export type UndoOutcome =
  | { outcome: "undone"; noun: MergeableNoun; keptId: string; fromId: string; restored: Undone; left: Undone }
  | { outcome: "missing" }
  | { outcome: "already-undone" | "too-late" }
  | { outcome: "kept-deleted"; noun: MergeableNoun }
  /** Another merge is to be undone first. */
  | { outcome: "merged-later"; mergeId: string }
  | { outcome: "tax-id-taken"; holder: TaxIdHolder };

/**
 * Undoes a merge: the merged one returns with everything that moved and that the kept one still has. Values of the
 * kept one go back unless they were changed since.
 */
export async function undoMerge(store: Store, actor: Actor, id: string): Promise<UndoOutcome> {
  const { database } = store;
  const { tenant } = actor;
  let taxId: string | null = null;
  try {
    const undone = await database.transaction(tenant, async (run) => {
      return await undoIn(run, store, actor, id, (text) => (taxId = text));
    });
    if (undone.outcome === "undone") undone.noun.noteChanged(tenant, database);
    return undone;
  } catch (error) {
    if (taxId === null || !isUniqueViolation(error, "companies_tax_id")) throw error;
    const holder = await findHolder(tenant, database, taxId);
    if (holder === null) throw error;
    return { outcome: "tax-id-taken", holder };
  }
}

/** @param returns notes the fiscal id of the company that returns: another company may have it by now */
async function undoIn(
  run: Run,
  store: Store,
  actor: Actor,
  id: string,
  returns: (taxId: string | null) => void,
): Promise<UndoOutcome> {
  const { tenant } = actor;
  const merge = await lockMerge(run, id);
  if (merge === null) return { outcome: "missing" };
  if (merge.isUndone) return { outcome: "already-undone" };
  if (merge.later !== null) return { outcome: "merged-later", mergeId: merge.later };
  if (merge.isOver || merge.before === null) return { outcome: "too-late" };
  const noun = mergeableNouns[merge.type];
  const { queries } = noun;
  const both = await queries.lock(run, [merge.keptId, merge.fromId]);
  const [kept, from] = [both.get(merge.keptId), both.get(merge.fromId)];
  if (kept?.isLive !== true || from === undefined) return { outcome: "kept-deleted", noun };
  const moved = JSON.parse(merge.moved) as Partial<Record<string, string[]>>;

  const by = changedBy(actor);
  const secrets = { keyring: store.keyring, tenant };
  const record = openedRecord(merge.before, secrets);
  const ignored = record.values[METADATA] === undefined ? [] : await keysToLeave(run, noun.type, merge.id);
  const values = withoutChanges(noun, kept, record, ignored, secrets);
  await queries.write(run, values.kept, kept.formerIds, by);
  await noteInHistory(run, noun, { kept, other: from, mergeId: merge.id, by }, true);
  returns(from.values.tax_id ?? null);
  await queries.bringBack(run, from.id, by);
  const move = { from: kept.id, to: from.id, by };
  const rows: Record<string, string[]> = {};
  for (const table of noun.moved) rows[table] = await queries.moveRows(run, table, move, moved[table] ?? []);
  await noun.follow(run, move, true);
  await noteUndone(run, merge.id, by);

  const following = await noun.countFollowing(run, from.id);
  const restored: Undone = { fields: values.restored };
  const left: Undone = { fields: values.left };
  for (const kind of noun.counted) {
    restored[kind] = rows[kind]?.length ?? following[kind] ?? 0;
    left[kind] = (moved[kind]?.length ?? 0) - (rows[kind]?.length ?? 0);
  }
  return { outcome: "undone", noun, keptId: kept.id, fromId: from.id, restored, left };
}
