import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { runsOf } from "../exchange/webhooks/runs.ts";
import { startServer } from "../harness.ts";
import { freePort, poll, start, type Program } from "../program.ts";

/** The TypeScript client as a package: packed, installed elsewhere, and used as its README says. */
const server = await startServer({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);
const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "../..");
const CLIENT = path.join(ROOT, "clients/typescript");
const readme = fs.readFileSync(path.join(CLIENT, "README.md"), "utf8");
const guide = fs.readFileSync(path.join(ROOT, "docs/api.md"), "utf8");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-package-"));
after(() => fs.rmSync(folder, { recursive: true }));

/** The files of the package. */
const packed: string[] = [];

const examples = new Map([
  ["calls", exampleIn(readme, "Calls")],
  ["fields", exampleIn(readme, "Fields of your own")],
  ["following", exampleIn(readme, "Following what changes")],
  ["receiving", exampleIn(readme, "Receiving webhooks")],
  ["guide", exampleIn(guide, "From TypeScript")],
]);

before(async () => {
  // A copy beside the compiler, so that nothing is written into the checkout.
  const source = path.join(folder, "source");
  fs.cpSync(CLIENT, source, { recursive: true, filter: (from) => !from.endsWith("/dist") });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  const { stdout } = await run("npm", ["pack", "--silent", "--json", "--pack-destination", folder], { cwd: source });
  const [{ filename, files }] = JSON.parse(stdout);
  packed.push(...files.map(({ path: file }: { path: string }) => file));
  const installed = path.join(folder, "installed");
  fs.mkdirSync(installed);
  fs.writeFileSync(path.join(installed, "package.json"), '{"type":"module"}');
  await run("npm", ["install", "--offline", "--silent", path.join(folder, filename)], { cwd: installed });
  for (const [name, program] of examples) fs.writeFileSync(path.join(installed, `${name}.ts`), program);
});

test("the package has its compiled code with types, its README, and nothing else; no dependency is installed", () => {
  const modules = fs.readdirSync(path.join(CLIENT, "src")).map((file) => path.basename(file, ".ts"));
  const dist = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
  assert.deepEqual(packed.toSorted(), ["README.md", "package.json", ...dist].toSorted());
  const installed = fs.readdirSync(path.join(folder, "installed/node_modules"));
  assert.deepEqual(
    installed.filter((name) => !name.startsWith(".")),
    ["liaison-client"],
  );
});

test("an ES module imports the packed client", async () => {
  const tenant = await server.createTenant();
  const program = `import { createClient } from "liaison-client";
    const { LIAISON: url, TOKEN: token } = process.env;
    const { name } = await createClient({ url, token }).companies.create({ name: "Packed" });
    console.log(name, import.meta.resolve("liaison-client").endsWith("/liaison-client/dist/index.js"));`;
  fs.writeFileSync(path.join(folder, "installed/imported.mjs"), program);
  const { stdout, stderr } = await start(
    [],
    { LIAISON: server.url, TOKEN: tenant.token },
    "",
    [],
    path.join(folder, "installed/imported.mjs"),
  ).finished();
  assert.deepEqual([stdout, stderr], ["Packed true\n", ""]);
});

test("the package stays private until it has a license", () => {
  const { license, private: isPrivate } = JSON.parse(fs.readFileSync(path.join(CLIENT, "package.json"), "utf8"));
  assert.ok(isPrivate === true || license !== "UNLICENSED", "a registry would publish code that nobody may use");
});

test("the examples compile strictly with its types, and a mistake does not", async () => {
  const mistakes = `
import { createClient, ValidationError, type Refusal } from "liaison-client";
const client = createClient({ url: "", token: "" });
await client.companies.create({ tax_id: "RO1" });
for await (const company of client.companies.all({ status: "gone" })) company.name satisfies number;
const own = createClient<{ company: { vip: boolean } }>({ url: "", token: "" });
await own.companies.create({ name: "A", custom: { vip: "yes" } });
(await own.companies.get(1)).metadata?.vip satisfies string | undefined;
if (new ValidationError({} as Refusal).name === "ConflictError") throw new Error();
`;
  fs.writeFileSync(path.join(folder, "installed/mistakes.ts"), mistakes);
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--noEmit"];
  const target = ["--module", "nodenext", "--target", "es2022", "--types", "node"];
  const types = ["--typeRoots", path.join(ROOT, "node_modules/@types")];
  const files = [...examples.keys(), "mistakes"].map((name) => `${name}.ts`);
  const compile = run(path.join(ROOT, "node_modules/.bin/tsc"), [...strict, ...target, ...types, ...files], {
    cwd: path.join(folder, "installed"),
  });
  await assert.rejects(compile, ({ stdout }: { stdout: string }) => {
    assert.deepEqual(
      stdout.match(/^\S+(?=\()|(?<=: error )TS\d+/gm),
      ["TS2741", "TS2322", "TS1360", "TS2322", "TS1360", "TS2367"].flatMap((code) => ["mistakes.ts", code]),
      stdout,
    );
    return true;
  });
});

test("the calls of the README print what it says", async () => {
  const tenant = await server.createTenant();
  const [, printed] = /^It prints, [^\n]*\n\n```\n([^]*?)^```/m.exec(readme) ?? [];
  assert.equal((await begin("calls", tenant.token).finished()).stdout, printed);
});

test("the example of docs/api.md copies the companies and follows their changes", async () => {
  const tenant = await server.createTenant();
  const company = (await tenant.post("/api/v1/companies", { name: "Before" })).body.data.id;
  const program = begin("guide", tenant.token);
  await poll("the copy", () => program.output().includes("1 companies\n"));
  await tenant.put(`/api/v1/companies/${company}`, { name: "After" });
  await poll("the change", () => program.output().includes(`updated ${company}\n`));
});

test("the README's example follows what changes, and goes on where it was", async () => {
  const tenant = await server.createTenant();
  const create = async (name: string) => (await tenant.post("/api/v1/companies", { name })).body.data.id as number;
  await create("Before");
  const program = begin("following", tenant.token, { AFTER: "" });
  await poll("its first page", () => program.output().includes("next "));
  const [, next = ""] = /^next (.+)$/m.exec(program.output()) ?? [];
  program.process.kill("SIGKILL");
  const second = await create("Second");
  const resumed = begin("following", tenant.token, { AFTER: next });
  await poll("what happened meanwhile", () => resumed.output().includes("next "));
  assert.ok(resumed.output().startsWith(`created ${second}\nnext `), resumed.output());
});

test("the README's receiver takes what the service sends, and nothing else", async () => {
  const tenant = await server.createTenant();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/`;
  const { id, secret } = (await tenant.post("/api/v1/webhooks", { url })).body.data;
  const program = begin("receiving", "", { PORT: port, SECRET: secret });
  const post = async () => (await fetch(url, { method: "POST", body: "{}" })).status;
  await poll("the receiver", async () => (await post().catch(() => 0)) === 401);
  const company = (await tenant.post("/api/v1/companies", { name: "Ață SRL" })).body.data.id;
  await runs.run(tenant);
  const [delivery] = (await tenant.get(`/api/v1/webhooks/${id}/deliveries`)).body.data;
  assert.equal(delivery.last_status, 204, program.complaints());
  await poll("what it prints", () => program.output().includes(`company.created ${company}\n`));
});

function exampleIn(page: string, heading: string): string {
  const chapter = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const [, program] = /^```ts\n([^]*?)^```/m.exec(chapter ?? "") ?? [];
  assert.ok(program !== undefined, `there is an example under ${heading}`);
  return program;
}

function begin(name: string, token: string, environment: Record<string, string> = {}): Program {
  const file = path.join(folder, "installed", `${name}.ts`);
  return start([], { LIAISON: server.url, TOKEN: token, ...environment }, "", [], file);
}
