import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { enqueue } from "../../kit/jobs/job-queries.ts";
import { CUSTOM_FIELDS_MAX, CUSTOM_FIELDS_WITH_ARCHIVED_MAX } from "../../platform/fields/custom.ts";
import { draftOf, refusal, storable } from "../../platform/fields/draft.ts";
import type { FieldErrors, FieldReason } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import { itemsInOrder, listItems, storedList } from "../../platform/fields/list-items.ts";
import { hasExpectedVersion, type Expected } from "../../platform/fields/row-state.ts";
import type { Values } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { storeUnique, uniqueIndex } from "../../platform/postgres/taken.ts";
import { definitionRow, definitionState } from "./custom-field-json.ts";
import {
  countDefinitions,
  definitionExists,
  deleteDefinitionRow,
  findDefinition,
  lockDefinition,
  insertDefinition,
  lockDefinitions,
  optionsInUse,
  PURGE_VALUES_JOB,
  PURGED_AFTER_MS,
  updateDefinitionRow,
} from "./custom-field-queries.ts";
import {
  changeableDefinition,
  definition,
  isKey,
  proposedKey,
  reservedKeys,
  type CustomNoun,
  type DefinitionOption,
} from "./custom-field.ts";
import { forgetDefined } from "./defined-fields.ts";

type Invalid = { outcome: "invalid"; messages: FieldErrors };
/** `row` is in the format of definitionJson. */
type Written = { outcome: "written"; row: Row } | Invalid;
type Updated = Written | { outcome: "missing" } | { outcome: "outdated" };

const refused = (code: "tooManyFields" | "tooManyArchived", bound: number): Invalid => ({
  outcome: "invalid",
  messages: { noun: [{ code, bound }] },
});
const tooMany = refused("tooManyFields", CUSTOM_FIELDS_MAX);
const tooManyWithArchived = refused("tooManyArchived", CUSTOM_FIELDS_WITH_ARCHIVED_MAX);

/** Defines a field. @param more is written in the same transaction */
export async function createDefinition(
  store: Store,
  actor: Actor,
  input: Input,
  more?: (run: Run, row: Row) => Promise<void>,
): Promise<Written> {
  const { database, keyring } = store;
  const { tenant } = actor;
  const draft = draftOf(definition, input, "create");
  if (draft.messages !== null) return { outcome: "invalid", messages: draft.messages };
  const { noun, key: sent, label, kind, options: listed = null } = draft.values;
  const key = sent === null ? proposedKey(String(label)) : String(sent);
  const options = optionsOf(listed);
  const messages = {
    ...keyErrors(key, noun as CustomNoun),
    ...optionErrors(String(kind), options, []),
  };
  if (Object.keys(messages).length > 0) return { outcome: "invalid", messages };
  const values: Values = {
    ...storable(definition, draft, { keyring, tenant }, actor),
    key,
    options: storedList(options),
  };
  const write = async (): Promise<Written> =>
    await database.transaction(tenant, async (run) => {
      await lockDefinitions(run);
      const { inUse, all } = await countDefinitions(run, String(noun));
      if (values.archived !== true && inUse >= CUSTOM_FIELDS_MAX) return tooMany;
      if (all >= CUSTOM_FIELDS_WITH_ARCHIVED_MAX) return tooManyWithArchived;
      const row = (await insertDefinition(run, JSON.stringify([values]))) ?? [];
      await more?.(run, row);
      return { outcome: "written", row };
    });
  const keyTaken = uniqueIndex("custom_fields_key", async () => taken(sent === null ? "label" : "key"));
  return await forgettingAfter(store, actor, async () => await storeUnique(write, [keyTaken, labelTaken]));
}

/** Changes what was sent of a definition of one of the expected versions. */
export async function updateDefinition(
  store: Store,
  actor: Actor,
  id: string,
  input: Input,
  expected: Expected = null,
): Promise<Updated> {
  const { database, keyring } = store;
  const { tenant } = actor;
  const draft = draftOf(changeableDefinition, input, "update");
  if (draft.messages !== null) return refusal(draft.messages, await definitionExists(tenant, database, id));
  const usedButRemoved = await usedAmongRemoved(store, actor, id, draft.values);
  const write = async (): Promise<Updated> =>
    await database.transaction(tenant, async (run) => {
      await lockDefinitions(run);
      const stored = await lockDefinition(run, id);
      if (stored === null) return { outcome: "missing" };
      if (!hasExpectedVersion(expected, definitionState(stored))) return { outcome: "outdated" };
      const before = definitionRow(stored, { keyring, tenant });
      const { messages, values } = changesOf(before, draft.values, usedButRemoved);
      if (messages !== null) return { outcome: "invalid", messages };
      const isRestored = before.archived === "true" && values.archived === false;
      if (isRestored && (await countDefinitions(run, String(before.noun))).inUse >= CUSTOM_FIELDS_MAX) return tooMany;
      const entry = { ...values, id, changed_by: changedBy(actor) };
      return { outcome: "written", row: (await updateDefinitionRow(run, JSON.stringify([entry]))) ?? stored };
    });
  return await forgettingAfter(store, actor, async () => await storeUnique(write, [labelTaken]));
}

/** The options that an update leaves out although records have them. */
async function usedAmongRemoved(
  { database, keyring }: Store,
  { tenant }: Actor,
  id: string,
  { options: sent }: Values,
): Promise<string[]> {
  const row = sent === undefined ? null : await findDefinition(tenant, database, id);
  if (row === null) return [];
  const { noun, key, options } = definitionRow(row, { keyring, tenant });
  const left = new Set(optionsOf(sent ?? null).map(({ value }) => value));
  const removed = optionsOf(options ?? null).flatMap(({ value }) => (left.has(value) ? [] : [value]));
  return removed.length === 0 ? [] : await optionsInUse[noun as CustomNoun](tenant, database, String(key), removed);
}

/** Deletes an archived definition. A job removes its values. */
export async function deleteDefinition(
  store: Store,
  actor: Actor,
  id: string,
  expected: Expected = null,
): Promise<{ outcome: "deleted" | "missing" | "outdated" | "in-use" }> {
  const { database } = store;
  const { tenant } = actor;
  return await forgettingAfter(
    store,
    actor,
    async () =>
      await database.transaction(tenant, async (run) => {
        const stored = await lockDefinition(run, id);
        if (stored === null) return { outcome: "missing" };
        if (!hasExpectedVersion(expected, definitionState(stored))) return { outcome: "outdated" };
        if (definitionRow(stored, { keyring: store.keyring, tenant }).archived !== "true") return { outcome: "in-use" };
        await deleteDefinitionRow(run, id, changedBy(actor));
        await run(enqueue(PURGE_VALUES_JOB, [id], PURGE_VALUES_JOB, PURGED_AFTER_MS));
        return { outcome: "deleted" };
      }),
  );
}

/** Does the work. Afterwards this process reads the definitions again. */
async function forgettingAfter<T>({ database }: Store, { tenant }: Actor, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    forgetDefined(tenant, database);
  }
}

/**
 * All values of a definition after an update.
 * @param usedButRemoved the options that it leaves out although records have them
 */
function changesOf(
  before: ReturnType<typeof definitionRow>,
  sent: Values,
  usedButRemoved: readonly string[],
): { messages: FieldErrors | null; values: Values } {
  const stored = optionsOf(before.options ?? null);
  const options = sent.options === undefined ? stored : optionsOf(sent.options, stored);
  const messages = optionErrors(String(before.kind), options, usedButRemoved);
  const values: Values = {
    label: sent.label ?? before.label ?? null,
    options: storedList(options),
    help: sent.help === undefined ? (before.help ?? null) : sent.help,
    position: sent.position ?? Number(before.position),
    archived: sent.archived ?? before.archived === "true",
  };
  return { messages: Object.keys(messages).length === 0 ? null : messages, values };
}

/** @param before the options until now: what a sent one leaves out stays as it is */
function optionsOf(listed: Values[string], before: readonly DefinitionOption[] = []): DefinitionOption[] {
  return itemsInOrder(
    listItems(typeof listed === "string" ? listed : null).map((item) => {
      const { value, label = null, archived = null } = item as Partial<Record<string, string | boolean | null>>;
      const own = before.find((each) => each.value === value);
      return {
        value: String(value),
        label: String(label ?? own?.label ?? value),
        archived: (archived ?? own?.archived) === true,
      };
    }),
  ) as unknown as DefinitionOption[];
}

function keyErrors(key: string, noun: CustomNoun): FieldErrors {
  if (key === "") return { key: [{ code: "required" }] };
  if (!isKey(key)) return { key: [{ code: "notSelectable" }] };
  return reservedKeys[noun].has(key) ? { key: [{ code: "taken" }] } : {};
}

function optionErrors(
  kind: string,
  options: readonly DefinitionOption[],
  usedButRemoved: readonly string[],
): FieldErrors {
  if (kind !== "choice") return options.length === 0 ? {} : { options: [{ code: "tooManyItems", bound: 0 }] };
  if (options.length === 0) return { options: [{ code: "required" }] };
  const values = options.map(({ value }) => value);
  if (usedButRemoved.length > 0) return { options: [{ code: "notRemovable" }] };
  const repeated = values.flatMap((value, at): [string, FieldReason[]][] =>
    values.indexOf(value) < at ? [[`options.${at}.value`, [{ code: "taken" }]]] : [],
  );
  return Object.fromEntries(repeated);
}

function taken(field: string): Invalid {
  return { outcome: "invalid", messages: { [field]: [{ code: "taken" }] } };
}

const labelTaken = uniqueIndex("custom_fields_label", async () => taken("label"));
