import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createInstallation, createWorkspace } from "../../cli/installation.ts";
import { PASSWORD, visitor } from "../../doors/pages/visitor.ts";
import { startMailServer } from "../../kit/mail/mail-server.ts";
import { freePort, poll, serve } from "../../program.ts";

/**
 * 200 reminders through a slow relay, while servers and workers are killed: none is sent twice, and none is lost. They
 * leave several at once, so that a relay that takes a second for each has them in less than a minute.
 */
const REMINDERS = 200;
const AT_ONCE = 50;
/** Mails that one worker sends at the same moment. */
const IN_FLIGHT = 4;
const SLOW_MS = 100;

const mail = await startMailServer();
// The relay has the message, and says so late: a worker that dies in between cannot know.
let [atOnce, mostAtOnce] = [0, 0];
mail.behaviour.data = async () => {
  mostAtOnce = Math.max(mostAtOnce, ++atOnce);
  await delay(SLOW_MS);
  atOnce--;
  return null;
};
const installation = await createInstallation();
const { sql } = installation;
const PORT = String(await freePort());
const environment = {
  ...installation.environment,
  LIAISON_MAIL_URL: mail.url,
  LIAISON_MAIL_FROM: "Liaison <crm@example.com>",
  LIAISON_PUBLIC_URL: `http://127.0.0.1:${PORT}`,
};
const { id: tenant } = await installation.prepare(async (deps) => await createWorkspace(deps, "acme", []));

const startServer = async () => await serve({ ...environment, LIAISON_WORKER: "off", PORT });
const startWorker = () => installation.start(["worker"], { environment });
const own = { "sec-fetch-site": "same-origin", "accept-language": "en" };
const sentTo = () => mail.received.flatMap(({ to }) => to).filter((address) => address.endsWith("@customer.example"));
const leasesEnd = async () =>
  await sql("update jobs set lease_until = now() - interval '1 second' where state = 'running'");

test("200 reminders through a slow relay and kills: each leaves once, or is said to be unsure", async () => {
  await sql(
    `with made as (
       insert into companies (tenant_id, name, email, country)
       select $1, 'Customer ' || n, 'office-' || n || '@customer.example', 'Romania' from generate_series(1, $2::int) n returning id
     )
     insert into invoices (tenant_id, company_id, number, total, currency, status, issued_on, due_on)
     select $1, id, 'ACM-' || id, 100, 'RON', 'issued', '2026-01-01', '2026-02-01' from made`,
    [tenant, REMINDERS],
  );
  const companies = (await sql("select id from companies order by id")).map(({ id }) => String(id));
  let server = await startServer();
  const ana = visitor(server);
  await ana.post("/sign-in", { workspace: "acme", email: "ana@example.com", password: PASSWORD }, own);
  let worker = startWorker();
  for (let at = 0; at < REMINDERS; at += AT_ONCE) {
    const some = companies.slice(at, at + AT_ONCE);
    const { text } = await ana.get(`/money/reminders?companies=${some.join(",")}`, own);
    const form = formOf(text, some);
    const posted = ana.post("/money/reminders", form, own);
    if (at !== AT_ONCE) {
      assert.equal((await posted).location, "/money?overdue=1");
      continue;
    }
    // The server dies in the middle of a form, which the person sends again.
    const reminders = async () => Number((await sql("select count(*) from reminders"))[0]?.count);
    await poll("some of the form's reminders", async () => (await reminders()) > AT_ONCE + 2);
    server.process.kill("SIGKILL");
    await posted.catch(() => null);
    server = await startServer();
    assert.equal((await ana.post("/money/reminders", form, own)).location, "/money?overdue=1");
  }
  assert.deepEqual(await sql("select count(*)::int from reminders"), [{ count: REMINDERS }]);
  const kills = [20, 90, 150];
  for (const count of kills) {
    await poll(`${count} mails`, () => Promise.resolve(sentTo().length >= count));
    worker.process.kill("SIGKILL");
    await worker.ended;
    await leasesEnd();
    worker = startWorker();
  }
  await poll("all have ended", async () => {
    await leasesEndOfDead();
    return (await sql("select from reminders where state in ('waiting', 'leaving')")).length === 0;
  });
  worker.process.kill("SIGTERM");
  await worker.ended;
  assert.ok(mostAtOnce >= IN_FLIGHT, `the relay had ${mostAtOnce} mails at the same moment`);
  const times = Map.groupBy(sentTo(), (address) => address);
  for (const [address, all] of times) assert.equal(all.length, 1, `${address} was reminded more than once`);
  const states = await sql(
    "select c.email, r.state from reminders r join companies c on c.tenant_id = r.tenant_id and c.id = r.company_id",
  );
  const unsure = states.filter(({ state }) => state === "unsure");
  assert.ok(unsure.length <= kills.length * IN_FLIGHT, `${unsure.length} are unsure`);
  for (const { email, state } of states) {
    assert.ok(state === "unsure" || (state === "sent" && times.has(email ?? "")), `${email} is ${state}`);
  }
  const [{ activities } = {}] = await sql("select count(*)::int as activities from activities where kind = 'email'");
  assert.equal(Number(activities), REMINDERS - unsure.length);
});

/** The leases of workers that were killed; those of a living worker are renewed at once. */
async function leasesEndOfDead(): Promise<void> {
  await sql(
    "update jobs set lease_until = now() where state = 'running' and lease_until < now() + interval '1 second'",
  );
}

/** The fields of the letters of a page. */
function formOf(page: string, companies: readonly string[]): Record<string, string | string[]> {
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+\.\d+)" value="([^"]*)"/g)].map(([, n, v]) => [
    n,
    v,
  ]);
  const texts = companies.flatMap((id) => [
    [`to.${id}`, "company"],
    [`subject.${id}`, "Facturi restante"],
    [`opening.${id}`, "Bună ziua,"],
    [`closing.${id}`, "Mulțumim."],
  ]);
  return { company: [...companies], ...Object.fromEntries([...fields, ...texts]) };
}
