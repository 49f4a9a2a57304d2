import type { Capability } from "../../api-keys/capability.ts";
import { findCompanies, findContacts, findInvoices } from "../../find/find-queries.ts";
import { isSearchable } from "../../platform/http/lists/pagination.ts";
import { id, limit, list, resultSchema, text } from "../schemas.ts";
import type { AgentSession } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

type Hit = { id: number; title: string; beside: string | null; matched: string | null };

/** How each type is looked for: the capability, and the function of the search page. */
const kinds: Readonly<
  Record<string, { needs: Capability; look: (session: AgentSession, query: string, most: number) => Promise<Hit[]> }>
> = {
  companies: {
    needs: "companies:read",
    look: async ({ deps, actor }, query, most) =>
      (await findCompanies(actor.tenant, deps.database, query, most)).map(hit),
  },
  contacts: {
    needs: "contacts:read",
    look: async ({ deps, actor }, query, most) =>
      (await findContacts(actor.tenant, deps.database, query, most)).map(hit),
  },
  invoices: {
    needs: "invoices:read",
    look: async ({ deps, actor }, query, most) =>
      (await findInvoices(actor.tenant, deps.database, query, most)).map(hit),
  },
};

export const findTool: ReadingTool = {
  name: "find",
  title: "Find anything",
  description:
    "Companies, contacts and invoices by some words of a name, an e-mail address, a tax id, or the end of an invoice " +
    "number, best first. It tolerates one wrong letter. `beside` is the city or the company, `matched` the tax id, the e-mail address or the order.",
  needs: [],
  anyOf: ["companies:read", "contacts:read", "invoices:read"],
  input: {
    query: { ...text("What to look for.", 200), minLength: 2 },
    types: { type: "array", items: { type: "string", enum: Object.keys(kinds) }, uniqueItems: true, minItems: 1 },
    limit,
  },
  required: ["query"],
  output: resultSchema(
    Object.fromEntries(Object.keys(kinds).map((type) => [type, list(resultSchema({ id, title: { type: "string" } }))])),
  ),
  async run(session, { query, types }, { rows }) {
    const asked = Object.entries(kinds).filter(([type, { needs }]) =>
      Array.isArray(types) ? types.includes(type) : session.may(needs),
    );
    for (const [, { needs }] of asked) session.require(needs);
    const sought = String(query).trim();
    if (!isSearchable(sought)) return {};
    const found = await Promise.all(
      asked.map(async ([type, { look }]) => [type, (await look(session, sought, rows)).slice(0, rows)]),
    );
    return Object.fromEntries(found) as Record<string, unknown>;
  },
};

function hit({
  id: found,
  name,
  beside,
  more,
}: {
  id: string;
  name: string;
  beside: string | null;
  more: string | null;
}) {
  return { id: Number(found), title: name, beside, matched: more };
}
