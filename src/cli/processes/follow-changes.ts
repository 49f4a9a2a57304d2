import type { OpenDeps } from "../../kit/deps.ts";
import { ENCRYPTION_KEYS_CHANGED, readEncryptionKeys } from "../../platform/encryption/key-file.ts";
import { TENANTS_WROTE } from "../../platform/postgres/news.ts";
import { listen, type Listener } from "../../platform/postgres/notifications.ts";

/**
 * Notifies a long-running process of others' changes: the encryption keys, and the channels in its arguments. At the
 * beginning, and whenever a notification may have been missed, everything counts as changed.
 */
export async function followChanges(
  { config, connection, database, keyring, logger }: OpenDeps,
  others: Record<string, () => void>,
): Promise<Listener> {
  const rereadEncryptionKeys = () => {
    const keys = config.encryptionKeys === null ? readEncryptionKeys(config.dataDir) : null;
    if (keys !== null) keyring.replaceEncryptionKeys(keys);
  };
  const channels = { ...others, [ENCRYPTION_KEYS_CHANGED]: rereadEncryptionKeys };
  const followAll = () => {
    for (const follow of Object.values(channels)) follow();
  };
  // A missed notification is harmless: listeners also poll.
  const news = { [TENANTS_WROTE]: (payload: string) => database.news.receive(payload) };
  return await listen(connection, { ...channels, ...news }, followAll, logger);
}
