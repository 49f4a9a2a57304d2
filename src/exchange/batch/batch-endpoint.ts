import { dryRun, ok, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { MOST_ITEMS } from "../../kit/openapi/batch-reference.ts";
import { EXTERNAL } from "../../platform/fields/external-ids.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { asChecked, validate } from "../../platform/fields/validation.ts";
import type { BatchKind } from "./batch-kind.ts";
import type { ItemResult } from "./item-result.ts";
import { writeItems } from "./write-items.ts";

/** POST /api/v1/{companies|contacts|addresses|invoices|payments}/batch (docs/contract.md 17). */
export function batchEndpoint(batch: BatchKind): Endpoint {
  return async (deps, { actor, input, query, waitForTurn }) => {
    const { items, isDry } = batchOf(input);
    const includesExternal = query.included.has(EXTERNAL);
    await waitForTurn(items.length);
    const { results, hasRemovals } = await writeItems(deps, actor, { batch, items, isDry, includesExternal });
    if (isDry) {
      const created = results.filter(isCreated);
      const inputs = created.map(({ index }) => items[index] as Input);
      const found = (await batch.alikeTo?.(deps, actor.tenant, inputs, waitForTurn)) ?? [];
      for (const [index, alike] of found.entries())
        if (alike.length > 0) Object.assign(created[index] ?? {}, { alike });
    }
    return ok(answerOf(results, hasRemovals));
  };
}

function isCreated({ outcome }: ItemResult): boolean {
  return outcome === "created";
}

/** Throws validationFailed. */
function batchOf(input: Input): { items: readonly unknown[]; isDry: boolean } {
  const items = asChecked(input.items) ?? [];
  const { values, errors: found } = validate([dryRun], input, "create");
  const messages: FieldErrors = { ...found };
  if (!Array.isArray(items)) messages.items = [{ code: "notArray" }];
  else if (items.length === 0) messages.items = [{ code: "required" }];
  else if (items.length > MOST_ITEMS) messages.items = [{ code: "tooManyItems", bound: MOST_ITEMS }];
  if (!Array.isArray(items) || Object.keys(messages).length > 0) throw errors.validationFailed(messages);
  return { items, isDry: values.dry_run === true };
}

/** @param hasRemovals whether deleted and restored resources are counted */
function answerOf(results: readonly ItemResult[], hasRemovals: boolean): string {
  const count = (name: ItemResult["outcome"]) => results.filter(({ outcome }) => outcome === name).length;
  const counts = { created: count("created"), updated: count("updated"), unchanged: count("unchanged") };
  const removed = hasRemovals ? { deleted: count("deleted"), restored: count("restored") } : {};
  const told = results.map(({ index, outcome, id, ...why }) => {
    return { index, outcome, id: id === null ? null : Number(id), ...why };
  });
  return JSON.stringify({ ...counts, ...removed, rejected: count("rejected"), results: told });
}
