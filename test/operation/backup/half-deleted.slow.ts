import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { readBackup } from "../../../src/operation/backup/read-backup.ts";
import { adjustRows, type Adjust } from "../../../src/operation/backup/tenant/adjust-rows.ts";
import { jsonLine, partLines, writeBackup } from "../../../src/operation/backup/write-backup.ts";
import type { StoredTable } from "../../../src/platform/postgres/stored-tables.ts";
import { poll } from "../../program.ts";
import { createEmptyDatabase, open } from "./databases.ts";
import { createSeeded } from "./seeded.ts";

const NEVER = new AbortController().signal;
/** A tenant whose deletion was killed when a part of it was gone. */
const { json, run, start, sql, client, dataDir } = await createSeeded({ LIAISON_WORKER: "off" });
await json(["tenant", "suspend", "acme"]);
const whole = path.join(dataDir, "whole.tenant");
await json(["tenant", "backup", "acme", whole]);
const other = await client();
await other.query("begin; lock table companies in share mode");
const deletion = start(["tenant", "delete", "acme", "--confirm", "acme"]);
await poll("the deletion at the companies", async () => {
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from companies %'";
  return (await sql(waiting)).length > 0;
});
deletion.process.kill("SIGKILL");
await deletion.ended;
// A process that waits for a lock cannot check that no other one waits.
const BACKEND = "from pg_stat_activity where datname = current_database() and query like 'delete from companies %'";
await sql(`select pg_terminate_backend(pid) ${BACKEND}`);
await poll("its end", async () => (await sql(`select ${BACKEND}`)).length === 0);
await other.query("rollback");
const left = "select count(*)::int as n from companies where tenant_id = (select id from tenants where slug = 'acme')";

test("a half-deleted tenant is listed as one, and the doctor says how to finish it", async () => {
  const [acme, beside] = await json(["tenant", "list"]);
  assert.match(acme.deleting_at, /^20\d\d-.*Z$/);
  assert.equal(beside.deleting_at, null);
  const { code, stdout } = await run(["doctor"]);
  const finding = `deletions: The tenant acme is being deleted since ${acme.deleting_at}: unless somebody does so now, finish it: liaison tenant delete acme --confirm acme\n`;
  assert.equal(code, 1);
  assert.ok(stdout.startsWith(finding), stdout);
  assert.equal(stdout.split("\n").length, finding.split("\n").length + 1, "no other but the line about mail");
});

test("a half-deleted tenant is not backed up, and a backup that there is under the name stays", async () => {
  const before = fs.readFileSync(whole);
  const refused = await run(["tenant", "backup", "acme", whole]);
  const line = 'The tenant "acme" is being deleted and is incomplete: it cannot be backed up.\n';
  assert.deepEqual([refused.code, refused.stdout, refused.stderr], [1, "", line]);
  assert.deepEqual(fs.readFileSync(whole), before);
});

test("a backup of an older release that was taken of a half-deleted tenant is not restored", async () => {
  const half = path.join(dataDir, "half.tenant");
  await writeBackup(half, marked(), NEVER);
  const refused = await run(["tenant", "restore", half, "--as", "half"]);
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.equal(
    refused.stderr,
    'The tenant "acme" is being deleted and is incomplete: it cannot be restored. Use an earlier backup.\n',
  );
});

test("a half-deleted tenant that is restored with its instance can be deleted to its end, and then be restored whole", async () => {
  const file = path.join(dataDir, "instance.backup");
  await json(["backup", file]);
  const target = await createEmptyDatabase();
  const environment = { DATABASE_URL: target.url };
  assert.equal((await run(["restore", file], { environment })).code, 0);
  const owner = await open(target.connection);
  assert.ok((await owner.query(left)).rows[0].n > 0);
  const resumed = await run(["tenant", "resume", "acme"], { environment });
  assert.match(resumed.stderr, /is being deleted: it cannot be resumed\./);
  const { deleted } = await json(["tenant", "delete", "acme", "--confirm", "acme"], { environment });
  assert.equal(deleted.tenants, 1);
  assert.ok(deleted.companies > 0);
  assert.deepEqual((await json(["doctor"], { environment })).findings, []);
  assert.equal((await run(["tenant", "restore", whole], { environment })).code, 0);
  await json(["tenant", "resume", "acme"], { environment });
});

/** The backup of the whole tenant, with a tenant that is being deleted. */
async function* marked(): AsyncGenerator<Buffer | string> {
  const parts: { table: StoredTable; rows: Buffer[] }[] = [];
  const { header, trailer } = await readBackup("tenant", {
    file: whole,
    signal: NEVER,
    onTable: async (table, rows) => void parts.push({ table, rows: await Array.fromAsync(rows) }),
  });
  yield jsonLine(header);
  for (const { table, rows } of parts) {
    const mark: Adjust = (row) => (row.deleting_at = row.suspended_at ?? null);
    const pieces = adjustRows(table, Readable.from(rows), table.name === "tenants" ? mark : undefined);
    yield* partLines({ table, pieces });
  }
  yield jsonLine(trailer);
}
