import assert from "node:assert/strict";
import http from "node:http";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startServer } from "../harness.ts";
import { visitor } from "./visitor.ts";

const server = await startServer();
const { text } = await visitor(server).get("/sign-in");
const [stylesheet = ""] = /\/assets\/[\w-]+\/style\.css/.exec(text) ?? [];

/** Fetch decompresses what it is given, so the bytes are asked for as a browser's engine does. */
async function ask(acceptEncoding: string): Promise<{ encoding: string | undefined; bytes: Buffer; vary: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http
    .get(`${server.url}${stylesheet}`, { headers: { "accept-encoding": acceptEncoding } }, resolve)
    .on("error", reject);
  const response = await promise;
  const bytes = await buffer(response);
  return { encoding: response.headers["content-encoding"], bytes, vary: String(response.headers.vary) };
}

test("the pages' files come in the encoding that a browser prefers", async () => {
  const plain = await ask("identity");
  assert.equal(plain.encoding, undefined);
  assert.match(plain.bytes.toString(), /@layer/);
  for (const [asked, encoding, decode] of [
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip", "gzip", gunzipSync],
  ] as const) {
    for (const time of ["first", "second"]) {
      const answer = await ask(asked);
      assert.deepEqual([answer.encoding, answer.vary], [encoding, "accept-encoding"], time);
      assert.deepEqual(decode(answer.bytes), plain.bytes);
    }
  }
  for (const nothing of ["", "zstd", "br;q=0"]) assert.equal((await ask(nothing)).encoding, undefined);
});
