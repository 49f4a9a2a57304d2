import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { routes } from "../../../src/doors/routes.ts";
import { createDemo } from "../../../src/operation/demo/create-demo.ts";
import { startServer } from "../../harness.ts";
import { createReader } from "./console-answers.ts";
import { examplesOf, runCommand } from "./console.ts";

/** The commands and the programs of docs/api.md, and the requests of README.md, run as they stand there. */
const server = await startServer();
const root = path.join(import.meta.dirname, "../../..");
const guide = fs.readFileSync(path.join(root, "docs/api.md"), "utf8");

for (const name of ["README.md", "docs/api.md"]) {
  test(`each request of ${name} is answered as the page prints it, on a new demo`, async () => {
    const page = fs.readFileSync(path.join(root, name), "utf8");
    const examples = examplesOf(page).filter(({ command }) => /^(?:api|curl) /.test(command));
    assert.equal(examples.length, page.match(/^\$ (?:api|curl) /gm)?.length, "each command is read as one");
    const { url, deps } = await startServer({ LIAISON_CORS_ORIGINS: "https://erp.example" });
    // Its companies are connected with the warehouse that a new demo has beside it.
    const config = { ...deps.config, wms: { ...deps.config.wms, url: null } };
    const demo = await createDemo({ ...deps, config });
    const variables = { LIAISON: url, API: `${url}/api/v1`, TOKEN: demo?.token ?? "" };
    const reader = createReader(url);
    for (const { command, printed } of examples) {
      reader.compare(printed, await runCommand(reader.translated(command), variables));
    }
  });
}

test("each call that docs/api.md names is one of the routes", () => {
  const named = [...guide.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/v1[^`?\s]*)/g)].map(([, call = ""]) => call);
  const offered = new Set(routes.map(({ method, path: pattern }) => `${method} ${pattern}`));
  assert.ok(named.length > 20, `${named.length} calls are read`);
  assert.deepEqual(
    named.filter((call) => !offered.has(call)),
    [],
  );
});

/** The headings of docs/api.md whose programs a test has run. */
const ran = new Set<string>();

async function run(heading: string, token: string): Promise<string> {
  ran.add(heading);
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

test("an integration creates the fields that it needs once", async () => {
  const tenant = await server.createTenant();
  assert.equal(await run("Fields of your own", tenant.token), "erp_group 201\nerp_document 201\n");
  assert.equal(await run("Fields of your own", tenant.token), "");
  const { body } = await tenant.post("/api/v1/companies", { name: "A", custom: { erp_group: "A" } });
  assert.deepEqual(body.data.metadata, { erp_group: "A" });
});

test("the feed's changes of companies are enough to know their cities", async () => {
  const tenant = await server.createTenant();
  const made = await Promise.all(
    ["Cluj", "Dej", "Turda"].map(
      async (city) => (await tenant.post("/api/v1/companies", { name: "A", city })).body.data.id,
    ),
  );
  const [moved, deleted, kept] = made as [number, number, number];
  await tenant.put(`/api/v1/companies/${moved}`, { city: "Gherla" });
  await tenant.delete(`/api/v1/companies/${deleted}`);
  const lines = (await run("Following what changes", tenant.token)).split("\n").filter((line) => line !== "");
  assert.deepEqual(lines.toSorted(), [`${kept} Turda`, `${moved} Gherla`].toSorted());
});

test("a packed body is unpacked", async () => {
  const tenant = await server.createTenant();
  assert.equal(await run("Fewer bytes", tenant.token), "200 2\n");
});

test("of programs that change what they have read none undoes another's", async () => {
  const tenant = await server.createTenant();
  assert.equal(await run("Changing what you have read", tenant.token), "85\n");
});

test("every program of docs/api.md in JavaScript is one that a test above runs", () => {
  const headings = guide
    .split(/^## /m)
    .flatMap((text) => (text.includes("\n```js\n") ? [text.slice(0, text.indexOf("\n"))] : []));
  assert.deepEqual(headings.toSorted(), [...ran].toSorted());
});
