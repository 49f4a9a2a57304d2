import { advisoryLocks, tryLock } from "../postgres/advisory-locks.ts";
import { asOwner } from "../postgres/as-owner.ts";
import type { Connection } from "../postgres/database.ts";
import { deleteSetting, readSetting, writeSetting } from "../postgres/settings.ts";
import { Refusal } from "../refusal.ts";
import { addEncryptionKey, readEncryptionKeys, replaceCheck } from "./key-file.ts";
import type { EncryptionKey, Keyring } from "./keyring.ts";

/** Holds the id of the encryption key that a rotation added, until everything is encrypted with it. */
const ROTATING_TO = "encryption_rotating_to";

export type Rotation = {
  connection: Connection;
  keyring: Keyring;
  dataDir: string;
  fromEnvironment: EncryptionKey[] | null;
};

/**
 * Puts a new encryption key first, tells every process, and then runs the work that re-encrypts. Keys of the
 * environment are the operator's: no key is added, the first one there counts. A rotation that was interrupted is taken
 * up with the key that it had added; another key would only have all the work done again. One rotation at a time: two
 * that extend the key file at once would lose one's key, and with it what it encrypted.
 */
export async function rotating<T>(rotation: Rotation, reencrypt: () => Promise<T>): Promise<T> {
  const { connection, keyring, dataDir, fromEnvironment } = rotation;
  return await asOwner(connection, async (client) => {
    if (!(await tryLock(client, advisoryLocks.keyRotation))) {
      throw new Refusal("The keys are being rotated by another process.");
    }

    if (fromEnvironment === null) {
      const unfinished = await readSetting(client, ROTATING_TO);
      const keys = readEncryptionKeys(dataDir) ?? [];
      const isUnfinished = keys.length > 0 && unfinished === keys[0]?.id;
      keyring.replaceEncryptionKeys(isUnfinished ? keys : addEncryptionKey(dataDir));
      await writeSetting(client, ROTATING_TO, keyring.currentKeyId);
    }
    await replaceCheck(connection, keyring);
    const result = await reencrypt();
    await deleteSetting(client, ROTATING_TO);
    return result;
  });
}
