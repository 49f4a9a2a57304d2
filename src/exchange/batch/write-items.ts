import { customTableOf } from "../../customers/custom-fields/defined-fields.ts";
import type { Actor } from "../../kit/actor.ts";
import { sentences } from "../../kit/errors.ts";
import { findExternalIds } from "../../kit/external-ids/external-id-queries.ts";
import { rolledBack } from "../../kit/tried-writes.ts";
import { externalJson } from "../../platform/fields/external-ids.ts";
import { fieldMessages } from "../../platform/fields/field-reasons.ts";
import { isObject } from "../../platform/fields/validation.ts";
import type { Savepoint, Run } from "../../platform/postgres/database.ts";
import type { ImportTarget, Transact } from "../imports/kind.ts";
import type { ImportRow } from "../imports/reading/rows.ts";
import { findExisting } from "../imports/writing/find-existing.ts";
import { namesOfRow, transactionsOf } from "../imports/writing/rounds.ts";
import { nothingYet, writeBatch } from "../imports/writing/write-batch.ts";
import type { BatchKind } from "./batch-kind.ts";
import { actionsOf, batchRows, headerOf, type Action } from "./batch-rows.ts";
import { rejectedItem, type ItemResult } from "./item-result.ts";
import { deleteItems, restoreItems } from "./remove-items.ts";

/** Characters that are written together: twice as many as in an import, which has two transactions at the same time. */
const PART_LENGTH = 512 * 1024;
/** Checking and writing an element of a list takes as long as this number of characters. */
const ELEMENT_LENGTH = 512;
/**
 * Limit of messages for all items. An item of three bytes can cause three messages. Beyond the limit, an item has only
 * its first one.
 */
const MOST_MESSAGES = 10_000;

type Batch = {
  batch: BatchKind;
  items: readonly unknown[];
  isDry: boolean;
  /** Whether results have the external ids. */
  includesExternal: boolean;
};

/**
 * Creates, updates, deletes and restores many rows. Items for the same row are written in order, and an invalid item
 * costs only itself. All are one transaction, unless they name one row more often than `transactionsOf` allows.
 * @returns the results, in the order of the items, and whether some delete or restore
 */
export async function writeItems(
  deps: ImportTarget["deps"],
  actor: Actor,
  { batch, items, isDry, includesExternal }: Batch,
): Promise<{ results: readonly ItemResult[]; hasRemovals: boolean }> {
  const { kind } = batch;
  const { database } = deps;
  const rows = batchRows(kind, items);
  const { accepted, refused, hasRemovals } = sorted(batch, rows);
  const writes = accepted.flatMap(({ action, row }) => (action === "write" ? row : []));
  const header = headerOf(kind, writes);
  const custom = await customTableOf(actor.tenant, database, kind.bulk);
  const results: ItemResult[] = [];
  for (const result of refused) results[result.index] = result;
  let room = MOST_MESSAGES;

  async function write(some: readonly Accepted[], run: Run, savepoint: Savepoint): Promise<void> {
    // A transaction may be tried again.
    let left = room;
    const transact: Transact = async (target, slice) => {
      const outcome = await savepoint(async () => await kind.write(run, target, slice));
      for (const { line, id, outcome: told } of outcome.rows) results[line] = { index: line, outcome: told, id };
      return outcome;
    };
    const target = { deps, kind, actor, header, transact, custom, returnsStored: false };
    // Each part locks its own rows: without this, two batches could wait for each other.
    if (hasRemovals) await findExisting(run, kind.bulk, rows);
    for (const { action, rows: slice } of inParts(some)) {
      if (action !== "write" && batch.removal !== null) {
        const remove = action === "delete" ? deleteItems : restoreItems;
        const removed = await remove({ batch, removal: batch.removal, actor, run, savepoint }, slice);
        for (const result of removed) results[result.index] = result;
        continue;
      }
      const progress = nothingYet();
      await writeBatch(target, slice, progress);
      for (const rejection of progress.rejected) {
        const messages = Object.entries(rejection.errors);
        const told = Object.fromEntries(messages.slice(0, Math.max(1, left)));
        left -= messages.length;
        results[rejection.line] = rejectedItem(batch, { ...rejection, errors: told });
      }
    }
    const own = some.flatMap(({ row }) => results[row.line] ?? []);
    if (includesExternal) await addExternal(run, kind.bulk.table, own);
    room = left;
  }

  const { tenant } = actor;
  if (isDry) {
    await rolledBack(database, tenant, async (run, savepoint) => await write(accepted, run, savepoint));
    forgetNewIds(results);
  } else {
    const works = apart(accepted, hasRemovals).map((some) => {
      return async (run: Run, savepoint: Savepoint) => await write(some, run, savepoint);
    });
    try {
      await database.transactions(tenant, works);
    } finally {
      if (results.some(({ outcome }) => outcome !== "rejected")) kind.bulk.wrote?.(tenant, database);
    }
  }
  return { results, hasRemovals };
}

/**
 * The items of each transaction. Items without a name are in the last one: a batch that failed is sent again, and would
 * create them twice.
 */
function apart(accepted: readonly Accepted[], hasRemovals: boolean): (readonly Accepted[])[] {
  const { named = [], others = [] } = Object.groupBy(accepted, ({ row }) =>
    namesOfRow(row).length > 0 ? "named" : "others",
  );
  const transactions = transactionsOf(named.map(({ row }) => row));
  if (hasRemovals || transactions.length < 2) return [accepted];
  const parts = transactions.map((rows) => rows.map((row): Accepted => ({ action: "write", row })));
  const last = parts.pop() ?? [];
  return [...parts, [...last, ...others]];
}

async function addExternal(run: Run, table: string, results: readonly ItemResult[]): Promise<void> {
  const written = results.filter((result) => result.outcome !== "rejected");
  const ids = [...new Set(written.flatMap(({ id }) => id ?? []))];
  const external = await findExternalIds(table)(run, ids);
  for (const result of written) result.external = JSON.parse(externalJson(external.get(result.id ?? "") ?? null));
}

/** A dry run rolls new rows back, so their ids are removed from all results that name them. */
function forgetNewIds(results: readonly ItemResult[]): void {
  const created = new Set(results.flatMap(({ outcome, id }) => (outcome === "created" ? [id] : [])));
  for (const result of results) if (created.has(result.id)) result.id = null;
}

type Accepted = { action: Action; row: ImportRow };

/** The items by their actions, and those that are rejected because of them. */
function sorted(
  { removal, model, isUnchangeable }: BatchKind,
  rows: readonly ImportRow[],
): { accepted: Accepted[]; refused: ItemResult[]; hasRemovals: boolean } {
  const accepted: Accepted[] = [];
  const refused: ItemResult[] = [];
  let hasRemovals = false;
  for (const row of rows) {
    const { actions, errors } = actionsOf(row);
    const [action = "write"] = actions;
    hasRemovals ||= action !== "write";
    const rejected = { index: row.line, outcome: "rejected", id: null } as const;
    if (errors !== null) refused.push({ ...rejected, errors: fieldMessages(errors) });
    else if (actions.length > 1) refused.push({ ...rejected, error: sentences.deletedAndRestored });
    else if (action !== "write" && removal === null) refused.push({ ...rejected, error: sentences.stay(model) });
    // Beyond this check, a payment with an id is one in full of the invoice with this id ("Mark paid").
    else if (isUnchangeable === true && row.id !== null)
      refused.push({ ...rejected, error: sentences.unchangeable(model) });
    else accepted.push({ action, row });
  }
  return { accepted, refused, hasRemovals };
}

/**
 * Splits the items by action, and by length, so that not all of a batch's long texts are in memory as statements
 * together.
 */
function* inParts(items: readonly Accepted[]): Generator<{ action: Action; rows: ImportRow[] }> {
  let slice: { action: Action; rows: ImportRow[] } = { action: "write", rows: [] };
  let length = 0;
  for (const { action, row } of items) {
    if (action !== slice.action || length >= PART_LENGTH) {
      if (slice.rows.length > 0) yield slice;
      slice = { action, rows: [] };
      length = 0;
    }
    slice.rows.push(row);
    for (const value of Object.values(row.input)) length += lengthOf(value);
  }
  if (slice.rows.length > 0) yield slice;
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length * ELEMENT_LENGTH;
  if (isObject(value)) return Object.values(value).reduce<number>((sum, each) => sum + lengthOf(each), 0);
  return typeof value === "string" ? value.length : 0;
}
