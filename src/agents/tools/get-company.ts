import { companyFields } from "../../companies/company.ts";
import { idOfNamed } from "../named.ts";
import { external, fieldResults, id, list, resultSchema, text } from "../schemas.ts";
import type { JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

const INCLUDED = ["contacts", "addresses", "invoices"];
const MOST_INCLUDED = 10;

export const companyResult = resultSchema({ id, ...fieldResults(companyFields), updated_at: { type: "string" } }, [
  "id",
]);

export const getCompanyTool: ReadingTool = {
  name: "get_company",
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
  output: resultSchema({
    company: companyResult,
    etag: { type: "string" },
    ...Object.fromEntries(INCLUDED.map((name) => [name, list({ type: "object" })])),
  }),
  async run(session, given) {
    const included = (given.include ?? []) as string[];
    for (const name of included) session.require(`${name}:read` as "contacts:read");
    const answer = await session.call(session.deps, "GET /companies/{id}", {
      params: { id: await idOfNamed(session, "company", given) },
      query: { include: included.length === 0 ? undefined : included.join(",") },
    });
    const { data } = await session.read(answer);
    const { contacts, addresses, invoices, ...company } = data as Record<string, JsonObject | undefined>;
    const lists = included.length === 0 ? {} : few({ contacts, addresses, invoices });
    return { company, etag: answer.etag, ...lists };
  },
};

/** The first rows of each embedded list. */
function few(lists: Readonly<Record<string, JsonObject | undefined>>): JsonObject {
  const entries = Object.entries(lists).flatMap(([name, embedded]) =>
    embedded === undefined ? [] : [[name, (embedded.data as unknown[]).slice(0, MOST_INCLUDED)]],
  );
  return Object.fromEntries(entries) as JsonObject;
}
