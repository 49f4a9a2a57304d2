import { findAddressesAgain } from "../../../customers/addresses/addresses-again-queries.ts";
import { coreOf } from "../../../customers/companies/same-name-queries.ts";
import { findContactsAgain } from "../../../customers/contacts/contacts-again-queries.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { Step } from "../../../platform/postgres/query.ts";
import { isStorable, shortened, trim } from "../../../platform/text.ts";
import { folded } from "../columns/folded.ts";
import type { Rejection, Target } from "../kind.ts";
import type { CsvHeader } from "../reading/header.ts";
import { SAID, type ImportRow, type RecordKeys } from "../reading/rows.ts";
import { companiesCalled, companyNamed, findParents, parentOf, type Companies } from "./parent-companies.ts";
import { recordsOf } from "./same-records.ts";
import { keysOfAddress, keysOfContact } from "./seen-rows.ts";

/**
 * Rows that name a stored row by what they have, the texts by which they are known again in their file, and the rows
 * that may be several.
 */
type Again = {
  ids: ReadonlyMap<ImportRow, string>;
  keys: ReadonlyMap<ImportRow, RecordKeys>;
  rejected: Rejection[];
  /** The companies of all rows, if they were looked up. */
  companies?: Companies;
};

/**
 * The stored rows that rows of a file are, though neither id nor identity says so: a company without a fiscal id by its
 * name, a contact of the same company by its e-mail address or name, and its address by street, postal code and city.
 */
export async function findAgain(run: Run, { bulk, header }: Target, rows: readonly ImportRow[]): Promise<Again> {
  const isAsked = asksAgain(header);
  const unknown = rows.filter(({ keys }) => keys === undefined);
  if (isAsked && bulk.table === "companies") return await companiesAgain(run, unknown);
  const recognition = recognitions[bulk.table];
  if (isAsked && recognition !== undefined) {
    const { companies, ...again } = await childrenAgain(run, recognition, unknown, header.language !== null);
    const isWhole = rows.every(({ keys, id }) => keys === undefined && id === null);
    return isWhole ? { ...again, companies } : again;
  }
  return { ids: new Map(), keys: new Map(), rejected: [] };
}

function asksAgain({ isFile, idIndex, isOwnExport, again }: CsvHeader): boolean {
  return isFile && (idIndex === null || isOwnExport) && again !== "add";
}

/**
 * Notes a company that is rehearsed behind later rows of its file, so that these know it by its name
 * (checking/rehearse.ts).
 */
export function noteCompany(header: CsvHeader, row: ImportRow): void {
  const keys = keysOfCompany(row);
  if (asksAgain(header) && keys !== undefined) recordsOf(header).keep(keys, row.line);
}

/** By its name: alone, or with the identity. */
function keysOfCompany(row: ImportRow): RecordKeys | undefined {
  const name = folded(coreOf(textOf(row, "name")) ?? "");
  if (name === "") return undefined;
  const [alone, identified] = [`c\0${name}`, `i\0${name}`];
  const identity = row.identity?.compared ?? "";
  return identity === "" ? { asked: [alone, identified], kept: [alone] } : { asked: [], kept: [identified], identity };
}

const textOf = ({ input }: ImportRow, field: string) => {
  const value = input[field];
  return typeof value === "string" && isStorable(value) ? trim(value) : "";
};

async function companiesAgain(run: Run, rows: readonly ImportRow[]): Promise<Again> {
  const nameless = rows.filter((row) => row.id === null && row.identity === null && textOf(row, "name") !== "");
  const called = await companiesCalled(
    run,
    nameless.map((row) => textOf(row, "name")),
    true,
  );
  const ids = new Map<ImportRow, string>();
  const keys = new Map<ImportRow, RecordKeys>();
  const rejected: Rejection[] = [];
  for (const row of rows) {
    const own = keysOfCompany(row);
    if (own !== undefined) keys.set(row, own);
  }
  for (const row of nameless) {
    const name = textOf(row, "name");
    const [first, second] = called.get(name) ?? [];
    if (second !== undefined)
      rejected.push({ line: row.line, errors: {}, row: { code: "companiesAlike", name: shortened(name, SAID) } });
    else if (first !== undefined) ids.set(row, first);
  }
  return { ids, keys, rejected };
}

/** How rows of a company are known again: by a query, and in their file. */
type Recognition = {
  find: Step<[entries: string], { place: number; id: string }[]>;
  fields: Readonly<Record<string, string>>;
  /** Rows without any of these are new. */
  needed: readonly string[];
  keysOf: (company: string, textOf: (field: string) => string) => RecordKeys;
};

/** By table. `fields`: the query's names and those of the fields. */
const recognitions: Readonly<Record<string, Recognition>> = {
  contacts: {
    find: findContactsAgain,
    fields: { email: "email", first: "first_name", last: "last_name" },
    needed: ["email", "last_name"],
    keysOf: keysOfContact,
  },
  addresses: {
    find: findAddressesAgain,
    fields: { address: "address", postal_code: "postal_code", city: "city", type: "type", label: "label" },
    needed: ["address"],
    keysOf: keysOfAddress,
  },
};

async function childrenAgain(
  run: Run,
  { find, fields, needed, keysOf }: Recognition,
  rows: readonly ImportRow[],
  byName: boolean,
) {
  const parents = rows.filter(({ id }) => id === null).map((row) => ({ row, parent: parentOf(row.input, byName) }));
  const companies = await findParents(run, parents, true);
  const asked = parents.flatMap(({ row, parent }) => {
    const { id } = companyNamed(companies, parent);
    return id === null || needed.every((field) => textOf(row, field) === "") ? [] : [{ row, company: id }];
  });
  const entries = asked.map(({ row, company }, place) => ({
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, textOf(row, field)])),
    company_id: company,
    place,
  }));
  const found = entries.length === 0 ? [] : await find(run, JSON.stringify(entries));
  const keys = new Map<ImportRow, RecordKeys>();
  for (const { row, company } of asked)
    keys.set(
      row,
      keysOf(company, (field) => textOf(row, field)),
    );
  const ids = new Map<ImportRow, string>();
  for (const { place, id } of found) {
    const row = asked[place]?.row;
    if (row !== undefined) ids.set(row, id);
  }
  return { ids, keys, rejected: [], companies };
}
