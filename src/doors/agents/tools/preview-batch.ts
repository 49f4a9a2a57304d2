import { errors } from "../../../kit/errors.ts";
import { batchKinds, MOST_PREVIEWED, sealBatch, type BatchKindName } from "../batches.ts";
import { id, list, resultSchema } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

/** The rejected items of a batch, each with its reasons. */
export const rejectedSchema = list(resultSchema({ index: { type: "integer" }, id }));

/** The stored companies that look like a new one. */
export const alikeSchema = list(resultSchema({ id, name: { type: "string" }, evidence: list({ type: "string" }) }));

export const previewBatchTool: ReadingTool = {
  name: "preview_batch",
  title: "Preview many writes",
  description:
    "What up to a hundred creates, updates, deletes (`delete: true`) or restores (`restore: true`) of one kind would do, " +
    "without doing it: counts, and rejected items with their reasons. An item names its resource by `id`, by `external` " +
    "({source: id}), by `tax_id` (companies) or `number` (invoices); a new child names its company by `company_id`. " +
    "apply_batch with `preview` does it, within ten minutes.",
  needs: [],
  anyOf: Object.values(batchKinds),
  input: {
    kind: { type: "string", enum: Object.keys(batchKinds) },
    items: { type: "array", minItems: 1, maxItems: MOST_PREVIEWED, items: { type: "object" } },
  },
  required: ["kind", "items"],
  output: {
    counts: { type: "object", additionalProperties: { type: "integer" } },
    rejected: rejectedSchema,
    alike: list(resultSchema({ index: { type: "integer" }, alike: alikeSchema }), "New companies like stored ones."),
    preview: { type: "string", description: "For apply_batch." },
  },
  async run(session, args) {
    const [kind, items] = [args.kind as BatchKindName, args.items as JsonObject[]];
    const { results, counts } = await tryBatch(session, kind, items);
    const preview = sealBatch(session, { kind, items });
    if (preview === null) throw errors.bodyTooLarge();
    const withAlike = results.filter((result) => result.alike !== undefined);
    const alike = withAlike.map(({ index, alike: companies }) => ({ index, alike: companies }));
    return { counts, rejected: rejectedOf(results), ...(alike.length > 0 && { alike }), preview };
  },
};

/** The outcome of each item, and their counts, without writing them. */
export async function tryBatch(
  session: AgentSession,
  kind: BatchKindName,
  items: readonly JsonObject[],
): Promise<{ results: JsonObject[]; counts: JsonObject }> {
  const answer = await session.call(session.deps, `POST /${kind}/batch`, { input: { items, dry_run: true } });
  const { results, ...counts } = await session.read(answer);
  return { results: results as JsonObject[], counts };
}

/** The results of rejected items. */
export function rejectedOf(results: unknown): JsonObject[] {
  return (results as JsonObject[]).filter(({ outcome }) => outcome === "rejected");
}
