import type { FieldTable } from "../platform/fields/fields.ts";
import { EMAIL_MAX } from "../users/user.ts";

/** The fields of a new operator, beside the password. */
export const operatorFields: FieldTable = [
  { name: "email", kind: "email", max: EMAIL_MAX, required: true },
  { name: "name", kind: "string", max: 255, required: true },
];
