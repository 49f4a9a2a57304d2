import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { startServer } from "../harness.ts";

/** The programs of docs/api.md, run as they stand there. */
const server = await startServer();
const guide = fs.readFileSync(path.join(import.meta.dirname, "..", "..", "docs", "api.md"), "utf8");

async function run(heading: string, token: string): Promise<string> {
  const chapter = guide.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const program = /^```js\n([^]*?)^```/m.exec(chapter ?? "")?.[1];
  assert.ok(program !== undefined, `docs/api.md has a program under ${heading}`);
  const env = { ...process.env, LIAISON: server.url, TOKEN: token };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], { env });
  return stdout;
}

test("a walk by cursor reads all companies, by name", async () => {
  const tenant = await server.createTenant();
  const names = Array.from({ length: 405 }, (_, index) => `Company ${1_000 + index}`);
  await server.sql(
    "insert into companies (tenant_id, name, country) select $1, name, 'Romania' from unnest($2::text[]) name order by random()",
    [tenant.id, names],
  );
  assert.equal(await run("Lists", tenant.token), names.map((name) => `${name}\n`).join(""));
});

test("a program goes by headers, and packs what it sends", async () => {
  const tenant = await server.createTenant();
  assert.equal(await run("What a program goes by", tenant.token), "201 tax_id_taken not a JSON object\n");
});

test("of programs that change what they have read none undoes another's", async () => {
  const tenant = await server.createTenant();
  assert.equal(await run("Changing what you have read", tenant.token), "85 304\n");
});
