import { newestOfFeed } from "../../../exchange/feed/list-changes.ts";
import { changeTypes, type ChangeType } from "../../../kit/changes/change.ts";
import { flag, limit, list, text } from "../schemas.ts";
import type { ReadingTool } from "../tool.ts";
import { changeResult } from "./history.ts";

export const recentChangesTool: ReadingTool = {
  name: "recent_changes",
  title: "What changed lately",
  description:
    "The changes of the whole workspace: without `after` the newest of the last 30 days, newest first. `next` as `after` " +
    "gives the changes that came later, in their order.",
  needs: ["changes:read"],
  input: {
    after: text("`next` of the result before.", 2_000),
    types: { type: "array", items: { type: "string", enum: changeTypes }, uniqueItems: true, minItems: 1 },
    limit,
  },
  output: {
    changes: list(changeResult),
    next: { type: "string" },
    more: flag("Whether there are more behind `next`."),
  },
  async run(session, args, { rows }) {
    const { after, types } = args as { after?: string; types?: ChangeType[] };
    const { deps, actor } = session;
    const query = { after, types: types?.join(","), limit: rows };
    const answer =
      after === undefined || after === ""
        ? await newestOfFeed(deps, actor.tenant, { limit: rows, types: types ?? null })
        : await session.call(deps, "GET /changes", { query });
    const { data, ...page } = await session.read(answer);
    return { changes: data, ...page };
  },
};
