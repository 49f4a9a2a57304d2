import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { request } from "../harness.ts";
import { poll, serve, start, type Server } from "../program.ts";
import { connectTo, serveFrom, usedDataDirectory } from "./data-directory.ts";
import { processes } from "./process-list.ts";

/**
 * Servers in process namespaces of their own, as containers that share a volume are. Where the machine allows none,
 * nobody can be in another one, and the same must hold in the one that there is.
 */
const ELSEWHERE =
  [
    ["unshare", "--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"],
    ["unshare", "--map-current-user", "--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"],
  ].find(([command = "", ...options]) => spawnSync(command, [...options, "true"]).status === 0) ?? [];

const CLUSTER = new URL("../../src/platform/cluster/embedded-postgres.ts", import.meta.url).href;

const paused = new Set<number>();
after(() => {
  for (const pid of paused) process.kill(pid, "SIGKILL");
});

test("servers in several namespaces are killed, paused and restarted: one database, and every acknowledged write", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const ledger = new Map<number, string>();
  const here = await serveFrom(dataDir);
  const keepWriting = (server: Server): Promise<void> => write(server, token, ledger);
  const first = await serveElsewhere(dataDir);
  const writers = [here, first].map(keepWriting);
  await acknowledges(here, first);
  const postmaster = onlyPostmaster(dataDir);

  // Paused, it answers nobody new; those that it has go on.
  process.kill(postmaster, "SIGSTOP");
  paused.add(postmaster);
  const waiting = start(["serve"], { LIAISON_DATA_DIR: dataDir }, "", ELSEWHERE);
  const inUse = /^The embedded PostgreSQL in \S+ is in use by a server that does not answer: .*\.$/;
  assert.match(refusalElsewhere(dataDir), inUse);
  await acknowledges(here, first);
  // Out of sight, as another container's /tmp is, it has the files all the same.
  const socket = path.join(dataDir, "postgres", ".s.PGSQL.5432");
  fs.renameSync(socket, `${socket}.away`);
  assert.match(refusalElsewhere(dataDir), inUse);
  fs.renameSync(`${socket}.away`, socket);
  await acknowledges(here, first);
  assert.equal(onlyPostmaster(dataDir), postmaster);
  process.kill(postmaster, "SIGCONT");
  paused.delete(postmaster);
  await poll("the end of the waiting", () => waiting.output().includes("Liaison is ready"));
  const second: Server = { ...waiting, url: /ready at (\S+)/.exec(waiting.output())?.[1] ?? "" };
  writers.push(keepWriting(second));
  await acknowledges(here, first, second);

  // A process of it that outlives it may still write; without that one, the servers that are left start another.
  const orphan = await backendOf(dataDir);
  process.kill(orphan, "SIGSTOP");
  paused.add(orphan);
  await killed(here);
  process.kill(postmaster, "SIGKILL");
  assert.match(refusalElsewhere(dataDir), inUse);
  assert.deepEqual(postmasters(dataDir), []);
  process.kill(orphan, "SIGKILL");
  paused.delete(orphan);
  await acknowledges(first, second);
  assert.notEqual(onlyPostmaster(dataDir), postmaster);

  // Many begin at once, with a recovery to do.
  const last = onlyPostmaster(dataDir);
  await Promise.all([killed(first), killed(second)]);
  killIfThere(last);
  await Promise.all(writers);
  const servers = await Promise.all([serveElsewhere(dataDir), serveFrom(dataDir), serveElsewhere(dataDir)]);
  const more = servers.map(keepWriting);
  await acknowledges(...servers);
  onlyPostmaster(dataDir);

  const owner = await connectTo(dataDir);
  await Promise.all(servers.map(killed));
  await Promise.all(more);
  await owner.end().catch(() => {});
  const survivor = await serveFrom(dataDir);
  const reader = await connectTo(dataDir);
  const { rows } = await reader.query("select id, name from companies");
  await reader.end();
  const stored = new Map(rows.map(({ id, name }) => [Number(id), name]));
  const lost = [...ledger].filter(([id, name]) => stored.get(id) !== name);
  assert.deepEqual(lost, []);
  survivor.process.kill("SIGTERM");
  assert.equal(await survivor.ended, 0, survivor.complaints());
});

test("the last one out stops the database also where its server runs in another namespace", async () => {
  const { dataDir } = await usedDataDirectory();
  const here = await serveFrom(dataDir);
  await killed(here);
  onlyPostmaster(dataDir);
  const { code, stderr } = await start(["tenant", "list"], { LIAISON_DATA_DIR: dataDir }, "", ELSEWHERE).finished();
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.deepEqual(postmasters(dataDir), []);
});

async function serveElsewhere(dataDir: string): Promise<Server> {
  return await serve({ LIAISON_DATA_DIR: dataDir }, ELSEWHERE);
}

/** What a start in another namespace, one without patience, is refused with. */
function refusalElsewhere(dataDir: string): string {
  const script = `
    import { useCluster } from ${JSON.stringify(CLUSTER)};
    const used = useCluster(${JSON.stringify(dataDir)}, { patience: 1 });
    await used.then(() => process.exit(), ({ message }) => console.log(message));
  `;
  const [command, ...options] = [...ELSEWHERE, process.execPath, "--input-type=module", "-e", script];
  return spawnSync(command, options, { encoding: "utf8" }).stdout.trim();
}

/** One of the processes that serve the embedded database's clients. */
async function backendOf(dataDir: string): Promise<number> {
  const owner = await connectTo(dataDir);
  const { rows } = await owner.query("select pid from pg_stat_activity where application_name = 'liaison' limit 1");
  await owner.end();
  return rows[0].pid;
}

async function killed(server: Server): Promise<void> {
  server.process.kill("SIGKILL");
  await server.ended;
}

/** Creates companies until the server is gone, and notes those that were acknowledged. */
async function write(server: Server, token: string, ledger: Map<number, string>): Promise<void> {
  for (let count = 0; server.process.exitCode === null && server.process.signalCode === null; count++) {
    const name = `Written by ${server.url}, ${count}`;
    const answer = await request(server.url, "POST", "/api/v1/companies", { name }, { token }).catch(() => null);
    if (answer?.status === 201) ledger.set(answer.body.data.id, name);
    written.set(server.url, (written.get(server.url) ?? 0) + (answer?.status === 201 ? 1 : 0));
  }
}

/** How many writes each server has acknowledged. */
const written = new Map<string, number>();

/** Waits until each of them has acknowledged more. */
async function acknowledges(...servers: Server[]): Promise<void> {
  const before = servers.map(({ url }) => written.get(url) ?? 0);
  const hasMore = (): boolean => servers.every(({ url }, index) => (written.get(url) ?? 0) > (before[index] ?? 0) + 5);
  await poll("writes by every server", hasMore);
}

function onlyPostmaster(dataDir: string): number {
  const [postmaster, ...others] = postmasters(dataDir);
  assert.deepEqual(others, [], "one server has the files");
  assert.ok(postmaster !== undefined, "a server has the files");
  return postmaster;
}

/** The servers of a data directory, in whatever namespace: processes with its command line whose parent has another. */
function postmasters(dataDir: string): number[] {
  const directory = path.join(fs.realpathSync(dataDir), "postgres");
  const found = processes().filter(({ command }) => command.includes(`-D ${directory} `));
  return found.filter(({ parent }) => !found.some(({ pid }) => pid === parent)).map(({ pid }) => pid);
}

/** Without a server it stops by itself, at any moment. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ESRCH");
  }
}
