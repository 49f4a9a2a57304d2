import { randomUUID } from "node:crypto";
import { html, type Html } from "../html.ts";

const ONCE = "once";

/** The once-only key of a form that creates: the same form sent again leads to what it created. */
export function onceField(): Html {
  return html`<input type="hidden" name="${ONCE}" value="${randomUUID()}">`;
}

/** The once-only key of a posted form; null without one. */
export function onceIn(form: { get(name: string): string | undefined }): string | null {
  const key = form.get(ONCE) ?? "";
  return /^[\da-f-]{36}$/.test(key) ? key : null;
}

/** The prefix of fields that say what a page has shown beside the text that a person typed. */
export const SHOWN_BESIDE = "shown.";

/** The body of a form without these fields, which a page adds while its form is on the way. */
export function typedBody(body: string): string {
  const fields = body.split("&");
  return fields.filter((field) => !field.startsWith(SHOWN_BESIDE)).join("&");
}
