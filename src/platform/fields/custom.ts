import { BoundedMap } from "../bounded-map.ts";
import { shortened } from "../text.ts";
import type { FieldErrors } from "./field-reasons.ts";
import type { Field, FieldTable, Input } from "./fields.ts";
import { asChecked, isObject, textOrNull, validate, type Mode, type Value, type Values } from "./validation.ts";

/** The member of a write with the values of the workspace's custom fields, by key: `{price_list: "gold"}`. */
export const CUSTOM = "custom";

/** The column with these values, and the member of answers. */
export const METADATA = "metadata";

/**
 * The column with the same values as text: the JSON of answers, in the order that the fields had when they were
 * written. Null: as `metadata` has them.
 */
export const VALUES_TEXT = "values_text";

/** The SQL of the values of a row as JSON, for reading: PostgreSQL takes longer to write its own text of `metadata`. */
export function valuesText(alias: string): string {
  return `coalesce(${alias}.${VALUES_TEXT}, ${alias}.${METADATA}::text)`;
}

/** The most fields of a noun that are not archived. */
export const CUSTOM_FIELDS_MAX = 50;
/** The most fields of a noun, archived ones too: servers keep all of them in memory. */
export const CUSTOM_FIELDS_WITH_ARCHIVED_MAX = 100;

/** Characters of an unknown key that are shown. */
const KEY_SHOWN = 40;

/** A field that a workspace has defined. Its `name` is `custom.KEY`: in forms, files, history and errors. */
export type CustomField = Field & {
  key: string;
  label: string;
  help: string | null;
  options: readonly CustomOption[];
};

/** An option of a choice. An archived one is shown where records have it, and accepted from those alone. */
export type CustomOption = { value: string; label: string; archived: boolean };

/**
 * The custom fields of a noun in the order of their positions: a field table that is made at run time. `isUsed`: the
 * workspace has defined a field of this noun, perhaps an archived one. If not, `metadata` is answered as it is stored.
 */
export type CustomTable = { readonly fields: readonly CustomField[]; readonly isUsed: boolean };

export const NO_CUSTOM_FIELDS: CustomTable = { fields: [], isUsed: false };

/** The custom fields with which the JSON of a noun is written. */
export type WithCustom = { custom: CustomTable };

/** Whether a field is one that a workspace has defined. */
export function isCustom(field: Field): field is CustomField {
  return "key" in field;
}

/** The name of a custom field beside the fields of the program. */
export function customName(key: string): string {
  return `${CUSTOM}.${key}`;
}

/**
 * Checks the values that were sent as `custom`; null if there are none. On create, null counts as not sent. `stored` is
 * the text of the changed values, null for one to remove; undefined if nothing changes.
 */
export function checkCustom(
  table: CustomTable,
  input: Input,
  mode: Mode,
): { stored?: string; errors: FieldErrors | null } | null {
  const sent = Object.hasOwn(input, CUSTOM) ? asChecked(input[CUSTOM]) : null;
  if (sent === null) return null;
  if (!isObject(sent)) return { errors: { [CUSTOM]: [{ code: "notObject" }] } };
  const keys = Object.keys(sent);
  if (keys.length > CUSTOM_FIELDS_MAX) {
    return { errors: { [CUSTOM]: [{ code: "tooManyItems", bound: CUSTOM_FIELDS_MAX }] } };
  }
  const { fields } = table;
  const { known } = layoutOf(table);
  const unknown = keys.filter((key) => !known.has(key)).map((key) => shortened(key, KEY_SHOWN));
  const { values, errors } = validate(fields, sent, "update", "", ({ key }) => key);
  if (errors !== null || unknown.length > 0) {
    const noField = unknown.map((key): [string, FieldErrors[string]] => [
      customName(key),
      [{ code: "noCustomField", key }],
    ]);
    return { errors: { ...errors, ...Object.fromEntries(noField) } };
  }
  const stored = storedCustom(fields, values, mode);
  return stored === undefined ? { errors: null } : { stored, errors: null };
}

/**
 * The fields whose sent option is archived, or removed since: an undo brings those back. An update may repeat the one
 * that its row has. The input has the values as `custom`, or as files do beside the others.
 */
export function goneAmong(fields: readonly CustomField[], input: Input): CustomField[] {
  return fields.filter((field) => {
    const value = sentValue(input, field);
    return field.kind === "enum" && typeof value === "string" && field.values?.includes(value) === false;
  });
}

/** An input without the sent values of these fields that are stored already. */
export function withoutSame(input: Input, fields: readonly CustomField[], stored: string | null): Input {
  const values = stored === null ? {} : valuesIn(stored);
  const same = new Set(
    fields.filter((field) => sentValue(input, field) === values[field.key]).flatMap(({ name, key }) => [name, key]),
  );
  const left = (sent: Input) => Object.fromEntries(Object.entries(sent).filter(([name]) => !same.has(name)));
  return Object.hasOwn(input, CUSTOM) ? { ...left(input), [CUSTOM]: left(sentCustom(input)) } : left(input);
}

function sentValue(input: Input, { name, key }: CustomField): unknown {
  return Object.hasOwn(input, name) ? input[name] : sentCustom(input)[key];
}

function sentCustom(input: Input): Input {
  const sent = Object.hasOwn(input, CUSTOM) ? asChecked(input[CUSTOM]) : null;
  return isObject(sent) ? sent : {};
}

/**
 * Moves the values of custom fields out of those of a row that has them beside its own, as files do. Returns their text
 * as checkCustom does.
 */
export function collectCustom(fields: FieldTable, values: Values, mode: Mode): string | undefined {
  const custom = customAmong.getOrInsertComputed(fields, () => fields.filter(isCustom));
  const stored = storedCustom(custom, values, mode);
  for (const { name } of custom) delete values[name];
  return stored;
}

/** Looked for once: most workspaces have none, and a file a million rows. */
const customAmong = new WeakMap<FieldTable, readonly CustomField[]>();

/** The text of the changed values; undefined if nothing changes. On create, null counts as not sent. */
function storedCustom(fields: readonly CustomField[], values: Values, mode: Mode): string | undefined {
  const changed: Values = {};
  let isChanged = false;
  for (const { name, key, kind } of fields) {
    const value = values[name];
    if (value === undefined || (value === null && mode === "create")) continue;
    changed[key] = kind === "decimal" && typeof value === "string" ? plainDecimal(value) : value;
    isChanged = true;
  }
  return isChanged ? JSON.stringify(changed) : undefined;
}

/** The key of a custom field; null for another name. */
export function keyOf(name: string): string | null {
  return name.startsWith(`${CUSTOM}.`) ? name.slice(CUSTOM.length + 1) : null;
}

/** Stored values with null for each of the keys that has none: written again, they take back what came between. */
export function withAbsentKeys(stored: string | null, keys: readonly string[]): string {
  const absent = Object.fromEntries(keys.map((key) => [key, null]));
  return JSON.stringify({ ...absent, ...(stored === null ? {} : valuesIn(stored)) });
}

/** The result of withAbsentKeys, with values of these keys alone. */
export function withoutOtherKeys(stored: string, keys: ReadonlySet<string>): string {
  const kept = Object.entries(valuesIn(stored)).filter(([key, value]) => value === null || keys.has(key));
  return JSON.stringify(Object.fromEntries(kept));
}

/**
 * The member `metadata` of an answer, as JSON: the values in the order of the fields.
 * @param stored as valuesText has it
 */
export function customJson(table: CustomTable, stored: string | null): string | null {
  if (!table.isUsed || stored === null) return stored;
  const { names, answer } = layoutOf(table);
  if (stored.length <= SHORT_TEXT && answer.test(stored)) return stored;
  const values = valuesIn(stored);
  let members = "";
  for (const [index, { key }] of table.fields.entries()) {
    if (!Object.hasOwn(values, key)) continue;
    members += `${members === "" ? "{" : ","}${names[index]}${JSON.stringify(values[key])}`;
  }
  return members === "" ? null : `${members}}`;
}

/** The values by the names of the fields, as texts, for pages and files. */
export function customValues({ fields }: CustomTable, stored: string | null): Record<string, string | null> {
  if (fields.length === 0) return {};
  const values = stored === null ? {} : valuesIn(stored);
  return Object.fromEntries(
    fields.map(({ name, key }) => {
      return [name, textOrNull(Object.hasOwn(values, key) ? (values[key] as Value) : null)];
    }),
  );
}

/**
 * The stored values of two records that become one: those of the first, and the other's where it has none.
 * @param chosen by the names of fields: `keep` for the first one's value, `from` for the other's, also for none
 * @param left the keys of which the first one keeps what it has
 */
export function mergedCustom(
  own: string | null,
  other: string | null,
  chosen: Readonly<Record<string, "keep" | "from">>,
  left: ReadonlySet<string>,
): string | null {
  const [ownValues, otherValues] = [valuesIn(own ?? "{}"), valuesIn(other ?? "{}")];
  for (const key of left) delete otherValues[key];
  const merged = { ...otherValues, ...ownValues };
  for (const [name, choice] of Object.entries(chosen)) {
    const key = keyOf(name);
    const source = choice === "from" ? otherValues : ownValues;
    if (key !== null) merged[key] = Object.hasOwn(source, key) ? source[key] : undefined;
  }
  const json = JSON.stringify(merged);
  return json === "{}" ? null : json;
}

/** The same text for the same stored values. */
export function sortedCustom(stored: string): string {
  const sorted = Object.entries(valuesIn(stored)).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(sorted));
}

/**
 * The stored values without what one write changed, from `before` to `after`, where nothing changed it since.
 * @param ignored the keys whose values stay as they are
 * @returns also the number of values that go back, and of those that something changed
 */
export function customWithout(
  stored: string | null,
  [before, after]: readonly [before: string | null, after: string | null],
  ignored: ReadonlySet<string>,
): { stored: string | null; restored: number; left: number } {
  const values = valuesIn(stored ?? "{}");
  const [had, has] = [valuesIn(before ?? "{}"), valuesIn(after ?? "{}")];
  const changed = Object.keys({ ...had, ...has }).filter((id) => !ignored.has(id) && had[id] !== has[id]);
  const unchanged = changed.filter((id) => values[id] === has[id]);
  for (const id of unchanged) values[id] = had[id];
  const json = JSON.stringify(values);
  return { stored: json === "{}" ? null : json, restored: unchanged.length, left: changed.length - unchanged.length };
}

/** The posted values as a write sends them, without those that are as they were. A stored archived option stays. */
export function customInput({ fields }: CustomTable, posted: Input, before: Readonly<Record<string, string | null>>) {
  const changed = fields.filter(
    ({ name }) => Object.hasOwn(posted, name) && (posted[name] ?? "") !== (before[name] ?? ""),
  );
  return changed.length === 0
    ? {}
    : { [CUSTOM]: Object.fromEntries(changed.map(({ name, key, kind }) => [key, sentAs(kind, posted[name])])) };
}

function sentAs(kind: Field["kind"], value: unknown): unknown {
  return kind === "boolean" && (value === "true" || value === "false") ? value === "true" : value;
}

function valuesIn(stored: string): Record<string, unknown> {
  const values: unknown = JSON.parse(stored);
  return isObject(values) ? values : {};
}

/** Characters of stored values that an expression reads. */
const SHORT_TEXT = 4_096;

/**
 * `answer` matches stored values that are an answer already: texts and booleans of these fields alone, in their order.
 * It takes a tenth of the time of parsing them and writing them again.
 */
type Layout = { known: ReadonlySet<string>; names: readonly string[]; answer: RegExp };

const layouts = new WeakMap<CustomTable, Layout>();
/** Tables are read again every few seconds, with the same keys: compiling an expression takes longer than its use. */
const layoutsByKeys = new BoundedMap<Layout>(500);

function layoutOf(table: CustomTable): Layout {
  return layouts.getOrInsertComputed(table, ({ fields }) => {
    const keys = fields.map(({ key }) => key);
    return layoutsByKeys.getOrInsertComputed(keys.join(), () => layoutFor(keys));
  });
}

/** Keys have letters, digits and underscores alone. */
function layoutFor(keys: readonly string[]): Layout {
  const value = String.raw`(?:"[^"\\]*(?:\\.[^"\\]*)*"|true|false)`;
  return {
    known: new Set(keys),
    names: keys.map((key) => `${JSON.stringify(key)}:`),
    answer: new RegExp(`^\\{${keys.map((key) => `(?:"${key}":${value}(?:,|\\}$))?`).join("")}$`),
  };
}

/** A decimal without zeros that do not change it. */
export function plainDecimal(text: string): string {
  const plain = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return plain === "-0" ? "0" : plain;
}
