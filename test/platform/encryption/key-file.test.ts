import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import pg from "pg";
import {
  addEncryptionKey,
  EncryptionKeyError,
  openKeyring,
  readEncryptionKeys,
  storeEncryptionKeys,
} from "../../../src/platform/encryption/key-file.ts";
import { rotating } from "../../../src/platform/encryption/key-rotation.ts";
import {
  createKeyring,
  formatEncryptionKeys,
  generateEncryptionKey,
} from "../../../src/platform/encryption/keyring.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { createDataDirectory } from "../../failure/data-directory.ts";
import { createDatabase, waitingForLocks } from "../../harness.ts";
import { poll } from "../../program.ts";

const tenant = asTenantId("1");
const COLUMN = "companies.phone";
const ignore = () => {};

/** A database whose keys are in the file of a data directory. */
async function opened() {
  const [connection, dataDir] = [await createDatabase(), createDataDirectory()];
  const open = async (fromEnvironment: Parameters<typeof openKeyring>[2] = null) =>
    await openKeyring(connection, dataDir, fromEnvironment, ignore);
  return { connection, dataDir, open, keyring: await open(), keyFile: path.join(dataDir, "encryption.keys") };
}

test("a keyring of the file reads the keys that another process added; one of the environment never reads it", async () => {
  const { connection, dataDir, open, keyring } = await opened();
  const former = readEncryptionKeys(dataDir) ?? [];
  const fixed = await open(former);
  const rotation = { connection, keyring: await open(), dataDir, fromEnvironment: null };
  const stored = await rotating(rotation, async () => rotation.keyring.encrypt(tenant, COLUMN, "0264"));
  assert.equal(stored.startsWith(`${former[0]?.id}:`), false);
  assert.equal(keyring.decrypt(tenant, COLUMN, stored), "0264");
  assert.equal(fixed.clear(tenant, COLUMN, stored), null);
});

test("keys of another database are refused, from the file and from the environment, and keep the check as it was", async () => {
  const { open, keyFile } = await opened();
  const own = fs.readFileSync(keyFile);
  const foreign = [generateEncryptionKey([])];
  await assert.rejects(open(foreign), /^EncryptionKeyError: LIAISON_ENCRYPTION_KEYS does not hold the keys/);
  fs.writeFileSync(keyFile, formatEncryptionKeys(foreign));
  await assert.rejects(open(), /^EncryptionKeyError: \S+encryption\.keys does not hold the keys/);
  fs.writeFileSync(keyFile, own);
  await open();
});

test("of two machines that make keys for one database at the same moment, the second one is refused", async () => {
  const connection = await createDatabase();
  const [first, other] = [new pg.Client(connection), new pg.Client(connection)];
  await Promise.all([first.connect(), other.connect()]);
  await first.query("begin");
  const check = createKeyring([generateEncryptionKey([])]).encrypt("", "settings.value", "liaison");
  await first.query("insert into settings (name, value) values ('encryption_check', $1)", [check]);
  const refused = assert.rejects(
    openKeyring(connection, createDataDirectory(), null, ignore),
    /^EncryptionKeyError: \S+encryption\.keys does not hold the keys/,
  );
  await poll("the second one's check", async () => (await other.query(waitingForLocks)).rows.length > 0);
  await first.query("commit");
  await refused;
  await Promise.all([first.end(), other.end()]);
});

test("a key file that cannot be read is refused, and is not taken for one that is missing", async () => {
  const { dataDir, keyFile } = await opened();
  fs.rmSync(keyFile);
  assert.equal(readEncryptionKeys(dataDir), null);
  fs.mkdirSync(keyFile);
  assert.throws(
    () => readEncryptionKeys(dataDir),
    (error) => error instanceof EncryptionKeyError && /cannot be kept in LIAISON_DATA_DIR/.test(error.message),
  );
});

test("of two processes that make the key file together, both have the keys of the first", async (t) => {
  const { dataDir } = await opened();
  const first = readEncryptionKeys(dataDir);
  assert.deepEqual(storeEncryptionKeys(dataDir, [generateEncryptionKey([])]), first);
  assert.deepEqual(fs.readdirSync(dataDir), ["encryption.keys"]);
  t.mock.method(fs, "linkSync", () => {
    throw Object.assign(new Error("EIO: i/o error, link"), { code: "EIO" });
  });
  assert.throws(() => storeEncryptionKeys(dataDir, [generateEncryptionKey([])]), /EIO/);
});

test("a key is added to a file that has its owner and mode from before", async () => {
  const { dataDir, keyFile } = await opened();
  assert.equal(fs.statSync(keyFile).mode & 0o777, 0o600);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) fs.chownSync(keyFile, 1, 1);
  fs.chmodSync(keyFile, 0o640);
  const before = fs.statSync(keyFile);
  addEncryptionKey(dataDir);
  const { uid, gid, mode } = fs.statSync(keyFile);
  assert.deepEqual({ uid, gid, mode }, { uid: before.uid, gid: before.gid, mode: before.mode });
  // A file that has to be made belongs to the owner of the directory.
  if (isRoot) fs.chownSync(dataDir, 1, 1);
  fs.rmSync(keyFile);
  addEncryptionKey(dataDir);
  assert.equal(fs.statSync(keyFile).uid, fs.statSync(dataDir).uid);
});

test("a user who may not keep the owner of a key file adds no key, and the error says who may", async (t) => {
  if (process.getuid?.() !== 0) return t.skip("only root can make a file of another user");
  const { dataDir, keyFile } = await opened();
  fs.chownSync(keyFile, 1, 1);
  const before = fs.readFileSync(keyFile, "utf8");
  t.mock.method(process as { getuid: () => number }, "getuid", () => 2);
  t.mock.method(fs, "fchownSync", () => {
    throw Object.assign(new Error("EPERM: operation not permitted, fchown"), { code: "EPERM" });
  });
  assert.throws(
    () => addEncryptionKey(dataDir),
    /^EncryptionKeyError: \S+encryption\.keys would change its owner \(EPERM[^)]*\): run this as the user that it belongs to/,
  );
  assert.equal(fs.readFileSync(keyFile, "utf8"), before);
  assert.deepEqual(fs.readdirSync(dataDir), ["encryption.keys"]);
});

test("a rotation that was interrupted goes on with the key that it added; the next one adds another", async () => {
  const { connection, dataDir, open } = await opened();
  const keysAfter = async (reencrypt: () => Promise<void>) => {
    const rotation = { connection, keyring: await open(), dataDir, fromEnvironment: null };
    await rotating(rotation, reencrypt).catch(ignore);
    return (readEncryptionKeys(dataDir) ?? []).map(({ id }) => id);
  };
  const interrupted = await keysAfter(async () => await Promise.reject(new Error("interrupted")));
  assert.deepEqual(interrupted, ["k2", "k1"]);
  assert.deepEqual(await keysAfter(async () => {}), ["k2", "k1"]);
  assert.deepEqual(await keysAfter(async () => {}), ["k3", "k2", "k1"]);
});
