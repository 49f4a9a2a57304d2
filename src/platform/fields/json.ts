import { isoTimestamp } from "../dates.ts";
import type { ColumnName, Secrets } from "../encryption/keyring.ts";
import type { Row } from "../postgres/statement.ts";
import { customJson, NO_CUSTOM_FIELDS, type WithCustom } from "./custom.ts";
import type { FieldTable } from "./fields.ts";
import { listJson } from "./list-items.ts";

/**
 * Rows become JSON text without an object in between: PostgreSQL's text of a number is JSON already, and the member
 * names are written once, when the program starts.
 */
export type Member = {
  name: string;
  /** `custom`: the values of custom fields. */
  kind: "string" | "number" | "boolean" | "timestamp" | "json" | "custom" | "list" | ColumnName;
  /** A column that only pages read. */
  isOurs?: true;
};

/** Writes the members (`"id":7,"name":"..."`) of the columns of a row, which are in the same order, without ours. */
export type MembersWriter = (row: Row, secrets: MemberSecrets) => string;

/** Without custom fields, their values are written as they are stored. */
type MemberSecrets = Secrets & Partial<WithCustom>;

export function membersWriter(members: readonly Member[]): MembersWriter {
  const at = members.flatMap(({ isOurs }, column) => (isOurs === true ? [] : [column]));
  const shown = members.filter(({ isOurs }) => isOurs !== true);
  const writers = shown.map(({ kind }) => writerOf(kind));
  const names = shown.map(({ name }, index) => `${index === 0 ? "" : ","}${JSON.stringify(name)}:`);
  // Most rows have many missing values: with their names, they are one text each.
  const missing = shown.map(({ kind }, index) => `${names[index]}${kind === "list" ? "[]" : "null"}`);
  return (row, secrets) => {
    let json = "";
    for (let i = 0; i < writers.length; i++) {
      const text = row[at[i] as number] ?? null;
      if (text === null) json += missing[i] as string;
      else json += (names[i] as string) + (writers[i] as TextWriter)(text, secrets);
    }
    return json;
  };
}

/** The members of a field table's fields. */
export function membersOf(table: string, fields: FieldTable): Member[] {
  return fields.map(({ name, kind, encrypted, isOurs }) => {
    if (encrypted) return { name, kind: `${table}.${name}` as const };
    if (kind === "integer" || kind === "user") return { name, kind: "number" };
    if (kind === "enums") return { name, kind: "json" };
    return { name, kind: kind === "boolean" || kind === "list" ? kind : "string", ...(isOurs && { isOurs }) };
  });
}

export const TIMESTAMPS: readonly Member[] = [
  { name: "created_at", kind: "timestamp" },
  { name: "updated_at", kind: "timestamp" },
  { name: "deleted_at", kind: "timestamp" },
];

type TextWriter = (text: string, secrets: MemberSecrets) => string;

function writerOf(kind: Member["kind"]): TextWriter {
  switch (kind) {
    case "string":
      return (text) => JSON.stringify(text);
    case "number":
    case "json":
      return (text) => text;
    case "custom":
      return (text, { custom = NO_CUSTOM_FIELDS }) => customJson(custom, text) ?? "null";
    case "list":
      return listJson;
    case "boolean":
      return (text) => (text === "t" ? "true" : "false");
    case "timestamp":
      return (text) => `"${isoTimestamp(text)}"`;
    default:
      return (text, { keyring, tenant }) => JSON.stringify(keyring.reveal(tenant, kind, text));
  }
}
