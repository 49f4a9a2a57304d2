import assert from "node:assert/strict";
import { test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { routes } from "../../src/doors/routes.ts";
import { request, startServer } from "../harness.ts";
import { DOCUMENT_PATH, fetchDocument, resolve, type Document } from "./document.ts";
import { everyRoute } from "./every-route.ts";
import { nameOf } from "./route-situations.ts";

const server = await startServer();

test("the document needs no key and passes the linter without a complaint", async () => {
  const answer = await request(server.url, "GET", DOCUMENT_PATH);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  assert.match(answer.body.openapi, /^3\.1\./);
  assert.deepEqual(await lint(answer.text), []);

  // The linter does look: a document with a fault in an example is refused.
  const broken = structuredClone(answer.body);
  broken.components.responses.RateLimited.content["application/json"].examples.rateLimited.value.error = 5;
  assert.notDeepEqual(await lint(JSON.stringify(broken)), []);
});

test("the document has every route, with its capability, and no other", async () => {
  const { paths } = await fetchDocument(server.url);
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { security }]) => `${method.toUpperCase()} ${path} ${security[0]?.apiKey.join()}`,
    ),
  );
  const listed = routes.map(({ method, path, capability }) => `${method} ${path} ${capability}`);
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
  const { text } = await request(proxied.url, "GET", "/docs");
  assert.ok(addressesIn(text).every((address) => address.startsWith("/liaison/")));
});

test("the reference page needs no key and is made of this server's files only", async () => {
  const page = await request(server.url, "GET", "/docs");
  assert.equal(page.status, 200, page.text);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  const addresses = addressesIn(page.text);
  assert.ok(addresses.length >= 5, page.text);
  for (const address of addresses) {
    assert.match(address, /^\/(?!\/)/, address);
    const { status } = await request(server.url, "GET", address);
    assert.equal(status, 200, address);
  }
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
  for (const path of [DOCUMENT_PATH, "/docs", "/docs/"]) {
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

/** What the linter has to say, by rule and place. Each ruleset by itself: together, one switches off the other's rules. */
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

function addressesIn(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src|data-url)="([^"]*)"/g)].map(([, address = ""]) => address);
}
