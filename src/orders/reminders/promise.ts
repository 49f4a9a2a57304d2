import { fieldTable } from "../../platform/fields/fields.ts";

/** The longest note of a promise, in code points. */
export const PROMISE_NOTE_MAX = 500;

/** The fields of the day by which a company has promised to pay. */
export const promiseFields = fieldTable([
  { name: "until", kind: "date", required: true },
  { name: "note", kind: "string", max: PROMISE_NOTE_MAX },
]);
