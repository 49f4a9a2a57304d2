import type { OpenDeps } from "../../deps.ts";
import { ENCRYPTION_KEYS_CHANGED, readEncryptionKeys } from "../../platform/encryption/key-file.ts";
import { TENANTS_WROTE } from "../../platform/postgres/news.ts";
import { listen, type Listener } from "../../platform/postgres/notifications.ts";

/**
 * Has a process that goes on for long hear of what others change: the encryption keys, and what else it asks for, by
 * channel. Everything counts as changed when a notification may have been missed, and at the beginning.
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
  // Missed ones are no harm: who waits for them looks by itself, too.
  const news = { [TENANTS_WROTE]: (payload: string) => database.news.hear(payload) };
  return await listen(connection, { ...channels, ...news }, followAll, logger);
}
