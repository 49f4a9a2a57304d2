import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { startServer, type TestTenant } from "../../harness.ts";
import { poll, start, type Program } from "../../program.ts";

/** docs/integration-examples/copy-companies.mjs keeps a copy, whenever it is killed. */
const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-copy-"));
after(() => fs.rmSync(directory, { recursive: true, force: true }));
const example = path.join(import.meta.dirname, "../../../docs/integration-examples/copy-companies.mjs");
const KILLS = 8;

test("the copy has every company as it is, though its program is killed again and again", async () => {
  const tenant = await server.createTenant();
  const { token } = await tenant.createKey({ capabilities: ["companies:read", "changes:read"] });
  const file = path.join(directory, "companies.db");
  const run = () => copyTo(file, token);
  const companies = async () => await companiesOf(tenant);
  const items = Array.from({ length: 500 }, (_, index) => ({ name: `Company ${index}`, tax_id: `T${index}` }));
  await tenant.post("/api/v1/companies/batch", { items });

  let program = run();
  const isSame = async () => {
    assert.equal(program.process.exitCode, null, program.complaints());
    return JSON.stringify(rowsOf(file)) === JSON.stringify(await companies());
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const some = items.slice(kill * 50, kill * 50 + 100).map(({ tax_id }) => ({ tax_id, city: `City ${kill}` }));
    await tenant.post("/api/v1/companies/batch", { items: [...some, { name: `New ${kill}` }] });
    const [{ id } = { id: 0 }] = (await tenant.get(`/api/v1/companies?search=Company ${490 - kill}`)).body.data;
    await tenant.delete(`/api/v1/companies/${id}`);
    program.process.kill("SIGKILL");
    await program.ended;
    program = run();
    // At another moment each time: before it has begun, in the walk, while it follows.
    await poll("as many companies", () => rowsOf(file).length >= Math.min(kill * 100, 400));
  }
  await poll("the same companies", isSame);
  const [{ id: last } = { id: 0 }] = (await tenant.get("/api/v1/companies?sort=-id&per_page=1")).body.data;
  await tenant.put(`/api/v1/companies/${last}`, { name: "Heard of" });
  await poll("the same companies again", isSame);
  assert.equal(program.complaints(), "");

  // The change that it stands behind is gone: it reads all anew.
  program.process.kill("SIGKILL");
  await program.ended;
  await server.sql("delete from feed where tenant_id = $1", [tenant.id]);
  await tenant.post("/api/v1/companies", { name: "Meanwhile" });
  program = run();
  await poll("a copy from the beginning", isSame);
  program.process.kill("SIGKILL");
});

test("a tenant that has moved is copied anew: its cursors are of the feed, and of the list, that it has left", async () => {
  const [before, moved] = [await server.createTenant(), await server.createTenant()];
  for (const [tenant, count] of [
    [before, 300],
    [moved, 250],
  ] as const) {
    const items = Array.from({ length: count }, (_, index) => ({ name: `Company ${index}` }));
    await tenant.post("/api/v1/companies/batch", { items });
  }
  const file = path.join(directory, "moved.db");
  const untilCopied = async (tenant: TestTenant) => {
    const program = copyTo(file, (await tenant.createKey({ capabilities: ["companies:read", "changes:read"] })).token);
    const companies = JSON.stringify(await companiesOf(tenant));
    await poll(
      "the same companies",
      () => program.process.exitCode !== null || JSON.stringify(rowsOf(file)) === companies,
    );
    assert.equal(program.complaints(), "");
    program.process.kill("SIGKILL");
    await program.ended;
  };
  await untilCopied(before);
  await untilCopied(moved);
  // It was stopped in its walk.
  const { next_cursor: walk } = (await before.get("/api/v1/companies?per_page=10&cursor=")).body;
  const copy = new DatabaseSync(file);
  copy.prepare("update cursors set value = ? where name = 'walk'").run(walk);
  copy.exec("delete from companies");
  copy.close();
  await untilCopied(moved);
});

function copyTo(file: string, token: string): Program {
  return start([file], { LIAISON: server.url, TOKEN: token }, "", [], example);
}

async function companiesOf(tenant: TestTenant): Promise<string[]> {
  const all: Company[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body } = await tenant.get(`/api/v1/companies?per_page=200&cursor=${cursor}`);
    all.push(...body.data);
    cursor = body.next_cursor;
  }
  return all.map(shortly);
}

type Company = { id: number; name: string; tax_id: string | null; city: string | null; updated_at: string };

/** One company alone has counts besides. */
function shortly({ id, name, tax_id, city, updated_at }: Company): string {
  return [id, name, tax_id, city, updated_at].join(", ");
}

function rowsOf(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    return copy
      .prepare("select data from companies order by id")
      .all()
      .map(({ data }) => shortly(JSON.parse(String(data)) as Company));
  } catch {
    // Its tables are not made yet.
    return [];
  } finally {
    copy.close();
  }
}
