import type { Deps } from "../../../kit/deps.ts";
import { textFields, type ChangedTexts } from "../../../orders/reminders/reminder-texts.ts";
import { logoType } from "../../../people/tenants/workspace-details.ts";
import { METADATA, sortedCustom, VALUES_TEXT } from "../../../platform/fields/custom.ts";
import { checkExternal, EXTERNAL } from "../../../platform/fields/external-ids.ts";
import { fieldMessages, type FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Field, FieldTable } from "../../../platform/fields/fields.ts";
import { listItems } from "../../../platform/fields/list-items.ts";
import { validate } from "../../../platform/fields/validation.ts";
import { linesOf, valuesOf } from "../../../platform/postgres/copy-lines.ts";
import type { StoredTable } from "../../../platform/postgres/stored-tables.ts";
import { Refusal } from "../../../platform/refusal.ts";
import { isTrue, type RowValues } from "./adjust-rows.ts";
import { storedFields, uncheckedTables } from "./stored-fields.ts";

/** Maximum characters of a value outside the field tables: no request can be larger. */
const OTHERS_MAX = 1024 * 1024;

/** Statements and pages about all tenants read such columns, and count on times that end. */
const [TIME, ENDLESS] = [/(?:^|_)(?:at|until)$/, /^-?infinity$/];

/**
 * Checks the rows of a table; throws Refusal for one that Liaison would not have written, because a file's author can
 * choose any values.
 */
export async function* checkRows(
  { name, columns }: StoredTable,
  rows: AsyncIterable<Buffer>,
  passwords: Deps["passwords"],
): AsyncGenerator<Buffer> {
  if (uncheckedTables.has(name)) return yield* rows;
  const fields = storedFields.get(name) ?? [];
  const names = columns.map(unquoted);
  let row = 0;
  for await (const line of linesOf(name, rows)) {
    row++;
    const found = valuesOf(line);
    const values = Object.fromEntries(names.map((column, index) => [column, found[index] ?? null]));
    const complaint = complaintOf(fields, values, passwords);
    if (complaint !== null) throw new Refusal(`Row ${row} of ${name} was not written by Liaison: ${complaint}`);
    yield line;
  }
}

function complaintOf(fields: FieldTable, values: RowValues, passwords: Deps["passwords"]): string | null {
  const { password_hash: hash = null } = values;
  // The demo's users have an empty one, which is that of no password.
  if (hash !== null && hash !== "" && !passwords.isHash(hash)) return "No release has made this password hash.";
  const rest = { ...values };
  const input: Record<string, unknown> = {};
  for (const field of fields) {
    const stored = values[field.name] ?? null;
    if (stored !== null) input[field.name] = sentAs(field, stored);
    delete rest[field.name];
  }
  const { errors } = validate(fields, input, "update");
  const external = externalErrors(values[EXTERNAL] ?? null);
  if (external !== null) return Object.values(fieldMessages(external))[0]?.[0] ?? "";
  if (errors !== null) return Object.values(fieldMessages(errors))[0]?.[0] ?? "";
  if (!isSameCustom(values[METADATA] ?? null, values[VALUES_TEXT] ?? null))
    return `The ${VALUES_TEXT} is not the ${METADATA}.`;
  const { logo = null } = values;
  if (logo !== null && logoType(Buffer.from(logo, "base64")) === null) return "The logo is neither a PNG nor a JPEG.";
  if (!areTexts(values.reminder_texts ?? null)) return "The reminder_texts are no texts of reminders.";
  const endless = Object.keys(rest).find((column) => TIME.test(column) && ENDLESS.test(rest[column] ?? ""));
  if (endless !== undefined) return `The ${endless} is no time.`;
  const long = Object.keys(rest).find((column) => (rest[column]?.length ?? 0) > OTHERS_MAX);
  return long === undefined ? null : `The ${long} is longer than a request.`;
}

function externalErrors(stored: string | null): FieldErrors | null {
  if (stored === null) return null;
  try {
    return checkExternal({ [EXTERNAL]: JSON.parse(stored) }, EXTERNAL, "update")?.errors ?? null;
  } catch {
    return { [EXTERNAL]: [{ code: "notObject" }] };
  }
}

/** Whether a text of values, if there is one, has the stored values. */
function isSameCustom(stored: string | null, text: string | null): boolean {
  if (text === null) return true;
  try {
    return stored !== null && sortedCustom(stored) === sortedCustom(text);
  } catch {
    return false;
  }
}

/** Whether each changed text of reminders, if there are any, is one that people can store. */
function areTexts(stored: string | null): boolean {
  if (stored === null) return true;
  try {
    const texts = Object.values(JSON.parse(stored) as ChangedTexts);
    return texts.every((text) => validate(textFields, text, "update").errors === null);
  } catch {
    return false;
  }
}

/** A stored value in the format of a request. A value that no request could send stays as it is, and is rejected. */
function sentAs({ kind, items = [] }: Field, stored: string): unknown {
  if (kind === "boolean") return isTrue(stored) || (["f", "false"].includes(stored) ? false : stored);
  // PostgreSQL writes its zone without minutes.
  if (kind === "timestamp") return stored.replace(/\+00$/, "Z");
  if (kind !== "list") return stored;
  try {
    const sent = listItems(stored);
    const names = new Set(items.map(({ name }) => name));
    return sent.every((item) => Object.keys(item).every((name) => names.has(name))) ? sent : stored;
  } catch {
    return stored;
  }
}

/** The catalogue quotes column names that are SQL words, for example `"position"`. */
function unquoted(column: string): string {
  return column.replace(/^"(.*)"$/, "$1");
}
