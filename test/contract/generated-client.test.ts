import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "../harness.ts";
import { DOCUMENT_PATH } from "./document.ts";

const run = promisify(execFile);
const server = await startServer();
const tenant = await server.createTenant();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-client-"));
after(() => fs.rmSync(folder, { recursive: true }));

const GENERATOR = fileURLToPath(new URL("../bin/cli.js", import.meta.resolve("openapi-typescript")));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const STRICT = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--erasableSyntaxOnly"];
const TARGET = ["--noEmit", "--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom"];

/** The life of a company, as a client writes it whose types were generated from the document. */
const LIFE_CYCLE = `
import type { components, paths } from "./api.ts";

type Schemas = components["schemas"];

async function send<T>(expected: number, method: string, path: string, body?: object): Promise<T> {
  const headers = { authorization: ${JSON.stringify(`Bearer ${tenant.token}`)} };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(${JSON.stringify(server.url)} + path, { method, headers, ...sent });
  if (answer.status !== expected) throw new Error(method + " " + path + ": " + answer.status);
  return (await answer.json()) as T;
}

// The required fields alone.
const create: Schemas["CompanyCreate"] = { name: "Generated" };
const { data } = await send<Schemas["CompanyResponse"]>(201, "POST", "/api/v1/companies", create);
const status: Schemas["CompanyStatus"] = data.status;
const path = \`/api/v1/companies/\${data.id}\`;

const contact: Schemas["ContactCreate"] = { first_name: "Ana", last_name: "Pop" };
await send<Schemas["ContactResponse"]>(201, "POST", path + "/contacts", contact);
const shown = await send<Schemas["CompanyDetailsResponse"]>(200, "GET", path);
const count: number = shown.data.contacts_count;

const query: paths["/api/v1/companies"]["get"]["parameters"]["query"] = { status, per_page: 10 };
const search = new URLSearchParams({ status: query?.status ?? "", per_page: String(query?.per_page) });
const page = await send<Schemas["CompanyPage"]>(200, "GET", "/api/v1/companies?" + search);
const next: string | null = page.next_page_url;

const update: Schemas["CompanyUpdate"] = { status: "inactive", notes: null };
const updated = await send<Schemas["CompanyResponse"]>(200, "PUT", path, update);
const nobody: Schemas["UserRef"] | null = updated.data.assigned_user;
const refused = await send<Schemas["ValidationFailed"]>(422, "PUT", path, { country: "" });
const messages: string[] | undefined = refused.errors["country"];
await send<Schemas["Message"]>(200, "DELETE", path);
const missing = await send<Schemas["NotFound"]>(404, "GET", path);

console.log(JSON.stringify([status, count, page.total, next, updated.data.status, nobody, messages, missing.message]));
`;

/** A create without what is required, and a status that there is not. */
const WRONG = `
import type { components } from "./api.ts";
export const create: components["schemas"]["CompanyCreate"] = { tax_id: "RO1" };
export const status: components["schemas"]["CompanyStatus"] = "gone";
`;

test("a client that is generated from the document compiles strictly, and leads a company through its life", async () => {
  const hook = `--import=${import.meta.resolve("./generator-typescript.ts")}`;
  await run(process.execPath, [hook, GENERATOR, `${server.url}${DOCUMENT_PATH}`, "-o", path.join(folder, "api.ts")]);
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  fs.writeFileSync(path.join(folder, "life-cycle.ts"), LIFE_CYCLE);
  fs.writeFileSync(path.join(folder, "wrong.ts"), WRONG);
  const compile = async (name: string) =>
    await run(TSC, [...STRICT, ...TARGET, "--allowImportingTsExtensions", name], { cwd: folder });

  await compile("life-cycle.ts");
  await assert.rejects(compile("wrong.ts"), ({ stdout }: { stdout: string }) => {
    assert.deepEqual(stdout.match(/error TS\d+/g), ["error TS2741", "error TS2322"], stdout);
    return true;
  });
  const { stdout } = await run(process.execPath, [path.join(folder, "life-cycle.ts")]);
  const [status, count, total, next, changed, nobody, messages, missing] = JSON.parse(stdout);
  assert.deepEqual([status, count, total, next, changed, nobody], ["prospect", 1, 1, null, "inactive", null]);
  assert.deepEqual(messages, ["The country field must be a string."]);
  assert.match(missing, /^No query results for model \[Company\] \d+$/);
});
