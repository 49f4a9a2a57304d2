import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { generateKey, isWellFormedKey } from "../../../src/people/api-keys/key-format.ts";
import { fc } from "../../properties.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The checksum once more, by the words of docs/contract.md 2.3. */
function checksum(secret: string): string {
  let text = "";
  for (let rest = crc32(secret); rest > 0; rest = Math.floor(rest / 62)) text = (ALPHABET[rest % 62] ?? "") + text;
  return text.padStart(6, "0");
}

test("a key is lsn_, 43 base62 characters, and their CRC-32 in 6 more", () => {
  const seen = new Set<string>();
  for (let i = 0; i < 200; i++) {
    const key = generateKey();
    const [, secret = "", sum] = /^lsn_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(key) ?? [];
    assert.equal(sum, checksum(secret));
    assert.ok(isWellFormedKey(key));
    seen.add(key);
  }
  assert.equal(seen.size, 200);
});

test("any text with the right checksum is well-formed, and no other", () => {
  const secret = fc.string({ unit: fc.constantFrom(...Array.from(ALPHABET)), minLength: 43, maxLength: 43 });
  fc.assert(fc.property(secret, (secret) => isWellFormedKey(`lsn_${secret}${checksum(secret)}`)));
  fc.assert(
    fc.property(fc.nat({ max: 48 }), fc.constantFrom(...Array.from(ALPHABET)), (at, character) => {
      const key = generateKey();
      const changed = `${key.slice(0, 4 + at)}${character}${key.slice(5 + at)}`;
      assert.equal(isWellFormedKey(changed), changed === key);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !isWellFormedKey(text)));
});
