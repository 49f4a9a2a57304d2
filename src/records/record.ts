import type { FieldTable } from "../platform/fields/fields.ts";

/** The kinds of record beside the invoice that hold a company back from deletion. One shape; each is also its table. */
export const recordKinds = ["offers", "deals", "tickets", "subscriptions"] as const;
export type RecordKind = (typeof recordKinds)[number];

/** What an import reads of a record (decisions 9). It has a number or a title, or both. */
export const recordFields: FieldTable = [
  { name: "number", kind: "string", max: 255 },
  { name: "title", kind: "string", max: 255 },
  { name: "status", kind: "string", max: 100 },
  { name: "amount", kind: "decimal" },
  { name: "currency", kind: "string", max: 10 },
  { name: "starts_on", kind: "date" },
  { name: "ends_on", kind: "date" },
];
