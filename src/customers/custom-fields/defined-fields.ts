import type { Store } from "../../kit/deps.ts";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { now } from "../../platform/clock.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import {
  customName,
  NO_CUSTOM_FIELDS,
  type CustomField,
  type CustomTable,
  type WithCustom,
} from "../../platform/fields/custom.ts";
import { listItems } from "../../platform/fields/list-items.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { customNouns, customTables, rulesOf, type CustomNoun, type DefinitionOption } from "./custom-field.ts";
import { findDefined, type DefinedField } from "./defined-field-queries.ts";

/** A change that another process has made is seen after this time at the latest. */
const MEMORY_MS = 3_000;
const TENANTS = 10_000;

type Tables = Readonly<Partial<Record<CustomNoun, CustomTable>>>;
type Remembered = { tables: Promise<Tables>; readAt: number };

/** The definitions that a process remembers, by its database. */
const memories = new WeakMap<Database, BoundedMap<Remembered>>();

/** The custom fields of a noun, as this process knows them (MEMORY_MS). */
export async function customTable(tenant: TenantId, database: Database, noun: CustomNoun): Promise<CustomTable> {
  const tables = await tablesOf(tenant, database.unattended);
  return tables[noun] ?? NO_CUSTOM_FIELDS;
}

/** The same of the records of a table; none of a table whose records have no values. */
export async function customTableOf(
  tenant: TenantId,
  database: Database,
  { table, hasCustom }: { table: string; hasCustom?: true },
): Promise<CustomTable> {
  const noun = hasCustom && customNouns.find((each) => customTables[each] === table);
  return noun === undefined ? NO_CUSTOM_FIELDS : await customTable(tenant, database, noun);
}

/** The secrets with which the JSON of these records is written. */
export async function customSecrets(
  { database, keyring }: Pick<Store, "database" | "keyring">,
  tenant: TenantId,
  noun: { table: string; hasCustom?: true },
): Promise<Secrets & WithCustom> {
  return { keyring, tenant, custom: await customTableOf(tenant, database, noun) };
}

/** Forgets a tenant's definitions: this process has changed one. */
export function forgetDefined(tenant: TenantId, { unattended }: Database): void {
  memories.get(unattended)?.set(tenant, { tables: Promise.resolve({}), readAt: -Infinity });
}

async function tablesOf(tenant: TenantId, database: Database): Promise<Tables> {
  const memory = memories.get(database) ?? new BoundedMap<Remembered>(TENANTS);
  memories.set(database, memory);
  const known = memory.get(tenant);
  const readAt = now();
  if (known !== undefined && readAt - known.readAt < MEMORY_MS) return await known.tables;
  const tables = findDefined(tenant, database).then(byNoun);
  const reading = { tables, readAt };
  memory.set(tenant, reading);
  try {
    return await tables;
  } catch (error) {
    if (memory.get(tenant) === reading) forgetDefined(tenant, database);
    throw error;
  }
}

function byNoun(rows: readonly DefinedField[]): Tables {
  const tables = [...Map.groupBy(rows, ({ noun }) => noun)].map(([noun, fields]) => {
    const shown = fields.filter(({ isShown }) => isShown).map(fieldOf);
    return [noun, { fields: shown, isUsed: true }] as const;
  });
  return Object.fromEntries(tables);
}

function fieldOf({ options: stored, ...of }: DefinedField): CustomField {
  return customField(of, listItems(stored) as unknown as DefinitionOption[]);
}

/** A field by its definition. */
export function customField(
  { key, label, kind, help }: Pick<DefinedField, "key" | "label" | "kind" | "help">,
  options: readonly DefinitionOption[],
): CustomField {
  const values = options.filter(({ archived }) => !archived).map(({ value }) => value);
  return { name: customName(key), ...rulesOf(kind), ...(kind === "choice" && { values }), key, label, help, options };
}
