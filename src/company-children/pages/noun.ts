import type { Deps } from "../../deps.ts";
import { found } from "../../endpoint.ts";
import { membersReader, type RowByName } from "../../platform/fields/reader.ts";
import type { ValueLabels } from "../../web/field-value.ts";
import type { Content, Html } from "../../web/html.ts";
import type { InLanguages, Language } from "../../web/language.ts";
import type { FieldLabels } from "../../web/messages.ts";
import type { PageRequest } from "../../web/page.ts";
import { childMembers } from "../child-json.ts";
import { childQueries } from "../child-queries.ts";
import type { Child } from "../child.ts";

/** A kind of child as its pages need it: its words, and where they differ from another kind's. */
export type ChildNoun = {
  /** Its table is also the first part of its paths: `/contacts/7`. */
  child: Child;
  labels: InLanguages<FieldLabels>;
  values: InLanguages<ValueLabels>;
  words: InLanguages<ChildWords>;
  /** The name that headings and links call one by. */
  title: (row: RowByName) => string;
  /** The fields of the form that nearly everyone fills in; the others are folded. */
  common: ReadonlySet<string>;
  /** The columns of the list behind its name. */
  columns: readonly ChildColumn[];
  /** A control for one right in a list. */
  action: ((row: RowByName, at: { back: string; language: Language }) => Html) | null;
  /** The sections beside the facts of one. */
  sections: ((deps: Deps, request: PageRequest, row: RowByName) => Promise<Html>) | null;
  /** More links in the menu of one. */
  menu: ((id: string, request: PageRequest) => Html) | null;
};

export type ChildColumn = {
  /** The field whose label heads it. */
  name: string;
  /** In the noun's own list alone: among the parts of a company there is no room for it. */
  isWide?: true;
  /** A cell that its label stands before where there are no heads. */
  kind?: "date" | "yes";
  cell: (row: RowByName, at: { search: string | null; language: Language; timeZone: string }) => Content;
};

export type ChildWords = {
  title: string;
  search: string;
  newTitle: (company: string) => string;
  create: string;
  empty: string;
  nothing: (search: string) => string;
  /** The consequences of deleting one. */
  deleting: string;
  delete: string;
  created: string;
  saved: string;
  deleted: (name: string) => string;
  restored: string;
};

/** A child and the company that it belongs to. */
export type FoundChild = { row: RowByName; id: string; companyId: string; companyName: string };

/** Finds the child that the path names. Throws resourceMissing. */
export function childOf({ child }: ChildNoun): (deps: Deps, request: PageRequest) => Promise<FoundChild> {
  const queries = childQueries(child);
  const members = childMembers(child);
  const read = membersReader(members);
  return async ({ database, keyring }, request) => {
    const { tenant } = request.actor;
    const row = await found(child.model, request, async (id) => await queries.find(tenant, database, id));
    const byName = read(row, { keyring, tenant });
    const { id, company_id: companyId } = byName;
    return { row: byName, id: String(id), companyId: String(companyId), companyName: row[members.length] ?? "" };
  };
}
