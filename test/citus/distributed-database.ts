import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { distribute } from "../../src/platform/postgres/distribution.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
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
  await Promise.all(nodes.map(async (node) => await runOn(connectionTo(node), [`create database ${name}`])));
  await Promise.all(nodes.map(async (node) => await runOn(connectionTo(node, name), ["create extension citus"])));
  const [coordinator, ...workers] = nodes.map((node) => connectionTo(node, name));
  if (coordinator === undefined) throw new Error("a cluster has at least a coordinator");
  await runOn(coordinator, [
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ]);
  return coordinator;
}

async function runOn(connection: Connection, statements: string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
