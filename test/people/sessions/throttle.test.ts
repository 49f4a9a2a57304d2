import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Worker } from "node:worker_threads";
import pg from "pg";
import { changePassword } from "../../../src/people/sessions/own-account.ts";
import { signIn } from "../../../src/people/sessions/sign-in-by-password.ts";
import { accountOf } from "../../../src/people/sessions/subjects.ts";
import { acceptInvitation } from "../../../src/people/users/invitation.ts";
import { openDatabase } from "../../../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../../../src/platform/postgres/request-role.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { statementsSent } from "../../statements-sent.ts";
import { HOUR, later, MINUTE, SECOND } from "./clock.ts";
import { createPerson, type Person } from "./people.ts";

const server = await startServer();
const { deps } = server;
const tenant = await server.createTenant();
/** A process of its own as far as it matters: what it knows of failures is in the database. */
const another = openDatabase({
  connection: server.connection,
  requests: await openRequestRole(server.connection),
  logger: deps.logger,
});
after(async () => await another.close());

/** Hashes under way, the most there were at once, and all of them; none is computed while they are held. */
const hashes = { now: 0, most: 0, all: 0, held: null as (() => void)[] | null };
const postMessage = Reflect.get(Worker.prototype, "postMessage") as (...message: unknown[]) => void;
Worker.prototype.postMessage = function post(this: Worker, ...message: unknown[]): void {
  hashes.most = Math.max(hashes.most, ++hashes.now);
  hashes.all++;
  this.once("message", () => hashes.now--);
  const compute = () => Reflect.apply(postMessage, this, message);
  if (hashes.held === null) compute();
  else hashes.held.push(compute);
};

let networks = 0;
/** An address of a network that nobody has used. */
const anywhere = (): string => `10.${++networks}.0.1`;

const createPeople = async (count: number): Promise<Person[]> =>
  await Promise.all(Array.from({ length: count }, async () => await createPerson(server, tenant)));

async function fail(person: Person, times: number, network = anywhere()): Promise<void> {
  for (let i = 0; i < times; i++) {
    assert.deepEqual(await person.signIn({ network, password: "wrong" }), { outcome: "wrong" }, `failure ${i + 1}`);
  }
}

test("after five failures an account waits, twice as long each time, for 15 minutes at most", async () => {
  const person = await createPerson(server, tenant);
  later(0);
  await fail(person, 5);
  for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    const refused = await person.signIn({ network: anywhere() });
    assert.deepEqual(refused, { outcome: "throttled", retryAfter: wait }, "the right password too, from anywhere");
    later(wait * SECOND - 1);
    assert.equal((await person.signIn()).outcome, "throttled");
    later(1);
    await fail(person, 1);
  }
  later(15 * MINUTE);
  await person.token();
  await fail(person, 5);
});

test("an account that there is not waits likewise", async () => {
  const person = await createPerson(server, tenant);
  later(0);
  for (const missing of [{ email: "nobody@example.com" }, { workspace: "nobody" }]) {
    const attempt = { ...missing, network: anywhere(), password: "wrong" };
    for (let i = 0; i < 5; i++) assert.deepEqual(await person.signIn(attempt), { outcome: "wrong" });
    assert.deepEqual(await person.signIn(attempt), { outcome: "throttled", retryAfter: 1 });
  }
  assert.equal((await person.signIn({ email: "NOBODY@example.com" })).outcome, "throttled");
  await person.token();
});

test("e-mail addresses that are too long wait like one account that there is not, and so do passwords", async () => {
  const person = await createPerson(server, tenant);
  later(0);
  const long = (letter: string) => `${letter.repeat(256)}@example.com`;
  for (const letter of ["a", "b", "c", "d", "e"]) {
    const attempt = { email: long(letter), network: anywhere() };
    assert.deepEqual(await person.signIn(attempt), { outcome: "wrong" });
    assert.deepEqual(await person.signIn({ password: letter.repeat(1_001), network: anywhere() }), {
      outcome: "wrong",
    });
  }
  const throttled = { outcome: "throttled", retryAfter: 1 };
  assert.deepEqual(await person.signIn({ email: long("f"), network: anywhere() }), throttled);
  assert.deepEqual(await person.signIn({ network: anywhere() }), throttled);
});

test("spellings that the database takes for one e-mail address are one account", async () => {
  const letters = await server.sql(
    `select letter, lower(letter) as lower from (
       select chr(n) as letter from generate_series(1, 130000) n where n not between 55296 and 57343
     ) each where lower(letter) <> letter`,
  );
  assert.ok(letters.length > 1_000);
  for (const spellings of letters) {
    const [one, other] = [spellings.letter, spellings.lower].map((letter) =>
      accountOf("acme", `A${String(letter)}.ro`),
    );
    assert.equal(one, other, String(spellings.letter));
  }
  const person = await createPerson(server, tenant);
  await server.sql("update users set email = 'maria@example.com' where id = $1", [person.id]);
  later(0);
  for (const email of ["maria", "Maria", "mar\u0130a", "MAR\u0130A", "MARIA"]) {
    assert.deepEqual(await person.signIn({ email: `${email}@example.com`, password: "wrong" }), { outcome: "wrong" });
  }
  assert.equal((await person.signIn({ email: "maria@example.com" })).outcome, "throttled");
  assert.notEqual(accountOf("acme", "i@x.ro"), accountOf("acme", "l@x.ro"));
});

test("after fifty failures a network waits, whomever it tries, and others do not", async () => {
  const people = await createPeople(13);
  const [owner = people[0]] = people;
  later(0);
  for (const [family, one, same, other] of [
    ["IPv4", "198.51.100.1", "198.51.100.254", "198.51.101.1"],
    ["IPv6", "2001:db8:1:1::1", "2001:db8:1:1:ffff::9", "2001:db8:1:2::1"],
  ] as const) {
    for (const [index, person] of people.entries()) await fail(person, index < 12 ? 4 : 2, one);
    assert.deepEqual(await owner?.signIn({ network: same }), { outcome: "throttled", retryAfter: 1 }, family);
    assert.equal((await owner?.signIn({ network: other }))?.outcome, "signed-in", family);
    later(24 * HOUR);
  }
});

test("sign-ins that succeed do not use a network up", async () => {
  const people = await createPeople(13);
  const network = anywhere();
  later(0);
  for (const [index, person] of people.entries()) await fail(person, index < 12 ? 4 : 1, network);
  for (let i = 0; i < 3; i++) await people[0]?.token({ network });
  assert.deepEqual(await people[1]?.signIn({ network, password: "wrong" }), { outcome: "wrong" });
  assert.equal((await people[0]?.signIn({ network }))?.outcome, "throttled");
});

test("whoever guesses at an account keeps its owner's browser out of nothing", async () => {
  const owner = await createPerson(server, tenant);
  const guesser = await createPerson(server, tenant);
  const network = anywhere();
  later(0);
  const { browser } = await owner.cookies({ network });
  const foreign = await guesser.cookies();
  const changed = browser.replace(/:(.)/, (_all, first) => (first === "A" ? ":B" : ":A"));
  await fail(owner, 5, network);
  for (const made of [null, "", "k1:AAAA", foreign.browser, changed, `x${browser}`]) {
    assert.equal((await owner.signIn({ network, browser: made })).outcome, "throttled", String(made));
  }
  const again = await owner.cookies({ network, browser });
  assert.equal((await owner.signIn({ network })).outcome, "throttled", "the guesser has to wait all the same");

  // The owner's own mistakes count for that browser alone.
  for (let i = 0; i < 5; i++) await owner.signIn({ browser: again.browser, password: "wrong" });
  assert.deepEqual(await owner.signIn({ browser: again.browser }), { outcome: "throttled", retryAfter: 1 });
  assert.deepEqual(
    await owner.signIn({ browser }),
    { outcome: "throttled", retryAfter: 1 },
    "the same browser's, before",
  );
});

test("a browser is known to the last eight accounts that it was in", async () => {
  const people = await createPeople(9);
  later(0);
  let browser: string | null = null;
  for (const person of people) ({ browser } = await person.cookies({ browser }));
  for (const person of people) await fail(person, 5);
  const outcomes: string[] = [];
  for (const person of people) outcomes.push((await person.signIn({ browser })).outcome);
  assert.deepEqual(outcomes, ["throttled", ...Array.from({ length: 8 }, () => "signed-in")]);
});

test("what one process counted holds in another, and after a restart", async () => {
  const person = await createPerson(server, tenant);
  await fail(person, 5);
  const attempt = { workspace: tenant.slug, email: person.email, network: anywhere(), browser: null, userAgent: "" };
  const refused = await signIn({ ...deps, database: another }, { ...attempt, password: person.password });
  assert.deepEqual(refused, { outcome: "throttled", retryAfter: 1 });
});

test("whoever has to wait costs neither a hash nor, once known, a statement", async () => {
  const person = await createPerson(server, tenant);
  later(0);
  await fail(person, 5);
  await person.signIn();
  const owner = new pg.Client(server.connection);
  await owner.connect();
  await owner.query("begin; lock table sign_in_failures, users, tenants in access exclusive mode");
  const { all } = hashes;
  const refused = await Promise.all(Array.from({ length: 2_000 }, async () => await person.signIn()));
  assert.deepEqual(new Set(refused.map(({ outcome }) => outcome)), new Set(["throttled"]));
  await owner.query("rollback");
  await owner.end();
  assert.equal(hashes.all, all);
});

test("an account that does not exist costs the hash that a wrong password costs", async () => {
  // Too long addresses are one account of a tenant, which another test of this file lets wait.
  const person = await createPerson(server, await server.createTenant());
  for (const attempt of [
    { password: "wrong" },
    { password: "a".repeat(1_001) },
    { email: "none@example.com" },
    { email: `${"a".repeat(256)}@example.com` },
    { workspace: "none" },
  ]) {
    const { all } = hashes;
    assert.deepEqual(await person.signIn({ ...attempt, network: anywhere() }), { outcome: "wrong" });
    assert.equal(hashes.all, all + 1, JSON.stringify(attempt));
  }
});

test("one hash is computed at a time, ten of a network wait, and the rest are refused", async () => {
  const people = await createPeople(30);
  const held: (() => void)[] = [];
  Object.assign(hashes, { most: 0, held });
  const attempt = { network: anywhere(), password: "wrong" };
  const signingIn = people.map(async (person) => (await person.signIn(attempt)).outcome);
  await poll("a hash", () => held.length > 0);
  hashes.held = null;
  for (const compute of held) compute();
  const outcomes = await Promise.all(signingIn);
  assert.deepEqual(outcomes, [
    ...Array.from({ length: 11 }, () => "wrong"),
    ...Array.from({ length: 19 }, () => "busy"),
  ]);
  assert.equal(hashes.most, 1);
});

test("six networks with ten sign-ins each keep out neither another network, nor who is known, nor operators", async () => {
  const [person, colleague, newcomer] = await createPeople(3);
  assert.ok(person !== undefined && colleague !== undefined && newcomer !== undefined);
  later(0);
  const { browser } = await person.cookies();
  const session = await colleague.session();
  const strangers = await createPeople(66);
  const { token } = await tenant.invite();
  const held: (() => void)[] = [];
  hashes.held = held;
  const busy = { strangers: 0 };
  const flood = strangers.map(async (stranger, index) => {
    const attempt = { network: `10.251.${index % 6}.1`, password: "wrong" };
    if ((await stranger.signIn(attempt)).outcome === "busy") busy.strangers++;
  });
  await poll("those who are refused", () => held.length === 1 && busy.strangers >= 15);

  const known = person.signIn({ browser, network: "10.251.0.1" });
  await poll("the hash of a browser that is known", () => held.length === 2);
  const operator = {
    workspace: "",
    email: "ops@example.com",
    password: "wrong",
    network: "10.251.0.1",
    browser: null,
    userAgent: "",
  };
  const operators = signIn(deps, operator);
  await poll("the operators' hash", () => held.length === 3);
  const another = newcomer.signIn({ network: "10.252.0.1" });
  const wrong = { current: "wrong", password: "Violet-harbour-92" };
  const changing = changePassword(deps, session, wrong, { network: "10.251.0.1" });
  const invited = acceptInvitation(deps, token, { name: "Ion", password: "Violet-harbour-93" });
  hashes.held = null;
  for (const compute of held) compute();
  assert.deepEqual(
    (await Promise.all([another, known, operators, changing, invited])).map(({ outcome }) => outcome),
    ["signed-in", "signed-in", "wrong", "wrong", "accepted"],
  );
  await Promise.all(flood);
});

test("many guesses at a password at once are counted one by one", async () => {
  const person = await createPerson(server, tenant);
  later(0);
  const outcomes = await Promise.all(
    Array.from({ length: 11 }, async () => (await person.signIn({ network: "10.250.0.1", password: "wrong" })).outcome),
  );
  assert.equal(outcomes.filter((outcome) => outcome === "wrong").length, 5);
  assert.equal(outcomes.filter((outcome) => outcome === "throttled").length, 6);
});

test("failures are kept for a day, and no more than so many", async () => {
  const fresh = await startServer();
  const person = await createPerson(fresh, await fresh.createTenant());
  const count = async () => Number((await fresh.sql("select count(*) as n from sign_in_failures"))[0]?.n);
  later(0);
  for (let i = 0; i < 4; i++) await person.signIn({ password: "wrong" });
  await fresh.sql(
    `insert into sign_in_failures
     select decode(md5(n::text), 'hex'), 1, now() - interval '1 hour' from generate_series(1, 100100) n`,
  );
  later(10 * MINUTE);
  await person.signIn({ password: "wrong" });
  await poll("forgetting the fewest and oldest", async () => (await count()) <= 100_000);
  assert.equal((await person.signIn()).outcome, "throttled", "the most are kept");
  later(24 * HOUR);
  assert.deepEqual(await person.signIn({ password: "wrong" }), { outcome: "wrong" });
  await poll("forgetting those of yesterday", async () => (await count()) === 2);
});

test("a process forgets failures at its first attempt, and then once in ten minutes", async () => {
  const fresh = await startServer();
  const person = await createPerson(fresh, await fresh.createTenant());
  const before = statementsSent("forget_attempts");
  const sweeps = () => statementsSent("forget_attempts") - before;
  later(0);
  for (const [wait, sent] of [
    [0, 1],
    [0, 1],
    [10 * MINUTE - 1, 1],
    [1, 2],
    [0, 2],
    [10 * MINUTE, 3],
  ] as const) {
    later(wait);
    await person.token();
    await poll("the sweep", () => sweeps() >= sent);
    assert.equal(sweeps(), sent);
  }
});
