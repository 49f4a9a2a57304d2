/**
 * A field table defines a noun's writable fields once: validation, the columns read and written, the JSON, the OpenAPI
 * schema, the CSV header and the limit tests are derived from it.
 */
export type Field = {
  /** The name in JSON, in CSV and of the column. */
  name: string;
  kind: FieldKind;
  /** The most code points (strings, e-mails and URLs), the largest integer or decimal, or the most items of a list. */
  max?: number;
  /** Smallest integer or decimal. */
  min?: number;
  /** Decimal only: the most digits behind the point. */
  places?: number;
  /** An amount of money, in the currency of the same form. */
  isAmount?: true;
  /** Decimal only: the most digits in all. */
  digits?: number;
  /** For an enum and for enums: the allowed values, compared exactly. */
  values?: readonly string[];
  /** List only: the fields of an item. */
  items?: FieldTable;
  /** String only: on pages it is beside their own words, so it has one line, and nothing that turns directions. */
  isLine?: true;
  /** The member of the API's JSON that has the field inside (grouped-fields.ts). The column has its name alone. */
  within?: string;
  /** In items of a list: stored and answered only where it has a value. */
  sparse?: true;
  /** Required when the resource is created, and never null afterwards. */
  required?: true;
  /** Stored when a create leaves the field out or sends null, as it is stored. A field with a default is never null. */
  default?: string | boolean | typeof TENANT_COUNTRY;
  /** Stored encrypted, answered in clear; a phone is found by its last digits (platform/encryption/phone-digest.ts). */
  encrypted?: "phone";
  /** Only pages and files have it: it is no member of the API's JSON. */
  isOurs?: true;
  /** One line for the API's reference page. */
  description?: string;
  example?: string | number | boolean | readonly (string | Readonly<Record<string, string | boolean>>)[];
};

/**
 * `user` is the id of an active user of the same tenant. `decimal` is a number that is carried as its text. `timestamp`
 * occurs in imports only. `list` is an array of objects, never null, which is stored as JSON (list-items.ts); `enums`
 * is an array of values of an enum, not empty, which is stored as JSON too. `url` is an address of http or https.
 */
export type FieldKind =
  | "string"
  | "email"
  | "url"
  | "integer"
  | "user"
  | "boolean"
  | "date"
  | "enum"
  | "enums"
  | "decimal"
  | "timestamp"
  | "list";

export type FieldTable<Name extends string = string> = readonly (Field & { name: Name })[];

/** The names of a table's fields. */
export type NameOf<Table> = Table extends FieldTable<infer Name> ? Name : never;

/**
 * A table whose type contains its fields' names: a list with an entry for each field, such as its labels, cannot omit
 * one.
 */
export function fieldTable<const Name extends string>(fields: FieldTable<Name>): FieldTable<Name> {
  return fields;
}

/** The fields that a client sent. Read them only by the names of a field table, through `Object.hasOwn`. */
export type Input = Readonly<Record<string, unknown>>;

/** The default of a country: the tenant's own, initially "Romania". */
export const TENANT_COUNTRY = Symbol("the tenant's default country");

/** A telephone number, as every noun has it. */
export function phoneField<const Name extends string>(name: Name, example: string): Field & { name: Name } {
  return { name, kind: "string", max: 30, encrypted: "phone", description: "Stored encrypted.", example };
}

/** A country; by default the tenant's. */
export const countryField: Field & { name: "country" } = {
  name: "country",
  kind: "string",
  max: 100,
  default: TENANT_COUNTRY,
  description: "Default: the tenant's country.",
  example: "Romania",
};

/** The longest free text (`notes`, `delivery_notes`), in code points. */
export const TEXT_MAX = 65_535;

/** The largest integer that JSON carries exactly everywhere. */
export const INTEGER_MAX = Number.MAX_SAFE_INTEGER;

/** The fields that the API has. */
export function apiFields(fields: FieldTable): FieldTable {
  return fields.filter(({ isOurs }) => isOurs !== true);
}

/** The input of a client of the API, without the fields that the API does not have. */
export function apiInput(fields: FieldTable, input: Input): Input {
  const ours = new Set(fields.flatMap(({ name, isOurs }) => (isOurs === true ? [name] : [])));
  return Object.fromEntries(Object.entries(input).filter(([name]) => !ours.has(name)));
}

/** The fields that are stored encrypted. */
export function encryptedFields(fields: FieldTable): FieldTable {
  return fields.filter(({ encrypted }) => encrypted);
}
