import { now } from "../platform/clock.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import { PREVIOUS_SECRET, SECRET } from "./webhook-json.ts";

/** A secret that was replaced signs for so long, because its receivers learn the next one later. */
export const SIGNS_FOR_HOURS = 24;
/** With any number, somebody who rotates without a pause would have each delivery signed as often. */
const MOST_REPLACED = 10;

/** As they are stored: the secret, and those that it has replaced, which are one text. */
export type StoredSecrets = { secret: string | null; previousSecret: string | null };

/** The secrets that sign now, in clear, the newest first. One that does not decrypt signs nothing. */
export function secretsOf({ secret, previousSecret }: StoredSecrets, secrets: Secrets): string[] {
  const { keyring, tenant } = secrets;
  const clear = secret === null ? null : keyring.reveal(tenant, SECRET, secret);
  return [...(clear === null ? [] : [clear]), ...replacedOf(previousSecret, secrets).map(([replaced]) => replaced)];
}

/** The stored text of the replaced ones once the secret is one of them; null where they would be too many. */
export function withReplaced(stored: StoredSecrets, secrets: Secrets): { previousSecret: string } | null {
  const { keyring, tenant } = secrets;
  const earlier = replacedOf(stored.previousSecret, secrets);
  if (earlier.length >= MOST_REPLACED) return null;
  const [newest] = secretsOf({ ...stored, previousSecret: null }, secrets);
  const all = [...(newest === undefined ? [] : [[newest, now() + SIGNS_FOR_HOURS * 3_600_000] as const]), ...earlier];
  const text = all.map(([secret, until]) => `${secret} ${until}`).join("\n");
  return { previousSecret: keyring.encrypt(tenant, PREVIOUS_SECRET, text) };
}

/** Those that sign yet, each with the millisecond of the epoch until which it does: a line for each. */
function replacedOf(stored: string | null, { keyring, tenant }: Secrets): [secret: string, until: number][] {
  const text = stored === null ? null : keyring.reveal(tenant, PREVIOUS_SECRET, stored);
  const lines = text?.split("\n").map((line) => line.split(" ")) ?? [];
  return lines.flatMap(([secret = "", until]) => (Number(until) > now() ? [[secret, Number(until)]] : []));
}
