import assert from "node:assert/strict";
import { test } from "node:test";
import { backends } from "../../harness.ts";
import { poll } from "../../program.ts";
import { startImportServer } from "./import-server.ts";

const server = await startImportServer();

test("a signal lets the batch in progress finish, and says where to go on", async () => {
  const tenant = await server.createTenant();
  const file = server.file(["name", ...Array.from({ length: 1_500 }, (_, index) => `Company ${index}`)].join("\n"));
  const lock = await server.locking("lock table companies in share mode");
  const program = server.start("import", "companies", "--tenant", tenant.slug, file, "--json");
  const end = program.finished();
  await lock.blocking();
  program.process.kill("SIGTERM");
  await lock.release();

  const { code, stdout, stderr } = await end;
  const { created, updated, rejected } = JSON.parse(stdout);
  const line = /--from-line (\d+)/.exec(stderr)?.[1] ?? "";
  assert.deepEqual(
    { code, created, updated, rejected },
    { code: 130, created: Number(line) - 2, updated: 0, rejected: [] },
  );
  assert.ok(created > 0 && created < 1_500, stdout);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, created);

  const rest = await server.run("import", "companies", "--tenant", tenant.slug, file, "--json", "--from-line", line);
  assert.equal(JSON.parse(rest.stdout).created, 1_500 - created);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 1_500);
});

test("an import that is killed leaves a beginning of its file, from whose end another goes on", async () => {
  const tenant = await server.createTenant();
  const names = Array.from({ length: 6_000 }, (_, index) => `Company ${index}`);
  const file = server.file(["name", ...names].join("\n"));
  const stored = async () =>
    (await server.sql("select name from companies where tenant_id = $1 order by id", [tenant.id])).map(
      ({ name }) => name,
    );
  const program = server.start("import", "companies", "--tenant", tenant.slug, file, "--json");
  const end = program.finished();
  await poll("some rows", async () => (await stored()).length >= 1_500);
  program.process.kill("SIGKILL");
  await end;
  // Locking the table waits for the end of the writes to it.
  await (await server.locking("lock table companies in share mode")).release();
  const written = await stored();
  assert.equal(written.join(), names.slice(0, written.length).join());

  const line = String(written.length + 2);
  const rest = await server.run("import", "companies", "--tenant", tenant.slug, file, "--json", "--from-line", line);
  assert.deepEqual({ code: rest.code, stderr: rest.stderr }, { code: 0, stderr: "" });
  assert.equal((await stored()).join(), names.join());
});

test("a row that only the database finds wrong costs only itself", async () => {
  const tenant = await server.createTenant();
  await server.sql("alter table companies add constraint no_evil check (name <> 'evil')");
  const names = Array.from({ length: 700 }, (_, index) => (index % 300 === 7 ? "evil" : `Company ${index}`));
  const imported = await server.importing(tenant, "companies", ["name", ...names].join("\n"));
  const errors = { row: ["The database refused the row."] };
  assert.deepEqual(imported, {
    created: 697,
    updated: 0,
    rejected: [9, 309, 609].map((line) => ({ line, errors })),
  });
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 697);
});

test("a database that goes away meanwhile is reported with the line to continue from", async () => {
  const tenant = await server.createTenant();
  const file = server.file(["name", ...Array.from({ length: 1_500 }, (_, index) => `Company ${index}`)].join("\n"));
  const lock = await server.locking("lock table companies in share mode");
  const end = server.run("import", "companies", "--tenant", tenant.slug, file, "--json");
  await server.sql(`select pg_terminate_backend(${await lock.blocking()})`);
  const { code, stdout, stderr } = await end;
  await lock.release();
  assert.deepEqual({ code, json: JSON.parse(stdout) }, { code: 1, json: { created: 0, updated: 0, rejected: [] } });
  assert.match(stderr, /^[^\n]+ continue with --from-line 2\.\n$/);
});

test("an import that is paused lets go of its locks within seconds, and loses nothing when it goes on", async () => {
  const tenant = await server.createTenant();
  // Each batch is about the companies of the one before.
  const rows = Array.from({ length: 1_500 }, (_, index) => `Company ${index},${index % 500}`);
  const file = server.file(["name,tax_id", ...rows].join("\n"));
  const lock = await server.locking("lock table companies in share mode");
  const program = server.start("import", "companies", "--tenant", tenant.slug, file, "--json");
  const end = program.finished();
  const backend = await lock.blocking();
  program.process.kill("SIGSTOP");
  await lock.release();
  await poll("the end of the paused transaction", async () => {
    return (await server.sql(`select from ${backends} where pid = $1`, [backend])).length === 0;
  });
  program.process.kill("SIGCONT");
  const { code, stdout, stderr } = await end;
  const said = { code, json: JSON.parse(stdout), stderr };
  assert.deepEqual(said, { code: 0, json: { created: 500, updated: 1_000, rejected: [] }, stderr: "" });
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 500);
});
