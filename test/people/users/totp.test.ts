import assert from "node:assert/strict";
import { test } from "node:test";
import { base32, generateTotpSecret, otpauthUri, stepOfCode, totpCode } from "../../../src/people/users/totp.ts";

const SECRET = base32(Buffer.from("12345678901234567890"));

test("codes are those of RFC 6238, appendix B, in their last six digits", () => {
  for (const [seconds, code] of [
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ] as const) {
    assert.equal(totpCode(SECRET, Math.floor(seconds / 30)), code.slice(-6), String(seconds));
  }
});

test("codes are those of RFC 4226, appendix D", () => {
  const codes = Array.from({ length: 10 }, (_, counter) => totpCode(SECRET, counter));
  assert.deepEqual(codes, [
    "755224",
    "287082",
    "359152",
    "969429",
    "338314",
    "254676",
    "287922",
    "162583",
    "399871",
    "520489",
  ]);
});

test("base32 is that of RFC 4648", () => {
  assert.equal(SECRET, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  assert.equal(base32(Buffer.from("fooba")), "MZXW6YTB");
});

test("a code counts a step before and after its own, and no more", () => {
  const step = 41152263;
  const code = totpCode(SECRET, step);
  const at = (steps: number) => stepOfCode(SECRET, code, (step + steps) * 30_000);
  assert.deepEqual([-2, -1, 0, 0.99, 1, 2].map(at), [null, step, step, step, step, null]);
  for (const wrong of ["", "00000", `${code}0`, "１２３４５６"])
    assert.equal(stepOfCode(SECRET, wrong, step * 30_000), null);
});

test("a secret is 160 random bits, and its address names who it is for", () => {
  assert.match(generateTotpSecret(), /^[A-Z2-7]{32}$/);
  assert.notEqual(generateTotpSecret(), generateTotpSecret());
  assert.equal(
    otpauthUri(SECRET, "acme", "ana@example.com"),
    `otpauth://totp/Liaison%3Aana%40example.com%20(acme)?secret=${SECRET}&issuer=Liaison`,
  );
});
