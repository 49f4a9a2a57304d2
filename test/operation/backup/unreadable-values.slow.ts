import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { requester } from "../../cli/installation.ts";
import { createSeeded } from "./seeded.ts";

const { json, run, sql, url, dataDir } = await createSeeded({ LIAISON_WORKER: "off" });
const file = path.join(dataDir, "acme.tenant");
const key = ["key", "create", "--tenant", "acme", "--name", "Hooks", "--capabilities", "webhooks:write"];
const { token } = await json(key);
const hooks = requester(url, token);
await hooks("POST", "/api/v1/webhooks", { url: "https://receiver.example/hook" });
await sql(
  `insert into imports (tenant_id, kind, file_name, created_by)
   select u.tenant_id, 'companies', 'a.csv', u.id from users u join tenants t on t.id = u.tenant_id where t.slug = 'acme'`,
);
const OURS = "tenant_id = (select id from tenants where slug = 'acme')";
const inserted = (table: string) =>
  `insert into ${table} (tenant_id, import_id, content) select tenant_id, id, 'k1:AAAA' from imports where ${OURS} returning id::text`;
const FIRST = `${OURS} and id = (select min(id) from companies where ${OURS})`;
/** A key that is nobody's, and a damaged value. */
const BROKEN = "gone:c2VjcmV0IHRleHQ";

/** What makes a value of a column unreadable, and what docs/operations.md 14.3 says against it. */
const cases: [column: string, breaks: string, mends: () => Promise<unknown>][] = [
  [
    "companies.phone",
    `update companies set phone = '${BROKEN}' where ${FIRST} returning id::text`,
    async () => await sql(`update companies set phone = null where ${FIRST}`),
  ],
  [
    "webhooks.secret",
    `update webhooks set secret = '${BROKEN}' where ${OURS} returning id::text`,
    async () => await hooks("POST", "/api/v1/webhooks/1/rotate-secret"),
  ],
  ...["import_chunks", "import_changes"].map((table): [string, string, () => Promise<unknown>] => [
    `${table}.content`,
    inserted(table),
    async () => await sql(`delete from ${table}`),
  ]),
];

for (const [place, breaks, mends] of cases) {
  test(`a value of ${place} that does not decrypt keeps the tenant from being backed up, and its row is named`, async () => {
    await json(["tenant", "backup", "acme", file]);
    const before = fs.readFileSync(file);
    const [{ id = "" } = {}] = await sql(breaks);
    const [table, column] = place.split(".");
    const { code, stdout, stderr } = await run(["tenant", "backup", "acme", file]);
    const line = `The ${column} of row ${id} of ${table} does not decrypt with the present keys: put back the missing key, or replace or remove the value (docs/operations.md 14.3); liaison doctor names all such rows.\n`;
    assert.deepEqual([code, stdout, stderr], [1, "", line]);
    assert.deepEqual(fs.readFileSync(file), before);
    const { findings } = JSON.parse((await run(["doctor", "--json"])).stdout);
    assert.equal(findings.length, 1, JSON.stringify(findings));
    assert.ok(findings[0].message.startsWith(`1 values of ${place} do not decrypt`), findings[0].message);
    assert.match(findings[0].message, new RegExp(`\\(row ${id} of tenant acme\\): restore .* 14\\.3\\)\\.$`));
    await mends();
    await json(["tenant", "backup", "acme", file]);
    await json(["tenant", "restore", file, "--as", `${table?.replaceAll("_", "-")}`]);
  });
}
