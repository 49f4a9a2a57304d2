import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { poll, start } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { startImportServer } from "../imports/import-server.ts";
import { figuresOf } from "./import-figures.ts";
import { settledPage, startedPage } from "./settled-import.ts";
import { many, memberOf, upload } from "./uploading.ts";

/** The workers that are stopped or killed are processes of their own. */
const WORKER = fileURLToPath(new URL("../imports/import-worker.ts", import.meta.url));
const server = await startImportServer();

/** The worker that goes on with their imports. */
const { begin: beginWorker, end: endWorker } = runWorker(server);

test("a worker that is killed in the middle is gone on with, and no row is written twice", async () => {
  await endWorker();
  const { tenant, member } = await memberOf(server);
  const path = await upload(member, "companies", `${many(2_400)}\nCompany 7,T7,\ntoo,many,cells,here\n`);
  const killed = server.start("worker");
  await poll("the check", async () => (await member.get(path)).text.includes(`action="${path}/start"`));
  await member.post(`${path}/start`);
  const written = async () =>
    Number((await server.sql("select created from imports where tenant_id = $1", [tenant.id]))[0]?.created);
  await poll("the first batch", async () => (await written()) > 0);
  const lock = await server.locking("lock table import_rows in share mode");
  await lock.blocking();
  killed.process.kill("SIGKILL");
  await killed.ended;
  await lock.release();
  const soFar = await written();
  assert.ok(soFar > 0 && soFar < 2_400, `${soFar} rows were written`);
  await server.sql("update jobs set lease_until = now() where tenant_id = $1 and state = 'running'", [tenant.id]);
  beginWorker();
  const done = await settledPage(member, path);
  assert.deepEqual(figuresOf(done), { Created: 2_400, Changed: 0, Unchanged: 0, Skipped: 2 });
  const [row] = await server.sql(
    "select count(*) as rows, count(distinct tax_id) as ids from companies where tenant_id = $1 and deleted_at is null",
    [tenant.id],
  );
  assert.deepEqual(row, { rows: "2400", ids: "2400" });
  assert.equal((await member.post(`${path}/undo`)).location, path);
  assert.deepEqual(figuresOf(await settledPage(member, path)), { Deleted: 2_400, Restored: 0, "Left as they are": 0 });
});

test("an import is suspended after the death of two workers at the same place, and tried again when somebody says so", async () => {
  await endWorker();
  const { tenant, member } = await memberOf(server);
  const path = await upload(member, "companies", many(3));
  const lock = await server.locking("lock table companies in share mode");
  for (let death = 1; death <= 2; death++) {
    const killed = server.start("worker");
    await poll("the attempt", async () => {
      const [row] = await server.sql("select runner from imports where tenant_id = $1", [tenant.id]);
      return String(row?.runner).endsWith(`/${death}`);
    });
    killed.process.kill("SIGKILL");
    await killed.ended;
    await server.sql("update jobs set lease_until = now() where tenant_id = $1 and state = 'running'", [tenant.id]);
    assert.match((await member.get(path)).text, /data-refresh/, "it is still to be gone on with");
  }
  beginWorker();
  const aside = await settledPage(member, path);
  assert.match(aside.text, /The server stopped twice while it worked on this file/);
  await lock.release();
  assert.equal((await member.post(`${path}/retry`)).location, path);
  const said = { Created: 3, Changed: 0, Unchanged: 0, Skipped: 0 };
  assert.deepEqual(figuresOf(await settledPage(member, path)), said);
  assert.deepEqual(figuresOf(await startedPage(member, path)), said);
  assert.doesNotMatch((await member.get(path)).text, /retry/);
});

test("an import whose worker is stopped several times returns to the queue at once, and is never suspended", async () => {
  await endWorker();
  const { tenant, member } = await memberOf(server);
  const path = await upload(member, "companies", many(1_200));
  for (const time of ["once", "twice"]) {
    const lock = await server.locking("lock table companies in share mode");
    const told = start([], server.environment, "", [], WORKER);
    await lock.blocking();
    told.process.kill("SIGTERM");
    await poll("its stopping", () => told.output().includes("stopping"));
    await lock.release();
    assert.equal(await told.ended, 0, told.complaints());
    // The batch that it was at is the last one: the check has others, and is not through.
    const [job] = await server.sql("select state, tries, has_died from jobs where tenant_id = $1", [tenant.id]);
    assert.deepEqual(job, { state: "waiting", tries: 0, has_died: false }, time);
  }
  beginWorker();
  const said = { Created: 1_200, Changed: 0, Unchanged: 0, Skipped: 0 };
  assert.deepEqual(figuresOf(await settledPage(member, path)), said);
  assert.deepEqual(figuresOf(await startedPage(member, path)), said);
});

test("an import that gets further between two deaths is not suspended, with any outcome of its rows", async () => {
  const { tenant, member } = await memberOf(server);
  const first = await upload(member, "companies", many(2_000));
  await settledPage(member, first);
  await startedPage(member, first);
  const again = await upload(member, "companies", many(2_000));
  await settledPage(member, again);
  await endWorker();
  await member.post(`${again}/start`);
  for (const written of [400, 900, 1_400]) {
    const lock = await server.locking(
      `select from companies where tenant_id = ${tenant.id} and tax_id = 'T${written + 200}' for update`,
    );
    const killed = start([], server.environment, "", [], WORKER);
    await lock.blocking();
    // Two parts are written at once: the one behind may be at the lock before the one in front is through.
    await poll("what comes before the lock", async () => {
      const [row] = await server.sql("select unchanged from imports where tenant_id = $1 order by id desc limit 1", [
        tenant.id,
      ]);
      return Number(row?.unchanged) >= written;
    });
    killed.process.kill("SIGKILL");
    await killed.ended;
    await lock.release();
    await server.sql("update jobs set lease_until = now() where tenant_id = $1 and state = 'running'", [tenant.id]);
  }
  beginWorker();
  const said = { Created: 0, Changed: 0, Unchanged: 2_000, Skipped: 0 };
  assert.deepEqual(figuresOf(await settledPage(member, again)), said);
});
