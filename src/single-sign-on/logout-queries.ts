import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

const onceStatement: Statement = {
  name: "logout_message_once",
  text: `insert into single_sign_on_logouts (tenant_id, message_hash, expires_at)
  values ($1, $2, to_timestamp($3::double precision / 1000)) on conflict do nothing returning id`,
};

const forgetStatement: Statement = {
  name: "forget_logout_messages",
  text: "delete from single_sign_on_logouts where tenant_id = $1 and expires_at < to_timestamp($2::double precision / 1000)",
};

const endStatement: Statement = {
  name: "end_sessions_of_provider",
  text: `delete from sessions s where s.tenant_id = $1 and s.signed_in_by = 'single-sign-on'
    and ($4::text is null or s.provider_session = $4)
    and ($3::text is null or s.user_id in (
      select l.user_id from single_sign_on_links l where l.tenant_id = $1 and l.issuer = $2 and l.subject = $3))`,
};

/** The sessions to end: of an account, of a session at the provider, or of both. One is not null. */
export type Ended = { issuer: string; subject: string | null; session: string | null };

/** Ends sessions that began by single sign-on. False if the message was used before. */
export async function endSessionsOnce(
  tenant: TenantId,
  database: Database,
  message: { hash: Buffer; expiresAt: number; time: number },
  { issuer, subject, session }: Ended,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    await run(forgetStatement, [message.time]);
    if ((await run(onceStatement, [message.hash, message.expiresAt])).length === 0) return false;
    await run(endStatement, [issuer, subject, session]);
    return true;
  });
}
