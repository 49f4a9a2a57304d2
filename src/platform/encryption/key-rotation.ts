import { advisoryLocks, tryLock } from "../postgres/advisory-locks.ts";
import { asOwner } from "../postgres/as-owner.ts";
import type { Connection } from "../postgres/database.ts";
import { deleteSetting, readSetting, writeSetting } from "../postgres/settings.ts";
import { Refusal } from "../refusal.ts";
import { addEncryptionKey, readEncryptionKeys, replaceCheck } from "./key-file.ts";
import type { EncryptionKey, Keyring } from "./keyring.ts";

/** The setting with the id of the key that a rotation added, until everything is encrypted with it. */
const ROTATING_TO = "encryption_rotating_to";

export type Rotation = {
  connection: Connection;
  keyring: Keyring;
  dataDir: string;
  fromEnvironment: EncryptionKey[] | null;
};

/**
 * Puts a new encryption key first, notifies every process, and then runs the re-encryption. The operator manages keys
 * in the environment: no key is added, and the first one there counts. An interrupted rotation continues with the key
 * that it had added; another key would repeat all the work. Only one rotation runs at a time: if two extended the key
 * file together, one key would be lost, with all data encrypted by it.
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
