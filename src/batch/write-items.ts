import type { Actor } from "../actor.ts";
import type { Store } from "../deps.ts";
import { sentences } from "../errors.ts";
import { externalIdsStatement } from "../external-ids/external-id-queries.ts";
import type { Rejection, Transact } from "../imports/kind.ts";
import { importReasonIn } from "../imports/reading/reasons.ts";
import { SAID, type ImportRow } from "../imports/reading/rows.ts";
import { takenBack } from "../imports/writing/taken-back.ts";
import { nothingYet, writeBatch } from "../imports/writing/write-batch.ts";
import { externalJson } from "../platform/fields/external-ids.ts";
import { fieldMessages } from "../platform/fields/field-reasons.ts";
import type { Part, Run } from "../platform/postgres/database.ts";
import { shortened } from "../platform/text.ts";
import type { BatchKind } from "./batch-kind.ts";
import { headerOf, batchRows } from "./batch-rows.ts";

/** The outcome of an item (docs/contract.md 17). `id` is null if there is no row. */
export type ItemResult =
  | { index: number; outcome: "created" | "updated" | "unchanged"; id: string | null; external?: unknown }
  | { index: number; outcome: "rejected"; id: string | null; errors: Record<string, string[]> }
  | { index: number; outcome: "rejected"; id: string | null; error: string };

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
 * Creates and updates many rows in one transaction. Items for the same row are written in order, and an invalid item
 * costs only itself.
 * @param says makes the response from the results, in the order of the items
 */
export async function writeItems(
  deps: Store,
  actor: Actor,
  { batch, items, isDry, includesExternal }: Batch,
  says: (results: readonly ItemResult[]) => string,
): Promise<string> {
  const { kind } = batch;
  const { database } = deps;
  const rows = batchRows(kind, items);
  const header = headerOf(kind, rows);

  async function write(run: Run, part: Part): Promise<{ json: string; hasWritten: boolean }> {
    const results: ItemResult[] = [];
    const transact: Transact = async (target, some) => {
      const outcome = await part(async () => await kind.write(run, target, some));
      for (const { line, id, outcome: told } of outcome.rows) results[line] = { index: line, outcome: told, id };
      return outcome;
    };
    const target = { deps, kind, actor, header, transact, keepsStored: false };
    let room = MOST_MESSAGES;
    for (const some of inParts(rows)) {
      const progress = nothingYet();
      await writeBatch(target, some, progress);
      for (const rejection of progress.rejected) {
        const messages = Object.entries(rejection.errors);
        const told = Object.fromEntries(messages.slice(0, Math.max(1, room)));
        room -= messages.length;
        results[rejection.line] = rejectedItem(batch, { ...rejection, errors: told });
      }
    }
    if (includesExternal) await addExternal(run, kind.bulk.table, results);
    if (isDry) forgetNewIds(results);
    return { json: says(results), hasWritten: results.some(({ outcome }) => outcome !== "rejected") };
  }

  const { tenant } = actor;
  if (isDry) return (await takenBack(database, tenant, write)).json;
  const { json, hasWritten } = await database.transaction(tenant, write);
  if (hasWritten) kind.bulk.wrote?.(tenant, database);
  return json;
}

async function addExternal(run: Run, table: string, results: ItemResult[]): Promise<void> {
  const written = results.filter((result) => result.outcome !== "rejected");
  const ids = [...new Set(written.flatMap(({ id }) => id ?? []))];
  const external = new Map((await run(externalIdsStatement(table), [ids])).map(([id, stored]) => [id, stored]));
  for (const result of written) result.external = JSON.parse(externalJson(external.get(result.id ?? "") ?? null));
}

/** A dry run rolls new rows back, so their ids are removed from all results that name them. */
function forgetNewIds(results: readonly ItemResult[]): void {
  const created = new Set(results.flatMap(({ outcome, id }) => (outcome === "created" ? [id] : [])));
  for (const result of results) if (created.has(result.id)) result.id = null;
}

/** Splits the rows by length, so that not all of a batch's long texts are in memory as statements together. */
function* inParts(rows: readonly ImportRow[]): Generator<ImportRow[]> {
  let part: ImportRow[] = [];
  let length = 0;
  for (const row of rows) {
    part.push(row);
    for (const value of Object.values(row.input)) length += lengthOf(value);
    if (length < PART_LENGTH) continue;
    yield part;
    part = [];
    length = 0;
  }
  if (part.length > 0) yield part;
}

function lengthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length * ELEMENT_LENGTH;
  return typeof value === "string" ? value.length : 0;
}

/** Errors of the API's own in its order of checks; otherwise the messages of validation. */
function rejectedItem({ model, taken }: BatchKind, rejection: Rejection): ItemResult {
  const { line: index, errors, row, cause, id = null } = rejection;
  const refused = (error: string): ItemResult => ({ index, outcome: "rejected", id, error });
  if (cause?.what === "missing") return refused(missing(model, cause.named));
  if (cause?.what === "company-missing") return refused(missing("Company", cause.named));
  if (cause?.what === "taken") return refused(taken ?? "");
  if (cause?.what === "external-taken") return refused(sentences.externalIdTaken(model.toLowerCase()));
  if (row !== undefined) return refused(importReasonIn("en", row));
  return { index, outcome: "rejected", id, errors: fieldMessages(errors) };
}

function missing(model: string, named: string): string {
  return sentences.missing(model, shortened(named, SAID));
}
