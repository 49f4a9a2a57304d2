import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { requester } from "../cli/installation.ts";
import { waitingForLocks } from "../harness.ts";
import { poll, start } from "../program.ts";
import { connectTo, migratedDataDirectory, serveFrom } from "./data-directory.ts";

/** Fewer than two servers want, of which PostgreSQL keeps three for superusers. */
const CONNECTIONS = 20;
const FREE = `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - count(*) as free
  from pg_stat_activity where backend_type = 'client backend' and usename like 'liaison%' and application_name <> 'test'`;

test("commands get in while two servers would use every connection of the database", async () => {
  const dataDir = await migratedDataDirectory();
  fs.appendFileSync(path.join(dataDir, "postgres/postgresql.conf"), `\nmax_connections = ${CONNECTIONS}\n`);
  const LIAISON_RATE_LIMIT = "0";
  const [host, options] = [path.join(dataDir, "postgres"), { LIAISON_DEMO: "off", LIAISON_RATE_LIMIT }];
  const first = await serveFrom(dataDir, options);
  // What one sees of others' connections stays as it is within a transaction.
  const [owner, looking] = [await connectTo(dataDir), await connectTo(dataDir)];
  for (const client of [owner, looking]) await client.query("set application_name = 'test'");
  const DATABASE_URL = `postgres://liaison@localhost/liaison?host=${encodeURIComponent(host)}`;
  const environment = { LIAISON_DATA_DIR: dataDir, DATABASE_URL };
  const run = async (...args: string[]) => await start(args, environment).finished();
  const second = await serveFrom(dataDir, { ...options, DATABASE_URL });

  const tokens: string[] = [];
  for (const slug of ["a", "b", "c"]) {
    await run("tenant", "create", slug, "--name", slug);
    const created = ["key", "create", "--tenant", slug, "--name", "n", "--capabilities", "companies:write", "--json"];
    tokens.push(String(JSON.parse((await run(...created)).stdout).token));
  }
  const senders = [first, second].flatMap(({ url }) => tokens.map((token) => requester(url, token)));
  const companies: string[] = [];
  for (const send of senders) companies.push((await send("POST", "/api/v1/companies", { name: "Acme" })).body.data.id);

  // Writes that wait for locks take connections of their own, and so do searches. All begin anew as long as the test
  // lasts.
  await owner.query("begin; select from companies for update");
  const over = new AbortController();
  const statuses = new Map<number, number>();
  const busy = senders.flatMap((send, at) =>
    ["write", "write", "write", "search", "search"].map(async (what) => {
      while (!over.signal.aborted) {
        const { status } =
          what === "write"
            ? await send("PUT", `/api/v1/companies/${companies[at]}`, { city: "Turda" })
            : await send("GET", "/api/v1/companies?search=acme");
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  const free = async () => Number((await looking.query(FREE)).rows[0].free);
  const wanting = async () => (await looking.query(waitingForLocks)).rows.length;
  await poll("writes that wait", async () => (await wanting()) >= 4);
  await poll("two connections that are free", async () => (await free()) >= 2);
  const listed = await run("tenant", "list", "--json");
  assert.equal(listed.code, 0, listed.stderr);
  const { stdout, stderr } = await run("doctor");
  assert.doesNotMatch(stdout + stderr, /slots|clients|cannot be reached/);
  await owner.query("rollback");
  const answered = statuses.get(200) ?? 0;
  await poll("answers to writes", () => (statuses.get(200) ?? 0) > answered + senders.length);
  over.abort();
  await Promise.all(busy);
  await Promise.all([owner, looking].map((client) => client.end()));
  const others = [...statuses.keys()].filter((status) => status !== 200 && status !== 503);
  assert.deepEqual(others, [], "but for writes that waited for too long, all are answered");
  for (const server of [second, first]) {
    server.process.kill("SIGTERM");
    assert.equal(await server.ended, 0, server.complaints());
  }
});
