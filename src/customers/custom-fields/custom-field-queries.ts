import { columnsOf, entriesOf, ROW_OF_ENTRY, withId, writtenTypes } from "../../platform/fields/sql.ts";
import { callsOf, quickQuery, slowQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import { numberedList, rowsOf } from "../../platform/reads/numbered.ts";
import { definitionMembers } from "./custom-field-json.ts";
import { changeableDefinition, definition, type CustomKind, ofEachNoun, type CustomNoun } from "./custom-field.ts";

/** The kind of the job that removes the values of a deleted field. Its subject is the field. */
export const PURGE_VALUES_JOB = "purge-values";
/** Later than any process remembers the field (defined-fields.ts), so that no request adds a value behind the job. */
export const PURGED_AFTER_MS = 10_000;

const members = definitionMembers.map(({ name }) => name);
const columns = columnsOf(members, "k");
const live = "k.tenant_id = $1 and k.id = $2 and k.deleted_at is null";

/** A definition, or null. */
export const findDefinition = quickQuery<[id: string]>(
  "find_custom_field",
  `select ${columns} from custom_fields k where ${live}`,
).row();

/** Whether there is such a definition that is not deleted. */
export const definitionExists = quickQuery<[id: string]>(
  "custom_field_exists",
  `select 1 from custom_fields k where ${live}`,
).exists();

const listed = {
  reader: "quick",
  table: "custom_fields k",
  condition:
    "k.tenant_id = $1 and k.noun = any(:nouns::text[]) and k.archived = :archived::boolean and k.deleted_at is null",
  order: "k.noun, k.position, k.id",
} as const;

/** The definitions of nouns (`:nouns`), archived ones (`:archived`) or the others. */
export const listDefinitions = numberedList("custom_fields", listed, rowsOf(columns));

const brief = selectList({
  id: column.text("k.id"),
  noun: column.text<CustomNoun>("k.noun"),
  label: column.text("k.label"),
  kind: column.text<CustomKind>("k.kind"),
  key: column.text("k.key"),
});

/** A definition without its options, which are far longer than the rest. */
export type BriefDefinition = Selected<typeof brief>;

/** The same definitions as a page lists them. */
export const listBriefDefinitions = numberedList("brief_custom_fields", listed, brief);

/** Serializes the changes of a tenant's definitions, which are counted. */
export const lockDefinitions = stepQuery(
  "lock_custom_fields",
  "select pg_advisory_xact_lock(7261966, ($1::bigint % 2147483647)::integer)",
).nothing();

const countsOfDefinitions = selectList({
  /** Those that are not archived. */
  inUse: column.number("count(*) filter (where not k.archived)"),
  all: column.number("count(*)"),
});

/** The numbers of definitions of a noun. */
export const countDefinitions = stepQuery<[noun: string]>(
  "count_definitions_of_noun",
  `select ${countsOfDefinitions.sql} from custom_fields k
  where k.tenant_id = $1 and k.noun = $2 and k.deleted_at is null`,
).of(([row = []]) => countsOfDefinitions.read(row));

/** Locks a definition, and returns its row. */
export const lockDefinition = stepQuery<[id: string]>(
  "lock_custom_field",
  `select ${columns} from custom_fields k where ${live} for update`,
).row();

const types = writtenTypes(definition);

/** `entries`: the definition in an array, as JSON. Returns its row. */
export const insertDefinition = stepQuery<[entries: string]>(
  "insert_custom_field",
  `insert into custom_fields as t (tenant_id, ${[...types.keys()].join(", ")}, archived_at)
  select $1::bigint, ${[...types.keys()]
    .map((name) =>
      name === "position"
        ? `coalesce(r.position, 1 + (
    select coalesce(max(k.position), 0) from custom_fields k where k.tenant_id = $1 and k.noun = r.noun and k.deleted_at is null))`
        : `r.${name}`,
    )
    .join(", ")},
    case when r.archived then now() end from ${entriesOf(types)} returning ${columnsOf(members, "t")}`,
).row();

const changed = changeableDefinition.fields.map(({ name }) => name);
const values = (alias: string) => changed.map((name) => `${alias}.${name}`).join(", ");

/** `entries`: the id and all values that can change, in an array, as JSON. Returns the row. */
export const updateDefinitionRow = stepQuery<[entries: string]>(
  "update_custom_field",
  `update custom_fields t set ${changed.map((name) => `${name} = r.${name}`).join(", ")},
    archived_at = case when r.archived = t.archived then t.archived_at when r.archived then moment_after(t.updated_at) end,
    changed_by = case when (${values("t")}) is distinct from (${values("r")}) then r.changed_by else t.changed_by end,
    updated_at = case when (${values("t")}) is distinct from (${values("r")}) then moment_after(t.updated_at) else t.updated_at end
  from ${entriesOf(withId(types, [...changed, "changed_by"]))}
  where t.tenant_id = $1 and ${ROW_OF_ENTRY} and t.deleted_at is null
  returning ${columnsOf(members, "t")}`,
).row();

export const deleteDefinitionRow = stepQuery<[id: string, by: string]>(
  "delete_custom_field",
  `update custom_fields k set deleted_at = moment_after(k.updated_at), updated_at = moment_after(k.updated_at), changed_by = $3
  where ${live} returning k.id`,
).nothing();

/** The number of records with a value of a field, deleted ones too. */
export const countValues = ofEachNoun((noun, table) =>
  slowQuery<[key: string]>(
    `count_values_of_${noun}`,
    `select count(*) from ${table} k where k.tenant_id = $1 and k.metadata is not null and k.metadata ? $2`,
  ).number(),
);

/** Those of these options that a record has, a deleted one too. */
export const optionsInUse = ofEachNoun((noun, table) =>
  slowQuery<[key: string, values: string[]]>(
    `options_in_use_of_${noun}`,
    `select distinct k.metadata ->> $2 from ${table} k
    where k.tenant_id = $1 and k.metadata is not null and k.metadata ->> $2 = any($3::text[])`,
  ).all(([value]) => String(value)),
);

/** Characters of a value that a list shows. */
const SHOWN_CHARACTERS = 200;

/** The beginnings of the values of these fields, as JSON by the ids of records. */
export const shownValues = ofEachNoun((noun, table) =>
  slowQuery<[ids: string[], keys: string[]]>(
    `shown_values_of_${noun}`,
    `select k.id, (
      select json_object_agg(m.key, left(m.value, ${SHOWN_CHARACTERS})) from jsonb_each_text(k.metadata) m where m.key = any($3::text[])
    ) from ${table} k where k.tenant_id = $1 and k.id = any($2::bigint[]) and k.metadata is not null`,
  ).all(([id, values]) => [String(id), values ?? null] as const),
);

/** The records of one step. */
const STEP = 500;

/** Removes the values of some records behind an id, and returns their ids. */
export const purgeSome = ofEachNoun((noun, table) =>
  writeQuery<[key: string, after: string]>(
    `purge_values_of_${noun}`,
    `update ${table} t set metadata = nullif(t.metadata - $2::text, '{}'),
    values_text = written_values(t.values_text, t.metadata, json_build_object($2::text, null)::text), updated_at = moment_after(t.updated_at),
    changed_by = 'worker'
  where t.tenant_id = $1 and t.id = any(array(
    select k.id from ${table} k where k.tenant_id = $1 and k.metadata is not null and k.metadata ? $2 and k.id > $3
    order by k.id limit ${STEP} for update))
  returning t.id`,
  ).all(([id]) => Number(id)),
);

const unpurged = selectList({
  noun: column.text<CustomNoun>("k.noun"),
  key: column.text("k.key"),
  /** Whether an import still writes that may have read the definition. */
  isWritten: column.flag(
    `exists (select from imports i where i.tenant_id = $1 and i.state = 'running'
      and i.started_at < k.deleted_at + ${PURGED_AFTER_MS} * interval '1 millisecond')`,
  ),
});

/** A deleted definition whose values are still there, or null. */
export const findUnpurged = quickQuery<[id: string]>(
  "deleted_custom_field",
  `select ${unpurged.sql} from custom_fields k
  where k.tenant_id = $1 and k.id = $2 and k.deleted_at is not null and k.purged_at is null`,
).first(unpurged.read);

/** The call that notes that no record has values of a deleted definition any more. */
export const notingPurged = callsOf<[id: string]>(
  "note_purged_values",
  "update custom_fields k set purged_at = now() where k.tenant_id = $1 and k.id = $2 and k.deleted_at is not null returning k.id",
);
