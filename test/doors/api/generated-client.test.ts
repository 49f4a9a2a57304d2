import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "../../harness.ts";
import { DOCUMENT_PATH } from "./document.ts";

const run = promisify(execFile);
const server = await startServer();
const tenant = await server.createTenant();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-client-"));
after(() => fs.rmSync(folder, { recursive: true }));
fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');

const TYPES = fileURLToPath(new URL("../bin/cli.js", import.meta.resolve("openapi-typescript")));
const FUNCTIONS = fileURLToPath(new URL("run.mjs", import.meta.resolve("@hey-api/openapi-ts")));
const TSC = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));
const STRICT = ["--strict", "--noUncheckedIndexedAccess", "--erasableSyntaxOnly"];
/** What @hey-api/openapi-ts puts beside its functions, the same for every document, does not compile with this. */
const STRICTER = [...STRICT, "--exactOptionalPropertyTypes"];
const TARGET = ["--noEmit", "--module", "nodenext", "--target", "es2024", "--lib", "es2024,dom"];

/** The life of a company, as a client writes it whose types were generated from the document. */
const BY_TYPES = `
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
const WRONG_TYPES = `
import type { components } from "./api.ts";
export const create: components["schemas"]["CompanyCreate"] = { tax_id: "RO1" };
export const status: components["schemas"]["CompanyStatus"] = "gone";
`;

/** The life of a company, by functions that were generated from the document. */
const BY_FUNCTIONS = `
import { createCompany, deleteCompany, listCompanies, showCompany, updateCompany } from "./functions/index.ts";
import { client } from "./functions/client.gen.ts";

client.setConfig({ baseUrl: ${JSON.stringify(server.url)}, auth: ${JSON.stringify(tenant.token)} });

const created = await createCompany({ body: { name: "Generated" }, throwOnError: true });
const id: number = created.data.data.id;
const shown = await showCompany({ path: { id }, throwOnError: true });
const count: number = shown.data.data.contacts_count;

const headers = { "If-Match": created.response.headers.get("etag") ?? "" };
const updated = await updateCompany({ path: { id }, headers, body: { status: "inactive" }, throwOnError: true });
const late = await updateCompany({ path: { id }, headers, body: { status: "active" } });
const invalid = await updateCompany({ path: { id }, body: { name: "" } });
const messages: string[] | undefined =
  invalid.error !== undefined && "errors" in invalid.error ? invalid.error.errors["name"] : undefined;
const page = await listCompanies({ query: { status: "inactive", per_page: 10 }, throwOnError: true });
const ids: number[] = page.data.data.map((company) => company.id);

await deleteCompany({ path: { id }, throwOnError: true });
const missing = await showCompany({ path: { id } });
const statuses = [late, invalid, missing].map(({ response }) => response?.status);
console.log(JSON.stringify([count, updated.data.data.status, messages, ids.indexOf(id), statuses]));
`;

/** The same two mistakes. */
const WRONG_FUNCTIONS = `
import { createCompany, listCompanies } from "./functions/index.ts";
export const created = createCompany({ body: { tax_id: "RO1" } });
export const page = listCompanies({ query: { status: "gone" } });
`;

async function generate(generator: string, ...args: string[]): Promise<void> {
  const hook = `--import=${import.meta.resolve("./generator-typescript.ts")}`;
  await run(process.execPath, [hook, generator, ...args], { cwd: folder });
}

/**
 * What the life cycle prints. Everything compiles but the two mistakes: the first lacks a property, the second has a
 * value of another type.
 */
async function compileAndRun(lifeCycle: string, wrong: string, strict: string[]): Promise<unknown[]> {
  fs.writeFileSync(path.join(folder, "life-cycle.ts"), lifeCycle);
  fs.writeFileSync(path.join(folder, "wrong.ts"), wrong);
  const args = [...strict, ...TARGET, "--allowImportingTsExtensions", "life-cycle.ts", "wrong.ts"];
  await assert.rejects(run(TSC, args, { cwd: folder }), ({ stdout }: { stdout: string }) => {
    const errors = stdout.match(/^\S+(?=\()|(?<=: error )TS\d+/gm);
    assert.deepEqual(errors, ["wrong.ts", "TS2741", "wrong.ts", "TS2322"], stdout);
    return true;
  });
  const { stdout } = await run(process.execPath, [path.join(folder, "life-cycle.ts")]);
  return JSON.parse(stdout) as unknown[];
}

test("a client whose types are generated from the document compiles strictly, and leads a company through its life", async () => {
  await generate(TYPES, `${server.url}${DOCUMENT_PATH}`, "-o", "api.ts");

  const answers = await compileAndRun(BY_TYPES, WRONG_TYPES, STRICTER);
  const [status, count, total, next, changed, nobody, messages, missing] = answers;
  assert.deepEqual([status, count, total, next, changed, nobody], ["prospect", 1, 1, null, "inactive", null]);
  assert.deepEqual(messages, ["The country field must be a string."]);
  assert.match(String(missing), /^No query results for model \[Company\] \d+$/);
});

test("a client whose functions are generated from the document compiles strictly, and does the same by them", async () => {
  const output = { path: "functions", module: { extension: ".ts" } };
  const config = { input: `${server.url}${DOCUMENT_PATH}`, output };
  fs.writeFileSync(path.join(folder, "openapi-ts.config.mjs"), `export default ${JSON.stringify(config)};`);
  await generate(FUNCTIONS, "--no-log-file");

  const answers = await compileAndRun(BY_FUNCTIONS, WRONG_FUNCTIONS, STRICT);
  const messages = ["The name field is required."];
  assert.deepEqual(answers, [0, "inactive", messages, 0, [412, 422, 404]]);
});
