import assert from "node:assert/strict";
import { test } from "node:test";
import { request, startServer } from "../../harness.ts";
import { head, sendRaw } from "../../wire.ts";

/** The page about bytes that are no request. */
const HELP = '</docs/errors/bad_request>; rel="help"';
const server = await startServer({ LIAISON_AUTH_FAILURE_LIMIT: "0" });
const tenant = await server.createTenant();
const company = (await tenant.post("/api/v1/companies", { name: "A" })).body.data;

const REQUEST_ID = /^[0-9a-f-]{36}$/;
const JSON_TYPE = "application/json; charset=utf-8";

const unknownRoutes = [
  "/api/v1/foo",
  "/api/v1",
  "/api",
  "/api/v2/companies",
  "/api/v1/Companies",
  "/API/v1/companies",
  "/api/v1/companiesx",
  "/api/v1/contact",
  "/api/v1/invoices",
  "/api/v1/wms-orders",
  "/api/v1/companies/1/contacts/2",
  "/api/v1/companies/1/foo",
  "/api/v1/companies/1/wms-orders/2",
  "/api/v1/foo%20bar",
  "/api/v1/%E0%A4%A",
  "/api/v1/companies//contacts",
  "/api/v1//companies",
  "/health",
  "/health/x",
];

test("an unknown route is a 404 that names it, whatever the method and without a key", async () => {
  for (const path of unknownRoutes) {
    for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const body = { message: `The route ${path.slice(1)} could not be found.` };
      const answer = await request(server.url, method, `${path}?a=b`);
      assert.deepEqual([answer.status, answer.body], [404, body], `${method} ${path}`);
      assert.equal(answer.headers.get("content-type"), JSON_TYPE);
      assert.equal(answer.headers.get("x-error-code"), "route_unknown");
      const trailing = await request(server.url, method, `${path}/`);
      assert.deepEqual([trailing.status, trailing.body], [404, body], `${method} ${path}/`);
    }
  }
});

const allowed: [string, string[]][] = [
  ["/api/v1/companies", ["GET", "POST", "HEAD", "OPTIONS"]],
  [`/api/v1/companies/${company.id}`, ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
  ["/api/v1/companies/999999", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
  ["/api/v1/companies/x%2Fy", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
  ["/api/v1/companies/1/contacts", ["GET", "POST", "HEAD", "OPTIONS"]],
  ["/api/v1/contacts", ["GET", "HEAD", "OPTIONS"]],
  ["/api/v1/addresses", ["GET", "HEAD", "OPTIONS"]],
  ["/api/v1/contacts/1", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
  ["/api/v1/companies/1/addresses", ["GET", "POST", "HEAD", "OPTIONS"]],
  ["/api/v1/addresses/1", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]],
  ["/api/v1/companies/1/wms-orders", ["GET", "HEAD", "OPTIONS"]],
  ["/health/live", ["GET", "HEAD", "OPTIONS"]],
  ["/health/ready", ["GET", "HEAD", "OPTIONS"]],
];

test("a known path answers OPTIONS with 204 and other methods with 405, both with Allow and without a key", async () => {
  for (const [path, methods] of allowed) {
    for (const variant of [path, `${path}/`, `${path}?a=b`]) {
      const options = await request(server.url, "OPTIONS", variant);
      assert.deepEqual([options.status, options.text], [204, ""], variant);
      assert.deepEqual(methodsIn(options.headers), methods.toSorted(), variant);
      assert.match(options.headers.get("x-request-id") ?? "", REQUEST_ID);
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND"].filter((m) => !methods.includes(m))) {
        for (const body of [undefined, "{"]) {
          const refused = await request(server.url, method, variant, method === "GET" ? undefined : body);
          assert.deepEqual(
            [refused.status, refused.body],
            [405, { error: "Method not allowed." }],
            `${method} ${path}`,
          );
          assert.deepEqual(methodsIn(refused.headers), methods.toSorted());
          assert.equal(refused.headers.get("x-error-code"), "method_not_allowed");
          assert.match(refused.headers.get("x-request-id") ?? "", REQUEST_ID);
        }
      }
    }
  }
});

test("HEAD answers as GET, without the body", async () => {
  const paths = [
    "/api/v1/companies",
    `/api/v1/companies/${company.id}`,
    "/api/v1/companies/0",
    "/api/v1/foo",
    "/health/live",
  ];
  for (const path of paths) {
    const got = await tenant.get(path);
    const headed = await request(server.url, "HEAD", path, undefined, { token: tenant.token });
    assert.deepEqual([headed.status, headed.text], [got.status, ""], path);
    for (const name of ["content-type", "content-length"]) {
      assert.equal(headed.headers.get(name), got.headers.get(name), `${path} ${name}`);
    }
  }
  assert.equal((await request(server.url, "HEAD", "/api/v1/companies")).status, 401);
});

test("a trailing slash makes no difference", async () => {
  for (const path of [
    "/api/v1/companies",
    `/api/v1/companies/${company.id}`,
    `/api/v1/companies/${company.id}/contacts`,
    `/api/v1/companies/${company.id}/wms-orders`,
    "/api/v1/contacts/5",
    "/health/live",
  ]) {
    const plain = await tenant.get(path);
    const trailing = await tenant.get(`${path}/`);
    assert.deepEqual([trailing.status, trailing.body], [plain.status, plain.body], path);
  }
  const { body } = await tenant.get("/api/v1/companies/?per_page=1");
  assert.equal(body.path, `${server.url}/api/v1/companies`);
  const created = await tenant.post("/api/v1/companies/", { name: "B" });
  assert.equal(created.status, 201);
  assert.equal((await tenant.delete(`/api/v1/companies/${created.body.data.id}/`)).status, 200);
});

/** The id in the URL, and in the message. */
const missingIds: [string, string][] = [
  ["999999", "999999"],
  ["0", "0"],
  ["-1", "-1"],
  ["+1", "+1"],
  [`0${company.id}`, `0${company.id}`],
  [`${company.id}.0`, `${company.id}.0`],
  ["1e0", "1e0"],
  ["abc", "abc"],
  ["null", "null"],
  ["9223372036854775807", "9223372036854775807"],
  ["9223372036854775808", "9223372036854775808"],
  ["99999999999999999999999999", "99999999999999999999999999"],
  ["9".repeat(10_000), "9".repeat(10_000)],
  ["%2541", "%41"],
  ["%41", "A"],
  ["a%20b", "a b"],
  ["a+b", "a+b"],
  ["1%2F2", "1/2"],
  ["%3Fa%23b", "?a#b"],
  ["%3B1", ";1"],
  ["1;2", "1;2"],
  ["%22%5C", '"\\'],
  ["%00", "\u0000"],
  ["%E0%A4%A", "%E0%A4%A"],
  ["%", "%"],
  ["%zz", "%zz"],
  ["%41%", "%41%"],
  ["%ff", "%ff"],
  ["%F0%9F%98%80", "😀"],
  ["%D9%A1", "١"],
  [`${company.id}%20`, `${company.id} `],
  [`%20${company.id}`, ` ${company.id}`],
  [`${company.id}'`, `${company.id}'`],
  ["1%20or%201=1", "1 or 1=1"],
  ["__proto__", "__proto__"],
  ["constructor", "constructor"],
  ["*", "*"],
  [":id", ":id"],
];

test("an id that cannot be one is a missing resource, named as in the URL and decoded once", async () => {
  const at: [string, string, (id: string) => string][] = [
    ["Company", "GET", (id) => `/api/v1/companies/${id}`],
    ["Company", "PUT", (id) => `/api/v1/companies/${id}`],
    ["Company", "DELETE", (id) => `/api/v1/companies/${id}`],
    ["Company", "GET", (id) => `/api/v1/companies/${id}/contacts`],
    ["Company", "POST", (id) => `/api/v1/companies/${id}/contacts`],
    ["Company", "GET", (id) => `/api/v1/companies/${id}/addresses`],
    ["Company", "POST", (id) => `/api/v1/companies/${id}/addresses`],
    ["Company", "GET", (id) => `/api/v1/companies/${id}/wms-orders`],
    ["Contact", "GET", (id) => `/api/v1/contacts/${id}`],
    ["Contact", "PUT", (id) => `/api/v1/contacts/${id}`],
    ["Contact", "DELETE", (id) => `/api/v1/contacts/${id}`],
    ["Address", "GET", (id) => `/api/v1/addresses/${id}`],
    ["Address", "PUT", (id) => `/api/v1/addresses/${id}`],
    ["Address", "DELETE", (id) => `/api/v1/addresses/${id}`],
  ];
  for (const [model, method, pathOf] of at) {
    for (const [id, shown] of missingIds) {
      const body =
        method === "PUT" || method === "POST" ? { status: "wrong", first_name: 5, type: "wrong" } : undefined;
      const answer = await request(server.url, method, pathOf(id), body, { token: tenant.token });
      const expected = { message: `No query results for model [${model}] ${shown}` };
      assert.deepEqual([answer.status, answer.body], [404, expected], `${method} ${pathOf(id).slice(0, 80)}`);
    }
  }
});

test("an id may be percent-encoded", async () => {
  const encoded = String(company.id).replaceAll(/\d/g, "%3$&");
  assert.equal((await tenant.get(`/api/v1/companies/${encoded}`)).body.data?.id, company.id);
});

test("the absolute form of a request's target is understood", async () => {
  const answer = await sendRaw(
    server.url,
    head(`GET ${server.url}/api/v1/companies/${company.id} HTTP/1.1`, tenant.token),
  );
  assert.equal(answer.status, 200);
});

test("every answer carries X-Request-Id, the caller's own where it is a plain one", async () => {
  const paths = ["/api/v1/companies", "/api/v1/companies/0", "/api/v1/foo", "/health/live", "/health/ready"];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const token of [tenant.token, "x.y"]) {
      const id = (await tenant.get(path, { token })).headers.get("x-request-id") ?? "";
      assert.match(id, REQUEST_ID, path);
      seen.add(id);
    }
    const echoed = await tenant.get(path, { headers: { "x-request-id": "abc-DEF_1.2" } });
    assert.equal(echoed.headers.get("x-request-id"), "abc-DEF_1.2");
    for (const odd of ["", "a b", "<x>", "x".repeat(129)]) {
      const own = await tenant.get(path, { headers: { "x-request-id": odd } });
      assert.match(own.headers.get("x-request-id") ?? "", REQUEST_ID);
    }
  }
  assert.equal(seen.size, paths.length * 2);
});

test("every answer below /api and /health is JSON whatever Accept says", async () => {
  const outside = [
    "/api",
    "/api/",
    "/api/foo",
    "/api/v2/companies?page=2",
    "/health",
    "/health/live",
    "/health/ready",
    "/health/foo",
  ];
  for (const accept of ["text/html", "application/xml", "*/*;q=0", "image/png", "garbage;;", ""]) {
    for (const path of [...["", "/companies", "/companies/0", "/foo"].map((rest) => `/api/v1${rest}`), ...outside]) {
      const answer = await tenant.get(path, { headers: { accept } });
      assert.equal(answer.headers.get("content-type"), JSON_TYPE, `${path} ${accept}`);
      assert.equal(typeof answer.body, "object");
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    }
  }
});

test("what is not HTTP gets a 400 in JSON, with a request id", async () => {
  const malformed = [
    "garbage\r\n\r\n",
    "GET\r\n\r\n",
    "GET /api/v1/companies HTTP/9.9\r\n\r\n",
    "FOO /api/v1/companies HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /api/v1/companies HTTP/1.1\r\nHost: a\r\nbroken header\r\n\r\n",
    "GET /api/v1/companies HTTP/1.1\r\nHost: a\r\nA: b\0c\r\n\r\n",
    "POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    "POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    "GET /api/v1/companies HTTP/1.1\r\nConnection: close\r\n\r\n",
    "GET /api/v1/companies?search=Brașov HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET /api/v1/companies\u0001 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  ];
  for (const bytes of malformed) {
    const answer = await sendRaw(server.url, bytes);
    assert.deepEqual([answer.status, answer.body], [400, '{"error":"Bad request."}'], JSON.stringify(bytes));
    assert.equal(answer.headers.get("content-type"), JSON_TYPE);
    assert.match(answer.headers.get("x-request-id") ?? "", REQUEST_ID);
    assert.equal(answer.headers.get("x-error-code"), "bad_request");
    assert.equal(answer.headers.get("link"), HELP);
  }
  const huge = await sendRaw(server.url, `GET /?${"x".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
  assert.deepEqual([huge.status, huge.body], [431, '{"error":"Bad request."}']);
  assert.equal(huge.headers.get("x-error-code"), "bad_request");
  assert.equal(huge.headers.get("link"), HELP);
  assert.equal((await tenant.get(`/api/v1/companies/${company.id}`)).status, 200);
});

test("a request that comes too slowly gets a 408 with the word of a bad one", async () => {
  const { server: http } = server.server;
  // Node's clock for it has steps of half a minute.
  http.once("connection", (socket) => http.emit("clientError", { code: "ERR_HTTP_REQUEST_TIMEOUT" }, socket));
  const { status, headers, body } = await sendRaw(server.url, "GET /api/v1/companies HTTP/1.1\r\n");
  assert.deepEqual([status, headers.get("x-error-code"), body], [408, "bad_request", '{"error":"Bad request."}']);
  assert.equal(headers.get("link"), HELP);
});

test("requests for another protocol are answered in this one", async () => {
  const upgrade = head("GET /api/v1/companies HTTP/1.1", tenant.token, { Upgrade: "websocket" });
  const asked = upgrade.replace("Connection: close", "Connection: Upgrade, close");
  assert.equal((await sendRaw(server.url, asked)).status, 200);
  const expecting = head("GET /api/v1/companies HTTP/1.1", tenant.token, { Expect: "nonsense" });
  assert.equal((await sendRaw(server.url, expecting)).status, 200);
  const old = await sendRaw(
    server.url,
    `GET /api/v1/companies HTTP/1.0\r\nAuthorization: Bearer ${tenant.token}\r\n\r\n`,
  );
  assert.equal(old.status, 200);
});

test("health needs no key", async () => {
  assert.deepEqual((await request(server.url, "GET", "/health/live")).body, { status: "ok" });
  assert.deepEqual((await request(server.url, "GET", "/health/ready")).body, { status: "ready" });
});

test("page URLs name the host that the request named, or the server's own where that is no host", async () => {
  const pathWith = async (host: string) => {
    const answer = await sendRaw(server.url, head("GET /api/v1/companies HTTP/1.1", tenant.token, { Host: host }));
    return JSON.parse(answer.body).path as string;
  };
  assert.equal(await pathWith("crm.example:8080"), "http://crm.example:8080/api/v1/companies");
  assert.equal(await pathWith("[::1]:3000"), "http://[::1]:3000/api/v1/companies");
  for (const host of ["", "a b", "evil/path", 'x"y', "user@evil", "a?b", "a\\b", "a#b"]) {
    assert.equal(await pathWith(host), `${server.url}/api/v1/companies`, host);
  }
  const proxied = await tenant.get("/api/v1/companies", {
    headers: { "x-forwarded-proto": "https", "x-forwarded-host": "evil" },
  });
  assert.equal(proxied.body.path, `${server.url}/api/v1/companies`);
});

test("a request line that names the whole address means its path, and its host", async () => {
  const absolute = head("GET http://crm.example/api/v1/companies?per_page=7 HTTP/1.1", tenant.token);
  const { body } = await sendRaw(server.url, absolute);
  assert.equal(JSON.parse(body).first_page_url, "http://crm.example/api/v1/companies?per_page=7&page=1");
  const bare = await sendRaw(server.url, head("GET http://crm.example HTTP/1.1", tenant.token));
  assert.equal(bare.status, 303);
});

test("two Host headers are a bad request", async () => {
  const twice = head("GET /api/v1/companies HTTP/1.1", tenant.token, { HOST: "other.example" });
  const answer = await sendRaw(server.url, twice);
  assert.deepEqual([answer.status, JSON.parse(answer.body)], [400, { error: "Bad request." }]);
});

test("LIAISON_PUBLIC_URL is what page URLs begin with; a trusted proxy says whether https", async () => {
  const fixed = await startServer({ LIAISON_PUBLIC_URL: "https://crm.example/base/" });
  const { body } = await (await fixed.createTenant()).get("/api/v1/companies");
  assert.equal(body.path, "https://crm.example/base/api/v1/companies");
  const behind = await startServer({ LIAISON_TRUSTED_PROXIES: "127.0.0.0/8" });
  const proxied = await (
    await behind.createTenant()
  ).get("/api/v1/companies", {
    headers: { "x-forwarded-proto": "https" },
  });
  assert.equal(proxied.body.path, `${behind.url.replace("http:", "https:")}/api/v1/companies`);
});

function methodsIn(headers: Headers): string[] {
  return (headers.get("allow") ?? "").split(", ").toSorted();
}
