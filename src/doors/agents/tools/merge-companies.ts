import { companyFields } from "../../../customers/companies/company.ts";
import { kindCounts } from "../../../exchange/merging/merge-sentences.ts";
import { customName } from "../../../platform/fields/custom.ts";
import { nameInQuestion } from "../confirmation.ts";
import { argumentsSchema, id, resultSchema } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { Arguments, WritingTool } from "../tool.ts";
import { companyResult } from "./get-company.ts";

const choice = { type: "string", enum: ["keep", "from"] };
const choices = {
  ...argumentsSchema(Object.fromEntries(companyFields.map(({ name }) => [name, choice]))),
  patternProperties: { [String.raw`^custom\.`]: choice },
};
const moved = resultSchema({});

export const mergeCompaniesTool: WritingTool = {
  name: "merge_companies",
  title: "Merge two companies",
  description:
    "Merges company `from` into company `id`, which is kept: contacts, addresses, invoices and activities move, empty " +
    "fields take the value of `from`, and `from` is gone. `fields` says whose value a field gets, also `custom.KEY`. It can be undone on " +
    "the page of the kept company for 30 days. The person is asked first.",
  needs: ["companies:write"],
  writes: { isDestructive: true },
  input: { id, from: id, fields: choices },
  required: ["id", "from"],
  output: { company: companyResult, merge_id: id, moved },
  async preview(session, args) {
    const { data: kept, meta } = await merge(session, args, session.deps, true);
    const from = await companyOf(session, args.from);
    const before = await companyOf(session, args.id);
    const changed = changedBetween(before, kept);
    const counts = kindCounts(meta.moved);
    const what = counts === "" ? "" : `, with ${counts}`;
    const values = changed.length === 0 ? "" : ` Fields that change: ${changed.join(", ")}.`;
    return {
      question: `Merge ${nameInQuestion(from.name)} into ${nameInQuestion(before.name)}${what}?${values}`,
      data: { id: args.id, name: before.name, from: args.from, from_name: from.name, moved: meta.moved, changed },
      version: `${String(before.updated_at)} ${String(from.updated_at)}`,
    };
  },
  async run(session, args, deps) {
    const { data: company, meta } = await merge(session, args, deps, false);
    return { status: 200, json: JSON.stringify({ company, merge_id: meta.merge_id, moved: meta.moved }) };
  },
};

type Merged = { data: JsonObject; meta: { merge_id: number | null; moved: Record<string, number> } };

async function merge(
  session: AgentSession,
  { id: kept, from, fields }: Arguments,
  deps: AgentSession["deps"],
  isDry: boolean,
): Promise<Merged> {
  const input = { from, fields, dry_run: isDry };
  const answer = await session.call(deps, "POST /companies/{id}/merge", { params: { id: kept }, input });
  return await session.read<Merged>(answer);
}

/** The names of the fields in which two answers differ. */
function changedBetween(before: JsonObject, after: JsonObject): string[] {
  const [had, has] = [before, after].map(({ metadata }) => (metadata ?? {}) as JsonObject);
  const custom = Object.keys({ ...had, ...has }).filter((key) => had?.[key] !== has?.[key]);
  const own = companyFields.flatMap(({ name }) => (before[name] === after[name] ? [] : [name]));
  return [...own, ...custom.map(customName)];
}

async function companyOf(session: AgentSession, company: unknown): Promise<JsonObject> {
  const answer = await session.call(session.deps, "GET /companies/{id}", { params: { id: company } });
  return (await session.read<{ data: JsonObject }>(answer)).data;
}
