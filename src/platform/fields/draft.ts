import type { Secrets } from "../encryption/keyring.ts";
import { checkCustom, collectCustom, CUSTOM, goneAmong, METADATA, withoutSame, type CustomTable } from "./custom.ts";
import { checkExternal, EXTERNAL, storedExternal } from "./external-ids.ts";
import type { FieldErrors } from "./field-reasons.ts";
import type { FieldTable, Input } from "./fields.ts";
import { encryptValues, withDefaults, type Ciphertexts } from "./stored-values.ts";
import { inFieldOrder, validate, type Mode, type Values } from "./validation.ts";
import { changedBy, type Writer } from "./writer.ts";

/** The parts of a noun that a write needs. */
export type Writable = {
  table: string;
  fields: FieldTable;
  /** A rule over several fields, checked once each of them is valid; returns the messages for those that it rejects. */
  rule?: (values: Values) => FieldErrors;
  /** Adds what follows from the other valid values of a create. */
  complete?: (values: Values) => Values;
  /** The type of its rows in external_ids. Absent: the noun has no external ids. */
  external?: string;
  /** Whether its rows have values of custom fields, in the column `metadata`. */
  hasCustom?: true;
};

/** A create or an update between its input and its statement, with the results of the checks so far. */
export type Draft = {
  mode: Mode;
  values: Values;
  /** The messages for all errors, in the order of the fields; null if there are none. */
  messages: FieldErrors | null;
  /** The names, by id, of the active users in it; empty until they are read. */
  users: ReadonlyMap<number, string>;
};

/**
 * Runs all checks that need no database. The first step of every write, at every door.
 * @param custom the workspace's fields of the noun, which are sent as `custom`; null for a door that accepts none, or
 *   that has them among the other fields
 */
export function draftOf(
  { fields, rule, complete, external, hasCustom }: Writable,
  input: Input,
  mode: Mode,
  custom: CustomTable | null = null,
): Draft {
  const { values, errors } = validate(fields, input, mode);
  const ids = external === undefined ? null : checkExternal(input, EXTERNAL, mode);
  const stored = ids === null ? undefined : storedExternal(ids.sent, mode);
  if (stored !== undefined) values[EXTERNAL] = stored;
  const own = hasCustom === true ? customIn(fields, values, input, mode, custom) : null;
  if (own?.stored !== undefined) values[METADATA] = own.stored;
  const found = orNull({ ...errors, ...ids?.errors, ...own?.errors });
  const messages = found ?? orNull(rule?.(values) ?? {});
  const isCompleted = mode === "create" && messages === null && complete !== undefined;
  return { mode, values: isCompleted ? complete(values) : values, messages, users: new Map() };
}

/** The draft of an update, which may repeat an option of its row that is gone. @param stored reads the row's values */
export async function draftOfUpdate(
  noun: Writable,
  input: Input,
  custom: CustomTable,
  stored: () => Promise<string | null>,
): Promise<Draft> {
  const draft = draftOf(noun, input, "update", custom);
  const gone = draft.messages === null ? [] : goneAmong(custom.fields, input);
  if (gone.length === 0) return draft;
  return draftOf(noun, withoutSame(input, gone, await stored()), "update", custom);
}

function customIn(fields: FieldTable, values: Values, input: Input, mode: Mode, custom: CustomTable | null) {
  if (custom !== null) return checkCustom(custom, input, mode);
  return { stored: collectCustom(fields, values, mode), errors: null };
}

/** The outcome of a write with wrong values: a missing row or parent is reported before wrong values. */
export function refusal(
  messages: FieldErrors,
  exists: boolean,
): { outcome: "missing" } | { outcome: "invalid"; messages: FieldErrors } {
  return exists ? { outcome: "invalid", messages } : { outcome: "missing" };
}

/** The users in drafts, each once: the writer reads which of them are active. */
export function usersIn({ fields }: Writable, drafts: readonly Draft[]): number[] {
  const names = fields.filter(({ kind }) => kind === "user").map(({ name }) => name);
  if (names.length === 0) return [];
  const ids = drafts.flatMap(({ values }) => names.map((name) => values[name]));
  return [...new Set(ids.filter((id) => typeof id === "number"))];
}

/** The second step, if usersIn found any: an inactive user is rejected like one that does not exist. */
export function withUsersChecked({ fields }: Writable, draft: Draft, active: ReadonlyMap<number, string>): Draft {
  const rejected = fields.filter(({ name, kind }) => {
    const id = draft.values[name];
    return kind === "user" && typeof id === "number" && !active.has(id);
  });
  if (rejected.length === 0) return { ...draft, users: active };
  const found: FieldErrors = Object.fromEntries(rejected.map(({ name }) => [name, [{ code: "notSelectable" }]]));
  return {
    ...draft,
    users: active,
    messages: inFieldOrder([...fields, { name: EXTERNAL }, { name: CUSTOM }], { ...draft.messages, ...found }),
  };
}

/**
 * The last step: the values of a draft without messages, as the statement needs them. A create gets its defaults,
 * encrypted fields are encrypted, and the author is added (`changed_by`).
 * @param stored the stored values, for an update
 */
export function storable(
  { table, fields }: Writable,
  { mode, values }: Draft,
  secrets: Secrets,
  writer: Writer,
  stored?: Ciphertexts,
): Values {
  const complete = mode === "create" ? withDefaults(fields, values, writer.country) : values;
  return { ...encryptValues(fields, table, complete, secrets, stored), changed_by: changedBy(writer) };
}

function orNull(messages: FieldErrors): FieldErrors | null {
  return Object.keys(messages).length === 0 ? null : messages;
}
