import { randomBytes } from "node:crypto";
import pg from "pg";
import { sleep } from "../clock.ts";
import { CALLS_HELD, heldBecause, letCallsGo, readHold } from "./held-calls.ts";
import { deleteSetting, readSetting, writeFirstSetting, writeSetting } from "./settings.ts";
import { readSequences } from "./stored-tables.ts";

/** The name in `settings` of the database's identity: since its first server, or since the last `resume`. */
export const DATABASE_IDENTITY = "database_identity";

/** The cluster and its history as PostgreSQL tells them; null: it does not, to this role. */
export type ClusterPlace = {
  /** The system identifier: that of all physical copies. */
  system: string | null;
  /** Another one after each recovery to an earlier point, and after each promotion. */
  timeline: string | null;
  /** The number of the database: a dump that is loaded makes another one. */
  database: string;
};

/** A place, and a random name for all that follows until the next `resume`. */
export type DatabaseIdentity = ClusterPlace & { lineage: string };

/** The number that each sequence gave out last, by name; 0 where it gave out none. */
export type HighWater = Record<string, string>;

/** Bytes before the first record of a page: the end of the log may stand before them or behind them. */
const PAGE_HEADER = 40;
const FLUSH_TRIES = 20;
const FLUSH_PAUSE_MS = 100;

/** Asks PostgreSQL where it is. */
export async function readPlace(client: pg.Client): Promise<ClusterPlace> {
  const database = await client.query<{ oid: string }>(
    "select oid::text from pg_database where datname = current_database()",
  );
  return {
    system: await tell(client, "select system_identifier::text as value from pg_control_system()"),
    // Of pg_control_checkpoint() it is the one of before, until the checkpoint behind a promotion is through.
    timeline: await tell(client, "select left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as value"),
    database: database.rows[0]?.oid ?? "",
  };
}

/** One value; null where PostgreSQL, or its provider, does not let this role ask. */
async function tell(client: pg.Client, text: string): Promise<string | null> {
  try {
    return (await client.query<{ value: string }>(text)).rows[0]?.value ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return null;
    throw error;
  }
}

/** The identity that the database has; where it has none it gets that of its place. */
export async function readIdentity(client: pg.Client, place: ClusterPlace): Promise<DatabaseIdentity> {
  const lineage = randomBytes(6).toString("hex");
  await writeFirstSetting(client, DATABASE_IDENTITY, JSON.stringify({ ...place, lineage } satisfies DatabaseIdentity));
  const stored = await readSetting(client, DATABASE_IDENTITY);
  // Somebody resumed it just now.
  return stored === null ? await readIdentity(client, place) : (JSON.parse(stored) as DatabaseIdentity);
}

/**
 * Holds calls for a loss, unless the database has another identity by now: then somebody resumed it meanwhile.
 * Returns whether this began the hold.
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

/** Lets calls go out again, and takes the database as it is from now on: the next server gives it an identity. */
export async function acceptDatabase(client: pg.Client): Promise<void> {
  await client.query("begin");
  // First: whoever is about to hold calls for a loss has a lock on it.
  await deleteSetting(client, DATABASE_IDENTITY);
  await letCallsGo(client);
  await client.query("commit");
}

/**
 * Reads the number that every sequence gave out last. Null where PostgreSQL does not write its log in time: a crash
 * takes back numbers that the log lacks, and that is no loss, since no answer had them.
 */
export async function readHighWater(client: pg.Client): Promise<HighWater | null> {
  const sequences = await readSequences(client);
  const end = await tell(client, "select pg_current_wal_insert_lsn()::text as value");
  const flushed = `select (pg_current_wal_flush_lsn() >= pg_lsn '${end}' - ${PAGE_HEADER})::text as value`;
  for (let tries = 0; tries < FLUSH_TRIES; tries++) {
    if (end === null || (await tell(client, flushed)) === "true")
      return Object.fromEntries(sequences.map(({ name, last, isCalled }) => [name, isCalled ? last : "0"]));
    await sleep(FLUSH_PAUSE_MS);
  }
  return null;
}
