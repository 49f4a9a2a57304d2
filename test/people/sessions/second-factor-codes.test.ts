import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../../src/kit/web/session.ts";
import { confirmCode } from "../../../src/people/sessions/confirm-code.ts";
import { endSecondFactor } from "../../../src/people/sessions/own-account.ts";
import { findSession } from "../../../src/people/sessions/session.ts";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import { factorOfUser } from "../../../src/people/users/second-factor-queries.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  secondFactorOf,
  type FactorStore,
} from "../../../src/people/users/second-factor.ts";
import { totpCode } from "../../../src/people/users/totp.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { later, MINUTE, SECOND } from "./clock.ts";
import { createPerson, type Person } from "./people.ts";

const server = await startServer();
const { deps } = server;
const { database, keyring } = deps;
const STEP = 30 * SECOND;
const from = { network: "192.0.2.1", browser: null, userAgent: "Test" };

function codeOf(secret: string, steps = 0): string {
  return totpCode(secret, Math.floor(Date.now() / STEP) + steps);
}

type Protected = { person: Person; tenant: TestTenant; secret: string; recoveryCodes: string[] };

function factorOf({ tenant, id }: Person): FactorStore {
  return factorOfUser(tenant, database, id, null);
}

/** Somebody with a second factor, whose first code is used up. */
async function createProtected(): Promise<Protected> {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  later(0);
  const secret = await beginSecondFactor(keyring, factorOf(person));
  assert.ok(secret !== null);
  const confirmed = await confirmSecondFactor(keyring, factorOf(person), codeOf(secret));
  assert.ok(confirmed.outcome === "on");
  later(2 * STEP);
  return { person, tenant, secret, recoveryCodes: confirmed.recoveryCodes };
}

async function awaiting(person: Person): Promise<{ token: string; session: Session }> {
  const signedIn = await person.signIn();
  assert.ok(signedIn.outcome === "needs-code");
  const session = await findSession(deps.database, signedIn.token);
  assert.equal(session?.awaitsCode, true);
  return { token: signedIn.token, session };
}

test("a second factor counts once its first code was right", async () => {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  const state = async () => await secondFactorOf(keyring, factorOf(person));
  assert.deepEqual(await state(), { isOn: false, since: null, recoveryCodes: 0, pending: null });
  assert.deepEqual(await confirmSecondFactor(keyring, factorOf(person), "000000"), {
    outcome: "not-begun",
  });

  const first = await beginSecondFactor(keyring, factorOf(person));
  const secret = await beginSecondFactor(keyring, factorOf(person));
  assert.ok(first !== null && secret !== null && first !== secret);
  assert.equal((await state()).pending, secret);
  await person.token();
  assert.deepEqual(await confirmSecondFactor(keyring, factorOf(person), codeOf(first)), {
    outcome: "wrong",
  });
  const code = codeOf(secret);
  const confirmed = await confirmSecondFactor(keyring, factorOf(person), `${code.slice(0, 3)} ${code.slice(3)}`);
  assert.ok(confirmed.outcome === "on");
  assert.equal(new Set(confirmed.recoveryCodes).size, 10);
  const { isOn, recoveryCodes, pending } = await state();
  assert.deepEqual({ isOn, recoveryCodes, pending }, { isOn: true, recoveryCodes: 10, pending: null });

  assert.equal(await beginSecondFactor(keyring, factorOf(person)), null);
  assert.deepEqual(await confirmSecondFactor(keyring, factorOf(person), codeOf(secret)), {
    outcome: "not-begun",
  });
});

test("the secret is stored encrypted, and recovery codes by their hashes", async () => {
  const { person, secret, recoveryCodes } = await createProtected();
  const [row] = await server.sql(
    `select u::text as user, (select string_agg(r::text, ' ') from recovery_codes r where r.tenant_id = u.tenant_id and r.user_id = u.id) as codes
     from users u where tenant_id = $1 and id = $2`,
    [person.tenant, person.id],
  );
  const stored = `${String(row?.user)} ${String(row?.codes)}`;
  for (const clear of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", ""))]) {
    assert.equal(stored.includes(clear), false);
    assert.equal(stored.includes(Buffer.from(clear).toString("hex")), false);
  }
});

test("a right code makes another session of the one that awaited it", async () => {
  const { person, secret } = await createProtected();
  const { token, session } = await awaiting(person);
  const confirmed = await confirmCode(deps, session, { ...from, code: codeOf(secret) });
  assert.ok(confirmed.outcome === "signed-in");
  assert.equal(await findSession(deps.database, token), null);
  const after = await findSession(deps.database, confirmed.token);
  assert.notEqual(after?.id, session.id);
  assert.deepEqual(after, { ...session, id: after?.id, awaitsCode: false });
});

test("a code works once, one of a step around too, and none before the last one", async () => {
  const { person, secret } = await createProtected();
  const { session } = await awaiting(person);
  // Of one moment, since the step may change meanwhile.
  const [before = "", code = "", after = ""] = [-1, 0, 1].map((steps) => codeOf(secret, steps));
  const attempts = await Promise.all([1, 2].map(async () => await confirmCode(deps, session, { ...from, code })));
  assert.deepEqual(attempts.map(({ outcome }) => outcome).toSorted(), ["signed-in", "wrong"]);
  const next = await awaiting(person);
  for (const earlier of [code, before]) {
    assert.deepEqual(await confirmCode(deps, next.session, { ...from, code: earlier }), { outcome: "wrong" });
  }
  assert.equal((await confirmCode(deps, next.session, { ...from, code: after })).outcome, "signed-in");
});

test("a recovery code works once, however it is typed", async () => {
  const { person, recoveryCodes } = await createProtected();
  const [code = "", another = ""] = recoveryCodes;
  const { session } = await awaiting(person);
  assert.equal(
    (await confirmCode(deps, session, { ...from, code: ` ${code.toLowerCase().replaceAll("-", "")} ` })).outcome,
    "signed-in",
  );
  const next = await awaiting(person);
  assert.deepEqual(await confirmCode(deps, next.session, { ...from, code }), { outcome: "wrong" });
  assert.equal((await confirmCode(deps, next.session, { ...from, code: another })).outcome, "signed-in");
  assert.equal((await secondFactorOf(keyring, factorOf(person))).recoveryCodes, 8);
});

test("of two recovery codes that are sent at once to one session, one is used up", async () => {
  const { person, recoveryCodes } = await createProtected();
  const { session } = await awaiting(person);
  const attempts = await Promise.all(
    recoveryCodes.slice(0, 2).map(async (code) => await confirmCode(deps, session, { ...from, code })),
  );
  assert.deepEqual(attempts.map(({ outcome }) => outcome).toSorted(), ["signed-in", "wrong"]);
  assert.equal((await secondFactorOf(keyring, factorOf(person))).recoveryCodes, 9);
});

test("codes are guessed no faster than passwords, and a right password gives no new guesses", async () => {
  const { person, secret } = await createProtected();
  const { session } = await awaiting(person);
  const wrong = codeOf(secret, 5);
  for (let i = 0; i < 5; i++) {
    assert.deepEqual(await confirmCode(deps, session, { ...from, code: wrong }), { outcome: "wrong" });
  }
  for (const each of [session, (await awaiting(person)).session]) {
    assert.deepEqual(await confirmCode(deps, each, { ...from, code: codeOf(secret) }), {
      outcome: "throttled",
      retryAfter: 1,
    });
  }
  later(SECOND);
  const confirmed = await confirmCode(deps, session, { ...from, code: codeOf(secret) });
  assert.ok(confirmed.outcome === "signed-in");

  // Somebody else who has the password uses the guesses up; the owner's browser has its own.
  const { session: guessers } = await awaiting(person);
  later(2 * STEP);
  for (let i = 0; i < 6; i++) await confirmCode(deps, guessers, { ...from, code: wrong });
  assert.equal((await confirmCode(deps, guessers, { ...from, code: codeOf(secret) })).outcome, "throttled");
  const { browser } = confirmed;
  assert.equal(
    (await confirmCode(deps, (await awaiting(person)).session, { ...from, browser, code: codeOf(secret) })).outcome,
    "signed-in",
  );
});

test("a session awaits its code for 15 minutes, and not beyond a suspension", async () => {
  const { person, tenant, secret } = await createProtected();
  const { token } = await awaiting(person);
  later(15 * MINUTE);
  assert.equal(await findSession(deps.database, token), null);

  const { session } = await awaiting(person);
  await setSuspended(deps.database, tenant.slug, true);
  await setSuspended(deps.database, tenant.slug, false);
  const confirmed = await confirmCode(deps, session, { ...from, code: codeOf(secret) });
  assert.ok(confirmed.outcome === "signed-in");
  assert.equal(await findSession(deps.database, confirmed.token), null);
});

test("a second factor is switched off by the password or a code, and by nothing else", async () => {
  for (const way of ["password", "code", "recovery code"]) {
    const { person, secret, recoveryCodes } = await createProtected();
    const { session } = await awaiting(person);
    const refused = [{ password: "wrong" }, { code: codeOf(secret, 5) }, { code: "AAAA-AAAA-AAAA-AAAA" }, { code: "" }];
    for (const proof of refused) {
      assert.deepEqual(await endSecondFactor(deps, session, proof, from), { outcome: "wrong" }, JSON.stringify(proof));
    }
    const proof =
      way === "password"
        ? { password: person.password }
        : { code: way === "code" ? codeOf(secret) : String(recoveryCodes[0]) };
    assert.deepEqual(await endSecondFactor(deps, session, proof, from), { outcome: "off" }, way);
    assert.deepEqual(await secondFactorOf(keyring, factorOf(person)), {
      isOn: false,
      since: null,
      recoveryCodes: 0,
      pending: null,
    });
    await person.token();
    assert.ok((await beginSecondFactor(keyring, factorOf(person))) !== null);
  }
});
