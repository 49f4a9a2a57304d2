import type pg from "pg";

/** The table `settings`: facts about the installation, by name. Only the owner has access (asOwner). */

export async function readSetting(client: pg.Client, name: string): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>("select value from settings where name = $1", [name]);
  return rows[0]?.value ?? null;
}

/** A setting that is stored as JSON, which only this program writes in the shape `T`; null if it is unset. */
export async function readJsonSetting<T>(client: pg.Client, name: string): Promise<T | null> {
  const value = await readSetting(client, name);
  return value === null ? null : (JSON.parse(value) as T);
}

export async function writeSetting(client: pg.Client, name: string, value: string): Promise<void> {
  await client.query(
    "insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    [name, value],
  );
}

/** Keeps a value that another process has written first. */
export async function writeFirstSetting(client: pg.Client, name: string, value: string): Promise<void> {
  await client.query("insert into settings (name, value) values ($1, $2) on conflict do nothing", [name, value]);
}

export async function deleteSetting(client: pg.Client, name: string): Promise<void> {
  await client.query("delete from settings where name = $1", [name]);
}
