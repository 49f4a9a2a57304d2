import type { Writable } from "../platform/fields/draft.ts";
import type { FieldTable } from "../platform/fields/fields.ts";

export const activityKinds = ["call", "email", "meeting"] as const;

/** The longest note, in code points. */
const NOTE_MAX = 4_000;

const activityFields: FieldTable = [
  { name: "kind", kind: "enum", values: activityKinds, required: true },
  { name: "note", kind: "string", max: NOTE_MAX },
];

/** An activity with a contact: a call, an e-mail, a meeting. */
export const activity: Writable = { table: "activities", fields: activityFields };
