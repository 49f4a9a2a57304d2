import type pg from "pg";
import { deleteSetting, readJsonSetting, writeSetting } from "../settings.ts";

/**
 * A foreign key, a trigger or an index of a table; `create` is the statement that makes it again. A trigger with
 * `isAlways` runs also while a backup is loaded, by a further statement: a node of Citus takes one at a time.
 */
export type Dropped = { kind: keyof typeof KINDS; table: string; name: string; create: string; isAlways: boolean };

/**
 * For each kind: the statement that drops one, by its table and name, and the query ($1, $2 likewise) whether it
 * exists.
 */
const KINDS = {
  constraint: {
    drop: (table: string, name: string) => `alter table ${table} drop constraint ${name}`,
    find: "select from pg_constraint where conrelid = $1::regclass and conname = $2",
  },
  trigger: {
    drop: (table: string, name: string) => `drop trigger ${name} on ${table}`,
    find: "select from pg_trigger where tgrelid = $1::regclass and tgname = $2",
  },
  index: {
    drop: (_table: string, name: string) => `drop index ${name}`,
    find: "select from pg_index where indrelid = $1::regclass and indexrelid = to_regclass(quote_ident($2))",
  },
};

/** The setting that stores their definitions while they are dropped, so that a run after a crash restores them. */
const SETTING = "distribution_set_aside";

/**
 * Distributes the tables without their foreign keys and triggers. A table is distributed before it references a
 * reference table, and no local table may reference a distributed one. Triggers would treat rows that are copied to the
 * nodes as new.
 */
export async function withoutKeysAndTriggers(
  client: pg.Client,
  tables: string[],
  distribute: () => Promise<void>,
): Promise<void> {
  const found = await keysAndTriggersOf(client, tables);
  await client.query("begin");
  await writeSetting(client, SETTING, JSON.stringify([...(await readDropped(client)), ...found]));
  await dropAll(client, found);
  await client.query("commit");
  await distribute();
  await makeDropped(client);
}

/** Creates what a distribution has dropped, or one that was killed. */
export async function makeDropped(client: pg.Client): Promise<void> {
  await makeAll(client, await readDropped(client));
  await deleteSetting(client, SETTING);
}

/** The keys and triggers that a distribution has dropped and not created again. */
export async function readDropped(client: pg.Client): Promise<Dropped[]> {
  return (await readJsonSetting<Dropped[]>(client, SETTING)) ?? [];
}

/** The foreign keys and triggers that would prevent or react to moving rows unchanged. */
export async function keysAndTriggersOf(client: pg.Client, tables: string[]): Promise<Dropped[]> {
  const { rows } = await client.query<Dropped>(
    `select 'constraint' as kind, conrelid::regclass::text as table, conname as name,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create,
      false as "isAlways"
    from pg_constraint
    where contype = 'f' and conparentid = 0
      and (conrelid = any ($1::regclass[]::oid[]) or confrelid = any ($1::regclass[]::oid[]))
    union all
    select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled = 'A'
    from pg_trigger where not tgisinternal and tgrelid = any ($1::regclass[]::oid[])
    order by 1, 2, 3`,
    [tables],
  );
  return rows;
}

/**
 * The indexes that belong to no constraint, the oldest of a table first. Rows load faster without them, and PostgreSQL
 * uses the newest of equally good indexes.
 */
export async function indexesOf(client: pg.Client, tables: string[]): Promise<Dropped[]> {
  const { rows } = await client.query<Dropped>(
    `select 'index' as kind, i.indrelid::regclass::text as table, c.relname as name, pg_get_indexdef(c.oid) as create,
      false as "isAlways"
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any ($1::regclass[]::oid[])
      and not exists (select from pg_constraint k where k.conindid = c.oid and k.conrelid = i.indrelid and k.contype <> 'f')
    order by 2, i.indexrelid`,
    [tables],
  );
  return rows;
}

export async function dropAll(client: pg.Client, dropped: readonly Dropped[]): Promise<void> {
  for (const { kind, table, name } of dropped) {
    await client.query(KINDS[kind].drop(table, client.escapeIdentifier(name)));
  }
}

/** Creates those that are missing. */
export async function makeAll(client: pg.Client, dropped: readonly Dropped[]): Promise<void> {
  for (const { kind, table, name, create, isAlways } of dropped) {
    const existing = await client.query(KINDS[kind].find, [table, name]);
    if (existing.rowCount === 0) await client.query(create);
    if (isAlways) await client.query(`alter table ${table} enable always trigger ${client.escapeIdentifier(name)}`);
  }
}
