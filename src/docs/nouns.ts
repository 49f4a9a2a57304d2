import { address } from "../addresses/address.ts";
import { companyFields } from "../companies/company.ts";
import { companyMembers } from "../companies/company-json.ts";
import { childMembers } from "../company-children/child-json.ts";
import type { Child } from "../company-children/child.ts";
import { contact } from "../contacts/contact.ts";
import type { Input } from "../platform/fields/fields.ts";
import type { FieldTable } from "../platform/fields/fields.ts";

/** What the reference has to know of a noun that can be listed, created, shown, updated and deleted. */
export type Noun = {
  /** As messages name it; the names of its schemas begin with it. */
  model: string;
  /** The paths' segment, and the plural in prose. */
  plural: string;
  singular: string;
  fields: FieldTable;
  /** The members of its JSON in lists and in the answers to POST and PUT, in order. */
  members: readonly string[];
  /** The members that only GET of a single one adds. */
  membersOfOne: readonly string[];
  /** What `search` looks into. */
  searched: readonly string[];
  /** The order of its list, in words. */
  order: string;
  /** A partial update, as an example. */
  change: Input;
};

export const nouns: readonly Noun[] = [
  {
    model: "Company",
    plural: "companies",
    singular: "company",
    fields: companyFields,
    members: [...companyMembers.map(({ name }) => name), "assigned_user"],
    membersOfOne: ["contacts_count", "addresses_count"],
    searched: ["name", "tax_id", "email", "city"],
    order: "ascending `id`, so that a scan page by page neither skips nor repeats a company",
    change: { status: "inactive", notes: null },
  },
  childNoun(contact, {
    singular: "contact",
    order: "primary contacts first, then by `first_name`",
    change: { job_title: "Chief buyer", mobile: null },
  }),
  childNoun(address, {
    singular: "address",
    order: "default addresses first, then ascending `id`",
    change: { label: "Second warehouse", contact_name: null },
  }),
];

/** The noun that a path ends in, before its id if there is one; undefined for the WMS orders, which are read-only. */
export function nounOf(path: string): Noun | undefined {
  const segment = path.replace(/\/\{id\}$/, "").replace(/.*\//, "");
  return nouns.find(({ plural }) => plural === segment);
}

function childNoun(child: Child, words: Pick<Noun, "singular" | "order" | "change">): Noun {
  return {
    ...words,
    model: child.model,
    plural: child.table,
    fields: child.fields,
    members: [
      ...childMembers(child).map(({ name }) => name),
      ...(child.computed === null ? [] : [child.computed.name]),
    ],
    membersOfOne: ["company"],
    searched: child.searched,
  };
}
