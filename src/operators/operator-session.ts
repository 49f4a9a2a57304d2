import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { isStorable, trim } from "../platform/text.ts";
import { generateToken, hashToken, isToken } from "../platform/token.ts";
import { aliveAt, storable } from "../sessions/begin-session.ts";
import { guarded, type Refused } from "../sessions/guarded.ts";
import { browserIn, rememberedIn } from "../sessions/known-browser.ts";
import { countedFor, operatorAccountOf, OPERATORS_TURN, strangersTurn, type Attempt } from "../sessions/subjects.ts";
import { hashPassword, isOutdated, verifyPassword } from "../users/password-hash.ts";
import type { OperatorSession } from "../web/session.ts";
import { findOperatorByEmail, replaceOperatorHash } from "./operator-queries.ts";
import {
  deleteOperatorSession,
  findLiveOperatorSession,
  idOfToken,
  insertOperatorSession,
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

/** The cookies are as those of a user's sign-in; `browser` is the same one. */
export type OperatorSignedIn = { outcome: "signed-in"; token: string; browser: string } | Refused;

/** Checks an operator's password, and begins a session where it is right. */
export async function signInOperator(
  deps: Deps,
  { email, password, network, browser, userAgent }: OperatorSignIn,
): Promise<OperatorSignedIn> {
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
    if (!(await insertOperatorSession(database, { id: operator.id, passwordHash }, from, aliveAt(time)))) return null;
    return { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account) };
  });
}

/** Signs an operator out. */
export async function endOperatorSession(database: Database, { id }: OperatorSession): Promise<void> {
  await deleteOperatorSession(database, id);
}
