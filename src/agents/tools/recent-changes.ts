import { changeTypes } from "../../changes/change.ts";
import { flag, limit, list, text } from "../schemas.ts";
import type { ReadingTool } from "../tool.ts";
import { changeResult } from "./history.ts";

export const recentChangesTool: ReadingTool = {
  name: "recent_changes",
  title: "What changed lately",
  description:
    "The changes of the whole workspace in their order. Without `after` it begins with the oldest of the last 30 days; " +
    "`next` continues from there.",
  needs: ["changes:read"],
  input: {
    after: text("`next` of the result before.", 2_000),
    types: { type: "array", items: { type: "string", enum: changeTypes }, uniqueItems: true, minItems: 1 },
    limit,
  },
  output: { changes: list(changeResult), next: { type: "string" }, more: flag("Whether there are more.") },
  async run(session, given, { rows }) {
    const { after, types } = given as { after?: string; types?: string[] };
    const query = { after, types: types?.join(","), limit: rows };
    const { data, ...page } = await session.read(await session.call(session.deps, "GET /changes", { query }));
    return { changes: data, ...page };
  },
};
