import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { freePort, poll } from "../program.ts";

/** One PostgreSQL with Citus, on loopback. */
export type Node = { port: number; directory: string; pid: number };

const HOST = "127.0.0.1";
const SUPERUSER = "postgres";

const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: "",
  shared_preload_libraries: "citus",
  // What moves a shard while it is written to needs it, and these.
  wal_level: "logical",
  max_replication_slots: "20",
  max_wal_senders: "20",
  max_worker_processes: "40",
  max_connections: "300",
  max_prepared_transactions: "300",
  // Commits are written before they are acknowledged: what moves a shard takes the end of the written log for its end.
  fsync: "off",
  full_page_writes: "off",
  // Whose statement a line is about: the database and the program.
  log_line_prefix: "%d %a ",
  "citus.node_conninfo": "sslmode=disable",
  "citus.enable_statistics_collection": "off",
  // As few as still lie on both workers: a database is distributed anew for each test file.
  "citus.shard_count": "4",
};

/** How a node's database is reached by its superuser. */
export function connectionTo({ port }: Pick<Node, "port">, database = "postgres"): pg.ClientConfig {
  return { host: HOST, port, user: SUPERUSER, database };
}

/**
 * Sets up a node in a directory that does not exist yet, and starts it on a free port.
 * @param binaries the folder with `initdb` and `postgres`
 */
export async function createNode(binaries: string, directory: string): Promise<Node> {
  const account = accountForPostgres();
  fs.mkdirSync(directory, { mode: 0o700 });
  if (account !== null) fs.chownSync(directory, account.uid, account.gid);
  const { status, stderr, error } = spawnSync(
    path.join(binaries, "initdb"),
    ["-D", directory, `--username=${SUPERUSER}`, "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
    { ...account, cwd: "/", encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr.trim()}`);
  return await startNode(binaries, { port: await freePort(), directory });
}

/** Starts a node whose server was ended. */
export async function startNode(
  binaries: string,
  { port, directory }: Pick<Node, "port" | "directory">,
): Promise<Node> {
  const settings = { ...SETTINGS, ...settingsOfNewer(binaries), port };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = fs.openSync(`${directory}.log`, "a");
  const server = spawn(path.join(binaries, "postgres"), ["-D", directory, ...flags], {
    ...accountForPostgres(),
    cwd: "/",
    // A Ctrl+C in the terminal is not for it: the process that started it ends it.
    detached: true,
    stdio: ["ignore", log, log],
  });
  fs.closeSync(log);
  server.unref();
  await poll("the start of a node", async () => {
    if (server.exitCode !== null) throw new Error(logOf({ directory }));
    return await accepts({ port });
  });
  return { port, directory, pid: server.pid ?? 0 };
}

/** What a node's server has logged from an offset on. */
export function logOf({ directory }: Pick<Node, "directory">, offset = 0): string {
  return fs.readFileSync(`${directory}.log`).subarray(offset).toString();
}

/** Ends a node's server without its finishing anything, as a power cut would, and waits until it is gone. */
export async function killNode({ pid }: Node): Promise<void> {
  process.kill(pid, "SIGQUIT");
  await poll("the end of a node", () => !isRunning(pid));
}

/**
 * What splits a shard while it is written to reads changes by Citus's own library, which newer PostgreSQLs have to
 * allow.
 */
function settingsOfNewer(binaries: string): Record<string, string> {
  const options = { ...accountForPostgres(), cwd: "/", encoding: "utf8" } as const;
  const { stdout } = spawnSync(path.join(binaries, "postgres"), ["--describe-config"], options);
  return stdout.includes("\noutput_plugin_libraries\t") ? { output_plugin_libraries: "pgoutput,citus" } : {};
}

/** PostgreSQL refuses to run as root: the user `postgres` then, which its packages create, or else `nobody`. */
export function accountForPostgres(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const lines = fs.readFileSync("/etc/passwd", "utf8").split("\n");
  const entry = ["postgres:", "nobody:"].map((start) => lines.find((line) => line.startsWith(start)));
  const [, , uid, gid] = (entry[0] ?? entry[1] ?? "").split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

async function accepts(node: Pick<Node, "port">): Promise<boolean> {
  const client = new pg.Client(connectionTo(node));
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
