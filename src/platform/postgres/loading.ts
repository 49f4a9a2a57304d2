import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { Refusal } from "../refusal.ts";
import { asOwner } from "./as-owner.ts";
import type { Connection } from "./database.ts";
import { dropAll, indexesOf, keysAndTriggersOf, makeAll } from "./distribution/dropped-keys.ts";
import { forgetCompletion } from "./migrations/completion.ts";
import { cancelledBy, lockMigrations } from "./migrations/giving-way.ts";
import { makeSchema } from "./migrations/make-schema.ts";
import { writeFirstSetting } from "./settings.ts";
import type { Parameter, Statement } from "./statement.ts";
import {
  listTables,
  passIdsOf,
  setSequences,
  type StoredSequence,
  type StoredTable,
  WITHOUT_LIMITS,
} from "./stored-tables.ts";

/** An empty database while it is loaded. */
export type Loading = {
  /** Puts rows into a table, in the text format of COPY. */
  rows(table: StoredTable, pieces: AsyncIterable<Buffer>): Promise<void>;
  sequences(sequences: readonly StoredSequence[]): Promise<void>;
  /** Keeps a value that the loaded rows have. */
  firstSetting(name: string, value: string): Promise<void>;
};

/**
 * Makes the schema of an empty database from its first migrations and loads its rows, in one transaction: an
 * interruption leaves the database empty. Triggers are off during the load; foreign keys are checked and indexes built
 * at the end.
 * @param migrations the number of migrations that make the schema
 */
export async function fillEmpty(
  connection: Connection,
  migrations: number,
  signal: AbortSignal,
  fill: (loading: Loading) => Promise<void>,
): Promise<void> {
  const work = async (client: pg.Client) => {
    await client.query(WITHOUT_LIMITS);
    // A start in the meantime, which would migrate, waits for it.
    await lockMigrations(client, { report() {}, stop: signal });
    await client.query("begin");
    await refuseUnlessEmpty(client);
    await makeSchema(client, migrations);
    const tables = await listTables(client);
    const names = tables.map(({ name }) => name);
    const [keysAndTriggers, indexes] = [await keysAndTriggersOf(client, names), await indexesOf(client, names)];
    await dropAll(client, [...keysAndTriggers, ...indexes]);
    await fill({
      rows: async (table, pieces) => await copyInto(client, tables, table, pieces),
      sequences: async (sequences) => await setSequences(client, sequences),
      firstSetting: async (name, value) => await writeFirstSetting(client, name, value),
    });
    await forgetCompletion(client);
    // PostgreSQL checks foreign keys by indexes.
    await makeAll(client, [...indexes, ...keysAndTriggers]);
    signal.throwIfAborted();
    await client.query("commit");
  };
  await asOwner(connection, async (client) => await cancelledBy(signal, client, async () => await work(client)));
}

/** A file may come from anyone: its words become SQL only if the catalogue contains the same. */
async function copyInto(
  client: pg.Client,
  tables: readonly StoredTable[],
  { name, columns }: StoredTable,
  pieces: AsyncIterable<Buffer>,
): Promise<void> {
  const known = tables.find((table) => table.name === name)?.columns ?? [];
  if (columns.length === 0 || !columns.every((column) => known.includes(column)))
    throw new Refusal(`The rows of ${JSON.stringify(name)} in the file do not match a table of this release.`);
  const copy = client.query(copyFrom(`copy ${name} (${columns.join(", ")}) from stdin`));
  // A cancelled copy has no other listener when its connection ends, and an unheard error would end the process.
  copy.on("error", () => {});
  await pipeline(Readable.from(pieces), copy);
}

async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const [table] = await listTables(client);
  if (table === undefined) return;
  throw new Refusal(
    `The database is not empty: it has the table ${table.name}. Restore into an empty database, or a data directory without one.`,
  );
}

/**
 * Updates the planner's statistics, and makes it assume for each indexed column the share of nulls that it assumed
 * before any row existed.
 */
export async function analyze(connection: Connection): Promise<void> {
  await asOwner(connection, async (client) => {
    await client.query(WITHOUT_LIMITS);
    await client.query("analyze");
    await client.query("call expect_nulls()");
  });
}

/** A database in use, while a tenant's rows are loaded into it. */
export type TenantLoading = Pick<Loading, "rows"> & {
  /** A statement of the same transaction. */
  run: (statement: Statement, parameters: Parameter[]) => Promise<Record<string, string>[]>;
  /** Moves the sequences beyond the ids of a tenant's rows. */
  passIdsOf: (tenant: string) => Promise<void>;
};

/** Loads the rows of a tenant into a database in one transaction. Triggers fire as usual. */
export async function fillTenant(
  connection: Connection,
  fill: (loading: TenantLoading) => Promise<void>,
): Promise<void> {
  await asOwner(connection, async (client) => {
    await client.query(WITHOUT_LIMITS);
    // Payments are not added to what is paid of restored invoices (payments_created_together).
    await client.query("begin; set local app.restores = 'on'");
    const tables = await listTables(client);
    await fill({
      rows: async (table, pieces) => await copyInto(client, tables, table, pieces),
      run: async ({ text }, parameters) => (await client.query<Record<string, string>>(text, parameters)).rows,
      passIdsOf: async (tenant) => {
        const ofTenants = tables.filter(({ columns }) => columns.includes("tenant_id"));
        await passIdsOf(client, tenant, ofTenants);
      },
    });
    await client.query("commit");
  });
}
