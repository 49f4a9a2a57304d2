import { contactsAgainStatement, contactAgain } from "../../../customers/contacts/contacts-again-queries.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import { shortened, trim } from "../../../platform/text.ts";
import type { Rejection, Target } from "../kind.ts";
import { SAID, type ImportRow } from "../reading/rows.ts";
import { companiesCalled, companyNamed, findParents, parentOf } from "./parent-companies.ts";

/** Rows that name a stored row by what they have, and the ones that may be several. */
type Again = { ids: ReadonlyMap<ImportRow, string>; rejected: Rejection[] };

/**
 * The stored rows that rows of a page's file are, though neither id nor identity says so: a company without a fiscal id
 * by its name, and a contact of the same company by its e-mail address or name.
 */
export async function findAgain(run: Run, { bulk, header }: Target, rows: readonly ImportRow[]): Promise<Again> {
  const isAsked = header.language !== null && (header.idIndex === null || header.isOwnExport) && header.again !== "add";
  if (isAsked && bulk.table === "companies") return await companiesAgain(run, rows);
  if (isAsked && bulk.table === "contacts") return { ids: await contactsAgain(run, rows), rejected: [] };
  return { ids: new Map(), rejected: [] };
}

const textOf = ({ input }: ImportRow, field: string) => {
  const value = input[field];
  return typeof value === "string" ? trim(value) : "";
};

async function companiesAgain(run: Run, rows: readonly ImportRow[]): Promise<Again> {
  const nameless = rows.filter((row) => row.id === null && row.identity === null && textOf(row, "name") !== "");
  const called = await companiesCalled(
    run,
    nameless.map((row) => textOf(row, "name")),
    true,
  );
  const ids = new Map<ImportRow, string>();
  const rejected: Rejection[] = [];
  for (const row of nameless) {
    const name = textOf(row, "name");
    const [first, second] = called.get(name) ?? [];
    if (second !== undefined)
      rejected.push({ line: row.line, errors: {}, row: { code: "companiesAlike", name: shortened(name, SAID) } });
    else if (first !== undefined) ids.set(row, first);
  }
  return { ids, rejected };
}

async function contactsAgain(run: Run, rows: readonly ImportRow[]): Promise<Map<ImportRow, string>> {
  const parents = rows.filter(({ id }) => id === null).map((row) => ({ row, parent: parentOf(row.input, true) }));
  const companies = await findParents(run, parents, true);
  const asked = parents.flatMap(({ row, parent }) => {
    const { id } = companyNamed(companies, parent);
    const [email, first, last] = ["email", "first_name", "last_name"].map((field) => textOf(row, field));
    return id === null || (email === "" && last === "") ? [] : [{ row, entry: { company_id: id, email, first, last } }];
  });
  const entries = asked.map(({ entry }, place) => ({ ...entry, place }));
  const found = entries.length === 0 ? [] : await run(contactsAgainStatement, [JSON.stringify(entries)]);
  const ids = new Map<ImportRow, string>();
  for (const { place, id } of found.map(contactAgain.read)) {
    const row = asked[place]?.row;
    if (row !== undefined) ids.set(row, id);
  }
  return ids;
}
