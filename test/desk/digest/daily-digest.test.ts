import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter } from "../../../src/platform/dates.ts";
import { signedIn, visitor, type Member } from "../../doors/pages/visitor.ts";
import type { TestTenant } from "../../harness.ts";
import { linkIn } from "../../kit/mail/mail-server.ts";
import { ORIGIN, startMailing, type Mailing } from "../../kit/mail/mailing-server.ts";
import { poll } from "../../program.ts";

const server = await startMailing();
const { mail } = server;
const sql: Mailing["sql"] = async (...all) => await server.sql(...all);
server.startWorker();

const ZONE = "Europe/Bucharest";
const own = { "sec-fetch-site": "same-origin", "accept-language": "en" };

/** A user of a new workspace who chose the daily mail, with a call that is due. */
async function subscriber(calls = 1): Promise<{ tenant: TestTenant; person: Member }> {
  const tenant = await server.createTenant();
  const person = await signedIn(server, tenant);
  await sql("update users set language = 'en' where id = $1", [person.userId]);
  for (let count = 0; count < calls; count++) {
    const body = { name: `Nord ${count}`, callback_date: dayAfter(0, ZONE), assigned_to: person.userId };
    assert.equal((await tenant.post("/api/v1/companies", body)).status, 201);
  }
  assert.equal((await person.post("/profile/digest", { on: "yes" }, own)).location, "/profile");
  await untilPlanned(tenant.id);
  return { tenant, person };
}

const untilPlanned = async (tenant: string) =>
  await poll("the job waits for the next day", async () => {
    const jobs = await sql(
      "select state, run_at > now() as is_later from jobs where tenant_id = $1 and kind = 'plan-digests'",
      [tenant],
    );
    return jobs[0]?.state === "waiting" && jobs[0].is_later === true;
  });

/** Has the job of a workspace run now: it waits, so that no run that has begun sets another time as it ends. */
const planNow = async (tenant: string) =>
  await sql("update jobs set run_at = now() where tenant_id = $1 and kind = 'plan-digests'", [tenant]);

/** Has the job of a workspace find that it is seven o'clock, and that nothing was made today. */
async function atSeven({ id }: TestTenant): Promise<void> {
  const [{ hour } = {}] = await sql("select extract(hour from now() at time zone 'UTC')::int as hour");
  // A zone where it is between seven and eight now. The signs in these names are the other way round.
  const ahead = ((7 - Number(hour) + 36) % 24) - 12;
  const zone = `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
  await sql("update tenants set time_zone = $2 where id = $1", [id, zone]);
  await sql("update users set digest_on = null where tenant_id = $1", [id]);
  await planNow(id);
}

const sentOf = async ({ id }: TestTenant) =>
  await sql("select kind, state from mails where tenant_id = $1 order by id", [id]);

test("at seven in the workspace's zone, a subscriber gets the calls that are due and the orders in need", async () => {
  const { tenant, person } = await subscriber(2);
  const company = (await tenant.post("/api/v1/companies", { name: "Sud", assigned_to: person.userId })).body.data.id;
  await sql(
    "insert into invoices (tenant_id, company_id, number, wms_state, wms_error) values ($1, $2, 'F-77', 'failed', null)",
    [tenant.id, company],
  );
  await poll("the job waits for seven o'clock", async () => {
    const [job] = await sql(
      "select to_char(run_at at time zone $2, 'HH24:MI') as at, run_at > now() as is_later from jobs where tenant_id = $1 and kind = 'plan-digests'",
      [tenant.id, ZONE],
    );
    return job?.at === "07:00" && job.is_later === true;
  });
  assert.deepEqual(await sentOf(tenant), [], "the day of the choice brings none");
  await atSeven(tenant);
  const [message] = await mail.until(person.email);
  assert.ok(message);
  assert.equal(message.subject, `Today in Tenant ${tenant.slug}`);
  assert.match(message.text, /^To call \(2\)\n- Nord 0: /m);
  assert.match(message.text, /^Orders that need attention \(1\)\n- F-77, Sud: /m);
  assert.match(message.text, new RegExp(`^  ${ORIGIN}/invoices/\\d+$`, "m"));
  assert.doesNotMatch(message.html, /<img|src=|<script|<style/);
  await server.untilIdle();
  await untilPlanned(tenant.id);
  await planNow(tenant.id);
  await poll("the job has looked again", async () => {
    const rows = await sql(
      "select from jobs where tenant_id = $1 and kind = 'plan-digests' and state = 'waiting' and run_at > now() + interval '20 hours'",
      [tenant.id],
    );
    return rows.length === 1;
  });
  assert.deepEqual(await sentOf(tenant), [{ kind: "daily-digest", state: "sent" }], "once a day");
});

test("with nothing to do, and after the choice was taken back, there is no mail", async () => {
  const quiet = await subscriber(0);
  await atSeven(quiet.tenant);
  const { tenant, person } = await subscriber();
  assert.equal((await person.post("/profile/digest", { on: "no" }, own)).location, "/profile");
  await atSeven(tenant);
  await untilPlanned(quiet.tenant.id);
  await poll("the end of the job that nobody wants", async () => {
    return (await sql("select from jobs where tenant_id = $1 and kind = 'plan-digests'", [tenant.id])).length === 0;
  });
  await server.untilIdle();
  assert.deepEqual([await sentOf(quiet.tenant), await sentOf(tenant)], [[], []]);
});

test("one click ends it without a session, from anywhere, as RFC 8058 has it", async () => {
  const { tenant, person } = await subscriber();
  await atSeven(tenant);
  const [message] = await mail.until(person.email);
  assert.equal(message?.headers.get("list-unsubscribe-post"), "List-Unsubscribe=One-Click");
  const [, url = ""] = /^<(https?:[^>\s]+)>$/.exec(message?.headers.get("list-unsubscribe") ?? "") ?? [];
  assert.equal(linkIn(message?.text ?? "", "/digest/unsubscribe"), url, "the text has the same link");
  const path = url.slice(ORIGIN.length);
  const isOn = async () =>
    (await sql("select digest_since is not null as is_on from users where id = $1", [person.userId]))[0]?.is_on;
  const asked = await visitor(server).get(path);
  assert.equal(asked.status, 200);
  assert.equal(await isOn(), true, "a scanner that opens the link ends nothing");
  const form = { "List-Unsubscribe": "One-Click" };
  const forged = path.replace(/.{4}$/, "AAAA");
  assert.equal((await visitor(server).post(forged, form, {})).status, 404);
  assert.equal(await isOn(), true);
  const ended = await visitor(server).post(path, form, {});
  assert.deepEqual([ended.status, ended.location], [200, null], "no redirect");
  assert.equal(await isOn(), false);
  assert.equal((await visitor(server).post(path, form, { "sec-fetch-site": "cross-site" })).status, 200, "repeatable");
});

test("the profile has the choice only where mail is configured, and says what it is", async () => {
  const { person } = await subscriber(0);
  assert.match(
    (await person.get("/profile", own)).text,
    /Daily mail[^]*At 7 in the morning \(Europe\/Bucharest\)[^]*End the daily mail/,
  );
});
