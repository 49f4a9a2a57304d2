import { errors } from "../../../kit/errors.ts";
import { batchDigest, batchKinds, isFirstUse, openBatch, type Previewed } from "../batches.ts";
import { list, text } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { Arguments, WritingTool } from "../tool.ts";
import { rejectedOf, rejectedSchema, tryBatch } from "./preview-batch.ts";

export const applyBatchTool: WritingTool = {
  name: "apply_batch",
  title: "Apply a previewed batch",
  description:
    "Does what preview_batch showed, all at once. A rejected item costs only itself. The person is asked first.",
  needs: [],
  anyOf: Object.values(batchKinds),
  writes: { isDestructive: true },
  input: { preview: text("`preview` of preview_batch.", 12_000) },
  required: ["preview"],
  output: {
    counts: { type: "object", additionalProperties: { type: "integer" } },
    ids: list({ type: "integer" }, "Of the written resources, in the order of the items."),
    rejected: rejectedSchema,
  },
  async preview(session, args) {
    const { kind, items } = batchOf(session, args);
    session.require(batchKinds[kind]);
    // Tried again: since preview_batch, an item may have become another write.
    const { counts } = await tryBatch(session, kind, items);
    const all = Object.entries(counts).map(([outcome, count]) => `${String(count)} ${outcome}`);
    return {
      question: `Write ${items.length} ${kind} (${all.join(", ")})?`,
      data: { kind, items: items.length, counts },
      version: batchDigest(String(args.preview)),
    };
  },
  async run(session, args, deps) {
    const { kind, items } = batchOf(session, args);
    if (!(await isFirstUse(session, args))) throw previewInvalid();
    const answer = await session.call(deps, `POST /${kind}/batch`, { input: { items } });
    const { results, ...counts } = await session.read(answer);
    const ids = (results as JsonObject[]).flatMap(({ outcome, id }) => (outcome === "rejected" ? [] : [id]));
    return { status: 200, json: JSON.stringify({ counts, ids, rejected: rejectedOf(results) }) };
  },
};

function batchOf(session: AgentSession, { preview }: Arguments): Previewed {
  const batch = openBatch(session, String(preview));
  if (batch === null) throw previewInvalid();
  return batch;
}

const previewInvalid = () => errors.validationFailed({ preview: [{ code: "notSelectable" }] });
