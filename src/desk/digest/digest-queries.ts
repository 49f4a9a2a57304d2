import { enqueue } from "../../kit/jobs/job-queries.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { quickQuery, runAll, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The job that makes the digests of a workspace, one for each that has subscribers. */
export const PLAN_DIGESTS_JOB = "plan-digests";
/** All workspaces of a time zone are due at the same moment, and take turns. */
const LANE = "digests";

const LOCAL = "(now() at time zone t.time_zone)";
const IS_PAST_SEVEN = `${LOCAL}::time >= time '07:00'`;

const dayPastSeven = stepQuery(
  "day_past_seven",
  `select ${LOCAL}::date from tenants t where t.id = $1 and ${IS_PAST_SEVEN}`,
).value();

const setSubscribed = stepQuery<[user: string, on: string | null]>(
  "subscribe_to_digest",
  // The first one comes at the next seven o'clock. A cluster accepts no now() inside case or coalesce (decision 21).
  `update users u set digest_since = least(u.digest_since, now()), digest_on = coalesce($3::date, u.digest_on)
  where u.tenant_id = $1 and u.id = $2`,
).nothing();

export async function subscribe(tenant: TenantId, database: Database, user: string): Promise<void> {
  await database.transaction(tenant, async (run) => {
    await setSubscribed(run, user, await dayPastSeven(run));
    await run(enqueue(PLAN_DIGESTS_JOB, [0], LANE));
  });
}

export const unsubscribe = writeQuery<[user: string]>(
  "unsubscribe_from_digest",
  "update users set digest_since = null where tenant_id = $1 and id = $2 and digest_since is not null",
).nothing();

export const hasDigest = quickQuery<[user: string]>(
  "has_digest",
  "select digest_since from users where tenant_id = $1 and id = $2 and deactivated_at is null",
).of((rows) => oneValue(rows) !== null);

const morning = selectList({
  isDue: column.flag(IS_PAST_SEVEN),
  /** Milliseconds until the next seven o'clock. */
  nextMs: column.number(`extract(epoch from
    (${LOCAL}::date + case when ${IS_PAST_SEVEN} then 1 else 0 end + time '07:00') at time zone t.time_zone - now()) * 1000`),
  hasSubscribers: column.flag(`(select u.id from users u
    where u.tenant_id = $1 and u.digest_since is not null and u.deactivated_at is null order by u.id limit 1) is not null`),
});

/** Whether it is past seven o'clock in the workspace's time zone, and when it is the next time. */
export const readMorning = quickQuery(
  "morning_of_tenant",
  `select ${morning.sql} from tenants t where t.id = $1`,
).first(morning.read);

/** Digests per transaction. */
const AT_ONCE = 100;

const takeNext = stepQuery<[after: number, isAgain: boolean]>(
  "take_digests",
  `update users set digest_on = ${LOCAL}::date from tenants t
  where t.id = $1 and users.tenant_id = $1 and users.id in (
    select u.id from users u
    where u.tenant_id = $1 and u.digest_since is not null and u.deactivated_at is null and u.id > $2
      and ($3 or u.digest_on is null or u.digest_on < ${LOCAL}::date)
    order by u.id limit ${AT_ONCE}
  ) returning users.id`,
).all(([id]) => String(id));

/**
 * Makes the digests of subscribers, each with the note that it was made for today. Returns their number.
 * @param isAgain whether those who had one today get another
 * @param mailTo the calls that have it sent
 */
export async function makeDigests(
  tenant: TenantId,
  database: Database,
  isAgain: boolean,
  mailTo: (user: string) => readonly Call[],
): Promise<number> {
  let made = 0;
  for (let after = 0; ;) {
    const users = await database.transaction(tenant, async (run) => await makeSome(run, after, isAgain, mailTo));
    made += users.length;
    if (users.length < AT_ONCE) return made;
    after = Math.max(...users);
  }
}

async function makeSome(run: Run, after: number, isAgain: boolean, mailTo: (user: string) => readonly Call[]) {
  const users = await takeNext(run, after, isAgain);
  for (const user of users) await runAll(run, mailTo(user));
  return users.map(Number);
}
