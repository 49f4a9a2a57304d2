import { findHolder, type TaxIdHolder } from "../../customers/companies/company-queries.ts";
import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Run } from "../../platform/postgres/database.ts";
import { isUniqueViolation } from "../../platform/postgres/failures.ts";
import { rolledBack } from "../imports/writing/rolled-back.ts";
import { movedRows, noteChangedCompanies, type Moved } from "./merge-companies.ts";
import {
  bringBack,
  countPayments,
  countElsewhere,
  followMoved,
  lockCompanies,
  MOVED_TABLES,
  moveReminders,
  moveRows,
  storeMovedCalls,
  writeMerged,
  type MovedTable,
} from "./merge-queries.ts";
import { openedRecord, withoutChanges } from "./merge-record.ts";
import { lockMerge, noteInHistory, noteUndone } from "./stored-merge-queries.ts";

/** The number of rows of each kind, and of values of the kept company. */
export type Undone = Moved & { fields: number };

export type UndoOutcome =
  | { outcome: "undone"; keptId: string; fromId: string; restored: Undone; left: Undone }
  | { outcome: "missing" }
  | { outcome: "already-undone" | "too-late" | "kept-deleted" }
  /** Another merge is to be undone first. */
  | { outcome: "merged-later"; mergeId: string }
  | { outcome: "under-way"; count: number }
  | { outcome: "tax-id-taken"; holder: TaxIdHolder };

/**
 * Undoes a merge: the merged company returns with everything that moved and that is still the kept company's. Values of
 * the kept company go back unless they were changed since. `isDry`: it is only tried.
 */
export async function undoMerge(store: Store, actor: Actor, id: string, isDry = false): Promise<UndoOutcome> {
  const { database } = store;
  const { tenant } = actor;
  let taxId: string | null = null;
  try {
    const work = async (run: Run) => await undoIn(run, store, actor, id, (text) => (taxId = text));
    if (isDry) return await rolledBack(database, tenant, work);
    const undone = await database.transaction(tenant, work);
    if (undone.outcome === "undone") noteChangedCompanies(store, actor);
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
  const merge = await lockMerge(tenant, run, id);
  if (merge === null) return { outcome: "missing" };
  if (merge.isUndone) return { outcome: "already-undone" };
  if (merge.later !== null) return { outcome: "merged-later", mergeId: merge.later };
  if (merge.isOver || merge.before === null) return { outcome: "too-late" };
  const companies = await lockCompanies(tenant, run, [merge.keptId, merge.fromId]);
  const [kept, from] = [companies.get(merge.keptId), companies.get(merge.fromId)];
  if (kept?.isLive !== true || from === undefined) return { outcome: "kept-deleted" };
  const moved = JSON.parse(merge.moved) as Partial<Record<MovedTable, string[]>>;
  const count = await countElsewhere(
    tenant,
    run,
    kept.id,
    { from: kept.warehouse, to: from.warehouse },
    moved.invoices ?? [],
  );
  if (count > 0) return { outcome: "under-way", count };

  const by = changedBy(actor);
  const secrets = { keyring: store.keyring, tenant };
  const values = withoutChanges(kept, openedRecord(merge.before, secrets), secrets);
  await writeMerged(tenant, run, values.company, kept.formerIds, by);
  await noteInHistory(tenant, run, { kept, other: from, mergeId: merge.id, by }, true);
  returns(from.values.tax_id ?? null);
  await bringBack(tenant, run, from.id, by);
  const move = { from: kept.id, to: from.id, by };
  const rows = await movedRows(async (table) => await moveRows(tenant, run, table, move, moved[table] ?? []));
  await moveReminders(tenant, run, move);
  await followMoved(tenant, run, from.id);
  for (const company of [kept.id, from.id]) await storeMovedCalls(tenant, run, company, by);
  await noteUndone(tenant, run, merge.id, by);

  const restored: Partial<Undone> = { fields: values.restored };
  const left: Partial<Undone> = { fields: values.left };
  for (const table of MOVED_TABLES) {
    restored[table] = rows[table].length;
    left[table] = (moved[table]?.length ?? 0) - rows[table].length;
  }
  restored.payments = await countPayments(tenant, run, from.id);
  left.payments = 0;
  return { outcome: "undone", keptId: kept.id, fromId: from.id, restored: restored as Undone, left: left as Undone };
}
