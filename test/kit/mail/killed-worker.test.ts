import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstallation } from "../../cli/installation.ts";
import { poll } from "../../program.ts";
import { startMailServer } from "./mail-server.ts";

/** Real commands and workers, and what becomes of mail when a worker dies. */
const SECRET = "s3cret-of-the-mail-server";
const mail = await startMailServer({
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  authOptional: true,
  onAuth: ({ password }, _session, callback) =>
    callback(password === SECRET ? null : new Error("no"), { user: "liaison" }),
});
const environment = {
  LIAISON_MAIL_URL: `smtp://liaison:${SECRET}@127.0.0.1:${mail.port}`,
  LIAISON_MAIL_FROM: "Liaison <crm@example.com>",
  LIAISON_PUBLIC_URL: "https://crm.example.com",
  LOG_LEVEL: "info",
};
const installation = await createInstallation();
const { sql } = installation;
const run = async (argv: string[]) => await installation.run(argv, { environment });
const admin = ["user", "create", "--tenant", "acme", "--email", "ana@example.com", "--name", "Ana", "--role", "admin"];
for (const argv of [["tenant", "create", "acme", "--name", "Acme"], admin]) {
  assert.equal((await run(argv)).code, 0, argv.join(" "));
}
const createKey = async (name: string) =>
  assert.equal(
    (await run(["key", "create", "--tenant", "acme", "--name", name, "--capabilities", "companies:read"])).code,
    0,
  );

test("a worker that is killed after the server has the mail sends it twice, and loses none", async () => {
  mail.behaviour.data = () => "silent";
  await createKey("A");
  const first = installation.start(["worker"], { environment });
  await mail.until("ana@example.com");
  first.process.kill("SIGKILL");
  await first.ended;
  assert.deepEqual(await sql("select state from mails"), [{ state: "waiting" }]);
  delete mail.behaviour.data;
  await sql("update jobs set lease_until = now() - interval '1 second' where state = 'running'");
  const second = installation.start(["worker"], { environment });
  const messages = await mail.until("ana@example.com", 2);
  await poll("the mail is recorded", async () => (await sql("select from mails where state = 'sent'")).length === 1);
  assert.equal(new Set(messages.map(({ headers }) => headers.get("message-id"))).size, 1, "receivers can recognize it");
  assert.deepEqual(
    messages.map(({ user }) => user),
    ["liaison", "liaison"],
  );
  second.process.kill("SIGTERM");
  await second.ended;
});

test("the password of the mail server is in no log, line or metric, and the doctor says how mail stands", async () => {
  const wrong = { ...environment, LIAISON_MAIL_URL: environment.LIAISON_MAIL_URL.replace(SECRET, "wr0ng-secret") };
  await createKey("B");
  const worker = installation.start(["worker"], { environment: wrong });
  await poll("a failed mail", async () => (await sql("select from mails where failure = 'credentials'")).length === 1);
  worker.process.kill("SIGTERM");
  await worker.ended;
  const doctor = await installation.run(["doctor"], { environment });
  assert.match(doctor.stdout, /^mail: 1 mails wait, and the mail server did not accept them/m);
  assert.match(doctor.stdout, /^Mail is configured; the last one was accepted at \d{4}-\d\d-\d\dT[\d:.]+Z\.$/m);
  const written = [worker.output(), worker.complaints(), doctor.stdout, doctor.stderr].join("\n");
  assert.match(written, /"reason":"credentials"/);
  assert.doesNotMatch(
    written,
    new RegExp(`${SECRET}|wr0ng-secret|${Buffer.from(`\0liaison\0wr0ng-secret`).toString("base64")}`),
  );
  const refused = await installation.run(["tenant", "list"], {
    environment: { ...environment, LIAISON_MAIL_URL: `smtp://u:${SECRET}@` },
  });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^LIAISON_MAIL_URL must be a URL like smtp:.*\n$/);
  assert.ok(!refused.stderr.includes(SECRET));
});

test("mail digest sends the daily mail now, to those who chose it and have something to do", async () => {
  await sql("delete from mails");
  await sql("delete from jobs");
  await sql("update users set digest_since = now()");
  await sql(
    "insert into companies (tenant_id, name, country, callback_date, assigned_to, changed_by) select tenant_id, 'Nord', 'Romania', current_date - 1, id, 'command' from users",
  );
  const { stdout, code } = await run(["mail", "digest", "--tenant", "acme", "--json"]);
  assert.deepEqual([code, JSON.parse(stdout)], [0, { queued: 1 }]);
  const worker = installation.start(["worker"], { environment });
  await poll("the digest", async () =>
    mail.received.some(({ subject }) => subject.includes("Acme") && /Astăzi|Today/.test(subject)),
  );
  worker.process.kill("SIGTERM");
  await worker.ended;
  const without = await installation.run(["mail", "digest", "--tenant", "acme"]);
  assert.deepEqual([without.code, without.stderr], [1, "Mail is not configured: LIAISON_MAIL_URL is unset.\n"]);
});
