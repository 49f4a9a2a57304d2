import { parseDate, parseTimestamp } from "../dates.ts";
import { isEmail } from "../email.ts";
import { composed, isLine, isStorable, isWithin, MARKS_MAX, trim } from "../text.ts";
import type { FieldErrors, FieldReason } from "./field-reasons.ts";
import { type Field, type Input, INTEGER_MAX } from "./fields.ts";
import { itemsInOrder, storedList, withoutAbsent } from "./list-items.ts";

/** A value as it is stored, or null. Dates, timestamps, decimals and lists are text. */
export type Value = string | number | boolean | null;
export type Values = Record<string, Value>;
type Validated = { values: Values; errors: FieldErrors | null };

/** create: required fields must be present, and null means the default. update: an absent field remains unchanged. */
export type Mode = "create" | "update";

/**
 * Checks an input against a field table (docs/contract.md 4). `values` has a key for each sent field; on create also
 * null for each missing one (the caller sets defaults). The caller checks that users exist.
 * @param at the prefix of the fields' names in messages: `lines.0.`
 * @param memberOf the member of the input with a field's value
 */
export function validate<F extends Field>(
  fields: readonly F[],
  input: Input,
  mode: Mode,
  at = "",
  memberOf: (field: F) => string = nameOf,
): Validated {
  const values: Values = {};
  let errors: FieldErrors | null = null;
  for (const field of fields) {
    const member = memberOf(field);
    const sent = Object.hasOwn(input, member);
    if (!sent && mode === "update") continue;
    const value = sent ? asChecked(input[member]) : null;
    const name = at + field.name;
    const checked = value === null ? checkNull(field, mode) : check(field, name, value);
    if (Array.isArray(checked)) (errors ??= {})[name] = checked;
    else if (typeof checked === "object" && checked !== null) Object.assign((errors ??= {}), checked);
    else values[field.name] = checked;
  }
  return { values, errors };
}

function nameOf({ name }: Field): string {
  return name;
}

/** The errors in the order of the fields. */
export function inFieldOrder(fields: readonly { name: string }[], errors: FieldErrors): FieldErrors {
  const entries = Object.entries(errors);
  return Object.fromEntries(
    fields.flatMap(({ name }) => entries.filter(([at]) => at === name || at.startsWith(`${name}.`))),
  );
}

/** A value as the text of a statement's parameter; null also for a missing field. */
export function textOrNull(value: Value | undefined): string | null {
  return value === undefined || value === null ? null : String(value);
}

/** A value as validation sees it: a text is trimmed, and an empty one becomes null. */
export function asChecked(value: unknown): unknown {
  if (typeof value !== "string") return value ?? null;
  return trim(value) || null;
}

function checkNull(field: Field, mode: Mode): Value | FieldReason[] {
  if (field.required) return [{ code: "required" }];
  if (mode === "update" && (field.kind === "list" || field.kind === "enums")) return [{ code: "notArray" }];
  if (mode === "create" || field.default === undefined) return null;
  if (field.kind === "enum") return [{ code: "notSelectable" }];
  return [{ code: field.kind === "boolean" ? "notBoolean" : "notText" }];
}

/** @param name in messages */
function check(field: Field, name: string, value: unknown): Value | FieldReason[] | FieldErrors {
  if (typeof value === "string" && !isStorable(value)) return [{ code: "notStorable" }];
  switch (field.kind) {
    case "string":
      return checkString(field, value);
    case "email":
      return checkText(field, value, (text) => (isEmail(text) ? text : null), "notEmail");
    case "url":
      return checkText(field, value, parseHttpUrl, "notUrl");
    case "integer":
    case "user":
      return checkInteger(field, value);
    case "boolean":
      return checkBoolean(value);
    case "date":
      return checkParsed(value, parseDate, "notDate");
    case "timestamp":
      return checkParsed(value, parseTimestamp, "notTimestamp");
    case "decimal":
      return checkDecimal(field, value);
    case "enum":
      return typeof value === "string" && field.values?.includes(value) ? value : [{ code: "notSelectable" }];
    case "enums":
      return checkEnums(field, name, value);
    case "list":
      return checkList(field, name, value);
  }
}

function checkString(field: Field, value: unknown): string | FieldReason[] {
  if (typeof value !== "string") return [{ code: "notText" }];
  if (field.isLine === true && !isLine(value)) return [{ code: "notStorable" }];
  return tooLong(field, value) ?? storedText(field, value);
}

/** The parsed text is stored, so the limit applies to it. */
function checkText(
  field: Field,
  value: unknown,
  parse: (text: string) => string | null,
  code: "notEmail" | "notUrl",
): string | FieldReason[] {
  if (typeof value !== "string") return [{ code }];
  const parsed = parse(value);
  const reasons = [...(parsed === null ? [{ code }] : []), ...(tooLong(field, parsed ?? value) ?? [])];
  return parsed === null || reasons.length > 0 ? reasons : storedText(field, parsed);
}

/** The text as it is stored. A composed text is seldom longer than it was sent, but may be. */
function storedText(field: Field, value: string): string | FieldReason[] {
  const stored = composed(value);
  if (stored === null) return [{ code: "tooManyMarks", bound: MARKS_MAX }];
  return stored === value ? value : (tooLong(field, stored) ?? stored);
}

function tooLong(field: Field, value: string): FieldReason[] | null {
  const max = field.max ?? Infinity;
  return isWithin(value, max) ? null : [{ code: "tooLong", bound: max }];
}

function checkInteger(field: Field, value: unknown): number | FieldReason[] {
  const { min = -INTEGER_MAX, max = INTEGER_MAX } = field;
  const number = numberOf(value);
  const reasons: FieldReason[] = [];
  if (!isInteger(value, number)) reasons.push({ code: "notInteger" });
  if (field.min !== undefined && number < min) reasons.push({ code: "tooSmall", bound: min });
  if (field.max !== undefined && number > max) reasons.push({ code: "tooLarge", bound: max });
  // Adding 0 turns -0 into 0.
  return reasons.length > 0 ? reasons : number + 0;
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

function checkBoolean(value: unknown): boolean | FieldReason[] {
  if (value === true || value === 1 || value === "1") return true;
  if (value === false || value === 0 || value === "0") return false;
  return [{ code: "notBoolean" }];
}

function checkParsed(
  value: unknown,
  parse: (text: string) => string | null,
  code: "notDate" | "notTimestamp" | "notDecimal",
): string | FieldReason[] {
  const parsed = typeof value === "string" ? parse(value) : null;
  return parsed ?? [{ code }];
}

function checkDecimal({ min, max, places, digits = Infinity }: Field, value: unknown): string | FieldReason[] {
  const checked = checkParsed(typeof value === "number" ? String(value) : value, parseDecimal, "notDecimal");
  if (typeof checked !== "string") return checked;
  if (checked.replaceAll(/\D/g, "").length > digits) return [{ code: "tooManyDigits", bound: digits }];
  const reasons: FieldReason[] = [];
  if (min !== undefined && Number(checked) < min) reasons.push({ code: "tooSmall", bound: min });
  if (max !== undefined && Number(checked) > max) reasons.push({ code: "tooLarge", bound: max });
  const behind = checked.split(".")[1]?.length ?? 0;
  if (places !== undefined && behind > places) reasons.push({ code: "tooManyPlaces", bound: places });
  return reasons.length > 0 ? reasons : checked;
}

/** An array of allowed values; the error of another value is under its own place: `types.0`. */
function checkEnums(
  { max = Infinity, values = [] }: Field,
  name: string,
  value: unknown,
): string | FieldReason[] | FieldErrors {
  if (!Array.isArray(value)) return [{ code: "notArray" }];
  if (value.length === 0) return [{ code: "required" }];
  if (value.length > max) return [{ code: "tooManyItems", bound: max }];
  const wrong = value.flatMap((item: unknown, index) =>
    typeof item === "string" && values.includes(item) ? [] : [`${name}.${index}`],
  );
  if (wrong.length > 0) return Object.fromEntries(wrong.map((at) => [at, [{ code: "notSelectable" }]]));
  return JSON.stringify(value);
}

/** Each item is validated as a create, and its errors have its place as prefix: `lines.0.description`. */
function checkList(
  { max = Infinity, items = [] }: Field,
  name: string,
  value: unknown,
): string | null | FieldReason[] | FieldErrors {
  if (!Array.isArray(value)) return [{ code: "notArray" }];
  if (value.length > max) return [{ code: "tooManyItems", bound: max }];
  const checked = value.map((item: unknown, index): Validated => {
    if (isObject(item)) return validate(items, item, "create", `${name}.${index}.`);
    return { values: {}, errors: { [`${name}.${index}`]: [{ code: "notObject" }] } };
  });
  const errors = checked.map((item) => item.errors).filter((found) => found !== null);
  if (errors.length > 0) return Object.assign({}, ...errors) as FieldErrors;
  return storedList(itemsInOrder(checked.map(({ values }) => withoutAbsent(items, values))));
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

/** An HTTP address in full. One with a user name and a password is rejected: requests cannot send them. */
const HTTP_URL = /^https?:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/i;

/**
 * The address as it is requested, which is the same for all equivalent spellings; null for a text that is no address.
 */
function parseHttpUrl(text: string): string | null {
  return HTTP_URL.test(text) && URL.canParse(text) ? new URL(text).href : null;
}
