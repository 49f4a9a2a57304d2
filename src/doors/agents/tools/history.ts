import type { ChangeType } from "../../../kit/changes/change.ts";
import type { Capability } from "../../../people/api-keys/capability.ts";
import { id, limit, list, resultSchema } from "../schemas.ts";
import type { JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

const plurals = {
  company: "companies",
  contact: "contacts",
  address: "addresses",
  invoice: "invoices",
} as const satisfies Partial<Record<ChangeType, string>>;
type WithHistory = keyof typeof plurals;

/** A change, as in the feed. */
export const changeResult = resultSchema({
  id,
  at: { type: "string" },
  type: { type: "string" },
  resource_id: id,
  company_id: id,
  action: { type: "string" },
  changed: { type: "object", description: "Each field with `from` and `to`; both are left out where encrypted." },
  by: { type: "object", description: "The author; `via` is mcp for an assistant." },
});

export const historyTool: ReadingTool = {
  name: "history",
  title: "History of one resource",
  description:
    "Who changed a company, contact, address or invoice, when, and each field from what to what; newest first.",
  needs: [],
  anyOf: Object.values(plurals).map((plural): Capability => `${plural}:read`),
  input: { type: { type: "string", enum: Object.keys(plurals) }, id, limit },
  required: ["type", "id"],
  output: { changes: list(changeResult), total: { type: "integer" } },
  async run(session, args, { rows }) {
    const route = `GET /${plurals[args.type as WithHistory]}/{id}/history`;
    const answer = await session.call(session.deps, route, { params: args, query: { per_page: rows } });
    const { data, total } = await session.read<{ data: JsonObject[]; total: number }>(answer);
    return { changes: data, total };
  },
};
