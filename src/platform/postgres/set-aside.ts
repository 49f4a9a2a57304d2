import type pg from "pg";
import { deleteSetting, readSetting, writeSetting } from "./settings.ts";

/** A foreign key or a trigger of a table; `create` is the statement that makes it anew. */
type SetAside = { kind: "constraint" | "trigger"; table: string; name: string; create: string };

/** Where they are kept while they are dropped, so that a run after a crash puts them back. */
const SETTING = "distribution_set_aside";

/**
 * Does what distributes the tables without their foreign keys, since a table is distributed before it references a
 * reference table, and no local table may reference a distributed one; and without their triggers, which would take rows
 * that are copied to the nodes for new ones.
 */
export async function withoutKeysAndTriggers(
  client: pg.Client,
  tables: string[],
  distribute: () => Promise<void>,
): Promise<void> {
  await setAside(client, tables);
  await distribute();
  await putBack(client);
}

async function setAside(client: pg.Client, tables: string[]): Promise<void> {
  const { rows } = await client.query<SetAside>(
    `select 'constraint' as kind, conrelid::regclass::text as table, conname as name,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint
    where contype = 'f' and conparentid = 0
      and (conrelid = any ($1::regclass[]::oid[]) or confrelid = any ($1::regclass[]::oid[]))
    union all
    select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid)
    from pg_trigger where not tgisinternal and tgrelid = any ($1::regclass[]::oid[])
    order by 1, 2, 3`,
    [tables],
  );
  await client.query("begin");
  await writeSetting(client, SETTING, JSON.stringify([...(await readSetAside(client)), ...rows]));
  for (const { kind, table, name } of rows) {
    const dropped = client.escapeIdentifier(name);
    await client.query(
      kind === "trigger" ? `drop trigger ${dropped} on ${table}` : `alter table ${table} drop constraint ${dropped}`,
    );
  }
  await client.query("commit");
}

async function readSetAside(client: pg.Client): Promise<SetAside[]> {
  return JSON.parse((await readSetting(client, SETTING)) ?? "[]") as SetAside[];
}

async function putBack(client: pg.Client): Promise<void> {
  for (const { kind, table, name, create } of await readSetAside(client)) {
    const existing = await client.query(
      kind === "trigger"
        ? "select from pg_trigger where tgrelid = $1::regclass and tgname = $2"
        : "select from pg_constraint where conrelid = $1::regclass and conname = $2",
      [table, name],
    );
    if (existing.rowCount === 0) await client.query(create);
  }
  await deleteSetting(client, SETTING);
}
