import type { FieldValues } from "../web/forms/field.ts";
import type { Form } from "../web/forms/form.ts";
import { html, type Html } from "../web/html.ts";
import { wasName } from "./reconcile.ts";

/** The hidden fields with the values that a form shows first. A refused form keeps them. */
export function shownFields(names: readonly string[], stored: FieldValues, form: Form): Html[] {
  return names.map(
    (name) => html`<input type="hidden" name="${wasName(name)}" value="${form.get(wasName(name)) ?? stored[name]}">`,
  );
}

/** The names that were edited since: another person may have changed the other fields meanwhile. */
export function editedIn(form: Form, names: readonly string[]): string[] {
  return names.filter((name) => form.get(name) !== form.get(wasName(name)));
}
