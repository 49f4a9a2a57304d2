import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import type { ValueLabels } from "../../../kit/web/field-value.ts";
import type { Content, Html } from "../../../kit/web/html.ts";
import type { InLanguages, Language } from "../../../kit/web/language.ts";
import type { FieldLabels } from "../../../kit/web/messages.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { customValues, METADATA, type CustomTable } from "../../../platform/fields/custom.ts";
import { membersReader, type RowByName } from "../../../platform/fields/reader.ts";
import { customTableOf } from "../../custom-fields/defined-fields.ts";
import { childMembers } from "../child-json.ts";
import { childQueries } from "../child-queries.ts";
import type { Child } from "../child.ts";

/** A kind of child for its pages: its words, and its differences from other kinds. */
export type ChildNoun = {
  /** Its table is also the first part of its paths: `/contacts/7`. */
  child: Child;
  labels: InLanguages<FieldLabels>;
  values: InLanguages<ValueLabels>;
  words: InLanguages<ChildWords>;
  /** The name of a child in headings and links. */
  title: (row: RowByName) => string;
  /** The usual fields of the form; the others are folded away. */
  common: ReadonlySet<string>;
  /** The columns of the list behind the name. */
  columns: readonly ChildColumn[];
  /** A control in each row of a list. */
  action: ((row: RowByName, at: { back: string; language: Language }) => Html) | null;
  /** Sections of a child's page, beside its facts. */
  sections: ((deps: Deps, request: PageRequest, row: RowByName) => Promise<Html>) | null;
  /** The line below a child's name, and its bar of actions; null for a kind without phones. */
  person:
    | ((
        row: RowByName,
        company: { id: string; name: string },
      ) => {
        line: Html;
        phone: string | null | undefined;
        email: string | null | undefined;
        /** The fields that the heading shows, which its facts then leave out. */
        shown: ReadonlySet<string>;
      })
    | null;
  /** A line below a child's heading. */
  above?: (deps: Deps, request: PageRequest, id: string) => Promise<Html | null>;
  /** More links in a child's menu. */
  menu: ((id: string, request: PageRequest) => Html) | null;
};

export type ChildColumn = {
  /** The field whose label is the column's head. */
  name: string;
  /** Only in the noun's own list: a company's page has no room for it. */
  isWide?: true;
  kind?: "date" | "labelled";
  cell: (
    row: RowByName,
    at: { search: string | readonly string[] | null; language: Language; timeZone: string },
  ) => Content;
};

export type ChildWords = {
  title: string;
  search: string;
  newTitle: (company: string) => string;
  create: string;
  empty: string;
  nothing: (search: string) => string;
  /** The effects of a deletion. */
  deleting: string;
  delete: string;
  created: string;
  saved: string;
  deleted: (name: string) => string;
  restored: string;
};

/** A child with the values of its custom fields, and its company. */
export type FoundChild = {
  row: RowByName;
  custom: CustomTable;
  id: string;
  companyId: string;
  companyName: string;
};

/** Finds the child in the path. Throws resourceMissing. */
export function childOf({
  child,
}: ChildNoun): (deps: Deps, request: Pick<PageRequest, "actor" | "params">) => Promise<FoundChild> {
  const queries = childQueries(child);
  const members = childMembers(child);
  const read = membersReader(members);
  return async ({ database, keyring }, request) => {
    const { tenant } = request.actor;
    const row = await found(child.model, request, async (id) => await queries.find(tenant, database, id));
    const custom = await customTableOf(tenant, database, child);
    const stored = read(row, { keyring, tenant });
    const byName = { ...stored, ...customValues(custom, stored[METADATA] ?? null) };
    const { id, company_id: companyId } = stored;
    return { row: byName, custom, id: String(id), companyId: String(companyId), companyName: row.at(-1) ?? "" };
  };
}
