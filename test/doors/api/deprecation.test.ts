import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { buildApp } from "../../../src/doors/app.ts";
import type { Deprecation } from "../../../src/doors/deprecations.ts";
import { request, startServer } from "../../harness.ts";

const companies = "/api/v1/companies";
const announced: readonly Deprecation[] = [
  { method: "GET", path: companies, parameter: "city", since: "2026-11-30" },
  { method: "POST", path: companies, field: "fax", since: "2026-10-31" },
  { method: "GET", path: `${companies}/{id}/history`, since: "2027-02-28" },
];
const server = await startServer();
const app = buildApp(server.deps, undefined, [], announced);
await app.server.listen({ host: "127.0.0.1", port: 0 });
after(async () => await app.server.close());
const url = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`;
const { token } = await server.createTenant();

async function announcedIn(method: string, path: string, body?: object, at = url): Promise<(string | null)[]> {
  const { headers } = await request(at, method, path, body, { token });
  return [headers.get("deprecation"), headers.get("sunset")];
}

test("an answer to a deprecated path, parameter or field says since when, and until when it lives", async () => {
  const none = [null, null];
  assert.deepEqual(await announcedIn("GET", `${companies}?city=Cluj`), [
    "@1795996800",
    "Tue, 30 Nov 2027 00:00:00 GMT",
  ]);
  assert.deepEqual(await announcedIn("GET", companies), none);
  const fax = ["@1793404800", "Sun, 31 Oct 2027 00:00:00 GMT"];
  assert.deepEqual(await announcedIn("POST", companies, { name: "A", fax: "1" }), fax);
  assert.deepEqual(await announcedIn("POST", companies, { fax: "1" }), fax, "of a refused request too");
  assert.deepEqual(await announcedIn("POST", companies, { name: "B" }), none);
  assert.deepEqual(await announcedIn("GET", `${companies}/1/history`), [
    "@1803772800",
    "Mon, 28 Feb 2028 00:00:00 GMT",
  ]);
  assert.deepEqual(await announcedIn("GET", `${companies}/1`), none);
});

test("nothing is deprecated today", async () => {
  for (const path of [companies, `${companies}?city=Cluj`, `${companies}/1/history`]) {
    assert.deepEqual(await announcedIn("GET", path, undefined, server.url), [null, null]);
  }
});
