import type { Database } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { once, type Once } from "./once-queries.ts";

const endSessions = stepQuery<[issuer: string, subject: string | null, session: string | null]>(
  "end_sessions_once",
  `delete from sessions s where s.tenant_id = $1 and s.signed_in_by = 'single-sign-on'
    and ($4::text is null or s.provider_session = $4)
    and ($3::text is null or s.user_id in (
      select l.user_id from single_sign_on_links l where l.tenant_id = $1 and l.issuer = $2 and l.subject = $3))`,
).nothing();

/** The sessions to end: of an account, of a session at the provider, or of both. One is not null. */
export type Ended = { issuer: string; subject: string | null; session: string | null };

/** Ends sessions that began by single sign-on. False if the message was used before. */
export async function endSessionsOnce(
  tenant: TenantId,
  database: Database,
  message: Once,
  { issuer, subject, session }: Ended,
): Promise<boolean> {
  return await once(tenant, database, message, async (run) => await endSessions(run, issuer, subject, session));
}
