import type { Command } from "commander";
import { reencrypt } from "../operation/encryption/reencrypt.ts";
import { rotating } from "../platform/encryption/key-rotation.ts";
import { Refusal } from "../platform/refusal.ts";
import { showProgress } from "./progress.ts";
import { runs, type Work } from "./run-command.ts";

/** `encryption rotate` (docs/operations.md 3.2). */
export function registerEncryption(program: Command): void {
  const encryption = program.command("encryption").description("Manage the encryption keys.");
  const rotate = encryption
    .command("rotate")
    .description(
      "Encrypt every stored secret with a new key, while servers run. The key is added to encryption.keys in the data " +
        "directory; where LIAISON_ENCRYPTION_KEYS is set no key is added, and the first one there is used (every " +
        "server must know it before). If it is interrupted, the next run finishes it. The older keys stay: backups need them.",
    );
  runs(rotate, rotateKeys);
}

const rotateKeys: Work = async ({ config, connection, database, keyring }, { signal }) => {
  const rotation = { connection, keyring, dataDir: config.dataDir, fromEnvironment: config.encryptionKeys };
  const progress = showProgress();
  const onProgress = (done: number) => progress.show(() => `${done} rows re-encrypted`);
  const { rows, undecryptable } = await rotating(rotation, async () => {
    return await reencrypt({ database, keyring, signal, onProgress });
  }).finally(progress.end);
  if (undecryptable > 0) {
    throw new Refusal(
      `Rows re-encrypted: ${rows}. Values that do not decrypt with the present keys, and were left unchanged: ${undecryptable}.`,
    );
  }
  return { json: { rows }, text: `Rows re-encrypted with the key "${keyring.currentKeyId}": ${rows}.` };
};
