import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { asOwner } from "../../src/platform/postgres/as-owner.ts";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { distribute } from "../../src/platform/postgres/distribution/distribution.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { endWithUs } from "../load/processes.ts";
import { freePort } from "./servers.ts";

/** A PostgreSQL with Citus, on loopback. `pid` is of its first process. */
export type CitusNode = { port: number; pid: number; process: ChildProcess };

const [HOST, SUPERUSER] = ["127.0.0.1", "postgres"];
const PATIENCE_MS = 60_000;

const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: "",
  shared_preload_libraries: "citus",
  wal_level: "logical",
  max_connections: "300",
  max_prepared_transactions: "300",
  // The figures are of processors, not of disks.
  fsync: "off",
  log_min_messages: "error",
  "citus.node_conninfo": "sslmode=disable",
  "citus.enable_statistics_collection": "off",
};

/** @param binaries the folder with `initdb` and `postgres` of a PostgreSQL that has the extension */
export async function startCitusNode(binaries: string, directory: string): Promise<CitusNode> {
  const account = accountForPostgres();
  fs.mkdirSync(directory, { mode: 0o700 });
  if (account !== null) fs.chownSync(directory, account.uid, account.gid);
  const initdb = ["-D", directory, `--username=${SUPERUSER}`, "--auth=trust", "--locale=C.UTF-8", "--no-sync"];
  execFileSync(path.join(binaries, "initdb"), initdb, { ...account, cwd: "/", stdio: "ignore" });
  const port = await freePort();
  const log = fs.openSync(`${directory}.log`, "a");
  const flags = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(path.join(binaries, "postgres"), ["-D", directory, ...flags], {
    ...account,
    cwd: "/",
    detached: true,
    stdio: ["ignore", log, log],
  });
  fs.closeSync(log);
  // At another signal it would wait for the connections of other nodes.
  endWithUs(server, "SIGINT");
  const deadline = performance.now() + PATIENCE_MS;
  while (server.exitCode === null && performance.now() < deadline) {
    if (await accepts(port)) return { port, pid: server.pid ?? 0, process: server };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  server.kill("SIGKILL");
  throw new Error(`a node did not start: ${fs.readFileSync(`${directory}.log`, "utf8")}`);
}

/** Ends a node, with the connections that it has. */
export async function stopCitusNode({ process: server }: CitusNode): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill("SIGINT");
  await once(server, "exit");
}

/** A migrated database; where there are workers, one that is distributed over these. */
export async function databaseOn(coordinator: CitusNode, workers: readonly CitusNode[]): Promise<Connection> {
  const name = `bench_${workers.length}`;
  const connectionOf = ({ port }: CitusNode) => ({ host: HOST, port, user: SUPERUSER, database: name });
  const connection = connectionOf(coordinator);
  for (const node of [coordinator, ...workers]) {
    await runOn({ ...connectionOf(node), database: "postgres" }, [`create database ${name}`]);
    if (workers.length > 0) await runOn(connectionOf(node), ["create extension citus"]);
  }
  const added = workers.map(({ port }) => `select citus_add_node('${HOST}', ${port})`);
  if (added.length > 0) {
    await runOn(connection, [`select citus_set_coordinator_host('${HOST}', ${coordinator.port})`, ...added]);
  }
  await migrate(connection);
  if (workers.length > 0) await distribute(connection);
  return connection;
}

/** Runs statements in their order. */
async function runOn(connection: Connection, statements: readonly string[]): Promise<void> {
  await asOwner(connection, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

async function accepts(port: number): Promise<boolean> {
  return await runOn({ host: HOST, port, user: SUPERUSER, database: "postgres" }, []).then(
    () => true,
    () => false,
  );
}

/** PostgreSQL refuses to run as root: then it runs as the user `postgres`, which its packages create. */
function accountForPostgres(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const entry = /^postgres:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync("/etc/passwd", "utf8"));
  if (entry === null) throw new Error("there is no user postgres, and root may not run PostgreSQL");
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}
