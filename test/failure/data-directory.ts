import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import pg from "pg";
import { poll, serve, type Server } from "../program.ts";

const directories = new Set<string>();

after(async () => {
  for (const directory of directories) {
    const pid = postmasterOf(directory);
    if (pid !== null) {
      process.kill(pid, "SIGQUIT");
      await poll("the cluster's end", () => !isAlive(pid));
    }
    fs.rmSync(directory, { recursive: true, force: true });
    fs.rmSync(socketDirectoryOf(directory), { recursive: true, force: true });
  }
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

/** A copy of one that the first test to ask makes for the whole run: it takes seconds of a processor. */
export async function usedDataDirectory(): Promise<UsedDirectory> {
  const directory = `${process.env.LIAISON_TEST_DIRECTORY}/used`;
  const [original, tokenFile] = [path.join(directory, "data"), path.join(directory, "token")];
  if (isFirst(directory)) {
    const server = await serveFrom(original);
    server.process.kill("SIGTERM");
    await server.ended;
    fs.writeFileSync(`${tokenFile}.new`, demoToken(server));
    fs.renameSync(`${tokenFile}.new`, tokenFile);
  }
  await poll("the data directory that another test makes", () => fs.existsSync(tokenFile), 60);
  const dataDir = createDataDirectory();
  // With its owner, whom PostgreSQL runs as.
  spawnSync("cp", ["-a", original, dataDir]);
  return { dataDir, token: fs.readFileSync(tokenFile, "utf8") };
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
