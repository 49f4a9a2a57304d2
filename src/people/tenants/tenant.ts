import type { FieldTable } from "../../platform/fields/fields.ts";
import { trim } from "../../platform/text.ts";

/** The fields that a tenant is created with, beside its slug. */
export const tenantFields: FieldTable = [
  { name: "name", kind: "string", max: 255, required: true },
  { name: "country", kind: "string", max: 100 },
];

/** The fields of a workspace that its admins change. */
export const workspaceFields: FieldTable = [
  { name: "name", kind: "string", max: 255, required: true },
  { name: "country", kind: "string", max: 100, required: true },
  // V8 leaves out the one that needs no name.
  { name: "time_zone", kind: "enum", values: ["UTC", ...Intl.supportedValuesOf("timeZone")], required: true },
];

export const SLUG_MAX = 63;

/** The slug of the installation's own workspace, whose users are the operators. No tenant has it. */
export const INSTALLATION_SLUG = "";

/** Whether the text can be a tenant's slug (docs/contract.md 2.1). It has no dot, which ends it in a token. */
export function isSlug(text: string): boolean {
  return text.length <= SLUG_MAX && /^[a-z0-9](-?[a-z0-9])*$/.test(text);
}

/** The slug in a typed text, whatever its case: phones begin with a capital letter. */
export function typedSlug(text: string): string {
  const slug = trim(text);
  return slug.length > SLUG_MAX ? slug : slug.toLowerCase();
}

/** The address of the operators' form is /operator/tenants/new, so no new tenant may have this slug. */
const RESERVED = "new";

/** Whether a new tenant may have the slug. */
export function isNewSlug(text: string): boolean {
  return isSlug(text) && text !== RESERVED;
}
