import { asOwner, type Connection } from "./database.ts";
import type { EncryptionKey, Keyring } from "./encryption.ts";
import { addKeyToFile, readKeyFile, replaceCheck } from "./key-file.ts";
import { Refusal } from "./refusal.ts";

const ROTATION_LOCK = 7_261_955;
/** Holds the id of the key that a rotation added, until everything is encrypted with it. */
const ROTATING_TO = "encryption_rotating_to";

export type Rotation = {
  connection: Connection;
  keyring: Keyring;
  dataDir: string;
  fromEnvironment: EncryptionKey[] | null;
};

/**
 * Puts a new key first, tells every process, and then runs the work that re-encrypts. Keys of the environment are the
 * operator's: no key is added, the first one there counts. A rotation that was interrupted is taken up with the key
 * that it had added; another key would only have all the work done again. One rotation at a time: two that extend the
 * key file at once would lose one's key, and with it what it encrypted.
 */
export async function rotating<T>(rotation: Rotation, reencrypt: () => Promise<T>): Promise<T> {
  const { connection, keyring, dataDir, fromEnvironment } = rotation;
  return await asOwner(connection, async (client) => {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [ROTATION_LOCK]);
    if (rows[0]?.locked !== true) throw new Refusal("The keys are being rotated by another process.");

    if (fromEnvironment === null) {
      const unfinished = await client.query("select value from settings where name = $1", [ROTATING_TO]);
      const keys = readKeyFile(dataDir) ?? [];
      const isUnfinished = keys.length > 0 && unfinished.rows[0]?.value === keys[0]?.id;
      keyring.replaceKeys(isUnfinished ? keys : addKeyToFile(dataDir));
      await client.query(
        "insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
        [ROTATING_TO, keyring.currentKeyId],
      );
    }
    await replaceCheck(connection, keyring);
    const result = await reencrypt();
    await client.query("delete from settings where name = $1", [ROTATING_TO]);
    return result;
  });
}
