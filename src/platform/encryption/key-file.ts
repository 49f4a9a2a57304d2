import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeDurable } from "../durable.ts";
import { errorCode } from "../error-code.ts";
import { createDirectory, changeOwner } from "../ownership.ts";
import { asOwner } from "../postgres/as-owner.ts";
import type { Connection } from "../postgres/database.ts";
import { readSetting, writeFirstSetting, writeSetting } from "../postgres/settings.ts";
import {
  createKeyring,
  formatEncryptionKeys,
  generateEncryptionKey,
  parseEncryptionKeys,
  type EncryptionKey,
  type Keyring,
  type KeyringOptions,
} from "./keyring.ts";

/** The available encryption keys are not those of the database; the message is one line for an operator. */
export class EncryptionKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EncryptionKeyError";
  }
}

/** The notification that the key file was replaced. */
export const ENCRYPTION_KEYS_CHANGED = "liaison_keys";

/** The name in `settings` of the check value. */
export const CHECK_NAME = "encryption_check";
const CHECK_COLUMN = "settings.value";
const CHECK_TEXT = "liaison";

/**
 * The keyring of a database: the encryption keys of the environment, or else those of `encryption.keys` in the data
 * directory, which are generated if the database has none yet. A value stored in the database shows whether they match.
 * Throws EncryptionKeyError if they are lost or belong to another database.
 */
export async function openKeyring(
  connection: Connection,
  dataDir: string,
  fromEnvironment: EncryptionKey[] | null,
  onUndecryptable: NonNullable<KeyringOptions["onUndecryptable"]>,
): Promise<Keyring> {
  return await asOwner(connection, async (client) => {
    const check = await readSetting(client, CHECK_NAME);
    const keys =
      fromEnvironment ??
      readEncryptionKeys(dataDir) ??
      (check === null ? storeEncryptionKeys(dataDir, [generateEncryptionKey([])]) : null);
    if (keys === null) {
      throw new EncryptionKeyError(
        `${keyFile(dataDir)} is missing, and the database has values encrypted with it: restore it from a backup, or set LIAISON_ENCRYPTION_KEYS.`,
      );
    }
    const reload = () => (fromEnvironment === null ? (readEncryptionKeys(dataDir) ?? []) : []);
    const keyring = createKeyring(keys, { reload, onUndecryptable });
    if (check === null) await writeFirstSetting(client, CHECK_NAME, checkOf(keyring));
    // Of two machines that start together, the first one's keys count.
    const first = check ?? (await readSetting(client, CHECK_NAME)) ?? "";
    if (!isKeyringOf(keyring, first)) {
      const source = fromEnvironment === null ? keyFile(dataDir) : "LIAISON_ENCRYPTION_KEYS";
      throw new EncryptionKeyError(
        `${source} does not hold the keys of this database: restore the right ones from a backup.`,
      );
    }
    return keyring;
  });
}

/** Encrypts the check value with the current encryption key, and notifies every process that the keys have changed. */
export async function replaceCheck(connection: Connection, keyring: Keyring): Promise<void> {
  await asOwner(connection, async (client) => {
    await writeSetting(client, CHECK_NAME, checkOf(keyring));
    await client.query(`notify ${ENCRYPTION_KEYS_CHANGED}`);
  });
}

/** Puts a new encryption key before those of the file and returns them all, newest first. */
export function addEncryptionKey(dataDir: string): EncryptionKey[] {
  const keys = readEncryptionKeys(dataDir) ?? [];
  const extended = [generateEncryptionKey(keys), ...keys];
  const unfinished = writeUnfinished(dataDir, extended, fs.statSync(keyFile(dataDir), { throwIfNoEntry: false }));
  fs.renameSync(unfinished, keyFile(dataDir));
  makeDurable(dataDir);
  return extended;
}

/** The file's encryption keys; null without a file. Throws EncryptionKeyError if it is not a key file. */
export function readEncryptionKeys(dataDir: string): EncryptionKey[] | null {
  let text: string;
  try {
    text = fs.readFileSync(keyFile(dataDir), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw unusable(dataDir, error);
  }
  try {
    return parseEncryptionKeys(text);
  } catch (error) {
    throw new EncryptionKeyError(`${keyFile(dataDir)} ${(error as Error).message}.`);
  }
}

function keyFile(dataDir: string): string {
  return path.join(dataDir, "encryption.keys");
}

/**
 * Writes keys into the key file if there is none, and returns the keys that the file then has. The file is complete
 * before it gets its name; of two processes that start together, the first one's keys count.
 */
export function storeEncryptionKeys(dataDir: string, keys: EncryptionKey[]): EncryptionKey[] | null {
  const unfinished = writeUnfinished(dataDir, keys);
  try {
    fs.linkSync(unfinished, keyFile(dataDir));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    fs.unlinkSync(unfinished);
  }
  // Values must never outlive their key.
  makeDurable(dataDir);
  return readEncryptionKeys(dataDir);
}

/**
 * Owner and mode are copied from the replaced file. A new file that root writes belongs to the owner of the data
 * directory: the server may run as that user.
 */
function writeUnfinished(dataDir: string, keys: EncryptionKey[], replaced?: fs.Stats): string {
  const file = `${keyFile(dataDir)}.liaison-unfinished-${randomBytes(6).toString("hex")}`;
  const descriptor = openNew(dataDir, file);
  try {
    if (replaced !== undefined) fs.fchmodSync(descriptor, replaced.mode & 0o777);
    if (replaced !== undefined || process.getuid?.() === 0) changeOwner(descriptor, replaced ?? fs.statSync(dataDir));
    fs.writeSync(descriptor, `${formatEncryptionKeys(keys)}\n`);
    fs.fsyncSync(descriptor);
  } catch (error) {
    fs.unlinkSync(file);
    if (errorCode(error) !== "EPERM") throw error;
    throw new EncryptionKeyError(
      `${keyFile(dataDir)} would change its owner (${(error as Error).message}): run this as the user that it belongs to, or as root.`,
    );
  } finally {
    fs.closeSync(descriptor);
  }
  return file;
}

function openNew(dataDir: string, file: string): number {
  try {
    createDirectory(dataDir);
    return fs.openSync(file, "wx", 0o600);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

function unusable(dataDir: string, error: unknown): EncryptionKeyError {
  return new EncryptionKeyError(
    `The encryption keys cannot be kept in LIAISON_DATA_DIR ${dataDir}: ${(error as Error).message}. Set it to a directory of your own, or set LIAISON_ENCRYPTION_KEYS.`,
  );
}

/** The check value is bound to no tenant: there may be none yet. */
function checkOf(keyring: Keyring): string {
  return keyring.encrypt("", CHECK_COLUMN, CHECK_TEXT);
}

/** Whether a keyring matches a database's check value. */
export function isKeyringOf(keyring: Keyring, check: string): boolean {
  try {
    return keyring.decrypt("", CHECK_COLUMN, check) === CHECK_TEXT;
  } catch {
    return false;
  }
}
