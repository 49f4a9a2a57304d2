import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createKeyring,
  formatEncryptionKeys,
  generateEncryptionKey,
  parseEncryptionKeys,
  UndecryptableValue,
} from "../../../src/platform/encryption/keyring.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { fc } from "../../properties.ts";

const key = generateEncryptionKey([]);
const keyring = createKeyring([key]);
const [one, two] = [asTenantId("1"), asTenantId("2")];
const clearText = fc.string({ unit: "grapheme", maxLength: 30 });

test("what is encrypted decrypts at its place, differs each time, and does not contain the clear text", () => {
  fc.assert(
    fc.property(clearText, (clear) => {
      const stored = keyring.encrypt(one, "companies.phone", clear);
      assert.equal(keyring.decrypt(one, "companies.phone", stored), clear);
      assert.notEqual(keyring.encrypt(one, "companies.phone", clear), stored);
      if (clear.length > 3) assert.ok(!Buffer.from(stored.split(":")[1] ?? "", "base64").includes(clear));
    }),
  );
});

test("a ciphertext moved to another tenant, table or column, or damaged anywhere, does not decrypt", () => {
  fc.assert(
    fc.property(clearText, fc.nat(), fc.integer({ min: 1, max: 255 }), (clear, at, flip) => {
      const stored = keyring.encrypt(one, "contacts.phone", clear);
      const refused = (action: () => string) => assert.throws(action, UndecryptableValue);
      refused(() => keyring.decrypt(two, "contacts.phone", stored));
      refused(() => keyring.decrypt(one, "contacts.mobile", stored));
      refused(() => keyring.decrypt(one, "companies.phone", stored));
      const [id, base64 = ""] = stored.split(":");
      const bytes = Buffer.from(base64, "base64");
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ flip;
      refused(() => keyring.decrypt(one, "contacts.phone", `${id}:${bytes.toString("base64")}`));
      refused(() => keyring.decrypt(one, "contacts.phone", `${id}:${bytes.subarray(0, at % 28).toString("base64")}`));
      refused(() => keyring.decrypt(one, "contacts.phone", `other:${base64}`));
    }),
  );
});

test("a newer key encrypts what is new, and the older ones go on decrypting", () => {
  const newer = generateEncryptionKey([key]);
  const stored = keyring.encrypt(one, "companies.phone", "1");
  const rotated = createKeyring([newer, key]);
  assert.equal(rotated.decrypt(one, "companies.phone", stored), "1");
  assert.ok(rotated.encrypt(one, "companies.phone", "1").startsWith(`${newer.id}:`));
  assert.throws(() => createKeyring([newer]).decrypt(one, "companies.phone", stored), UndecryptableValue);
});

test("a phone is found by six digits or more: from nine on by all of them, and in no other tenant", () => {
  const isFound = (digits: string, tenant = one) => {
    const [, digests = ""] = keyring.encryptPhone(one, "companies.phone", "+40 722 123 456").split("=");
    return keyring.phonePrefixes(tenant, digits).some((prefix) => digests.startsWith(prefix));
  };
  for (const digits of ["123456", "2123456", "22123456", "722123456", "0722123456"]) assert.ok(isFound(digits), digits);
  for (const digits of ["123457", "799123456", "0799123456"]) assert.equal(isFound(digits), false, digits);
  assert.equal(isFound("123456", two), false);
});

test("a longer value than those that are remembered decrypts each time, and not under another key", () => {
  const long = "a".repeat(5_000);
  const [ours, stored] = [createKeyring([key]), keyring.encrypt(one, "companies.phone", long)];
  assert.equal(ours.decrypt(one, "companies.phone", stored), long);
  ours.replaceEncryptionKeys([generateEncryptionKey([key])]);
  assert.throws(() => ours.decrypt(one, "companies.phone", stored), UndecryptableValue);
});

test("keys are read as they are written, and nothing else is", () => {
  const keys = [generateEncryptionKey([key]), key];
  assert.deepEqual(parseEncryptionKeys(formatEncryptionKeys(keys)), keys);
  for (const wrong of [
    "",
    "k1",
    "k1:",
    "k1:AAAA",
    `k1:${"A".repeat(43)}B`,
    `${formatEncryptionKeys([key])},${formatEncryptionKeys([key])}`,
  ]) {
    assert.throws(() => parseEncryptionKeys(wrong), Error, wrong);
  }
});

test("a value that does not decrypt is shown as null, told once, and asks for fresh keys once", () => {
  const told: string[] = [];
  let asked = 0;
  const ours = createKeyring([key], {
    reload: () => [(asked++, key)],
    onUndecryptable: (tenant, column) => told.push(`${tenant} ${column}`),
  });
  const damaged = `${key.id}:${Buffer.alloc(40).toString("base64")}`;
  for (let i = 0; i < 3; i++) {
    assert.equal(ours.reveal(one, "companies.phone", damaged), null);
    assert.equal(ours.reveal(one, "contacts.mobile", "other:AAAA"), null);
  }
  assert.deepEqual(told, ["1 companies.phone", "1 contacts.mobile"]);
  assert.equal(asked, 1);
  assert.equal(ours.reveal(one, "companies.phone", ours.encrypt(one, "companies.phone", "0264")), "0264");
});

test("a value under the only key that is left is read once the keys are read again", () => {
  const left = generateEncryptionKey([key]);
  const ours = createKeyring([key], { reload: () => [left] });
  const stored = createKeyring([left]).encrypt(one, "companies.phone", "0264");
  assert.equal(ours.reveal(one, "companies.phone", stored), "0264");
});
