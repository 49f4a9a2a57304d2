import type { Writable } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import type { Values } from "../../platform/fields/validation.ts";

/** The kinds of record beside the invoice that hold a company back from deletion. One shape; each is also its table. */
export const recordKinds = ["offers", "deals", "tickets", "subscriptions"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** The fields of a record that an import reads (docs/csv.md 4). It has a number or a title, or both. */
export const recordFields: FieldTable = [
  { name: "number", kind: "string", max: 255 },
  { name: "title", kind: "string", max: 255 },
  { name: "status", kind: "string", max: 100 },
  { name: "amount", kind: "decimal" },
  { name: "currency", kind: "string", max: 10 },
  { name: "starts_on", kind: "date" },
  { name: "ends_on", kind: "date" },
];

/** A record of a kind. */
export function recordOfKind(kind: RecordKind): Writable {
  return { table: kind, fields: recordFields, rule: hasNumberOrTitle };
}

function hasNumberOrTitle({ number, title }: Values): FieldErrors {
  return number || title ? {} : { number: [{ code: "requiredWithout", other: "title" }] };
}
