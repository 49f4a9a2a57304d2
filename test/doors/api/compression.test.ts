import assert from "node:assert/strict";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const PATH = "/api/v1/companies";
const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;

/** Companies whose list is an answer of some bytes. */
async function createCompanies(count: number, notes: string): Promise<string> {
  const another = await server.createTenant();
  await server.sql(
    `insert into companies (tenant_id, name, country, notes)
      select $1, 'Company ' || n, 'Romania', $3 from generate_series(1, $2::int) n`,
    [another.id, count, notes],
  );
  return another.token;
}

type Received = { status: number; headers: http.IncomingHttpHeaders; bytes: Buffer };

/** The bytes as they come: fetch would unpack them. */
async function ask(
  path: string,
  accepted: string | null,
  { method = "GET", token = tenant.token, headers = {}, body = "" } = {},
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const encoding = accepted === null ? {} : { "accept-encoding": accepted };
  const all = { authorization: `Bearer ${token}`, ...encoding, ...headers };
  http.request(`${server.url}${path}`, { method, headers: all }, resolve).on("error", reject).end(body);
  const response = await promise;
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) };
}

/** What an answer says after unpacking; fails where it was not packed as told. */
function textOf({ headers, bytes }: Received, encoding: "br" | "gzip"): string {
  assert.equal(headers["content-encoding"], encoding);
  return decoders[encoding](bytes).toString();
}

for (const [what, count, notes] of [
  ["a page", 50, "Prefers the morning."],
  ["a page of long texts", 30, "𝒳".repeat(10_000)],
  ["a page that leaves in parts", 100, "ș".repeat(65_535)],
] as const) {
  test(`${what} is compressed on request, and is the same`, async () => {
    const token = await createCompanies(count, notes);
    const path = `${PATH}?per_page=${count}`;
    for (const nothing of [null, "identity", "gzip;q=0", "zstd"]) {
      const { headers } = await ask(path, nothing, { token });
      assert.equal(headers["content-encoding"], undefined);
      assert.equal(headers.vary, "accept-encoding");
    }
    const plain = await ask(path, null, { token });
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["br;q=0.1, gzip;q=0.2", "gzip"],
    ] as const) {
      const answer = await ask(path, accepted, { token });
      assert.ok(textOf(answer, encoding) === plain.bytes.toString());
      assert.ok(answer.bytes.length < plain.bytes.length / 4, `${answer.bytes.length} of ${plain.bytes.length} bytes`);
      assert.equal(answer.headers.vary, "accept-encoding");
      assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
      const headed = await ask(path, accepted, { token, method: "HEAD" });
      assert.deepEqual(
        [headed.headers["content-encoding"], headed.headers["content-length"], headed.bytes.length],
        [encoding, answer.headers["content-length"], 0],
      );
    }
  });
}

test("an answer is compressed from 2 KiB on", async () => {
  const { id } = JSON.parse((await ask(PATH, null, { method: "POST", body: '{"name":"A"}' })).bytes.toString()).data;
  const one = `${PATH}/${id}`;
  const shortest = (await ask(one, null)).bytes.length;
  for (const [bytes, encoding] of [
    [2_047, undefined],
    [2_048, "gzip"],
  ] as const) {
    // Null becomes a text in quotation marks.
    const notes = "x".repeat(bytes - shortest + "null".length - '""'.length);
    await ask(one, null, { method: "PUT", body: JSON.stringify({ notes }) });
    const answer = await ask(one, "gzip");
    assert.deepEqual(
      [answer.headers["content-encoding"], answer.headers.vary !== undefined],
      [encoding, encoding !== undefined],
    );
    assert.equal((await ask(one, null)).bytes.length, bytes);
  }
});

test("a large refusal is compressed too", async () => {
  const lines = Array.from({ length: 100 }, () => ({ quantity: "x" }));
  const { id } = JSON.parse((await ask(PATH, null, { method: "POST", body: '{"name":"A"}' })).bytes.toString()).data;
  const answer = await ask(`${PATH}/${id}/invoices`, "br", {
    method: "POST",
    body: JSON.stringify({ number: "1", lines }),
  });
  assert.equal(answer.status, 422);
  assert.equal(JSON.parse(textOf(answer, "br")).error, "Validation failed.");
});

test("a compressed answer has a tag of its own, by which it is known like the other", async () => {
  const body = JSON.stringify({ name: "Tagged", notes: "x".repeat(3_000) });
  const created = await ask(PATH, "gzip", { method: "POST", body });
  const { id } = JSON.parse(textOf(created, "gzip")).data;
  const plain = (await ask(`${PATH}/${id}`, null)).headers.etag ?? "";
  for (const encoding of ["br", "gzip"] as const) {
    const { headers } = await ask(`${PATH}/${id}`, encoding);
    assert.equal(headers.etag, plain.replace(/"$/, `-${encoding}"`));
    const known = await ask(`${PATH}/${id}`, encoding, { headers: { "if-none-match": headers.etag } });
    assert.deepEqual([known.status, known.bytes.length, known.headers["content-encoding"]], [304, 0, undefined]);
    assert.equal(known.headers.etag, headers.etag, "a cache finds by it what it has");
    assert.equal(known.headers.vary, "accept-encoding");
  }
});

test("any number of answers are compressed at once", async () => {
  const token = await createCompanies(200, "𝒳".repeat(500));
  const path = `${PATH}?per_page=200`;
  const plain = (await ask(path, null, { token })).bytes.toString();
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => await ask(path, n % 2 === 0 ? "br" : "gzip", { token })),
  );
  for (const [n, answer] of answers.entries()) assert.ok(textOf(answer, n % 2 === 0 ? "br" : "gzip") === plain);
});
