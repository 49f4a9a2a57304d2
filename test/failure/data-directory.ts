import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { poll, serve, start, type Server } from "../program.ts";
import { afterFile } from "../together.ts";

const directories = new Set<string>();

afterFile(async () => {
  for (const directory of directories) {
    const pid = postmasterOf(directory);
    if (pid !== null) {
      process.kill(pid, "SIGQUIT");
      await poll("the cluster's end", () => !isAlive(pid));
    }
    fs.rmSync(directory, { recursive: true, force: true });
    fs.rmSync(socketDirectoryOf(directory), { recursive: true, force: true });
  }
  directories.clear();
});

/** Where a data directory's socket is when its own path does not fit. */
function socketDirectoryOf(dataDir: string): string {
  const digest = createHash("sha256").update(path.join(dataDir, "postgres")).digest("hex").slice(0, 16);
  return `/tmp/liaison-${digest}`;
}

/** A data directory that PostgreSQL's account can reach, gone when the test file ends; a cluster in it is stopped. */
export function createDataDirectory(name = "data"): string {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-failure-"));
  fs.chmodSync(parent, 0o755);
  directories.add(parent);
  const directory = path.join(parent, name);
  directories.add(directory);
  return directory;
}

/** A data directory that a server has left behind, and its demo's token. */
export type UsedDirectory = { dataDir: string; token: string };

export async function usedDataDirectory(): Promise<UsedDirectory> {
  const { dataDir, said } = await copyOfMade("used", async (original) => {
    copy(await migratedDataDirectory(), original);
    const server = await serveFrom(original);
    server.process.kill("SIGTERM");
    await server.ended;
    return demoToken(server);
  });
  return { dataDir, token: said };
}

/** A data directory whose database has all migrations, and no tenant: the first server on it makes the demo. */
export async function migratedDataDirectory(): Promise<string> {
  const { dataDir } = await copyOfMade("migrated", async (original) => {
    const { code, stderr } = await start(["init"], { LIAISON_DATA_DIR: original }).finished();
    if (code !== 0) throw new Error(stderr);
    return "";
  });
  return dataDir;
}

/**
 * A copy of a data directory that the first test to ask makes for the whole run, which takes seconds of a processor;
 * and what its making said.
 */
async function copyOfMade(
  name: string,
  make: (original: string) => Promise<string>,
): Promise<{ dataDir: string; said: string }> {
  const directory = `${process.env.LIAISON_TEST_DIRECTORY}/${name}`;
  const [original, saidFile] = [path.join(directory, "data"), path.join(directory, "said")];
  if (isFirst(directory)) {
    fs.writeFileSync(`${saidFile}.new`, await make(original));
    fs.renameSync(`${saidFile}.new`, saidFile);
  }
  await poll("the data directory that another test makes", () => fs.existsSync(saidFile), 60);
  const dataDir = createDataDirectory();
  copy(original, dataDir);
  return { dataDir, said: fs.readFileSync(saidFile, "utf8") };
}

/** With its owner, whom PostgreSQL runs as. */
function copy(from: string, to: string): void {
  spawnSync("cp", ["-a", from, to]);
}

/** Whether nobody has made the directory, of all the test files of a run. */
function isFirst(directory: string): boolean {
  try {
    fs.mkdirSync(directory);
    return true;
  } catch {
    return false;
  }
}

/** Starts `serve`, with options, on a data directory and waits until it says that it is ready. */
export async function serveFrom(
  dataDir: string,
  environment: Record<string, string> = {},
  options: string[] = [],
): Promise<Server> {
  return await serve({ LIAISON_DATA_DIR: dataDir, ...environment }, [], options);
}

/** The demo tenant's token, as the first start printed it. */
export function demoToken(program: Server): string {
  const token = /Bearer (demo\.\w+)/.exec(program.output())?.[1];
  if (token === undefined) throw new Error(`no token in: ${program.output()}`);
  return token;
}

/** The number of the cluster's server, or null where none runs. */
export function postmasterOf(dataDir: string): number | null {
  try {
    const pid = Number(fs.readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    const isOurs = commandOf(pid).includes(path.join(dataDir, "postgres"));
    return isOurs ? pid : null;
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  return commandOf(pid) !== "";
}

/** From /proc where there is one: a slim container has no ps. */
function commandOf(pid: number): string {
  if (process.platform === "linux") {
    const file = `/proc/${pid}/cmdline`;
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").replaceAll("\0", " ") : "";
  }
  return spawnSync("ps", ["-ww", "-p", String(pid), "-o", "args="], { encoding: "utf8" }).stdout;
}

/** A connection to the embedded cluster as its superuser. */
export async function connectTo(dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: path.join(dataDir, "postgres"),
    port: 5432,
    user: "liaison",
    database: "liaison",
  });
  client.on("error", () => {});
  await client.connect();
  return client;
}
