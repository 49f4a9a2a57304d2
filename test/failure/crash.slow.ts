import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { request, type Answer } from "../harness.ts";
import { poll, type Server } from "../program.ts";
import {
  connectTo,
  demoToken,
  isAlive,
  migratedDataDirectory,
  postmasterOf,
  serveFrom,
  usedDataDirectory,
} from "./data-directory.ts";

test("whatever was answered 201 survives a kill of the server, and the next one adopts the database", async () => {
  const dataDir = await migratedDataDirectory();
  const first = await serveFrom(dataDir);
  const token = demoToken(first);
  const created: number[] = [];
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let count = 0; ; count++) {
      const answer = await create(first, token, `Writer ${writer} company ${count}`).catch(() => null);
      if (answer === null) return;
      if (answer.status === 201) created.push(answer.body.data.id);
    }
  });
  await poll("some writes", () => created.length > 50);
  first.process.kill("SIGKILL");
  await Promise.all(writers);
  assert.equal(await first.ended, "SIGKILL");

  const orphan = postmasterOf(dataDir);
  assert.notEqual(orphan, null, "PostgreSQL outlives the server");
  const second = await serveFrom(dataDir);
  assert.equal(postmasterOf(dataDir), orphan, "the orphan is adopted, not replaced");
  for (const id of created) assert.equal((await show(second, token, id)).status, 200, `company ${id}`);
  assert.doesNotMatch(second.output(), /sample data/, "the demo is not created again");
  await stopped(second);
  assert.equal(postmasterOf(dataDir), null, "the last one out stops the cluster");
});

test("a kill of PostgreSQL is answered 503 with Retry-After, and then 200 again without a restart", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const server = await serveFrom(dataDir);
  const kept = await create(server, token, "Kept");
  const postmaster = postmasterOf(dataDir) ?? 0;
  process.kill(postmaster, "SIGKILL");
  const answers = await answersUntilWell(server, token);
  assert.deepEqual(
    [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 200),
    [503],
  );
  const refused = answers.find(({ status }) => status === 503);
  assert.deepEqual(refused?.body, { error: "Service unavailable." });
  assert.match(refused?.headers.get("retry-after") ?? "", /^\d+$/);
  assert.notEqual(postmasterOf(dataDir), postmaster);
  assert.equal((await show(server, token, kept.body.data.id)).status, 200);
  await stopped(server);
});

test("a kill of one backend loses nothing and causes no 500", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const server = await serveFrom(dataDir);
  const owner = await connectTo(dataDir);
  await show(server, token, 1);
  const { rows } = await owner.query("select pid from pg_stat_activity where application_name = 'liaison' limit 1");
  process.kill(rows[0].pid, "SIGKILL");
  const answers = await answersUntilWell(server, token);
  for (const { status } of answers) assert.ok(status === 200 || status === 503, String(status));
  await owner.end().catch(() => {});
  await stopped(server);
});

test("reads do not notice that their connections are terminated, nor those that take their place", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const server = await serveFrom(dataDir);
  const owner = await connectTo(dataDir);
  const terminate = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'liaison'";
  for (let round = 0; round < 40; round++) {
    const reads = Array.from({ length: 20 }, async () => await show(server, token, 1));
    // The second time it is those that are just being opened.
    for (const _ of Array(2)) await owner.query(terminate);
    for (const { status } of await Promise.all(reads)) assert.equal(status, 200);
    assert.equal((await list(server, token)).status, 200);
  }
  await owner.end();
  await stopped(server);
  assert.doesNotMatch(server.complaints(), /MaxListeners|Deprecat|secretKey/);
});

test("a stale pid file whose number another process has does not keep the server from starting", async () => {
  const { dataDir } = await usedDataDirectory();
  const first = await serveFrom(dataDir);
  first.process.kill("SIGKILL");
  await first.ended;
  const pidFile = path.join(dataDir, "postgres", "postmaster.pid");
  const socketLock = path.join(dataDir, "postgres", ".s.PGSQL.5432.lock");
  const [pidText, lockText] = [pidFile, socketLock].map((file) => fs.readFileSync(file, "utf8"));
  const postmaster = postmasterOf(dataDir) ?? 0;
  process.kill(postmaster, "SIGQUIT");
  await poll("PostgreSQL's end", () => !isAlive(postmaster));

  const { uid, gid } = fs.statSync(pidFile, { throwIfNoEntry: false }) ?? fs.statSync(path.dirname(pidFile));
  const other = spawn("sleep", ["60"], process.getuid?.() === 0 ? { uid, gid } : {});
  for (const [file, text] of [
    [pidFile, pidText],
    [socketLock, lockText],
  ] as const) {
    fs.writeFileSync(file, String(text).replace(/^\d+/, String(other.pid)), { mode: 0o600 });
    fs.chownSync(file, uid, gid);
  }
  const second = await serveFrom(dataDir);
  assert.equal(other.exitCode, null, "the other process is left alone");
  assert.equal((await request(second.url, "GET", "/health/ready")).status, 200);
  other.kill();
  await stopped(second);
});

for (const [what, text] of [
  ["an empty pid file, as a power cut leaves it,", ""],
  ["a pid file without a number", "rubbish\n"],
] as const) {
  test(`${what} does not keep the server from starting`, async () => {
    const { dataDir } = await usedDataDirectory();
    const pidFile = path.join(dataDir, "postgres", "postmaster.pid");
    const { uid, gid } = fs.statSync(path.dirname(pidFile));
    fs.writeFileSync(pidFile, text, { mode: 0o600 });
    fs.chownSync(pidFile, uid, gid);
    const second = await serveFrom(dataDir);
    assert.equal((await request(second.url, "GET", "/health/ready")).status, 200);
    await stopped(second);
  });
}

async function create(server: Server, token: string, name: string): Promise<Answer> {
  return await request(server.url, "POST", "/api/v1/companies", { name }, { token });
}

async function show(server: Server, token: string, id: number): Promise<Answer> {
  return await request(server.url, "GET", `/api/v1/companies/${id}`, undefined, { token });
}

async function list(server: Server, token: string): Promise<Answer> {
  return await request(server.url, "GET", "/api/v1/companies", undefined, { token });
}

/** Asks until a failure has been seen to be over: reads and writes are answered as if nothing had been. */
async function answersUntilWell(server: Server, token: string): Promise<Answer[]> {
  const answers: Answer[] = [];
  let well = 0;
  await poll("recovery", async () => {
    const both = await Promise.all([show(server, token, 1), list(server, token)]);
    answers.push(...both);
    well = both.every(({ status }) => status === 200) ? well + 1 : 0;
    return well === 20;
  });
  return answers;
}

async function stopped(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
}
