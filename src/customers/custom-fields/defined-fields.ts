import type { Store } from "../../kit/deps.ts";
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
import { TenantMemory } from "../../platform/postgres/tenant-memory.ts";
import { customNouns, tableOfNoun, rulesOf, type CustomNoun, type DefinitionOption } from "./custom-field.ts";
import { findDefined, type DefinedField } from "./defined-field-queries.ts";

type Tables = Readonly<Partial<Record<CustomNoun, CustomTable>>>;
type Definitions = { tables: Tables; characters: number };

const memory = new TenantMemory<Definitions>(
  async (tenant, database) => definitionsIn(await findDefined(tenant, database)),
  ({ characters }) => characters,
);

/** The custom fields of a noun, as this process knows them (platform/postgres/tenant-memory.ts). */
export async function customTable(tenant: TenantId, database: Database, noun: CustomNoun): Promise<CustomTable> {
  const { tables } = await memory.of(tenant, database);
  return tables[noun] ?? NO_CUSTOM_FIELDS;
}

/** The same of the records of a table; none of a table whose records have no values. */
export async function customTableOf(
  tenant: TenantId,
  database: Database,
  { table, hasCustom }: { table: string; hasCustom?: true },
): Promise<CustomTable> {
  const noun = hasCustom && customNouns.find((each) => tableOfNoun[each] === table);
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
export function forgetDefined(tenant: TenantId, database: Database): void {
  memory.forget(tenant, database);
}

function definitionsIn(rows: readonly DefinedField[]): Definitions {
  const characters = rows.reduce((sum, { options, help }) => sum + (options?.length ?? 0) + (help?.length ?? 0), 0);
  return { tables: byNoun(rows), characters };
}

function byNoun(rows: readonly DefinedField[]): Tables {
  const tables = [...Map.groupBy(rows, ({ noun }) => noun)].map(([noun, fields]) => {
    const shown = fields.filter(({ isShown }) => isShown).map(fieldOf);
    return [noun, { fields: shown, isUsed: true }] as const;
  });
  return Object.fromEntries(tables);
}

/** Options are parsed when they are needed first: those of all fields of a workspace together block the event loop. */
function fieldOf({ options: stored, ...of }: DefinedField): CustomField {
  let options: string | null | readonly DefinitionOption[] = stored;
  return customField(of, () => {
    // The text is not kept beside what it became.
    if (options === null || typeof options === "string") options = listItems(options) as unknown as DefinitionOption[];
    return options;
  });
}

/** A field by its definition. */
export function customField(
  { key, label, kind, help }: Pick<DefinedField, "key" | "label" | "kind" | "help">,
  options: () => readonly DefinitionOption[],
): CustomField {
  const field = { name: customName(key), ...rulesOf(kind), key, label, help };
  if (kind !== "choice") return { ...field, options: [] };
  let values: readonly string[] | undefined;
  return {
    ...field,
    get values() {
      return (values ??= this.options.filter(({ archived }) => !archived).map(({ value }) => value));
    },
    get options() {
      return options();
    },
  };
}
