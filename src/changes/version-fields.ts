import { encryptedFields, type FieldTable } from "../platform/fields/fields.ts";
import type { FieldValues } from "../web/forms/field.ts";
import { html, type Html } from "../web/html.ts";
import { wasName } from "./reconcile.ts";

/**
 * The hidden fields of a form that edits: the version that it was made of (the row's updated_at); and what an encrypted field
 * was, which tells later whether it was touched.
 */
export function versionFields(version: string, values: FieldValues, fields: FieldTable): Html {
  const secrets = encryptedFields(fields).map(
    ({ name }) => html`<input type="hidden" name="${wasName(name)}" value="${values[name] ?? ""}">`,
  );
  return html`<input type="hidden" name="version" value="${version}">${secrets}`;
}
