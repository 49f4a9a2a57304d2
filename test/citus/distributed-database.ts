import { randomBytes } from "node:crypto";
import pg from "pg";
import { asOwner } from "../../src/platform/postgres/as-owner.ts";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { distribute } from "../../src/platform/postgres/distribution/distribution.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { connectionTo, type Node } from "./nodes.ts";

/**
 * A new database, migrated and distributed. The first node is the coordinator, the others are its workers.
 * @param settings of the database on the coordinator, PostgreSQL's own, by name
 */
export async function createDistributedDatabase(
  nodes: readonly Pick<Node, "port">[],
  settings: Record<string, string> = {},
): Promise<Connection> {
  const connection = await createCitusDatabase(nodes);
  await migrate(connection);
  await distribute(connection);
  const alterations = Object.entries(settings).map(
    ([name, value]) => `alter database ${connection.database} set ${name} = '${value}'`,
  );
  await runOn(connection, alterations);
  return connection;
}

/** A new, empty database on all nodes, which know each other. Citus cannot copy a template's tables. */
export async function createCitusDatabase(nodes: readonly Pick<Node, "port">[]): Promise<Connection> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const [coordinator, ...workers] = nodes.map((node) => connectionTo(node, name));
  if (coordinator === undefined) throw new Error("a cluster has at least a coordinator");
  const turn = new pg.Client({ ...coordinator, database: "postgres" });
  await turn.connect();
  try {
    // To add a node writes all roles there, and fails where another database's does just that.
    await turn.query("select pg_advisory_lock(1)");
    await Promise.all(nodes.map(async (node) => await runOn(connectionTo(node), [`create database ${name}`])));
    await Promise.all(nodes.map(async (node) => await runOn(connectionTo(node, name), ["create extension citus"])));
    await runOn(coordinator, [
      `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
      ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
    ]);
    return coordinator;
  } finally {
    await turn.end();
  }
}

/**
 * Removes a database from all nodes: each runs a process for it as long as it is there, which asks all others for
 * deadlocks.
 */
export async function dropCitusDatabase(
  nodes: readonly Pick<Node, "port">[],
  { database }: Pick<Connection, "database">,
): Promise<void> {
  await Promise.all(nodes.map(async (node) => await runOn(connectionTo(node), [`drop database ${database}`])));
}

/** Runs statements in their order. */
export async function runOn(connection: Connection, statements: readonly string[]): Promise<void> {
  await asOwner(connection, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}
