import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyring, generateEncryptionKey } from "../../../src/platform/encryption/keyring.ts";
import { sealing } from "../../../src/platform/encryption/sealed.ts";

const keyring = createKeyring([generateEncryptionKey([])]);
const LONGEST = 200;
const seal = sealing<string>("links.test", LONGEST);

test("a value that was sealed is opened under its own name, and under no other", () => {
  const sealed = seal.seal(keyring, "Ana");
  assert.equal(seal.open(keyring, sealed), "Ana");
  assert.equal(sealing<string>("links.other", LONGEST).open(keyring, sealed), null);
  for (const wrong of [null, "", "Ana", `x${sealed}`]) assert.equal(seal.open(keyring, wrong), null);
});

test("a sealed value that is longer than its name allows is not opened", () => {
  const sealed = seal.seal(keyring, "x".repeat(LONGEST));
  assert.ok(sealed.length > LONGEST);
  assert.equal(seal.open(keyring, sealed), null);
  assert.equal(sealing<string>("links.test", sealed.length).open(keyring, sealed)?.length, LONGEST);
});

test("a sealed value with a time is opened until then", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
  const brief = sealing<string>("links.test", LONGEST, 10);
  const sealed = brief.seal(keyring, "Ana");
  t.mock.timers.setTime(1_009_999);
  assert.equal(brief.open(keyring, sealed), "Ana");
  t.mock.timers.setTime(1_010_000);
  assert.equal(brief.open(keyring, sealed), null);
});
