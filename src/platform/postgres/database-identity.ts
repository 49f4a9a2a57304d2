import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { sleep } from "../clock.ts";
import { CALLS_HELD, heldBecause, releaseCalls, readHold } from "./held-calls.ts";
import { deleteSetting, readJsonSetting, writeFirstSetting, writeSetting } from "./settings.ts";
import { readSequences } from "./stored-tables.ts";

/** The name in `settings` of the database's identity: since `init` or its first server, or since the last `resume`. */
export const DATABASE_IDENTITY = "database_identity";

/** The cluster and its history as PostgreSQL reports them; null if this role may not read them. */
export type ClusterState = {
  /** The system identifier: that of all physical copies. */
  system: string | null;
  /** Changes with each recovery to an earlier point, and with each promotion. */
  timeline: string | null;
  /** The object id of the database: loading a dump creates another one. */
  database: string;
};

/** A place, and a random name for all that follows until the next `resume`. */
export type DatabaseIdentity = ClusterState & { lineage: string };

/** The last number that each sequence returned, by name; 0 if it has returned none. */
export type HighWater = Record<string, string>;

/** The length of a log page's header in bytes: the end of the log may be reported before or after it. */
const PAGE_HEADER = 40;
const FLUSH_TRIES = 20;
const FLUSH_PAUSE_MS = 100;

/** Reads which cluster and timeline the connection reaches. */
export async function readClusterState(client: pg.Client): Promise<ClusterState> {
  const database = await client.query<{ oid: string }>(
    "select oid::text from pg_database where datname = current_database()",
  );
  return {
    system: await readValue(client, "select system_identifier::text as value from pg_control_system()"),
    // pg_control_checkpoint() would return the previous one until the checkpoint after a promotion is complete.
    timeline: await readValue(client, "select left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as value"),
    database: database.rows[0]?.oid ?? "",
  };
}

/** Twelve hexadecimal digits that no other database has, unless it is a physical copy. A restored one has others. */
export async function readDatabaseName(client: pg.Client): Promise<string> {
  const { system, database } = await readClusterState(client);
  return createHash("sha256").update(`${system} ${database}`).digest("hex").slice(0, 12);
}

/** One value; null if PostgreSQL, or its provider, denies this role the function. */
async function readValue(client: pg.Client, text: string): Promise<string | null> {
  try {
    return (await client.query<{ value: string }>(text)).rows[0]?.value ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return null;
    throw error;
  }
}

/** The stored identity of the database; a database without one gets the identity of its place. */
export async function readIdentity(client: pg.Client, state: ClusterState): Promise<DatabaseIdentity> {
  const lineage = randomBytes(6).toString("hex");
  await writeFirstSetting(client, DATABASE_IDENTITY, JSON.stringify({ ...state, lineage } satisfies DatabaseIdentity));
  // Null: another process resumed it just now.
  return (await readJsonSetting<DatabaseIdentity>(client, DATABASE_IDENTITY)) ?? (await readIdentity(client, state));
}

/**
 * Holds outgoing calls because of a loss. Does nothing if the database has another identity, because it was resumed in
 * between. Returns whether this call began the hold.
 */
export async function holdForLoss(client: pg.Client, { lineage }: DatabaseIdentity, why: string): Promise<boolean> {
  await client.query("begin");
  const { rows } = await client.query<{ value: string }>("select value from settings where name = $1 for update", [
    DATABASE_IDENTITY,
  ]);
  const isTheSame = (JSON.parse(rows[0]?.value ?? "{}") as Partial<DatabaseIdentity>).lineage === lineage;
  const isNew = isTheSame && (await readHold(client))?.isLoss !== true;
  if (isNew) await writeSetting(client, CALLS_HELD, heldBecause(why, true));
  await client.query("commit");
  return isNew;
}

/** Ends the hold of outgoing calls and accepts the database as it is: the next server gives it a new identity. */
export async function acceptDatabase(client: pg.Client): Promise<void> {
  await client.query("begin");
  // First, because holdForLoss() locks this row before it holds calls.
  await deleteSetting(client, DATABASE_IDENTITY);
  await releaseCalls(client);
  await client.query("commit");
}

/**
 * Reads the last number that every sequence returned. Null if PostgreSQL does not write its log in time. A crash undoes
 * numbers that are not in the log; that loses nothing, because no response contained them.
 */
export async function readHighWater(client: pg.Client): Promise<HighWater | null> {
  const sequences = await readSequences(client);
  const end = await readValue(client, "select pg_current_wal_insert_lsn()::text as value");
  const flushed = `select (pg_current_wal_flush_lsn() >= pg_lsn '${end}' - ${PAGE_HEADER})::text as value`;
  for (let tries = 0; tries < FLUSH_TRIES; tries++) {
    if (end === null || (await readValue(client, flushed)) === "true")
      return Object.fromEntries(sequences.map(({ name, last, isCalled }) => [name, isCalled ? last : "0"]));
    await sleep(FLUSH_PAUSE_MS);
  }
  return null;
}
