import { noteCounted } from "../../customers/companies/company-count-queries.ts";
import { companyRowStatement } from "../../customers/companies/company-queries.ts";
import { forgetFormerTaxIds } from "../../customers/companies/former-tax-id-queries.ts";
import { noteWritten } from "../../customers/companies/search-index-queries.ts";
import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { isId } from "../../platform/ids.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { rolledBack } from "../imports/writing/rolled-back.ts";
import {
  countPayments,
  countElsewhere,
  followMoved,
  isOfVersion,
  lockCompanies,
  mergeAway,
  MOVED_TABLES,
  movePromise,
  moveReminders,
  moveRows,
  storeMovedCalls,
  taxNumbers,
  writeMerged,
  type MovedTable,
} from "./merge-queries.ts";
import { mergeRecord, sealedRecord } from "./merge-record.ts";
import { mergedIds, mergedValues, wrongValues, type ValueChoices } from "./merged-values.ts";
import { beginMerge, noteInHistory, noteMerge } from "./stored-merge-queries.ts";

/** The number of rows of each kind. */
export type Moved = Record<MovedTable | "payments", number>;

export type Merge = {
  /** The company that stays. */
  kept: string;
  /** The company that goes into it. */
  from: string;
  choices: ValueChoices;
  /** Whether the merge is only tried. */
  isDry: boolean;
  /** The versions that the kept company may have. */
  expected: Expected;
};

/** `underWay`: the orders that the kept company's warehouse cannot follow. `row` is as companyJson reads it. */
export type MergeOutcome =
  | { outcome: "merged"; row: Row; mergeId: string; moved: Moved }
  | { outcome: "missing" | "outdated" }
  | { outcome: "invalid"; messages: FieldErrors }
  | { outcome: "under-way"; count: number };

/**
 * Merges a company into another, in one transaction: what belongs to it moves, its values fill gaps, and it is deleted.
 * Its ids lead to the kept company from then on.
 */
export async function mergeCompanies(store: Store, actor: Actor, merge: Merge): Promise<MergeOutcome> {
  const { database } = store;
  const { tenant } = actor;
  const work = async (run: Run) => await mergeIn(run, store, actor, merge);
  if (merge.isDry) return await rolledBack(database, tenant, work);
  const merged = await database.transaction(tenant, work);
  if (merged.outcome === "merged") noteChangedCompanies(store, actor);
  return merged;
}

/** Two companies changed: the search index and the counts have lists to shorten, and former fiscal ids are others. */
export function noteChangedCompanies({ database }: Store, { tenant }: Actor): void {
  forgetFormerTaxIds(tenant, database);
  noteWritten(database, {}, 2);
  noteCounted(tenant, database, 2);
}

async function mergeIn(run: Run, store: Store, actor: Actor, merge: Merge): Promise<MergeOutcome> {
  const { tenant } = actor;
  const by = changedBy(actor);
  const ids = [merge.kept, merge.from].filter(isId);
  const companies = await lockCompanies(tenant, run, ids);
  const [kept, from] = [companies.get(merge.kept), companies.get(merge.from)];
  if (kept?.isLive !== true) return { outcome: "missing" };
  if (!(await isOfVersion(tenant, run, kept, merge.expected))) return { outcome: "outdated" };
  if (from?.isLive !== true || from === kept) {
    return { outcome: "invalid", messages: { from: [{ code: "notSelectable" }] } };
  }
  const values = mergedValues(kept, from, merge.choices);
  const messages = wrongValues(values);
  if (Object.keys(messages).length > 0) return { outcome: "invalid", messages };
  const count = await countElsewhere(tenant, run, from.id, { from: from.warehouse, to: kept.warehouse });
  if (count > 0) return { outcome: "under-way", count };

  const move = { from: from.id, to: kept.id, by };
  const mergeId = await beginMerge(tenant, run, move);
  const payments = await countPayments(tenant, run, from.id);
  const rows = await movedRows(async (table) => await moveRows(tenant, run, table, move));
  await mergeAway(tenant, run, move);
  const texts = [kept.values.tax_id, from.values.tax_id].filter((text) => text != null);
  const numbers = await taxNumbers(tenant, run, texts);
  const taxIds = new Map(texts.map((text, index) => [text, numbers[index] ?? text]));
  const after = {
    ...kept,
    values,
    ...mergedIds(kept, from, values.tax_id ?? null, (text) => taxIds.get(text) ?? text),
  };
  await writeMerged(tenant, run, after, kept.formerIds, by);
  await noteInHistory(tenant, run, { kept, other: from, mergeId, by });
  await moveReminders(tenant, run, move);
  await movePromise(tenant, run, move);
  await followMoved(tenant, run, kept.id);
  await storeMovedCalls(tenant, run, kept.id, by);
  const secrets = { keyring: store.keyring, tenant };
  await noteMerge(tenant, run, mergeId, {
    moved: rows,
    before: sealedRecord(mergeRecord(kept, after, secrets), secrets),
  });
  const [row] = await run(companyRowStatement, [kept.id]);
  if (row === undefined) throw new Error("a merged company is gone");
  return { outcome: "merged", row, mergeId, moved: { ...countsOf(rows), payments } };
}

/** The results of `of` for each table, one after the other. */
export async function movedRows<T>(of: (table: MovedTable) => Promise<T>): Promise<Record<MovedTable, T>> {
  const moved: Partial<Record<MovedTable, T>> = {};
  for (const table of MOVED_TABLES) moved[table] = await of(table);
  return moved as Record<MovedTable, T>;
}

function countsOf(rows: Record<MovedTable, readonly string[]>): Record<MovedTable, number> {
  return Object.fromEntries(MOVED_TABLES.map((table) => [table, rows[table].length])) as Record<MovedTable, number>;
}
