import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { METADATA } from "../../platform/fields/custom.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { isId } from "../../platform/ids.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { mergeRecord, sealedRecord } from "./merge-record.ts";
import { taxNumbers } from "./mergeable-noun-queries.ts";
import type { MergeableNoun } from "./mergeable-noun.ts";
import { mergedIds, mergedValues, wrongValues, type ValueChoices } from "./merged-values.ts";
import { beginMerge, keysToLeave, noteInHistory, noteMerge } from "./stored-merge-queries.ts";

/** The number of rows of each kind (`counted` of the noun). */
export type Moved = Record<string, number>;

export type Merge = {
  /** The company or contact that stays. */
  kept: string;
  /** The one that goes into it. */
  from: string;
  choices: ValueChoices;
  /** The versions that the kept one may have. */
  expected: Expected;
};

/** `row` is that of the noun's `row`. */
export type MergeOutcome =
  | { outcome: "merged"; row: Row; mergeId: string; moved: Moved }
  | { outcome: "missing" | "outdated" }
  | { outcome: "invalid"; messages: FieldErrors };

/**
 * Merges a company into another, or a contact into another of its company, in one transaction: what belongs to it
 * moves, its values fill gaps, and it is deleted. Its ids lead to the kept one from then on.
 */
export async function merge(store: Store, actor: Actor, noun: MergeableNoun, asked: Merge): Promise<MergeOutcome> {
  const { database } = store;
  const { tenant } = actor;
  const merged = await database.transaction(tenant, async (run) => await mergeIn(run, store, actor, noun, asked));
  if (merged.outcome === "merged") noun.noteChanged(tenant, database);
  return merged;
}

async function mergeIn(
  run: Run,
  store: Store,
  actor: Actor,
  noun: MergeableNoun,
  { kept: keptId, from: fromId, choices, expected }: Merge,
): Promise<MergeOutcome> {
  const { tenant } = actor;
  const { queries } = noun;
  const by = changedBy(actor);
  const both = await queries.lock(run, [keptId, fromId].filter(isId));
  const [kept, from] = [both.get(keptId), both.get(fromId)];
  if (kept?.isLive !== true) return { outcome: "missing" };
  if (!(await queries.isOfVersion(run, kept.id, expected))) return { outcome: "outdated" };
  if (from?.isLive !== true || from === kept || from.parent !== kept.parent) {
    return { outcome: "invalid", messages: { from: [{ code: "notSelectable" }] } };
  }
  const left = from.values[METADATA] == null ? [] : await keysToLeave(run, noun.type, null);
  const values = mergedValues(noun.fields, [kept, from], choices, left);
  const messages = wrongValues(noun.fields, values);
  if (Object.keys(messages).length > 0) return { outcome: "invalid", messages };

  const move = { from: from.id, to: kept.id, by };
  const mergeId = await beginMerge(run, { ...move, type: noun.type });
  const following = await noun.countFollowing(run, from.id);
  const rows: Record<string, string[]> = {};
  for (const table of noun.moved) rows[table] = await queries.moveRows(run, table, move);
  await queries.mergeAway(run, move);
  const texts = [kept.values.tax_id, from.values.tax_id].filter((text) => text != null);
  const numbers = texts.length === 0 ? [] : await taxNumbers(run, texts);
  const taxIds = new Map(texts.map((text, index) => [text, numbers[index] ?? text]));
  const after = {
    ...kept,
    values,
    ...mergedIds(noun.type, kept, from, values.tax_id ?? null, (text) => taxIds.get(text) ?? text),
  };
  await queries.write(run, after, kept.formerIds, by);
  await noteInHistory(run, noun, { kept, other: from, mergeId, by });
  await noun.follow(run, move, false);
  const secrets = { keyring: store.keyring, tenant };
  await noteMerge(run, mergeId, {
    moved: rows,
    before: sealedRecord(mergeRecord(noun, kept, after, secrets), secrets),
  });
  const row = await noun.findRow(run, kept.id);
  if (row === null) throw new Error("a merged resource is gone");
  const counts = noun.counted.map((kind) => [kind, rows[kind]?.length ?? following[kind] ?? 0]);
  return { outcome: "merged", row, mergeId, moved: Object.fromEntries(counts) as Moved };
}
