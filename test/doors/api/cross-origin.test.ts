import assert from "node:assert/strict";
import { test } from "node:test";
import { request, startServer } from "../../harness.ts";
import { everyRoute } from "./every-route.ts";
import { pathWith } from "./route-situations.ts";

const OURS = "https://app.example.com";
const server = await startServer({ LIAISON_CORS_ORIGINS: `${OURS}, http://localhost:5173` });
const tenant = await server.createTenant();
const paths = [
  ...new Set(
    everyRoute.map((row) =>
      pathWith(
        row,
        row.models.map(() => 1),
      ),
    ),
  ),
];

/** The request that a browser sends before one that a page of an origin wants to send. */
async function preflight(path: string, origin: string, method = "PUT") {
  const headers = {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization",
  };
  return await request(server.url, "OPTIONS", path, undefined, { headers });
}

test("a page of a named origin may send any request, to whatever path and without a key yet", async () => {
  for (const path of [...paths, "/api/v1/nothing"]) {
    for (const origin of [OURS, "http://localhost:5173"]) {
      const { status, text, headers } = await preflight(path, origin);
      assert.deepEqual([status, text], [204, ""], path);
      assert.equal(headers.get("access-control-allow-origin"), origin);
      assert.match(headers.get("access-control-allow-headers") ?? "", /\bAuthorization\b.*\bIf-Match\b/);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        assert.ok(headers.get("access-control-allow-methods")?.split(", ").includes(method), method);
      }
      assert.equal(headers.get("access-control-allow-credentials"), null);
    }
  }
});

test("a page of a named origin may read every answer, refusals and their words included", async () => {
  const options = { token: tenant.token, headers: { origin: OURS } };
  const answers = [
    await request(server.url, "GET", "/api/v1/companies", undefined, options),
    await request(server.url, "POST", "/api/v1/companies", {}, options),
    await request(server.url, "GET", "/api/v1/companies/999", undefined, options),
    await request(server.url, "GET", "/api/v1/companies", undefined, { ...options, token: "nobody.key" }),
    await request(server.url, "GET", "/api/v1/nothing", undefined, options),
    await request(server.url, "DELETE", "/api/v1/companies", undefined, options),
    await request(server.url, "POST", "/api/v1/companies", "x".repeat(1024 * 1024 + 1), options),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 422, 404, 401, 404, 405, 413],
  );
  for (const { status, headers } of answers) {
    assert.equal(headers.get("access-control-allow-origin"), OURS, `${status}`);
    const exposed = headers.get("access-control-expose-headers")?.split(", ") ?? [];
    for (const name of ["X-Error-Code", "X-Request-Id", "ETag", "RateLimit", "Retry-After", "X-Body-Ignored"]) {
      assert.ok(exposed.includes(name), name);
    }
    assert.ok(headers.get("vary")?.includes("origin"));
  }
});

test("no other origin is let in, nor anything but the API opened", async () => {
  for (const origin of ["https://evil.example", "null", `${OURS}.evil.example`, "https://APP.example.com", "*"]) {
    const asked = await preflight("/api/v1/companies", origin);
    assert.deepEqual([asked.status, asked.headers.get("access-control-allow-origin")], [204, null], origin);
    assert.equal(asked.headers.get("allow"), "GET, POST, HEAD, OPTIONS");
    const answer = await tenant.get("/api/v1/companies", { headers: { origin } });
    assert.deepEqual([answer.status, answer.headers.get("access-control-allow-origin")], [200, null], origin);
    assert.ok(answer.headers.get("vary")?.includes("origin"));
  }
  for (const path of ["/health/live", "/sign-in", "/docs"]) {
    const { headers } = await request(server.url, "GET", path, undefined, { headers: { origin: OURS } });
    assert.equal(headers.get("access-control-allow-origin"), null, path);
  }
});

test("without the setting nothing is said of origins", async () => {
  const closed = await startServer();
  const another = await closed.createTenant();
  const { headers } = await another.get("/api/v1/companies", { headers: { origin: OURS } });
  assert.deepEqual([headers.get("access-control-allow-origin"), headers.get("vary")], [null, null]);
});
