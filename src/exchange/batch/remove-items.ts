import type { Actor } from "../../kit/actor.ts";
import type { BulkRemoval } from "../../kit/bulk-queries.ts";
import { sentences } from "../../kit/errors.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { isId } from "../../platform/ids.ts";
import type { Savepoint, Run } from "../../platform/postgres/database.ts";
import { isUniqueViolation } from "../../platform/postgres/failures.ts";
import type { ImportRow } from "../imports/reading/rows.ts";
import { findExisting, findSpelled, isNamedAsShown } from "../imports/writing/find-existing.ts";
import type { BatchKind } from "./batch-kind.ts";
import { missingItem, rejectedItem, type ItemResult } from "./item-result.ts";

type Removing = { batch: BatchKind; removal: BulkRemoval; actor: Actor; run: Run; savepoint: Savepoint };

/**
 * Deletes the resources that items name, as DELETE does. Of two items for one resource, the second finds none. The
 * names of a merged one find none: it is deleted already, and the one that it went into stays.
 */
export async function deleteItems(of: Removing, rows: readonly ImportRow[]): Promise<ItemResult[]> {
  const { batch, removal, actor, run } = of;
  const named = await namedBy(of, rows, true);
  const ids = [...new Set(named.flatMap(({ id }) => id ?? []))];
  const found = ids.length === 0 ? [] : await removal.delete(run, ids, changedBy(actor));
  const blockers = new Map(found.map(({ id, blockers: kinds }) => [id, kinds]));
  const deleted = new Set<string>();
  return named.map(({ row, id, refused }): ItemResult => {
    if (refused !== null) return refused;
    if (deleted.has(id)) return missingItem(batch, row);
    const kinds = blockers.get(id) ?? [];
    if (kinds.length > 0) {
      const [error, details] = [sentences.deletionBlocked, sentences.blockedBy(kinds)];
      return { index: row.line, outcome: "rejected", id, error, details };
    }
    deleted.add(id);
    return { index: row.line, outcome: "deleted", id };
  });
}

/**
 * Restores the resources that items name, as a restore of each does. A deleted resource is named by its id alone: its
 * other names may belong to a live resource.
 */
export async function restoreItems(of: Removing, rows: readonly ImportRow[]): Promise<ItemResult[]> {
  const { batch, removal, run } = of;
  const [withId, others] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)];
  const ids = [...new Set(withId.flatMap(({ id }) => (id !== null && isId(id) ? id : [])))];
  const locked = ids.length === 0 ? [] : await removal.lock(run, ids);
  const taken = await leadingElsewhere(of, locked);
  const free = locked.filter((id) => !taken.has(id));
  // In the order of the items: of two with the same identity, the first one gets it.
  for (const id of await restoreIds(of, inOrderOf(ids, free))) taken.add(id);
  const live = new Map((await namedBy(of, others)).map((named) => [named.row, named]));
  const restorable = new Set(locked);
  const missing = ids.filter((id) => !restorable.has(id));
  const { mergesOf } = removal;
  const merged = mergesOf === undefined || missing.length === 0 ? [] : await run(mergesOf(missing));
  const merges = new Map(merged.map(([id, merge]) => [id, merge]));
  return rows.map((row): ItemResult => {
    const named = live.get(row);
    if (named !== undefined) return named.refused ?? { index: row.line, outcome: "restored", id: named.id };
    const id = String(row.id);
    const merge = merges.get(id);
    if (merge != null) return { index: row.line, outcome: "rejected", id, ...sentences.merged(batch.model, merge) };
    if (!restorable.has(id)) return missingItem(batch, row);
    if (taken.has(id)) return { index: row.line, outcome: "rejected", id, error: batch.taken ?? "" };
    return { index: row.line, outcome: "restored", id };
  });
}

/** Those of the ids whose identity leads to another resource, into which one with it was merged. */
async function leadingElsewhere({ batch, run }: Removing, ids: readonly string[]): Promise<Set<string>> {
  const { identity } = batch.kind.bulk;
  if (identity?.spellings === undefined || ids.length === 0) return new Set();
  const rows = await batch.kind.writes.stored([identity.field])(run, ids);
  const named = [...rows].flatMap(([id, { columns }]) => {
    const text = columns[identity.field] ?? null;
    return text === null ? [] : [{ id, text }];
  });
  const texts = named.map(({ text }) => text);
  const former = await findSpelled(run, identity.spellings, texts, false);
  if (former.size === 0) return new Set();
  // The index decides about an identity that a resource still has.
  const live = new Set(await identity.ids(run, texts));
  return new Set(
    named.flatMap(({ id, text }) => ((former.get(text) ?? []).some((of) => of.id !== id) && !live.has(id) ? id : [])),
  );
}

function inOrderOf(ids: readonly string[], some: readonly string[]): string[] {
  const found = new Set(some);
  return ids.filter((id) => found.has(id));
}

/** Returns the ids that stay deleted because another resource has their identity. Such ids are found by halving. */
async function restoreIds(of: Removing, ids: readonly string[]): Promise<string[]> {
  const { batch, removal, actor, run, savepoint } = of;
  if (ids.length === 0) return [];
  try {
    await savepoint(async () => await removal.restore(run, ids, changedBy(actor)));
    return [];
  } catch (error) {
    if (!isUniqueViolation(error, batch.kind.bulk.identity?.index ?? "")) throw error;
    if (ids.length === 1) return [...ids];
  }
  const half = ids.length >> 1;
  return [...(await restoreIds(of, ids.slice(0, half))), ...(await restoreIds(of, ids.slice(half)))];
}

type Named = { row: ImportRow; id: string; refused: null } | { row: ImportRow; id: null; refused: ItemResult };

/** The live resources that items name, which are locked; or why an item names none. */
async function namedBy({ batch, run }: Removing, rows: readonly ImportRow[], byShown = false): Promise<Named[]> {
  if (rows.length === 0) return [];
  const meaning = await findExisting(run, batch.kind.bulk, rows);
  return rows.map((row): Named => {
    const meant = meaning(row);
    const { existing, holder, owners } = meant;
    const refused = (result: ItemResult) => ({ row, id: null, refused: result });
    if (existing === undefined || (byShown && !isNamedAsShown(row, meant))) return refused(missingItem(batch, row));
    const { id } = existing;
    // Names of two resources: neither may be deleted by mistake.
    if (holder !== undefined && holder.id !== id) {
      return refused(rejectedItem(batch, { line: row.line, errors: {}, id, cause: { what: "taken" } }));
    }
    if (owners.some((owner) => owner.id !== id)) {
      return refused(rejectedItem(batch, { line: row.line, errors: {}, id, cause: { what: "external-taken" } }));
    }
    return { row, id, refused: null };
  });
}
