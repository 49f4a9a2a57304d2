import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString, parseYaml } from "@redocly/openapi-core";
import { routes } from "../../../src/doors/routes.ts";
import { DOCUMENT_PATH, fetchDocument, resolve, type Document, type SchemaObject } from "../../doors/api/document.ts";
import { everyRoute } from "../../doors/api/every-route.ts";
import { nameOf } from "../../doors/api/route-situations.ts";
import { request, startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();
const YAML_PATH = "/api/v1/openapi.yaml";

test("the document needs no key and passes the linter without a complaint", async () => {
  const answer = await request(server.url, "GET", DOCUMENT_PATH);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.equal(answer.body.openapi, "3.1.0");
  assert.deepEqual(await lint(answer.text), []);

  // The linter does look: a document with a fault in an example is refused.
  const broken = structuredClone(answer.body);
  broken.components.responses.RateLimited.content["application/json"].examples.rateLimited.value.error = 5;
  assert.notDeepEqual(await lint(JSON.stringify(broken)), []);
});

test("the document is there as YAML too, and says the same", async () => {
  const { body } = await request(server.url, "GET", DOCUMENT_PATH);
  const yaml = await request(server.url, "GET", YAML_PATH);
  assert.deepEqual([yaml.status, yaml.headers.get("content-type")], [200, "application/yaml; charset=utf-8"]);
  assert.match(yaml.text, /^openapi: "3\.1\.0"\n/);
  assert.deepEqual(parseYaml(yaml.text), body);
});

test("the document is read by any page, and with its ETag answered as 304", async () => {
  for (const path of [DOCUMENT_PATH, YAML_PATH]) {
    const headers = { origin: "https://somebody.example" };
    const first = await request(server.url, "GET", path, undefined, { headers });
    assert.equal(first.headers.get("access-control-allow-origin"), "*");
    const tag = first.headers.get("etag") ?? "";
    assert.match(tag, /^"[\w-]{16}-gzip"$/);
    for (const known of [tag, `"another", W/${tag}`, "*", tag.replace("-gzip", "")]) {
      const again = await request(server.url, "GET", path, undefined, { headers: { "if-none-match": known } });
      assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", tag], known);
    }
    const other = await request(server.url, "GET", path, undefined, { headers: { "if-none-match": '"another"' } });
    assert.equal(other.status, 200);
  }
});

test("a create says what becomes of it when it is sent twice, with a key and without", async () => {
  const tenant = await server.createTenant();
  const { paths } = await fetchDocument(server.url);
  const description = paths["/api/v1/companies"]?.post?.description ?? "";
  assert.ok(
    description.includes(
      "Without an `Idempotency-Key`, the same request sent twice creates two companies, unless it has a `tax_id`: then the second " +
        "returns 409, which names the first. With an `Idempotency-Key`, it is executed once: the second request returns the first answer.",
    ),
    description,
  );
  const create = async (body: object, key?: string) =>
    await tenant.post("/api/v1/companies", body, { headers: key === undefined ? {} : { "idempotency-key": key } });
  const [first, second] = [await create({ name: "A" }), await create({ name: "A" })];
  assert.deepEqual([first.status, second.status, first.body.data.id === second.body.data.id], [201, 201, false]);
  await create({ name: "B", tax_id: "RO1" });
  assert.equal((await create({ name: "B", tax_id: "RO1" })).status, 409);
  const [keyed, again] = [await create({ name: "C" }, "c"), await create({ name: "C" }, "c")];
  assert.deepEqual([again.status, again.text], [keyed.status, keyed.text]);
});

/**
 * Types that languages have by themselves, beside those of JavaScript: clients with such a name of ours would lose
 * them.
 */
const BUILT_IN = new Set([
  "Record",
  "Partial",
  "Pick",
  "Omit",
  "Readonly",
  "Exception",
  "Thread",
  "Module",
  "List",
  "Any",
  "Optional",
]);

test("each schema has a name that shadows nothing, and each enum and each object of an answer has one", async () => {
  const { components } = await fetchDocument(server.url);
  const names = Object.keys(components.schemas);
  for (const name of ["CompanyResponse", "CompanyStatus", "CompanyRef", "ApiError", "NotFound"]) {
    assert.ok(names.includes(name), name);
  }
  const shadowing = names.filter((name) => name in globalThis || BUILT_IN.has(name));
  assert.deepEqual(shadowing, []);
  const isNameless = (schema: Record<string, unknown>) => "enum" in schema || "properties" in schema;
  const nameless = Object.entries(components.schemas).flatMap(([name, schema]) =>
    schemasIn(Object.values(schema)).flatMap((inner) =>
      isNameless(inner) ? [`${name}: ${JSON.stringify(inner)}`] : [],
    ),
  );
  assert.deepEqual(nameless, []);
});

test("nothing that may be left out of a request has a default, which generators would demand", async () => {
  const { components, paths } = await fetchDocument(server.url);
  const requests = Object.entries(components.schemas).flatMap(([name, schema]) =>
    /Create|Update|Input/.test(name) ? [schema] : [],
  );
  const parameters = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ parameters = [] }) => parameters),
  );
  assert.ok(requests.length >= 9 && parameters.length > 50);
  assert.deepEqual(
    schemasIn([...requests, ...parameters]).filter((schema) => "default" in schema),
    [],
  );
});

test("whole numbers have as many bits as their bounds need", async () => {
  const { components } = await fetchDocument(server.url);
  const numbers = schemasIn(Object.values(components.schemas)).filter(({ type }) => [type].flat().includes("integer"));
  assert.ok(numbers.length > 50);
  for (const { format, maximum } of numbers) {
    assert.equal(format, Number(maximum ?? Infinity) < 2 ** 31 ? "int32" : "int64");
  }
});

test("an update refuses by its schema the empty texts that the server refuses, and no others", async () => {
  const tenant = await server.createTenant();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A" })).body.data;
  const document = await fetchDocument(server.url);
  for (const [path, model] of [
    [`/api/v1/companies/${id}`, "Company"],
    [`/api/v1/contacts/${await childOf(tenant, id, "contacts", { first_name: "A", last_name: "B" })}`, "Contact"],
    [`/api/v1/addresses/${await childOf(tenant, id, "addresses", { address: "A" })}`, "Address"],
    [`/api/v1/invoices/${await childOf(tenant, id, "invoices", { number: "1" })}`, "Invoice"],
  ] as const) {
    for (const [name, schema] of Object.entries(document.components.schemas[`${model}Update`]?.properties ?? {})) {
      if (schema.type === undefined || ![schema.type].flat().includes("string") || "format" in schema) continue;
      if ("pattern" in schema) continue;
      const { status } = await tenant.put(path, { [name]: "" });
      assert.equal(status, schema.minLength === 1 ? 422 : 200, `${model} ${name}`);
    }
  }
});

test("the document has every route, with its capability, and no other", async () => {
  const { paths } = await fetchDocument(server.url);
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { security }]) => `${method.toUpperCase()} ${path} ${security[0]?.apiKey.join()}`,
    ),
  );
  const listed = routes.map(({ method, path, capability }) => `${method} ${path} ${capability ?? ""}`);
  assert.deepEqual(described.toSorted(), listed.toSorted());
});

test("every operation has words, and an example for every request and every response", async () => {
  const document = await fetchDocument(server.url);
  const rows = new Map(everyRoute.map((row) => [nameOf(row), row]));
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { requestBody, responses, summary, description }] of Object.entries(item)) {
      const name = nameOf({ method: method.toUpperCase(), path });
      assert.ok(summary !== "" && description !== "", name);
      assert.equal(
        requestBody !== undefined,
        rows.get(name)?.body !== "none",
        `${name}: as its row in every-route.ts says`,
      );
      const answers = Object.values(responses).map((response) => resolve(document, response));
      for (const { content } of requestBody === undefined ? answers : [requestBody, ...answers]) {
        if (content === undefined) continue;
        assert.ok(Object.keys(content["application/json"].examples).length > 0, name);
      }
    }
  }
});

test("the document names the address that clients know the server by", async () => {
  assert.deepEqual(urlsOf(await fetchDocument(server.url)), ["/"]);
  const proxied = await startServer({ LIAISON_PUBLIC_URL: "https://crm.example.com/liaison/" });
  assert.deepEqual(urlsOf(await fetchDocument(proxied.url)), ["https://crm.example.com/liaison"]);
});

test("the reference page's policy allows nothing inline and nothing from elsewhere", async () => {
  const { headers, text } = await request(server.url, "GET", "/docs");
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.doesNotMatch(text, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  const api = await request(server.url, "GET", DOCUMENT_PATH);
  assert.equal(api.headers.get("content-security-policy"), null);
});

test("the document and the reference answer HEAD and OPTIONS, and refuse other methods", async () => {
  for (const path of [DOCUMENT_PATH, YAML_PATH, "/docs", "/docs/"]) {
    assert.equal((await request(server.url, "HEAD", path)).status, 200, path);
    for (const [method, status] of [
      ["OPTIONS", 204],
      ["POST", 405],
    ] as const) {
      const answer = await request(server.url, method, path);
      assert.equal(answer.status, status, path);
      assert.equal(answer.headers.get("allow"), "GET, HEAD, OPTIONS", path);
    }
  }
});

async function childOf(tenant: TestTenant, company: number, kind: string, body: object): Promise<number> {
  return (await tenant.post(`/api/v1/companies/${company}/${kind}`, body)).body.data.id;
}

/** All schemas in some values, however deep, examples apart. */
function schemasIn(values: unknown[]): SchemaObject[] {
  return values.flatMap((value) => {
    if (typeof value !== "object" || value === null) return [];
    const inner = Object.entries(value).flatMap(([name, member]) => (name === "examples" ? [] : [member]));
    return [{ ...value }, ...schemasIn(inner)];
  });
}

/**
 * What the linter has to say, by rule and place. Each ruleset by itself: together, one switches off the other's rules.
 */
async function lint(source: string): Promise<string[]> {
  const complaints = [];
  for (const ruleset of ["recommended", "spec"]) {
    const config = await createConfig({ extends: [ruleset] });
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
    complaints.push(
      ...problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    );
  }
  return complaints;
}

function urlsOf({ servers }: Document): string[] {
  return servers.map(({ url }) => url);
}
