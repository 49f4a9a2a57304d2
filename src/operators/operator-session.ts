import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { isStorable, trim } from "../platform/text.ts";
import { generateToken, hashToken, isToken } from "../platform/token.ts";
import { aliveAt, storable } from "../sessions/begin-session.ts";
import { confirmAwaited, type CodeAttempt, type CodeConfirmed } from "../sessions/confirm-code.ts";
import { guarded } from "../sessions/guarded.ts";
import { browserIn, rememberedIn } from "../sessions/known-browser.ts";
import type { Account } from "../sessions/own-account.ts";
import type { SignedIn } from "../sessions/session.ts";
import { countedFor, operatorAccountOf, OPERATORS_TURN, strangersTurn, type Attempt } from "../sessions/subjects.ts";
import { hashPassword, isOutdated, verifyPassword } from "../users/password-hash.ts";
import type { OperatorSession } from "../web/session.ts";
import { factorOfOperator, usingOperatorCode } from "./operator-factor-queries.ts";
import { findOperatorByEmail, replaceOperatorHash } from "./operator-queries.ts";
import {
  deleteOperatorSession,
  findLiveOperatorSession,
  idOfToken,
  insertOperatorSession,
  renewAwaiting,
  touchOperatorSession,
} from "./operator-session-queries.ts";

const SEEN_EVERY_MS = 60_000;

/** The session of an operator's cookie. It lives as long as a user's. Null: unknown, ended or expired. */
export async function findOperatorSession(database: Database, token: string): Promise<OperatorSession | null> {
  if (!isToken(token)) return null;
  const hash = hashToken(token);
  const id = await idOfToken(database, hash);
  if (id === null) return null;
  const time = now();
  const found = await findLiveOperatorSession(database, id, hash, aliveAt(time));
  if (found === null) return null;
  if (found.lastSeenAt <= time - SEEN_EVERY_MS) await touchOperatorSession(database, id, time);
  return found.session;
}

/** Somebody at the operators' sign-in page. */
export type OperatorSignIn = Attempt & { email: string; password: string; userAgent: string };

/** Checks an operator's password, and begins a session where it is right. The cookies are as those of a user's. */
export async function signInOperator(
  deps: Deps,
  { email, password, network, browser, userAgent }: OperatorSignIn,
): Promise<SignedIn> {
  const { database, keyring } = deps;
  const address = trim(email);
  const account = operatorAccountOf(address);
  const known = browserIn(keyring, browser, account);
  const turn = known === null ? strangersTurn("operators", network) : OPERATORS_TURN;
  return await guarded(deps, turn, countedFor(account, network, known), async () => {
    const operator = isStorable(address) ? await findOperatorByEmail(database, address) : null;
    const isRight = await verifyPassword(password, operator?.passwordHash ?? null);
    if (!isRight || operator === null) return null;
    let { passwordHash } = operator;
    if (isOutdated(passwordHash)) {
      passwordHash = await hashPassword(password);
      await replaceOperatorHash(database, operator.id, operator.passwordHash, passwordHash);
    }
    const token = generateToken();
    const time = now();
    const from = storable({ hash: hashToken(token), address: network, userAgent, time });
    const begun = await insertOperatorSession(database, { id: operator.id, passwordHash }, from, aliveAt(time));
    if (begun === null) return null;
    return begun.awaitsCode
      ? { outcome: "needs-code", token }
      : { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account) };
  });
}

/** As confirmCode of a user's session. */
export async function confirmOperatorCode(
  deps: Deps,
  { id, operator }: OperatorSession,
  attempt: CodeAttempt,
): Promise<CodeConfirmed> {
  const { database } = deps;
  return await confirmAwaited(deps, attempt, {
    account: operatorAccountOf(operator.email),
    turn: OPERATORS_TURN,
    factor: factorOfOperator(database, operator.id, id),
    async goOn(given, from) {
      const token = generateToken();
      const next = storable({ ...from, hash: hashToken(token), time: now() });
      return (await renewAwaiting(database, id, usingOperatorCode(operator.id, given), next)) ? token : null;
    },
  });
}

/** An operator's own account. */
export function accountOfOperator(database: Database, { id, operator }: OperatorSession): Account {
  return {
    account: operatorAccountOf(operator.email),
    turn: OPERATORS_TURN,
    factor: factorOfOperator(database, operator.id, id),
    findPasswordHash: async () => (await findOperatorByEmail(database, operator.email))?.passwordHash ?? null,
  };
}

/** Signs an operator out. */
export async function endOperatorSession(database: Database, { id }: OperatorSession): Promise<void> {
  await deleteOperatorSession(database, id);
}
