import { fieldTable, type Field } from "../../platform/fields/fields.ts";
import { normalized } from "../../platform/text.ts";

/** The kinds of records that workspaces define fields of. */
export const customNouns = ["company", "contact", "invoice"] as const;
export type CustomNoun = (typeof customNouns)[number];

/** The tables of their records, which have the values in the column `metadata`. */
export const tableOfNoun: Readonly<Record<CustomNoun, string>> = {
  company: "companies",
  contact: "contacts",
  invoice: "invoices",
};

/** Something for each noun, such as a query of its table. */
export function ofEachNoun<T>(make: (noun: CustomNoun, table: string) => T): Record<CustomNoun, T> {
  const made = customNouns.map((noun) => [noun, make(noun, tableOfNoun[noun])]);
  return Object.fromEntries(made) as Record<CustomNoun, T>;
}

/** The rules of a field table for the values of each kind. */
const kinds = {
  text: { kind: "string", max: 1_000 },
  number: { kind: "decimal", digits: 15, places: 6 },
  date: { kind: "date" },
  yes_no: { kind: "boolean" },
  choice: { kind: "enum" },
} as const satisfies Readonly<Record<string, Omit<Field, "name">>>;

export type CustomKind = keyof typeof kinds;
export const customKinds = Object.keys(kinds) as CustomKind[];

/** The rules for the values of a kind. */
export function rulesOf(kind: CustomKind): Omit<Field, "name"> {
  return kinds[kind];
}

const OPTIONS_MAX = 100;
export const LABEL_MAX = 60;
const KEY_MAX = 40;
export const OPTION_VALUE_MAX = 40;

/** The writable fields of a definition, in the order of docs/contract.md 21.2. */
export const definitionFields = fieldTable([
  {
    name: "noun",
    kind: "enum",
    values: customNouns,
    required: true,
    description: "The records that have the field. It cannot be changed.",
    example: "company",
  },
  {
    name: "key",
    kind: "string",
    max: KEY_MAX,
    description:
      "Its name in `custom` and `metadata`: small letters, digits and `_`, and a letter first. By default made of the label. It cannot be changed.",
    example: "price_list",
  },
  {
    name: "label",
    kind: "string",
    max: LABEL_MAX,
    isLine: true,
    required: true,
    description: "Its name on pages. Unique among the fields of its noun, compared without case and accents.",
    example: "Price list",
  },
  {
    name: "kind",
    kind: "enum",
    values: customKinds,
    required: true,
    description:
      "`text` has at most 1,000 characters; `number` at most 15 digits, 6 of them behind the point. It cannot be changed.",
    example: "choice",
  },
  {
    name: "options",
    kind: "list",
    max: OPTIONS_MAX,
    items: [
      {
        name: "value",
        kind: "string",
        max: OPTION_VALUE_MAX,
        isLine: true,
        required: true,
        description: "As records have it.",
        example: "gold",
      },
      {
        name: "label",
        kind: "string",
        max: LABEL_MAX,
        isLine: true,
        description: "On pages. Default: the value.",
        example: "Gold",
      },
      {
        name: "archived",
        kind: "boolean",
        description: "Whether records keep it and no other gets it.",
        example: false,
      },
    ],
    description:
      "The values of a `choice`. An update has every option that records use: such an option is archived, not removed.",
    example: [{ value: "gold", label: "Gold", archived: false }],
  },
  {
    name: "help",
    kind: "string",
    max: 200,
    isLine: true,
    description: "A line below the input.",
    example: "As agreed for this year.",
  },
  {
    name: "position",
    kind: "integer",
    min: 1,
    max: 10_000,
    description: "Its place among the fields of its noun. Default: the last.",
    example: 1,
  },
  {
    name: "archived",
    kind: "boolean",
    default: false,
    description: "An archived field is not shown, accepted or answered. Its values stay.",
    example: false,
  },
]);

export const definition = { table: "custom_fields", fields: definitionFields } as const;

/** The fields that an update changes. */
const FIXED = new Set(["noun", "key", "kind"]);
export const changeableDefinition = {
  table: definition.table,
  fields: definitionFields.filter(({ name }) => !FIXED.has(name)),
};

/** The name in messages. */
export const FIELD_MODEL = "Custom field";

export type DefinitionOption = { position: number; value: string; label: string; archived: boolean };

const KEY = /^[a-z][a-z0-9_]{0,39}$/;

/** The members and fields of answers, which are no keys. A test compares them with the answers. */
export const reservedKeys: Readonly<Record<CustomNoun, ReadonlySet<string>>> = {
  company: reserved(
    "name tax_id registration_number industry website phone email address city county country postal_code status " +
      "status_code assigned_to notes managing_company employee_count activity_domain fiscal_address delivery_notes " +
      "callback_date wms_subdomain assigned_user contacts_count addresses_count terms contacts addresses invoices state",
  ),
  contact: reserved(
    "company_id first_name last_name full_name email phone mobile position department job_title is_primary " +
      "is_decision_maker is_accounting preferred_language notes birth_date gender timezone last_contacted_at company",
  ),
  invoice: reserved(
    "company_id number issued_on due_on total currency status delivery_address_id lines net vat corrects_id paid left " +
      "wms wms_instance wms_order_id wms_order_number wms_status wms_synced_at wms_state delivered_to company",
  ),
};

function reserved(names: string): ReadonlySet<string> {
  return new Set(`id created_at updated_at deleted_at metadata external custom ${names}`.split(" "));
}

export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** A key made of a label: `Listă de prețuri` gives `lista_de_preturi`. Empty if the label has no letter or digit. */
export function proposedKey(label: string): string {
  const plain = (normalized(label, LABEL_MAX, "NFD") ?? "").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  return (/^\d/.test(words) ? `f_${words}` : words).slice(0, KEY_MAX).replace(/_+$/, "");
}
