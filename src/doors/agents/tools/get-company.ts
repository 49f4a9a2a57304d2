import { companyFields } from "../../../customers/companies/company.ts";
import { idOfNamed } from "../named.ts";
import { external, fieldResults, id, list, resultSchema, text } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

const INCLUDED = ["contacts", "addresses", "invoices"];
const MOST_INCLUDED = 10;

export const companyResult = resultSchema({ id, ...fieldResults(companyFields), updated_at: { type: "string" } }, [
  "id",
]);

export const getCompanyTool: ReadingTool = {
  name: "get_company",
  custom: { noun: "company", member: "company" },
  title: "Read a company",
  description:
    "One company by id, tax id or external id, with its etag for writing. `include` adds at most ten contacts, " +
    "addresses and invoices each.",
  needs: ["companies:read"],
  input: {
    id,
    tax_id: text("Its fiscal id.", 20),
    external,
    include: { type: "array", items: { type: "string", enum: INCLUDED }, uniqueItems: true },
  },
  output: {
    company: companyResult,
    etag: { type: "string" },
    ...Object.fromEntries(INCLUDED.map((name) => [name, list({ type: "object" })])),
  },
  async run(session, args) {
    const included = (args.include ?? []) as string[];
    for (const name of included) session.require(`${name}:read` as "contacts:read");
    const company = await idOfNamed(session, "company", args);
    const answer = await session.call(session.deps, "GET /companies/{id}", {
      params: { id: company },
      query: { include: "terms" },
    });
    const { data } = await session.read(answer);
    const lists = included.map(async (name) => [name, await firstOf(session, company, name)]);
    return { company: data, etag: answer.etag, ...(Object.fromEntries(await Promise.all(lists)) as JsonObject) };
  },
};

async function firstOf(session: AgentSession, company: number, name: string): Promise<unknown> {
  const query = { cursor: "", per_page: MOST_INCLUDED };
  const answer = await session.call(session.deps, `GET /companies/{company}/${name}`, { params: { company }, query });
  return (await session.read(answer)).data;
}
