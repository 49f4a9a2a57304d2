import type { Readable } from "node:stream";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { asOwner } from "./as-owner.ts";
import type { Connection } from "./database.ts";
import { isDistributed } from "./distribution/distribution.ts";
import { readSetting } from "./settings.ts";
import {
  listForeignKeys,
  listTables,
  readSequences,
  type PartOfTable,
  type ForeignKey,
  type StoredSequence,
  type StoredTable,
  type WantedRows,
  WITHOUT_LIMITS,
} from "./stored-tables.ts";
import { partsOf } from "./tenant-rows.ts";

/** The database on one snapshot. */
export type Snapshot = {
  takenAt: string;
  /** PostgreSQL's own. */
  serverVersion: string;
  /** The names of the migrations that made the schema, in their order. */
  migrations: string[];
  setting(name: string): Promise<string | null>;
  /**
   * The rows of tables, one table after the other. The nodes of a distributed database have no common snapshot: there
   * the rows come tenant by tenant, each from one snapshot, and a table is repeated for each tenant.
   */
  rows(wanted: readonly WantedRows[]): AsyncGenerator<PartOfTable>;
  /** The same for one tenant. */
  rowsOfTenant(wanted: readonly WantedRows[], tenant: string): AsyncGenerator<PartOfTable>;
  tables: StoredTable[];
  references(): Promise<ForeignKey[]>;
  /** The values at the time of this call: larger than every id that was read before. */
  sequences(): Promise<StoredSequence[]>;
};

/** The format of texts must not depend on settings either. */
const PLAINLY = `${WITHOUT_LIMITS}; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex'`;

/** Reads the database on one snapshot, while others write. Until the end, no table can change its columns. */
export async function onSnapshot<T>(connection: Connection, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return await asOwner(connection, async (client) => {
    await client.query(PLAINLY);
    const known = await listTables(client);
    await client.query("begin isolation level repeatable read read only");
    // A parallel plan would change the order of rows from several tables; this applies on the nodes of a cluster too.
    await client.query("set local max_parallel_workers_per_gather = 0");
    // Before the snapshot: a table that is rewritten after a snapshot looks empty in it.
    await client.query(`lock table ${known.map(({ name }) => name).join(", ")} in access share mode`);
    return await work(await describe(client));
  });
}

async function describe(client: pg.Client): Promise<Snapshot> {
  const { rows: facts } = await client.query<{ takenAt: string; serverVersion: string }>(
    `select to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "takenAt",
      current_setting('server_version') as "serverVersion"`,
  );
  const { rows: migrations } = await client.query<{ name: string }>("select name from migrations order by id");
  // A cancelled copy has no other listener when its connection ends, and an unheard error would end the process.
  const copy = (query: string): Readable => client.query(copyTo(`copy (${query}) to stdout`)).on("error", () => {});
  const rowsOfTenant: Snapshot["rowsOfTenant"] = (wanted, tenant) => partsOf(wanted, tenant, copy);
  return {
    takenAt: facts[0]?.takenAt ?? "",
    serverVersion: facts[0]?.serverVersion ?? "",
    migrations: migrations.map(({ name }) => name),
    setting: async (name) => await readSetting(client, name),
    async *rows(wanted) {
      const isTenants = (await isDistributed(client))
        ? ({ name, columns }: StoredTable) => name === "tenants" || columns.includes("tenant_id")
        : () => false;
      for (const { condition = "true", ...table } of wanted.filter((each) => !isTenants(each))) {
        yield { table, pieces: copy(`select ${table.columns.join(", ")} from ${table.name} where ${condition}`) };
      }
      const ofTenants = wanted.filter(isTenants);
      if (ofTenants.length === 0) return;
      const { rows: tenants } = await client.query<{ id: string }>("select id::text from tenants order by id");
      for (const { id } of tenants) yield* rowsOfTenant(ofTenants, id);
    },
    rowsOfTenant,
    tables: await listTables(client),
    references: async () => await listForeignKeys(client),
    sequences: async () => await readSequences(client),
  };
}
