import { TEXT_MAX, fieldTable, phoneField } from "../../platform/fields/fields.ts";
import { mergedContacts } from "../companies/merged-queries.ts";
import type { Child } from "../company-children/child.ts";

/** The contact's writable fields, in the order of docs/contract.md 7.2. */
export const contactFields = fieldTable([
  { name: "first_name", kind: "string", max: 100, required: true, description: "Given name.", example: "Ioana" },
  { name: "last_name", kind: "string", max: 100, required: true, description: "Family name.", example: "Popescu" },
  {
    name: "email",
    kind: "email",
    max: 255,
    description: "Several contacts may have the same one.",
    example: "ioana.popescu@transilvaniafoods.example",
  },
  phoneField("phone", "+40 264 555 011"),
  phoneField("mobile", "+40 722 555 011"),
  {
    name: "position",
    kind: "string",
    max: 100,
    description: "What the person does for your business, such as buyer.",
    example: "Purchasing manager",
  },
  {
    name: "department",
    kind: "string",
    max: 100,
    description: "The person's department at the company.",
    example: "Purchasing",
  },
  {
    name: "job_title",
    kind: "string",
    max: 255,
    description: "The person's title, as on a business card.",
    example: "Head of purchasing",
  },
  {
    name: "is_primary",
    kind: "boolean",
    default: false,
    description: "Not exclusive: a company may have several primary contacts.",
    example: true,
  },
  {
    name: "is_decision_maker",
    kind: "boolean",
    default: false,
    description: "Whether the person decides about purchases.",
    example: true,
  },
  { name: "is_accounting", kind: "boolean", default: false, isOurs: true },
  {
    name: "preferred_language",
    kind: "string",
    max: 10,
    default: "ro",
    description: "The language to write in, as a code such as `ro` or `en`. It is not checked.",
    example: "ro",
  },
  {
    name: "notes",
    kind: "string",
    max: TEXT_MAX,
    description: "For your colleagues.",
    example: "Calls back in the afternoon.",
  },
  { name: "birth_date", kind: "date", description: "The day of birth.", example: "1985-03-14" },
  { name: "gender", kind: "string", max: 20, description: "In your own words; it is not checked.", example: "female" },
  {
    name: "timezone",
    kind: "string",
    max: 64,
    description: "An IANA name such as `Europe/Bucharest`. It is not checked.",
    example: "Europe/Bucharest",
  },
]);

/** The liaison persons of a company. */
export const contact: Child = {
  model: "Contact",
  table: "contacts",
  external: "contact",
  hasCustom: true,
  changeType: "contact",
  fields: contactFields,
  readOnly: [
    { name: "metadata", kind: "custom" },
    { name: "last_contacted_at", kind: "timestamp" },
  ],
  computed: { name: "full_name", json: (field) => JSON.stringify(`${field("first_name")} ${field("last_name")}`) },
  searched: ["first_name", "last_name", "email"],
  merged: mergedContacts,
  // Contacts of deleted companies are among them.
  exact: { email: "contact_ids_by_email(:value)" },
  order: [
    { sql: "k.is_primary", beginning: "true", isDescending: true },
    { sql: 'fold(k.first_name) collate "C"', beginning: "" },
    { sql: "k.id", beginning: "0" },
  ],
};
