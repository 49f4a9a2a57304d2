import assert from "node:assert/strict";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startServer } from "../../harness.ts";

/** Files that are the same for everybody: the pages', the reference's, and the contract. */

const server = await startServer();
const stylesheet = await addressIn("/sign-in", /\/assets\/[\w-]+\/style\.css/);
const script = await addressIn("/docs", /\/assets\/[\w-]+\/reference\.js/);

async function addressIn(page: string, address: RegExp): Promise<string> {
  const text = await (await fetch(`${server.url}${page}`, { headers: { accept: "text/html" } })).text();
  const [found] = address.exec(text) ?? assert.fail(text);
  return found;
}

type Answer = { encoding: string | undefined; bytes: Buffer; vary: string };

/** Fetch decompresses what it is given, so the bytes are asked for as a browser's engine does. */
async function ask(path: string, acceptEncoding: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get(`${server.url}${path}`, { headers: { "accept-encoding": acceptEncoding } }, resolve).on("error", reject);
  const response = await promise;
  assert.equal(response.statusCode, 200, path);
  const bytes = await buffer(response);
  return { encoding: response.headers["content-encoding"], bytes, vary: String(response.headers.vary) };
}

for (const [path, content] of [
  [stylesheet, /@layer/],
  [script, /localStorage/],
  ["/api/v1/openapi.json", /^\{"openapi":/],
  ["/docs/api/companies", /^<!doctype html>/],
  ["/llms.txt", /^# Liaison\n/],
] as const) {
  test(`${path.replace(/[\w-]{12}/, "{version}")} comes in the encoding that a browser prefers`, async () => {
    const plain = await ask(path, "identity");
    assert.equal(plain.encoding, undefined);
    assert.match(plain.bytes.toString(), content);
    for (const [asked, encoding, decode] of [
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["br;q=0, gzip", "gzip", gunzipSync],
    ] as const) {
      for (const time of ["first", "second"]) {
        const answer = await ask(path, asked);
        assert.deepEqual([answer.encoding, answer.vary], [encoding, "accept-encoding"], time);
        assert.ok(decode(answer.bytes).equals(plain.bytes), time);
      }
    }
    for (const nothing of ["", "zstd", "br;q=0"]) assert.equal((await ask(path, nothing)).encoding, undefined);
  });
}

test("browsers keep a file of this version for good, and one that a page of another version asks for not at all", async () => {
  for (const path of [stylesheet, script]) {
    const kept = await fetch(`${server.url}${path}`);
    assert.equal(kept.headers.get("cache-control"), "public, max-age=31536000, immutable");
    const other = await fetch(`${server.url}${path.replace(/[\w-]{12}/, "another")}`);
    assert.deepEqual([other.status, other.headers.get("cache-control")], [200, "no-store"]);
    assert.equal(await other.text(), await kept.text());
  }
});
