import { companyFields } from "../../../customers/companies/company.ts";
import { externalOf, readListPage } from "../list-page.ts";
import { cursor, external, fieldResults, filterBy, id, limit, list, resultSchema, text } from "../schemas.ts";
import type { JsonObject } from "../session.ts";
import type { ReadingTool } from "../tool.ts";

const SHOWN = ["name", "tax_id", "city", "status"];
const shownFields = companyFields.filter(({ name }) => SHOWN.includes(name));

export const searchCompaniesTool: ReadingTool = {
  name: "search_companies",
  title: "List companies",
  description:
    "Companies by words, tax id, external id or status, in ascending order of id, with the total. `more` is the cursor " +
    "of the next page.",
  needs: ["companies:read"],
  input: {
    search: text("Words in the name, tax id, e-mail address or city."),
    tax_id: text("The fiscal id, compared without case.", 20),
    external,
    status: filterBy("status", companyFields),
    limit,
    cursor,
  },
  output: {
    companies: list(resultSchema({ id, ...fieldResults(shownFields) })),
    total: { type: "integer" },
    more: { type: "string" },
  },
  async run(session, args, { rows }) {
    const { search, tax_id: taxId, status } = args as Record<string, string | undefined>;
    const query = { search, tax_id: taxId, status, external: externalOf(args) };
    const { data, ...page } = await readListPage(session, "GET /companies", { query }, args, rows);
    return { companies: data.map(summary), ...page };
  },
};

function summary({ id: found, ...fields }: JsonObject): JsonObject {
  return { id: found, ...Object.fromEntries(SHOWN.map((name) => [name, fields[name]])) };
}
