import { fieldRow } from "../../../kit/web/forms/field.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { inputRow } from "../../../kit/web/forms/input-row.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { moment, type Language } from "../../../kit/web/language.ts";
import { messagesIn } from "../../../kit/web/messages.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import { textOrNull, validate } from "../../../platform/fields/validation.ts";
import {
  warehouseContactFields,
  type ConnectionInput,
  type ConnectionProblem,
  type WarehouseConnection,
} from "../connection/connection.ts";
import { warehouseWords } from "./warehouse-words.ts";

/** The connection in a form of `connectionFields`. */
export function connectionIn(form: Form): ConnectionInput {
  return {
    subdomain: form.get("wms_subdomain") ?? "",
    key: form.get("wms_api_key") ?? "",
    sendsAutomatically: ["1", "on", "true"].includes(form.get("send_automatically") ?? ""),
  };
}

/** The person to ask at the warehouse, in a form with `contactRow`; or what is wrong with the text. */
export function contactIn(form: Form): { contact: string | null; wrong: FieldErrors | null } {
  const checked = validate(warehouseContactFields, form.input(["warehouse_contact"]), "update");
  if (checked.errors !== null) return { contact: null, wrong: checked.errors };
  return { contact: textOrNull(checked.values.warehouse_contact), wrong: null };
}

/** @param stored shown unless the form has another one */
export function contactRow({ form, language }: PageRequest, stored: string | null, wrong: FieldErrors | null): Html {
  const words = warehouseWords[language];
  const labels = { warehouse_contact: words.contact };
  const errors = wrong === null ? null : messagesIn(language, wrong, labels);
  const values = { warehouse_contact: form.get("warehouse_contact") ?? stored };
  const hints = { warehouse_contact: words.contactHint };
  return html`${warehouseContactFields.map((field) => fieldRow(field, { values, labels, errors, language, hints }))}`;
}

type FieldOptions = {
  language: Language;
  timeZone: string;
  /** Whether the subdomain stays, and has no field. */
  isSubdomainFixed?: boolean;
};

/** The fields of a connection. */
export function connectionFields(
  connection: WarehouseConnection | null,
  { subdomain, key, sendsAutomatically }: ConnectionInput,
  problems: readonly ConnectionProblem[],
  { language, timeZone, isSubdomainFixed = false }: FieldOptions,
): Html {
  const words = warehouseWords[language];
  const wrongKey =
    (problems.includes("key") && words.wrongKey) ||
    (problems.includes("other-key") && words.otherKey) ||
    (key !== "" && shellWords[language].enterAgain);
  const errors = {
    ...(problems.includes("subdomain") && { wms_subdomain: [words.wrongSubdomain] }),
    ...(wrongKey !== false && { wms_api_key: [wrongKey] }),
  };
  const isStored = connection !== null && connection.keyEnd !== null;
  const label = html`${words.key} ${connection !== null && storedKey(connection, language, timeZone)}`;
  const hint = html`${words.keyHint} ${isStored && (isSubdomainFixed ? words.keyUnchangedHere : words.keyUnchanged)}`;
  return html`${!isSubdomainFixed && inputRow({ name: "wms_subdomain", label: words.subdomain, value: subdomain, hint: words.subdomainHint, autocomplete: "off", isVerbatim: true }, errors)}
${inputRow({ name: "wms_api_key", label, type: "password", hint, autocomplete: "off", isOptional: true }, errors)}
<div class="field"><input type="checkbox" id="send_automatically" name="send_automatically" value="1" aria-describedby="automatically-hint"${sendsAutomatically && html` checked`}>
<label for="send_automatically">${words.automatically}</label>
<p class="hint" id="automatically-hint">${words.automaticallyHint}</p></div>`;
}

/** Of a stored key how it ends, and who wrote it when. */
function storedKey(
  { keyEnd, keySetAt, keySetBy }: WarehouseConnection,
  language: Language,
  timeZone: string,
): Html | null {
  const words = warehouseWords[language];
  if (keyEnd === null) return null;
  return html`<span class="muted">${words.keyStored(keyEnd)}${
    keySetAt !== null && html`, ${words.keySet(moment(language, keySetAt, timeZone), keySetBy ?? words.somebody)}`
  }</span>`;
}

/** A connection for people who may not change it. @param name of the warehouse, with whose it is */
export function facts(connection: WarehouseConnection, language: Language, timeZone: string, name: Content): Html {
  const words = warehouseWords[language];
  const { yes, no } = shellWords[language];
  return html`<dl class="facts">
<dt>${words.subdomain}</dt><dd>${name}</dd>
<dt>${words.key}</dt><dd>${storedKey(connection, language, timeZone)}</dd>
<dt>${words.automatically}</dt><dd>${connection.sendsAutomatically ? yes : no}</dd>
</dl>`;
}
