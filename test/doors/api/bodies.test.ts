import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { request, startServer } from "../../harness.ts";
import { head, sendRaw, sendThenRead } from "../../wire.ts";

const server = await startServer();
const tenant = await server.createTenant();
const nameRequired = { error: "Validation failed.", errors: { name: ["The name field is required."] } };
const LIMIT = 1024 * 1024;

/** A body of this many bytes that creates a company, filled with blanks. */
function bodyOf(bytes: number): string {
  const json = '{"name":"Large"}';
  return json + " ".repeat(bytes - json.length);
}

/** An object with this number of levels, the outermost being the first, with a valid name. */
function nested(levels: number): string {
  let value = "{}";
  for (let level = 3; level <= levels; level++) value = level % 2 === 0 ? `{"a":${value}}` : `[${value}]`;
  return `{"name":"Nested","unknown":${value}}`;
}

const emptyBodies: [string, string | Uint8Array | undefined][] = [
  ["no body", undefined],
  ["an empty one", ""],
  ["blanks", " \n "],
  ["malformed JSON", '{"name":"A"'],
  ["a trailing comma", '{"name":"A",}'],
  ["single quotes", "{'name':'A'}"],
  ["a comment", '{"name":"A"} // x'],
  ["two documents", '{"name":"A"}{"name":"B"}'],
  ["NaN", '{"name":"A","status_code":NaN}'],
  ["a form", "name=A"],
  ["an array", '[{"name":"A"}]'],
  ["an empty array", "[]"],
  ["a string", '"name"'],
  ["a number", "5"],
  ["true", "true"],
  ["null", "null"],
  ["33 levels", nested(33)],
  ["a thousand arrays deep", `{"name":"A","a":${"[".repeat(1000)}${"]".repeat(1000)}}`],
  ["half a million arrays deep", `{"name":"A","a":${"[".repeat(500_000)}${"]".repeat(500_000)}}`],
  ["unclosed arrays without end", "[".repeat(1_000_000)],
  ["invalid UTF-8", Buffer.from([...Buffer.from('{"name":"A'), 0xff, ...Buffer.from('"}')])],
  ["an overlong encoding", Buffer.from([...Buffer.from('{"name":"A'), 0xc0, 0xaf, ...Buffer.from('"}')])],
  ["an encoded surrogate", Buffer.from([...Buffer.from('{"name":"A'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
  ["UTF-16", Buffer.from('{"name":"A"}', "utf16le")],
  ["a byte order mark alone", "\ufeff"],
  ["two byte order marks", '\ufeff\ufeff{"name":"A"}'],
  ["a raw NUL", '{"name":"A\u0000"}'],
  ["a raw line feed in a string", '{"name":"A\nB"}'],
];

for (const [what, body] of emptyBodies) {
  test(`a body that is no JSON object counts as empty: ${what}`, async () => {
    const posted = await tenant.post("/api/v1/companies", body);
    assert.deepEqual([posted.status, posted.body], [422, nameRequired]);
    const ignored = body === undefined || body.length === 0 ? null : "not a JSON object";
    assert.equal(posted.headers.get("x-body-ignored"), ignored);
    const company = await tenant.post("/api/v1/companies", { name: "A", phone: "1" });
    const put = await tenant.put(`/api/v1/companies/${company.body.data.id}`, body);
    assert.deepEqual([put.status, put.body], [200, company.body]);
    assert.equal(put.headers.get("x-body-ignored"), ignored);
  });
}

test("a body that is an object does not count as empty, whatever is in it", async () => {
  for (const body of ["{}", '{"unknown":1}', '\ufeff{"name":"A"}']) {
    const { headers } = await tenant.post("/api/v1/companies", body);
    assert.equal(headers.get("x-body-ignored"), null, body);
  }
});

test("a byte order mark before a body is skipped", async () => {
  const { status, body } = await tenant.post("/api/v1/companies", '\ufeff{"name":"Marked"}');
  assert.deepEqual([status, body.data?.name], [201, "Marked"]);
});

/** Sends bytes as they are under a Content-Encoding. */
async function sendPacked(bytes: Uint8Array, encoding = "gzip", token = tenant.token, path = "/api/v1/companies") {
  const options = { token, headers: { "content-encoding": encoding } };
  return await request(server.url, path.endsWith("companies") ? "POST" : "PUT", path, bytes, options);
}

test("a packed body is read like another, by any name of its encoding", async () => {
  const packed = gzipSync('{"name":"Packed"}');
  for (const encoding of ["gzip", "GZIP", "x-gzip", "identity, gzip", " gzip ,"]) {
    const { status, body } = await sendPacked(packed, encoding);
    assert.deepEqual([status, body.data?.name], [201, "Packed"], encoding);
  }
  const plain = await sendPacked(Buffer.from('{"name":"Plain"}'), "identity");
  assert.deepEqual([plain.status, plain.body.data?.name], [201, "Plain"]);
  const several = await sendPacked(Buffer.concat(['{"name":', '"Of two"}'].map((part) => gzipSync(part))));
  assert.deepEqual([several.status, several.body.data?.name], [201, "Of two"]);
  const empty = await sendPacked(gzipSync("name=A"));
  assert.deepEqual([empty.status, empty.headers.get("x-body-ignored")], [422, "not a JSON object"]);
});

test("a body in another encoding is a 415 that says which there are", async () => {
  for (const encoding of ["br", "deflate", "zstd", "gzip, gzip", "br, gzip", "garbage;q=1"]) {
    const answer = await sendPacked(gzipSync('{"name":"A"}'), encoding);
    assert.deepEqual([answer.status, answer.body], [415, { error: "Unsupported Content-Encoding." }], encoding);
    assert.equal(answer.headers.get("accept-encoding"), "gzip, identity");
  }
});

test("a packed body that does not unpack is a bad request", async () => {
  const packed = gzipSync(bodyOf(5_000));
  for (const bytes of [
    Buffer.from('{"name":"A"}'),
    packed.subarray(0, -5),
    packed.subarray(4),
    Buffer.from(packed).fill(0, 20, 24),
  ]) {
    const answer = await sendPacked(bytes);
    assert.deepEqual([answer.status, answer.body], [400, { error: "Bad request." }]);
    assert.equal(answer.headers.get("x-error-code"), "bad_request");
  }
});

test("the limit holds for what a body unpacks to, however little of it comes", async () => {
  assert.equal((await sendPacked(gzipSync(bodyOf(LIMIT)))).status, 201);
  for (const bytes of [LIMIT + 1, 64 * LIMIT]) {
    const answer = await sendPacked(gzipSync(bodyOf(bytes)));
    assert.deepEqual([answer.status, answer.body], [413, { error: "Payload too large." }]);
  }
  const incompressible = gzipSync(`{"name":"Noise","unknown":"${randomBytes(400_000).toString("base64")}"}`);
  assert.ok(incompressible.length > 300_000);
  assert.equal((await sendPacked(incompressible)).status, 201);
});

test("any number of packed bodies are read at once", async () => {
  const [small, large] = [gzipSync(bodyOf(LIMIT)), gzipSync(`{"name":"${randomBytes(500_000).toString("base64")}"}`)];
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => await sendPacked(i % 2 === 0 ? small : large)),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 422]));
});

test("what a body is packed in comes where its size does: before the resource and validation, behind the capability", async () => {
  const missing = "/api/v1/companies/999999";
  const reader = await tenant.createKey({ capabilities: ["companies:read"] });
  const bomb = gzipSync(bodyOf(2 * LIMIT));
  for (const [bytes, encoding, status] of [
    [bomb, "gzip", 413],
    [bomb, "br", 415],
    [Buffer.from("{"), "gzip", 400],
  ] as const) {
    assert.equal((await sendPacked(bytes, encoding, tenant.token, missing)).status, status);
    assert.equal((await sendPacked(bytes, encoding, reader.token, missing)).status, 403);
    assert.equal((await sendPacked(bytes, encoding, "nobody.key", missing)).status, 401);
  }
});

test("32 levels of nesting are accepted, the body itself being the first", async () => {
  const { status, body } = await tenant.post("/api/v1/companies", nested(32));
  assert.deepEqual([status, body.data?.name], [201, "Nested"]);
});

test("a body is read as JSON whatever its Content-Type says", async () => {
  const types = [
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "text/plain;charset=ISO-8859-1",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "garbage",
    ";;;",
    "a/b/c",
    "",
    "application/json, text/plain",
    `text/${"x".repeat(5000)}`,
  ];
  for (const type of types) {
    const posted = await tenant.post("/api/v1/companies", '{"name":"Brașov"}', { headers: { "content-type": type } });
    assert.deepEqual([posted.status, posted.body.data?.name], [201, "Brașov"], type);
    const malformed = await tenant.post("/api/v1/companies", "x", { headers: { "content-type": type } });
    assert.deepEqual([malformed.status, malformed.body], [422, nameRequired], type);
  }
  const json = '{"name":"A"}';
  const none = head("POST /api/v1/companies HTTP/1.1", tenant.token, { "Content-Length": String(json.length) });
  assert.equal((await sendRaw(server.url, none, json)).status, 201);
  const twice = none.replace("Host:", "Content-Type: text/a\r\nContent-Type: text/b\r\nHost:");
  assert.equal((await sendRaw(server.url, twice, json)).status, 201);
});

test("a body on GET and DELETE is ignored", async () => {
  const { body } = await tenant.post("/api/v1/companies", { name: "A" });
  const path = `/api/v1/companies/${body.data.id}`;
  for (const sent of ["{", '{"name":"B"}', "x".repeat(1000)]) {
    const lines = { "Content-Length": String(sent.length), "Content-Type": "application/json" };
    const got = await sendRaw(server.url, head(`GET ${path} HTTP/1.1`, tenant.token, lines), sent);
    assert.deepEqual([got.status, JSON.parse(got.body).data.name], [200, "A"]);
  }
  const lines = { "Content-Length": "1", "Content-Type": "application/json" };
  const gone = await sendRaw(server.url, head(`DELETE ${path} HTTP/1.1`, tenant.token, lines), "{");
  assert.deepEqual([gone.status, gone.body], [200, '{"message":"Company deleted."}']);
});

test("a body of 1 MiB is accepted, one byte more is 413, with a length and chunked", async () => {
  assert.equal((await tenant.post("/api/v1/companies", bodyOf(LIMIT))).status, 201);
  const tooLarge = await tenant.post("/api/v1/companies", bodyOf(LIMIT + 1));
  assert.deepEqual([tooLarge.status, tooLarge.body], [413, { error: "Payload too large." }]);
  assert.ok(tooLarge.headers.has("x-request-id"));

  for (const [bytes, status] of [
    [LIMIT, 201],
    [LIMIT + 1, 413],
    [4 * LIMIT, 413],
  ] as const) {
    const chunked = head("POST /api/v1/companies HTTP/1.1", tenant.token, { "Transfer-Encoding": "chunked" });
    const body = bodyOf(bytes);
    const half = Math.floor(bytes / 2);
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const answer = await sendRaw(server.url, chunked, chunk(body.slice(0, half)), chunk(body.slice(half)), "0\r\n\r\n");
    assert.equal(answer.status, status, `${bytes} bytes`);
    if (status === 413) assert.equal(answer.body, '{"error":"Payload too large."}');
  }
});

test("413 is decided from Content-Length, before the body is sent", async () => {
  const announced = head("POST /api/v1/companies HTTP/1.1", tenant.token, { "Content-Length": String(LIMIT + 1) });
  const answer = await sendRaw(server.url, announced, "{");
  assert.deepEqual([answer.status, answer.body], [413, '{"error":"Payload too large."}']);
});

test("413 is heard by who sends the whole body before it reads, and the connection goes on", async () => {
  const path = "/api/v1/companies/batch";
  const bytes = 9 * 1024 * 1024;
  const announced = head(`POST ${path} HTTP/1.1`, tenant.token, {
    "Content-Length": String(bytes),
    Connection: "keep-alive",
  });
  const next = head(`GET /api/v1/companies?per_page=1 HTTP/1.1`, tenant.token);
  const answers = await sendThenRead(server.url, announced, "A".repeat(bytes), next);
  assert.match(answers, /^HTTP\/1\.1 413 [^]*\{"error":"Payload too large\."\}HTTP\/1\.1 200 /);
});

test("413 comes after authentication, rate limit and capability, before the resource and validation", async () => {
  const send = async (path: string, token: string) => {
    const lines = { "Content-Length": String(LIMIT + 1) };
    return await sendRaw(server.url, head(`PUT ${path} HTTP/1.1`, token, lines));
  };
  const reader = await tenant.createKey({ capabilities: ["companies:read"] });
  const slow = await tenant.createKey({ rate: 1 });
  await tenant.get("/api/v1/companies", { token: slow.token });
  const missing = "/api/v1/companies/999999";
  assert.equal((await send(missing, "nobody.key")).status, 401);
  assert.equal((await send(missing, slow.token)).status, 429);
  assert.equal((await send(missing, reader.token)).status, 403);
  assert.equal((await send(missing, tenant.token)).status, 413);
  assert.equal((await send("/api/v1/nothing", tenant.token)).status, 404);
  assert.equal((await send("/api/v1/companies", tenant.token)).status, 405);
});

test("a text at its limit fits into a body, escaped as \\u sequences too", async () => {
  const notes = "ș".repeat(65_535);
  const escaped = notes.replaceAll("ș", String.raw`\u0219`);
  const { status, body } = await tenant.post("/api/v1/companies", `{"name":"A","notes":"${escaped}"}`);
  assert.deepEqual([status, body.data?.notes === notes], [201, true]);
});

test("a body of any number of members and elements is read like another", async () => {
  const many = (entry: string) => Array.from({ length: 120_000 }, () => entry).join(",");
  for (const unknown of [`[${many("{}")}]`, `{${many('"a":1')}}`, `1,${many('"":1')}`]) {
    const { status, body } = await tenant.post("/api/v1/companies", `{"unknown":${unknown},"name":"Of many"}`);
    assert.deepEqual([status, body.data?.name], [201, "Of many"]);
  }
  const list = await tenant.post("/api/v1/companies", `{"name":[${many("{}")}]}`);
  assert.deepEqual([list.status, list.body.errors], [422, { name: ["The name field must be a string."] }]);
  const unclosed = await tenant.post("/api/v1/companies", `{"name":"A","unknown":[${many("{}")}}`);
  assert.deepEqual([unclosed.status, unclosed.body], [422, nameRequired]);
});

const crumbs = (count: number) => "1\r\n \r\n".repeat(count);

test("a body in chunks of a byte is a bad request, and leaves the connection", async () => {
  const chunked = head("POST /api/v1/companies HTTP/1.1", tenant.token, { "Transfer-Encoding": "chunked" });
  const crumbled = (blanks: number) => `12\r\n{"name":"Crumbled"\r\n${crumbs(blanks)}1\r\n}\r\n0\r\n\r\n`;
  for (const blanks of [299, 5_000]) {
    const { status, body } = await sendRaw(server.url, chunked, crumbled(blanks));
    assert.deepEqual([status, JSON.parse(body)], [400, { error: "Bad request." }]);
  }
  assert.equal((await sendRaw(server.url, chunked, crumbled(298))).status, 201);
});

test("a body in chunks of a byte is not read to its end, for any caller and any route", async () => {
  const lines = { "Transfer-Encoding": "chunked", Connection: "keep-alive" };
  for (const [line, token] of [
    ["POST /api/v1/companies HTTP/1.1", tenant.token],
    ["POST /api/v1/companies HTTP/1.1", "nobody.x"],
    ["POST /api/v1/nothing HTTP/1.1", "nobody.x"],
    ["GET /api/v1/companies HTTP/1.1", tenant.token],
    ["GET /health/live HTTP/1.1", "nobody.x"],
  ] as const) {
    const read = await readOf(head(line, token, lines) + crumbs(500_000));
    assert.ok(read < 70_000, `${line}: ${read} bytes were read`);
  }
  // Node uses its parsers again: the next bodies are read whole.
  for (let i = 0; i < 10; i++) {
    const sent = head("POST /api/v1/companies HTTP/1.1", tenant.token, { "Content-Length": "12" });
    assert.equal((await sendRaw(server.url, sent, '{"name":"A"}')).status, 201);
  }
});

/** How many bytes of a request the server takes until it closes the connection. */
async function readOf(request: string): Promise<number> {
  const { hostname, port } = new URL(server.url);
  const accepted = once(server.server.server, "connection");
  const client = net.connect(Number(port), hostname);
  client.on("error", () => {}).resume();
  const [socket] = (await accepted) as [net.Socket];
  client.write(request);
  await once(socket, "close");
  return socket.bytesRead;
}

test("the rest of a refused request's large body is not read", async () => {
  for (const [line, status] of [
    ["POST /api/v1/companies HTTP/1.1", 401],
    ["POST /api/v1/nothing HTTP/1.1", 404],
    ["DELETE /api/v1/companies HTTP/1.1", 405],
  ] as const) {
    const request = head(line, "nobody.x", { "Content-Length": "1000000", Connection: "keep-alive" });
    // No more of it comes: the server's closing ends the answer.
    const answer = await sendRaw(server.url, request, "{");
    assert.deepEqual([answer.status, answer.headers.get("connection")], [status, "close"]);
  }
});
