import type { FieldTable } from "../platform/fields/fields.ts";

/** The fields that a user is created with, beside the password. */
export const userFields: FieldTable = [
  { name: "email", kind: "email", max: 255, required: true },
  { name: "name", kind: "string", max: 255, required: true },
  { name: "role", kind: "enum", values: ["admin", "member"], default: "member" },
];
