import type { Writable } from "../../platform/fields/draft.ts";
import { fieldTable, INTEGER_MAX, type NameOf } from "../../platform/fields/fields.ts";

/** The longest text, in code points. */
const ABOUT_MAX = 255;

const plannedCallFields = fieldTable([
  { name: "due_on", kind: "date", required: true },
  { name: "contact_id", kind: "integer", min: 1, max: INTEGER_MAX },
  { name: "about", kind: "string", max: ABOUT_MAX },
  // Null: the owner of the company.
  { name: "assigned_to", kind: "user" },
  { name: "invoice_id", kind: "integer", min: 1, max: INTEGER_MAX },
]);

export type PlannedCallField = NameOf<typeof plannedCallFields>;

/** A call to come with a company. */
export const plannedCall: Writable = { table: "planned_calls", fields: plannedCallFields };
