import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { poll, type Server } from "../program.ts";
import { afterFile } from "../together.ts";
import {
  connectTo,
  createDataDirectory,
  isAlive,
  migratedDataDirectory,
  postmasterOf,
  serveFrom,
} from "./data-directory.ts";

/** Servers on an embedded PostgreSQL that faults strike. */
export type Ground = { dataDir: string; servers: Server[]; environment: Record<string, string>; disk: string | null };

const PAUSE_MS = 1_500;
const DISK = "512m";
const FILLER_BYTES = 2 ** 20;
const CLOCK = pathToFileURL(path.join(import.meta.dirname, "shifted-clock.ts")).href;

/** Each fault by its name; one that returns is over, or its consequences go on by themselves. */
const faults: Record<string, (ground: Ground, turn: number) => Promise<void>> = {
  "a server is killed": async ({ servers, dataDir, environment }, turn) => {
    const place = turn % servers.length;
    const server = servers[place] as Server;
    server.process.kill("SIGKILL");
    await server.ended;
    servers[place] = await serveFrom(dataDir, environment);
  },
  "the connections are cut": async ({ dataDir }) => {
    const owner = await connectTo(dataDir);
    await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'liaison'");
    await owner.end();
  },
  "a server pauses": async ({ servers }, turn) => {
    const { process: paused } = servers[turn % servers.length] as Server;
    paused.kill("SIGSTOP");
    await pass(PAUSE_MS);
    paused.kill("SIGCONT");
  },
  "PostgreSQL is killed": async ({ dataDir }) => {
    const postmaster = postmasterOf(dataDir) ?? 0;
    process.kill(postmaster, "SIGKILL");
    await poll("PostgreSQL's end", () => !isAlive(postmaster));
  },
  "a server's clock is set": async ({ servers }, turn) => {
    (servers[turn % servers.length] as Server).process.kill("SIGUSR2");
  },
  "PostgreSQL pauses": async ({ dataDir }) => {
    const owner = await connectTo(dataDir);
    const { rows } = await owner.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'liaison'",
    );
    await owner.end();
    for (const { pid } of rows) signal(pid, "SIGSTOP");
    await pass(PAUSE_MS);
    for (const { pid } of rows) signal(pid, "SIGCONT");
  },
  "a connection's process is killed": async ({ dataDir }) => {
    const owner = await connectTo(dataDir);
    const { rows } = await owner.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'liaison' limit 1",
    );
    for (const { pid } of rows) signal(pid, "SIGKILL");
    await owner.end().catch(() => {});
  },
  "the disk is full": async ({ disk }) => {
    if (disk === null) return;
    const empty = fill(disk);
    await pass(PAUSE_MS);
    empty();
  },
};

export const FAULTS = Object.keys(faults);

/** Strikes with the faults in turns; waits for PostgreSQL, which an earlier one may have ended. */
export async function strike(ground: Ground, turn: number): Promise<string> {
  await poll("PostgreSQL", async () => {
    const owner = await connectTo(ground.dataDir).catch(() => null);
    await owner?.end();
    return owner !== null;
  });
  const name = FAULTS[turn % FAULTS.length] ?? "";
  await faults[name]?.(ground, Math.floor(turn / FAULTS.length));
  return name;
}

/**
 * Two servers on a migrated database, whose files are on a disk of their own where this account may mount one. Their
 * clocks can be set.
 */
export async function openGround(environment: Record<string, string>): Promise<Ground> {
  const migrated = await migratedDataDirectory();
  const disk = mountDisk();
  const dataDir = disk === null ? migrated : path.join(disk, "data");
  if (disk !== null) spawnSync("cp", ["-a", migrated, dataDir]);
  const settable = { ...environment, NODE_OPTIONS: `--import=${CLOCK}` };
  const servers = [await serveFrom(dataDir, settable), await serveFrom(dataDir, settable)];
  return { dataDir, servers, environment: settable, disk };
}

export async function closeGround({ servers, dataDir }: Ground): Promise<void> {
  for (const { process: server, ended } of servers) {
    server.kill("SIGTERM");
    await ended;
  }
  await poll("PostgreSQL's end", () => postmasterOf(dataDir) === null);
}

/** A file system in memory; null where only the superuser may mount one. */
function mountDisk(): string | null {
  const directory = createDataDirectory("disk");
  fs.mkdirSync(directory);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK},mode=755`, "tmpfs", directory]).status !== 0) return null;
  afterFile(() => void spawnSync("umount", ["-l", directory]));
  return directory;
}

/** Fills a disk. Returns what empties it again. */
export function fill(disk: string): () => void {
  const file = path.join(disk, "filler");
  const descriptor = fs.openSync(file, "w");
  const bytes = Buffer.alloc(FILLER_BYTES);
  try {
    for (;;) fs.writeSync(descriptor, bytes);
  } catch {
    // It is full.
  } finally {
    fs.closeSync(descriptor);
  }
  return () => fs.rmSync(file);
}

/** The process may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has.
  }
}

async function pass(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
