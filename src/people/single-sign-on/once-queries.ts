import { createHash } from "node:crypto";
import { now } from "../../platform/clock.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** A message of a provider, or a finished sign-in, that is good once. Times are milliseconds. */
export type Once = { hash: Buffer; expiresAt: number; time: number };

// The table is named after its first use.
const insertMessage = stepQuery<[hash: Buffer, expiresAt: number]>(
  "provider_message_once",
  `insert into single_sign_on_logouts (tenant_id, message_hash, expires_at)
  values ($1, $2, to_timestamp($3::double precision / 1000)) on conflict do nothing returning id`,
).exists();

const forgetMessages = stepQuery<[time: number]>(
  "forget_provider_messages",
  "delete from single_sign_on_logouts where tenant_id = $1 and expires_at < to_timestamp($2::double precision / 1000)",
).nothing();

/** Notes a message until it expires, together with its effect. False if it was noted before. */
export async function once(
  tenant: TenantId,
  database: Database,
  { hash, expiresAt, time }: Once,
  effect: (run: Run) => Promise<unknown> = async () => {},
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    await forgetMessages(run, time);
    if (!(await insertMessage(run, hash, expiresAt))) return false;
    await effect(run);
    return true;
  });
}

/** Notes the end of a sign-in. False if its cookie and code were used before: a provider may take codes twice. */
export async function isFirstEnd(
  tenant: TenantId,
  database: Database,
  state: string,
  runningSeconds: number,
): Promise<boolean> {
  const time = now();
  // JSON keeps it apart from the ids of logout messages.
  const hash = createHash("sha256")
    .update(JSON.stringify(["sign-in", state]))
    .digest();
  return await once(tenant, database, { hash, expiresAt: time + runningSeconds * 1_000, time });
}
