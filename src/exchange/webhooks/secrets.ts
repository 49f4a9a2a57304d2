import { now } from "../../platform/clock.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { PREVIOUS_SECRET, SECRET } from "./webhook-json.ts";

/** A replaced secret still signs for this time, because receivers get the new one later. */
export const SIGNS_FOR_HOURS = 24;
/** The limit of replaced secrets. Without it, repeated rotation would add any number of signatures to each delivery. */
const MOST_REPLACED = 10;

/** The stored columns: the secret, and one text with all replaced secrets. */
export type StoredSecrets = { secret: string | null; previousSecret: string | null };

/** The secrets that sign now, in clear text, newest first. A secret that cannot be decrypted is skipped. */
export function secretsOf({ secret, previousSecret }: StoredSecrets, secrets: Secrets): string[] {
  const { keyring, tenant } = secrets;
  const clear = secret === null ? null : keyring.reveal(tenant, SECRET, secret);
  return [...(clear === null ? [] : [clear]), ...replacedOf(previousSecret, secrets).map(([replaced]) => replaced)];
}

/** The stored text of the replaced secrets, including the current one; null if they would exceed the limit. */
export function withReplaced(stored: StoredSecrets, secrets: Secrets): { previousSecret: string } | null {
  const { keyring, tenant } = secrets;
  const earlier = replacedOf(stored.previousSecret, secrets);
  if (earlier.length >= MOST_REPLACED) return null;
  const [newest] = secretsOf({ ...stored, previousSecret: null }, secrets);
  const all = [...(newest === undefined ? [] : [[newest, now() + SIGNS_FOR_HOURS * 3_600_000] as const]), ...earlier];
  const text = all.map(([secret, until]) => `${secret} ${until}`).join("\n");
  return { previousSecret: keyring.encrypt(tenant, PREVIOUS_SECRET, text) };
}

/** The replaced secrets that still sign, with the end of their time in milliseconds since the epoch; one per line. */
function replacedOf(stored: string | null, { keyring, tenant }: Secrets): [secret: string, until: number][] {
  const text = stored === null ? null : keyring.reveal(tenant, PREVIOUS_SECRET, stored);
  const lines = text?.split("\n").map((line) => line.split(" ")) ?? [];
  return lines.flatMap(([secret = "", until]) => (Number(until) > now() ? [[secret, Number(until)]] : []));
}
