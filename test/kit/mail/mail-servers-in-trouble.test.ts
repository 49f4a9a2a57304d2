import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import tls from "node:tls";
import { readConfig } from "../../../src/kit/config.ts";
import { mailing } from "../../../src/kit/mail/mailing.ts";
import { openSmtp, type SmtpOutcome } from "../../../src/platform/outbound/smtp-client.ts";
import { parseSmtpUrl, type SmtpServer } from "../../../src/platform/outbound/smtp-url.ts";
import { key, valid } from "../../certificates.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { freePort } from "../../program.ts";
import { afterFile } from "../../together.ts";
import { answer, startMailServer } from "./mail-server.ts";
import { startMailing, type Mailing } from "./mailing-server.ts";

const PASSWORD = "Pa:ss/w%rd@9";
const quick = new AbortController().signal;
/** With a server that answers, however busy the machine is. */
const PATIENCE_MS = 60_000;
const message = {
  from: { name: "Liaison", address: "crm@example.com" },
  subject: "Hello",
  text: "Text\n",
  html: "<p>Text</p>\n",
  messageId: "<1@example.com>",
  headers: {},
};

async function send(server: SmtpServer, to = "ion@example.com", more = {}): Promise<SmtpOutcome> {
  return await openSmtp(server, PATIENCE_MS, null).send({ ...message, to, ...more }, quick);
}

/** To a server that never answers. */
async function sendInVain(server: SmtpServer): Promise<SmtpOutcome> {
  return await openSmtp(server, 500, null).send({ ...message, to: "ion@example.com" }, quick);
}

const at = (port: number, more: Partial<SmtpServer> = {}): SmtpServer => ({
  ...parseSmtpUrl(`smtp://127.0.0.1:${port}`),
  ...more,
});

test("settings of mail are refused with a line that has no value", () => {
  const settings = { LIAISON_MAIL_FROM: "crm@example.com", LIAISON_PUBLIC_URL: "https://crm.example.com" };
  for (const url of [
    "http://mail.example.com",
    "smtp://",
    `smtp://only-a-user@mail.example.com`,
    `smtp://u:${PASSWORD}@mail.example.com`,
    "smtp://u:secret%0d%0aRSET@mail.example.com",
    "smtp://u:secret@mail.example.com/path",
    "smtp://u:secret@mail.example.com?tls=no",
    "smtp://u:secret @mail.example.com",
  ]) {
    assert.throws(
      () => readConfig({ ...settings, LIAISON_MAIL_URL: url }),
      ({ message: line }: Error) => line.startsWith("LIAISON_MAIL_URL must ") && !/secret|Pa:ss|\n/.test(line),
      url,
    );
  }
  const url = "smtp://127.0.0.1";
  const without = (name: string) => () => readConfig({ ...settings, LIAISON_MAIL_URL: url, [name]: "" });
  assert.throws(without("LIAISON_MAIL_FROM"), /^ConfigError: LIAISON_MAIL_FROM is needed/);
  assert.throws(without("LIAISON_PUBLIC_URL"), /^ConfigError: LIAISON_PUBLIC_URL is needed/);
  for (const from of ["nobody", "A <a@b.c>, B <b@b.c>", "A\r\nBcc: x@y.z <a@b.c>"]) {
    assert.throws(
      () => readConfig({ ...settings, LIAISON_MAIL_URL: url, LIAISON_MAIL_FROM: from }),
      /LIAISON_MAIL_FROM/,
    );
  }
  assert.equal(readConfig(settings).mail, null);
});

test("only a server on loopback is used without TLS", () => {
  for (const host of ["mail.example.com", "10.0.0.1", "localhost.example.com", "128.0.0.1", "[fe80::1]"]) {
    assert.equal(parseSmtpUrl(`smtp://${host}`).requiresTls, true, host);
  }
  for (const host of ["127.0.0.1", "127.8.9.1", "localhost", "mail.localhost", "[::1]", "LOCALHOST"]) {
    assert.equal(parseSmtpUrl(`smtp://${host}`).requiresTls, false, host);
  }
  const { host, port, isSecure, auth } = parseSmtpUrl("smtps://ana%40example.com:a%3Ab@mail.example.com");
  assert.deepEqual(
    [host, port, isSecure, auth],
    ["mail.example.com", 465, true, { user: "ana@example.com", pass: "a:b" }],
  );
});

test("STARTTLS is required: where it is stripped, neither the mail nor the password is sent", async () => {
  const asked: string[] = [];
  const options = {
    onAuth: (
      auth: { password?: string | null | undefined },
      _session: unknown,
      callback: (error: null, answer: { user: string }) => void,
    ) => {
      asked.push(auth.password ?? "");
      callback(null, { user: "ana" });
    },
    key,
    cert: valid,
  };
  const strict = { requiresTls: true, auth: { user: "ana", pass: PASSWORD }, host: "nord.localhost" };
  const stripped = await startMailServer({ ...options, disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  assert.deepEqual(await send(at(stripped.port, strict)), { outcome: "failed", reason: "no-tls", hasAnswered: true });
  assert.deepEqual([asked, stripped.received], [[], []]);

  const offered = await startMailServer({ ...options, disabledCommands: [] });
  const noTls = { outcome: "failed", reason: "no-tls", hasAnswered: true };
  assert.deepEqual(await send(at(offered.port, strict)), noTls, "a certificate of nobody that is trusted");
  assert.deepEqual(
    await send(at(stripped.port, { ...strict, isSecure: true })),
    noTls,
    "smtps:// where there is no TLS",
  );
  const trusted = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...trusted, valid]);
  afterFile(() => tls.setDefaultCACertificates(trusted));
  assert.deepEqual(await send(at(offered.port, strict)), { outcome: "accepted" });
  assert.deepEqual([asked, offered.received[0]?.isEncrypted], [[PASSWORD], true]);
  const elsewhere = await send(at(offered.port, { ...strict, host: "sud.localhost" }));
  assert.deepEqual(elsewhere, noTls, "a certificate of another name");
});

test("a server that is away, silent, full or unwilling has an outcome of its own", async () => {
  const unreachable = { outcome: "failed", reason: "unreachable", hasAnswered: false };
  const noAnswer = { outcome: "failed", reason: "no-answer", hasAnswered: false };
  assert.deepEqual(await send(at(await freePort())), unreachable);
  const mute = net.createServer(() => {}).listen(0, "127.0.0.1");
  afterFile(() => void mute.close());
  await new Promise((resolve) => mute.once("listening", resolve));
  assert.deepEqual(await sendInVain(at((mute.address() as net.AddressInfo).port)), noAnswer);
  const server = await startMailServer();
  server.behaviour.data = () => "silent";
  assert.deepEqual(await sendInVain(at(server.port)), noAnswer);
  server.behaviour.data = () => answer(452);
  assert.deepEqual(await send(at(server.port)), { outcome: "failed", reason: "deferred", hasAnswered: true });
  server.behaviour.data = () => answer(554);
  assert.deepEqual(await send(at(server.port)), { outcome: "failed", reason: "refused", hasAnswered: true });
  server.behaviour.recipient = () => answer(450);
  assert.deepEqual(await send(at(server.port)), { outcome: "failed", reason: "deferred", hasAnswered: true });
  server.behaviour.recipient = () => answer(550);
  assert.deepEqual(await send(at(server.port)), { outcome: "refused", reason: "recipient" });
  const closed = await startMailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const wrong = await send(at(closed.port, { auth: { user: "ana", pass: PASSWORD } }));
  assert.deepEqual(wrong, { outcome: "failed", reason: "credentials", hasAnswered: true });
  const busy = await startMailServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, callback) => callback(answer(454)),
  });
  const later = await send(at(busy.port, { auth: { user: "ana", pass: PASSWORD } }));
  assert.deepEqual(later, { outcome: "failed", reason: "deferred", hasAnswered: true });
});

test("the greeting names the host of the public address, and a server that refuses it is named", async () => {
  const greeted: string[] = [];
  const server = net.createServer((socket) => {
    socket.write("220 relay\r\n");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      greeted.push(chunk.toString().trim());
      socket.write("504 5.5.2 Helo command rejected: need fully-qualified hostname\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  for (const [site, name] of [
    ["https://crm.example.com", "crm.example.com"],
    ["https://crm.xn--braov-h9b.example:8443/liaison", "crm.xn--braov-h9b.example"],
    ["http://10.1.2.3:3000", "[10.1.2.3]"],
    ["http://[fd00::1]", "[IPv6:fd00::1]"],
  ] as const) {
    greeted.length = 0;
    const outcome = await openSmtp(at(port), PATIENCE_MS, site).send({ ...message, to: "ion@example.com" }, quick);
    assert.deepEqual(outcome, { outcome: "failed", reason: "greeting", hasAnswered: true });
    assert.equal(greeted[0], `EHLO ${name}`);
  }
  assert.equal(
    (await openSmtp(at(port), PATIENCE_MS, "http://crm").send({ ...message, to: "i@e.ro" }, quick)).outcome,
    "failed",
  );
});

test("only a mailbox that does not exist is the recipient's; the relay's refusals are tried again", async () => {
  const server = await startMailServer();
  const gone = { outcome: "refused", reason: "recipient" };
  const again = { outcome: "failed", reason: "refused", hasAnswered: true };
  for (const [code, text, outcome] of [
    [550, "no such user", gone],
    [550, "5.1.1 no such user", gone],
    [550, "5.1.10 recipient address has null MX", gone],
    [551, "user not local", gone],
    [553, "mailbox name not allowed", gone],
    [530, "5.7.0 Authentication required", again],
    [530, "Authentication required", again],
    [550, "5.7.1 relaying denied", again],
    [550, "relay not permitted", again],
    [553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", again],
    [550, "Please turn on SMTP Authentication in your mail client.", again],
    [550, "Blocked - see https://rbl.example.com", again],
    [550, "Message rejected due to local policy", again],
    [550, "Administrative prohibition", again],
    [550, "Your host 192.0.2.1 has a bad reputation", again],
    [550, "Requested action not taken: mailbox unavailable", gone],
    [550, "User unknown in relay recipient table", gone],
    [553, "5.7.1 sender address rejected: not owned by user", again],
    [550, "5.1.8 sender domain not found", again],
    [552, "5.2.2 mailbox full", again],
    [552, "mailbox full", again],
    [554, "5.4.6 too many hops", again],
    [521, "host does not accept mail", again],
  ] as const) {
    server.behaviour.recipient = () => Object.assign(new Error(text), { responseCode: code });
    assert.deepEqual(await send(at(server.port)), outcome, `${code} ${text}`);
  }
});

test("no text becomes a header or a command", async () => {
  const server = await startMailServer();
  const evil = "Hello\r\nBcc: eve@example.com\r\n\r\nRCPT TO:<eve@example.com>\r\n.\r\n";
  const more = { subject: evil, text: evil, from: { name: evil, address: "crm@example.com" } };
  assert.deepEqual(await send(at(server.port), "ion@example.com", more), { outcome: "accepted" });
  const [received] = server.received;
  assert.deepEqual([server.received.length, received?.to], [1, ["ion@example.com"]]);
  assert.equal(received?.headers.get("bcc"), undefined);
  for (const to of [
    "ion@example.com\r\nRCPT TO:<eve@example.com>",
    "ion@example.com, eve@example.com",
    "<a@b.c>",
    "",
  ]) {
    assert.deepEqual(await send(at(server.port), to), { outcome: "refused", reason: "address" }, to);
  }
  assert.equal(server.received.length, 1);
});

const server = await startMailing();
const { mail } = server;
const sql: Mailing["sql"] = async (...all) => await server.sql(...all);
const tenant = await server.createTenant({ slug: "acme" });
const admin = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });
const invite = async (email: string) =>
  await server.deps.database.write(
    tenant.id,
    mailing(
      server.deps,
      tenant.id,
      { email },
      { kind: "new-sign-in", details: { at: 0, browser: null, network: "::1" } },
    ),
  );

test("mail to a server that is away comes when it is back, and is given up after a day with a line for admins", async () => {
  await mail.close();
  await invite("one@example.com");
  await invite("two@example.com");
  server.startWorker();
  await server.untilIdle();
  assert.deepEqual(await sql("select state, failure from mails"), [
    { state: "waiting", failure: "unreachable" },
    { state: "waiting", failure: "unreachable" },
  ]);
  const [{ seconds } = {}] = await sql("select max(extract(epoch from run_at - now()))::int as seconds from jobs");
  assert.ok(Number(seconds) > 5 && Number(seconds) <= 31, String(seconds));
  await sql("update mails set created_at = created_at - interval '25 hours' where email = 'two@example.com'");
  const back = await startMailServer({}, mail.port);
  await server.hasten();
  await back.until("one@example.com");
  await server.untilIdle();
  assert.deepEqual(
    back.received.map(({ to }) => String(to)),
    ["one@example.com"],
  );
  const { text } = await admin.get("/users", { "accept-language": "en" });
  assert.match(text, /Mail that could not be sent/);
  assert.match(text, /two@example\.com/);
  assert.match(text, /Not accepted for a day/);
  await sql("update mails set ended_at = ended_at - interval '8 days'");
  assert.doesNotMatch((await admin.get("/users")).text, /Mail that could not be sent/);
  back.behaviour.recipient = (address) => (address.startsWith("gone") ? answer(550) : null);
  await invite("gone@example.com");
  await invite("there@example.com");
  await back.until("there@example.com");
  await server.untilIdle();
  assert.match((await admin.get("/users")).text, /gone@example\.com[^]*Address refused/);
  await invite("a@example.com\r\nRCPT TO:<eve@example.com>");
  await server.untilIdle();
  assert.deepEqual(await sql("select failure, details from mails where email like 'a@%'"), [
    { failure: "address", details: null },
  ]);
});

test("the 51st mail of an hour waits, and notices of security are counted apart", async () => {
  await sql("delete from mails");
  await sql("delete from jobs");
  const counts = async () => await sql("select kind, state, count(*)::int from mails group by 1, 2 order by 1, 2");
  await sql(
    `insert into mails (tenant_id, kind, state, email, attempted_at, ended_at)
    select $1, 'invitation', 'sent', 'x@example.com', now() - interval '30 minutes', now() from generate_series(1, 49)`,
    [tenant.id],
  );
  await sql("delete from jobs");
  const words = { "sec-fetch-site": "same-origin" };
  await admin.post("/users", { email: "first@example.com" }, words);
  await server.untilIdle();
  await admin.post("/users", { email: "second@example.com" }, words);
  await invite("notice@example.com");
  await server.untilIdle();
  assert.deepEqual(await counts(), [
    { kind: "invitation", state: "sent", count: 50 },
    { kind: "invitation", state: "waiting", count: 1 },
    { kind: "new-sign-in", state: "sent", count: 1 },
  ]);
  const [{ minutes } = {}] = await sql("select extract(epoch from run_at - now()) / 60 as minutes from jobs");
  assert.ok(Number(minutes) > 25 && Number(minutes) < 32, String(minutes));
  await sql("update mails set attempted_at = attempted_at - interval '31 minutes'");
  await server.hasten();
  await server.untilIdle();
  assert.deepEqual((await counts())[0], { kind: "invitation", state: "sent", count: 51 });
});

test("what is stored of a mail that has ended is forgotten after a month", async () => {
  await sql("update mails set ended_at = now() - interval '31 days'");
  await invite("late@example.com");
  await server.untilIdle();
  assert.deepEqual(await sql("select email from mails"), [{ email: "late@example.com" }]);
});
