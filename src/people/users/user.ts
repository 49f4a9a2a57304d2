import type { Role } from "../../kit/web/session.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";

/** The longest e-mail address of a user or an operator, in code points. */
export const EMAIL_MAX = 255;

/** The roles of users. */
export const roles: readonly Role[] = ["admin", "member"];

/** The fields that a user is created with, beside the password. */
export const userFields: FieldTable = [
  { name: "email", kind: "email", max: EMAIL_MAX, required: true },
  { name: "name", kind: "string", max: 255, required: true },
  { name: "role", kind: "enum", values: roles, default: "member" },
];

/** The fields that people change about themselves. A language of null is the browser's. */
export const profileFields: FieldTable = [
  { name: "name", kind: "string", max: 255, required: true },
  { name: "language", kind: "enum", values: ["en", "ro"] },
  { name: "theme", kind: "enum", values: ["light", "dark", "system"], default: "system" },
];

/** The fields that an admin changes about others. */
export const identityFields: FieldTable = [
  { name: "name", kind: "string", max: 255, required: true },
  { name: "email", kind: "email", max: EMAIL_MAX, required: true },
];

/** The fields that an admin changes about everybody. */
export const membershipFields: FieldTable = [
  { name: "role", kind: "enum", values: roles, required: true },
  { name: "may_export", kind: "boolean" },
];

/** The fields that an invitation is made with. */
export const invitationFields: FieldTable = [
  { name: "email", kind: "email", max: EMAIL_MAX, required: true },
  { name: "role", kind: "enum", values: roles, default: "member" },
];

/** The fields that an invited person gives, beside the password. */
export const acceptanceFields: FieldTable = [{ name: "name", kind: "string", max: 255, required: true }];
