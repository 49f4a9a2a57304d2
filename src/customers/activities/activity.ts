import type { Writable } from "../../platform/fields/draft.ts";
import { fieldTable, INTEGER_MAX, type NameOf } from "../../platform/fields/fields.ts";

export const activityKinds = ["note", "call", "call_in", "email", "meeting"] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** The longest note, in code points. */
export const NOTE_MAX = 4_000;

const activityFields = fieldTable([
  { name: "kind", kind: "enum", values: activityKinds, required: true },
  { name: "note", kind: "string", max: NOTE_MAX },
  { name: "contact_id", kind: "integer", min: 1, max: INTEGER_MAX },
  // In the workspace's time zone; the present time if it is missing.
  { name: "at", kind: "timestamp" },
]);

export type ActivityField = NameOf<typeof activityFields>;

/** A conversation with a company (a call in or out, an e-mail or a meeting), or a note. */
export const activity: Writable = {
  table: "activities",
  fields: activityFields,
  rule: ({ kind, note }) => (kind === "note" && note === null ? { note: [{ code: "required" }] } : {}),
};

/** The same as it is written for the first time, when the company's next call is arranged too. */
export const newActivity: Writable = {
  ...activity,
  fields: [...activityFields, { name: "callback_date", kind: "date" }],
};
