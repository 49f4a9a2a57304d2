import { parseDate, parseTimestamp } from "../dates.ts";
import { isStorable, isWithin, trim } from "../text.ts";
import { parseHttpUrl } from "../url.ts";
import { isEmail } from "./email.ts";
import type { Field, FieldTable, Input } from "./fields.ts";
import { INTEGER_MAX } from "./fields.ts";
import { itemsInOrder, storedList } from "./list-items.ts";

/** A value as it is stored, or null. Dates, timestamps, decimals and lists are text. */
export type Value = string | number | boolean | null;
export type Values = Record<string, Value>;
/** Field -> its messages, in rule order; the fields in the order of their table. An item's is `lines.0.quantity`. */
export type FieldErrors = Record<string, string[]>;
export type Validated = { values: Values; errors: FieldErrors | null };

/** create: required fields must be there, null takes the default. update: an absent field is left alone. */
export type Mode = "create" | "update";

/**
 * Checks an input against a field table (docs/contract.md 4). `values` has a key for each field that was
 * sent (on create: also null for one that was not; defaults are the caller's). The caller checks that users exist.
 * @param at where the fields are, in their names in messages: `lines.0.`
 */
export function validate(fields: FieldTable, input: Input, mode: Mode, at = ""): Validated {
  const values: Values = {};
  let errors: FieldErrors | null = null;
  for (const field of fields) {
    const sent = Object.hasOwn(input, field.name);
    if (!sent && mode === "update") continue;
    const value = sent ? asChecked(input[field.name]) : null;
    const named = at === "" ? field : { ...field, name: at + field.name };
    const checked = value === null ? checkNull(named, mode) : check(named, value);
    if (Array.isArray(checked)) (errors ??= {})[named.name] = checked;
    else if (typeof checked === "object" && checked !== null) Object.assign((errors ??= {}), checked);
    else values[field.name] = checked;
  }
  return { values, errors };
}

/** The message of a rule that only the database can check. */
export function selectedIsInvalid(field: string): string {
  return `The selected ${label(field)} is invalid.`;
}

/** The messages in the order of the fields. */
export function inFieldOrder(fields: FieldTable, errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors);
  return Object.fromEntries(
    fields.flatMap(({ name }) => entries.filter(([at]) => at === name || at.startsWith(`${name}.`))),
  );
}

/** The field's name as messages write it: `tax_id` -> `tax id`. */
function label(name: string): string {
  return name.replaceAll("_", " ");
}

/** A value as a statement takes a text; null also of a field that was not sent. */
export function textOrNull(value: Value | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}

/** A value as it is checked: a text without the blanks around it, and an empty one is none. */
export function asChecked(value: unknown): unknown {
  if (typeof value !== "string") return value ?? null;
  return trim(value) || null;
}

function checkNull(field: Field, mode: Mode): Value | string[] {
  if (field.required) return [`The ${label(field.name)} field is required.`];
  if (mode === "update" && (field.kind === "list" || field.kind === "enums")) return [mustBeArray(field.name)];
  if (mode === "create" || field.default === undefined) return null;
  if (field.kind === "enum") return [selectedIsInvalid(field.name)];
  return [`The ${label(field.name)} field must be ${field.kind === "boolean" ? "true or false" : "a string"}.`];
}

function check(field: Field, value: unknown): Value | string[] | FieldErrors {
  if (typeof value === "string" && !isStorable(value)) {
    return [`The ${label(field.name)} field contains invalid characters.`];
  }
  switch (field.kind) {
    case "string":
      return checkString(field, value);
    case "email":
      return checkText(field, value, (text) => (isEmail(text) ? text : null), "a valid email address");
    case "url":
      return checkText(field, value, parseHttpUrl, "a valid URL");
    case "integer":
    case "user":
      return checkInteger(field, value);
    case "boolean":
      return checkBoolean(field, value);
    case "date":
      return checkParsed(field, value, parseDate, "a valid date");
    case "timestamp":
      return checkParsed(field, value, parseTimestamp, "a valid date and time");
    case "decimal":
      return checkParsed(field, typeof value === "number" ? String(value) : value, parseDecimal, "a number");
    case "enum":
      return typeof value === "string" && field.values?.includes(value) ? value : [selectedIsInvalid(field.name)];
    case "enums":
      return checkEnums(field, value);
    case "list":
      return checkList(field, value);
  }
}

function checkString(field: Field, value: unknown): string | string[] {
  if (typeof value !== "string") return [`The ${label(field.name)} field must be a string.`];
  return tooLong(field, value) ?? value;
}

/** The parsed text is the one that is stored, so the maximum is its own. */
function checkText(
  field: Field,
  value: unknown,
  parse: (text: string) => string | null,
  what: string,
): string | string[] {
  const message = `The ${label(field.name)} field must be ${what}.`;
  if (typeof value !== "string") return [message];
  const parsed = parse(value);
  const messages = [...(parsed === null ? [message] : []), ...(tooLong(field, parsed ?? value) ?? [])];
  return parsed === null || messages.length > 0 ? messages : parsed;
}

function tooLong(field: Field, value: string): string[] | null {
  const max = field.max ?? Infinity;
  if (isWithin(value, max)) return null;
  return [`The ${label(field.name)} field must not be greater than ${max} characters.`];
}

function checkInteger(field: Field, value: unknown): number | string[] {
  const { min = -INTEGER_MAX, max = INTEGER_MAX } = field;
  const number = numberOf(value);
  const messages: string[] = [];
  if (!isInteger(value, number)) messages.push(`The ${label(field.name)} field must be an integer.`);
  if (field.min !== undefined && number < min) {
    messages.push(`The ${label(field.name)} field must be at least ${min}.`);
  }
  if (field.max !== undefined && number > max) {
    messages.push(`The ${label(field.name)} field must not be greater than ${max}.`);
  }
  // Adding 0 turns -0 into 0.
  return messages.length > 0 ? messages : number + 0;
}

function isInteger(value: unknown, number: number): boolean {
  if (typeof value === "string" && !/^[+-]?(?:0|[1-9]\d*)$/.test(value)) return false;
  return Number.isSafeInteger(number);
}

/** The number that a value is; else NaN, which is neither below a minimum nor above a maximum. */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^[+-]?\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}

function checkBoolean(field: Field, value: unknown): boolean | string[] {
  if (value === true || value === 1 || value === "1") return true;
  if (value === false || value === 0 || value === "0") return false;
  return [`The ${label(field.name)} field must be true or false.`];
}

function checkParsed(
  field: Field,
  value: unknown,
  parse: (text: string) => string | null,
  what: string,
): string | string[] {
  const parsed = typeof value === "string" ? parse(value) : null;
  return parsed ?? [`The ${label(field.name)} field must be ${what}.`];
}

/** An array of some of the values; the message of one that is none is under its own place: `types.0`. */
function checkEnums({ name, max = Infinity, values = [] }: Field, value: unknown): string | string[] | FieldErrors {
  if (!Array.isArray(value)) return [mustBeArray(name)];
  if (value.length === 0) return [`The ${label(name)} field is required.`];
  if (value.length > max) return [tooManyItems(name, max)];
  const wrong = value.flatMap((item: unknown, index) =>
    typeof item === "string" && values.includes(item) ? [] : [`${name}.${index}`],
  );
  if (wrong.length > 0) return Object.fromEntries(wrong.map((at) => [at, [selectedIsInvalid(at)]]));
  return JSON.stringify(value);
}

/** Each item is a create, whose messages are under its own place: `lines.0.description`. */
function checkList(
  { name, max = Infinity, items = [] }: Field,
  value: unknown,
): string | null | string[] | FieldErrors {
  if (!Array.isArray(value)) return [mustBeArray(name)];
  if (value.length > max) return [tooManyItems(name, max)];
  const checked = value.map((item: unknown, index): Validated => {
    if (isObject(item)) return validate(items, item, "create", `${name}.${index}.`);
    return { values: {}, errors: { [`${name}.${index}`]: [`The ${label(name)}.${index} field must be an object.`] } };
  });
  const errors = checked.map((item) => item.errors).filter((found) => found !== null);
  if (errors.length > 0) return Object.assign({}, ...errors) as FieldErrors;
  return storedList(itemsInOrder(checked.map(({ values }) => values)));
}

function mustBeArray(name: string): string {
  return `The ${label(name)} field must be an array.`;
}

export function tooManyItems(name: string, max: number): string {
  return `The ${label(name)} field must not have more than ${max} items.`;
}

/** Whether a value can have fields. */
export function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Up to 15 digits before the point and 6 behind it, as JSON writes a number without an exponent. */
export const DECIMAL = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

function parseDecimal(text: string): string | null {
  return DECIMAL.test(text) ? text : null;
}
