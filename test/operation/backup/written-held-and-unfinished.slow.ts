import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { requester } from "../../cli/installation.ts";
import { connectTo, createDataDirectory } from "../../failure/data-directory.ts";
import { serve } from "../../program.ts";
import { createEmptyDatabase, miscounted } from "./databases.ts";
import { answersOf, createSeeded } from "./seeded.ts";

const source = await createSeeded();
const { json, run, dataDir } = source;
const fileOf = (name: string) => path.join(dataDir, name);

test("a backup that is taken while others write is of one moment, and restored into a data directory it serves on", async () => {
  const file = fileOf("moment.backup");
  const stop = new AbortController();
  const write = async (n: number) => {
    for (let i = 0; !stop.signal.aborted; i++) {
      const { body } = await source.api("POST", "/api/v1/companies", { name: `Written ${n} ${i}` });
      const company = `/api/v1/companies/${body.data.id}`;
      await source.api("POST", `${company}/contacts`, { first_name: "Eva", last_name: "Ene" });
      if (i % 3 === 0) await source.api("PUT", company, { status: "active" });
      if (i % 7 === 6) await source.api("DELETE", company);
    }
  };
  const writing = [write(1), write(2), write(3)];
  await json(["backup", "--with-keys", file]).finally(() => stop.abort());
  await Promise.all(writing);
  const directory = createDataDirectory();
  const environment = { LIAISON_DATA_DIR: directory, DATABASE_URL: "" };
  assert.equal((await run(["restore", file, "--json"], { environment })).stderr, "");
  const { url } = await serve({ ...environment, LIAISON_WORKER: "off" });
  const client = await connectTo(directory);
  assert.deepEqual(await miscounted(client), []);
  const orphans =
    "select id from changes c where type = 'contact' and not exists (select from contacts o where o.id = c.resource_id)";
  assert.deepEqual((await client.query(orphans)).rows, []);
  await client.end();
  const api = requester(url, source.tokens[0] ?? "");
  const listed = await api("GET", "/api/v1/companies?per_page=1000");
  assert.equal(listed.body.total, listed.body.data.length);
  // The keys came with it, and no id is given out twice.
  const [company] = (await api("GET", "/api/v1/companies?search=Firm 3")).body.data;
  assert.equal(company.phone, "+40 21 3");
  assert.equal((await api("POST", "/api/v1/companies", { name: "Since" })).status, 201);
});

test("calls that were held before the backup stay held, also after a move, until somebody decides", async () => {
  const file = fileOf("held.backup");
  await json(["hold"]);
  await json(["backup", file]);
  await json(["resume"]);
  const target = await createEmptyDatabase();
  const environment = { DATABASE_URL: target.url, LIAISON_DATA_DIR: dataDir };
  const { stdout } = await run(["restore", "--resume", file], { environment });
  assert.match(
    stdout,
    / Calls to others are held since .+, because `liaison hold` was run: `liaison resume` lets them/,
  );
  assert.equal(JSON.parse((await run(["doctor", "--json"], { environment })).stdout).calls_held, true);
});

test("a restore that fails once its rows are there says so, and `migrate` does the rest", async () => {
  const file = fileOf("unfinished.backup");
  await json(["backup", file]);
  const target = await createEmptyDatabase();
  const admin = await source.client();
  await admin.query(`alter role ${target.connection.user} nocreaterole`);
  const environment = { DATABASE_URL: target.url, LIAISON_DATA_DIR: dataDir };
  const { code, stderr } = await run(["restore", file], { environment });
  const line = /^The rows are restored, so do not repeat .+ run: (create role .+;) Run liaison migrate instead .+\.\n$/;
  const [, statement = ""] = line.exec(stderr) ?? [];
  assert.deepEqual([code, statement !== ""], [1, true], stderr);
  await admin.query(statement);
  assert.deepEqual(await json(["migrate"], { environment }), { applied: [] });
  const { url } = await serve({ ...environment, LIAISON_WORKER: "off" });
  const [token = ""] = source.tokens;
  assert.deepEqual(await answersOf(url, token), await answersOf(source.url, token));
});
