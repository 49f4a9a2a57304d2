import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { composed } from "../../platform/text.ts";
import { countedWith, mailKinds, MOST_PASSWORD_LINKS, passwordKinds, type MailKind } from "./mail-kind.ts";

/** The column that the details are encrypted for. */
export const DETAILS = "mails.details";

/** A workspace with more admins sends mail to the first of them. */
const MOST_ADMINS = 20;

/**
 * These calls enqueue a mail; a trigger enqueues its job (migrations/functions/enqueue_mails.sql). On a cluster, an
 * insert of selected rows without `returning` would be a COPY, which row-level security refuses (decision 21).
 */
export const toUser = callsOf<[kind: MailKind, user: string, details: string]>(
  "mail_to_user",
  `insert into mails (tenant_id, kind, details, user_id)
  select u.tenant_id, $2, $4, u.id from users u where u.tenant_id = $1 and u.id = $3 and u.deactivated_at is null
  returning id`,
);

export const toAdmins = callsOf<[kind: MailKind, details: string]>(
  "mail_to_admins",
  `insert into mails (tenant_id, kind, details, user_id)
  select u.tenant_id, $2, $3, u.id from users u
  where u.tenant_id = $1 and u.role = 'admin' and u.deactivated_at is null order by u.id limit ${MOST_ADMINS}
  returning id`,
);

/** Adds none if a mail for a forgotten password already waits. */
export const toAddress = callsOf<[kind: MailKind, email: string, details: string]>(
  "mail_to_address",
  `insert into mails (tenant_id, kind, email, details) values ($1, $2, $3, $4)
  on conflict (tenant_id, lower(email)) where kind = 'forgotten-password' and state = 'waiting' do nothing
  returning id`,
);

const waiting = selectList({
  kind: column.text<MailKind>("m.kind"),
  details: column.text("m.details"),
  /** Null if the address is not known as a user's yet. */
  userId: "m.user_id",
  email: column.text("coalesce(u.email, m.email)"),
  language: column.textOrNull<"en" | "ro">("u.language"),
  isDeactivated: column.flag("u.deactivated_at is not null"),
  /** Whether the user has chosen the daily mail. */
  hasDigest: column.flag("u.digest_since is not null"),
  /** Whether it is given up now. */
  isLate: column.flag("m.created_at < now() - interval '1 day'"),
  workspace: column.text("t.name"),
  slug: column.text("t.slug"),
  country: column.text("t.country"),
  timeZone: column.text("t.time_zone"),
});

/** A mail that waits, with its recipient and the workspace. */
export type WaitingMail = Selected<typeof waiting>;

export const findWaitingMail = quickQuery<[id: string]>(
  "find_waiting_mail",
  `select ${waiting.sql} from mails m join tenants t on t.id = m.tenant_id
    left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  where m.tenant_id = $1 and m.id = $2 and m.state = 'waiting'`,
).first(waiting.read);

const userOfAddress = quickQuery<[email: string]>(
  "user_of_mail_address",
  `select u.id from user_ids_by_email($2) as found (user_id) join users u on u.tenant_id = $1 and u.id = found.user_id`,
).value();

const giveToUser = writeQuery<[id: string, user: string]>(
  "address_mail_to_user",
  "update mails set user_id = $3 where tenant_id = $1 and id = $2",
).nothing();

/** Gives a mail to an address to the user who has the address; false if there is none. */
export async function addressToUser(tenant: TenantId, database: Database, id: string, email: string): Promise<boolean> {
  const user = await userOfAddress(tenant, database, composed(email) ?? email);
  if (user !== null) await giveToUser(tenant, database, id, user);
  return user !== null;
}

/**
 * Counts the mails of a workspace one at a time. Workspaces whose ids differ by a multiple of 2147483647 share a lock.
 */
const lock = stepQuery(
  "lock_mails",
  "select pg_advisory_xact_lock(7261965, ($1::bigint % 2147483647)::integer)",
).nothing();

/** A mail, the kinds that are counted together with its own, and the kinds of links for a new password. */
type Counted = { id: string; counted: readonly string[]; linkKinds: readonly string[] };

/** The others of an hour that are counted together, and of them the links for a new password to the same user. */
const inLastHour = `
    select count(*) as others, count(*) filter (where o.kind = any(:linkKinds::text[]) and o.user_id = m.user_id) as links,
      min(o.attempted_at) as first
    from mails o
    where o.tenant_id = $1 and o.attempted_at > now() - interval '1 hour' and o.id <> m.id and o.kind = any(:counted::text[])`;

const reserve = stepQuery<Counted & { most: number; mostLinks: number }>(
  "reserve_mail",
  `update mails set attempted_at = now()
  where tenant_id = $1 and id = (
    select m.id from mails m cross join lateral (${inLastHour}) o
    where m.tenant_id = $1 and m.id = :id and o.others < :most and (m.kind <> all(:linkKinds::text[]) or o.links < :mostLinks)
  ) returning id`,
).exists();

const pauseOf = stepQuery<Counted>(
  "pause_of_mail",
  `select extract(epoch from o.first + interval '1 hour' - now()) * 1000
  from mails m cross join lateral (${inLastHour}) o where m.tenant_id = $1 and m.id = :id`,
).number();

/**
 * Counts a mail as one of this hour, before it is sent, because the server may accept it and not say so. Returns null,
 * or the milliseconds until the next try if the hour has too many.
 */
export async function reserveMail(
  tenant: TenantId,
  database: Database,
  id: string,
  kind: MailKind,
): Promise<number | null> {
  const mail: Counted = { id, counted: countedWith(kind), linkKinds: passwordKinds };
  return await database.transaction(tenant, async (run) => {
    await lock(run);
    const isReserved = await reserve(run, { ...mail, most: mailKinds[kind].most, mostLinks: MOST_PASSWORD_LINKS });
    return isReserved ? null : await pauseOf(run, mail);
  });
}

const accepting = callsOf<[id: string]>(
  "mail_accepted",
  `update mails set state = 'sent', ended_at = now(), details = null, failure = null where tenant_id = $1 and id = $2`,
);

const failing = callsOf<[id: string, failure: string]>(
  "mail_failed",
  "update mails set failure = $3 where tenant_id = $1 and id = $2",
);

const givingUp = callsOf<[id: string, failure: string | null]>(
  "mail_given_up",
  `update mails set state = 'given_up', ended_at = now(), details = null, failure = coalesce($3, failure)
  where tenant_id = $1 and id = $2`,
);

const dropping = callsOf<[id: string]>("drop_mail", "delete from mails where tenant_id = $1 and id = $2");

/**
 * The call that drops a user's waiting mails for a forgotten password. One whose link is just being made is waited for.
 * @see lockWaiting
 */
export const droppingForgotten = callsOf<{ user: string; unless: string | null }>(
  "drop_forgotten",
  `delete from mails m using users u
  where u.tenant_id = $1 and u.id = :user and u.email is distinct from :unless and m.tenant_id = $1
    and m.kind = 'forgotten-password' and m.state = 'waiting' and lower(m.email) = lower(u.email)`,
);

/** Locks a mail that still waits; false if it was dropped. */
export const lockWaiting = stepQuery<[id: string]>(
  "lock_waiting_mail",
  "select id from mails where tenant_id = $1 and id = $2 and state = 'waiting' for update",
).exists();

const forgetOld = callsOf(
  "forget_mails",
  "delete from mails where tenant_id = $1 and ended_at < now() - interval '30 days'",
)();

/** The calls that record how an attempt ended. Each end forgets what ended a month ago. */
export const mailEnds = {
  accepted: (id: string): Call[] => [accepting(id), forgetOld],
  failed: (id: string, failure: string): Call[] => [failing(id, failure)],
  /** @param failure null: as the last attempt failed */
  givenUp: (id: string, failure: string | null): Call[] => [givingUp(id, failure), forgetOld],
  /** It has no recipient any more, and needs no report. */
  dropped: (id: string): Call[] => [dropping(id), forgetOld],
};

const givenUp = selectList({
  kind: column.text<MailKind>("m.kind"),
  email: column.text("coalesce(u.email, m.email)"),
  endedAt: column.text("m.ended_at"),
  failure: "m.failure",
});

/** A mail that was given up. `endedAt`: PostgreSQL's text. */
export type GivenUpMail = Selected<typeof givenUp>;

const MOST_GIVEN_UP = 10;

/** The mails that were given up in the last seven days, the latest first. */
export const listGivenUp = quickQuery(
  "list_given_up",
  `select ${givenUp.sql} from mails m left join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
  where m.tenant_id = $1 and m.state = 'given_up' and m.ended_at > now() - interval '7 days'
  order by m.ended_at desc, m.id desc limit ${MOST_GIVEN_UP}`,
).all(givenUp.read);

const standing = selectList({
  lastAcceptedAt: "max(ended_at) filter (where state = 'sent')",
  waiting: column.number("count(*) filter (where state = 'waiting')"),
  failing: column.number("count(*) filter (where state = 'waiting' and failure is not null)"),
  /** In the last day. */
  givenUp: column.number("count(*) filter (where state = 'given_up' and ended_at > now() - interval '1 day')"),
});

const standingStatement: Statement = { name: "standing_of_mails", text: `select ${standing.sql} from mails` };

/** The mail of all tenants at a glance. Only for the owner: it looks across tenants. */
export async function readMailStanding(database: Database): Promise<Selected<typeof standing>> {
  const [rows = []] = await database.owner([{ statement: standingStatement, parameters: [] }]);
  return standing.read(rows[0] ?? []);
}
