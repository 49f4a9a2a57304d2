import { findCompanies, findContacts, findInvoices, type Found } from "../../../desk/find/find-queries.ts";
import type { Capability } from "../../../people/api-keys/capability.ts";
import { isSearchable } from "../../../platform/http/lists/pagination.ts";
import { id, limit, list, resultSchema, text } from "../schemas.ts";
import type { JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

type Type = "companies" | "contacts" | "invoices";

/** How each type is looked for: the function of the search page. */
export const finders: Readonly<Record<Type, typeof findCompanies>> = {
  companies: findCompanies,
  contacts: findContacts,
  invoices: findInvoices,
};
const types = Object.keys(finders) as Type[];
const needed = (type: Type): Capability => `${type}:read`;

const hit = resultSchema({
  id,
  title: { type: "string" },
  beside: { type: "string", description: "The city, or the company." },
  matched: { type: "string", description: "The tax id, the e-mail address or the order." },
});

export const findTool: ReadingTool = {
  name: "find",
  title: "Find anything",
  description:
    "Companies, contacts and invoices by some words of a name, an e-mail address, a tax id, or the end of an invoice " +
    "number, best first. It tolerates one wrong letter.",
  needs: [],
  anyOf: types.map(needed),
  input: {
    query: { ...text("What to look for.", 200), minLength: 2 },
    types: { type: "array", items: { type: "string", enum: types }, uniqueItems: true, minItems: 1 },
    limit,
  },
  required: ["query"],
  output: Object.fromEntries(types.map((type) => [type, list(hit)])),
  async run(session, { query, types: asked }, { rows }) {
    const chosen = types.filter((type) => (Array.isArray(asked) ? asked.includes(type) : session.may(needed(type))));
    for (const type of chosen) session.require(needed(type));
    const { deps, actor } = session;
    const sought = String(query).trim();
    const look = async (type: Type) =>
      isSearchable(sought) ? await finders[type](actor.tenant, deps.database, sought, rows) : [];
    const found = chosen.map(async (type) => [type, (await look(type)).slice(0, rows).map(hitOf)]);
    return Object.fromEntries(await Promise.all(found)) as JsonObject;
  },
};

function hitOf({ id: of, name, beside, more }: Found): JsonObject {
  return { id: Number(of), title: name, beside, matched: more };
}
