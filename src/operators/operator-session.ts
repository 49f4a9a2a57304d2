import type { Deps } from "../deps.ts";
import type { Database } from "../platform/postgres/database.ts";
import { trim } from "../platform/text.ts";
import { aliveAt } from "../sessions/begin-session.ts";
import { confirmAwaited, type CodeAttempt, type CodeConfirmed } from "../sessions/confirm-code.ts";
import { liveSession } from "../sessions/live-session.ts";
import type { Account } from "../sessions/own-account.ts";
import { signInByPassword, type SignedIn, type SignIn } from "../sessions/sign-in-by-password.ts";
import { operatorAccountOf, OPERATORS_TURN } from "../sessions/subjects.ts";
import { usingCode } from "../users/factor-store.ts";
import type { OperatorSession } from "../web/session.ts";
import { factorOfOperator, operatorFactor } from "./operator-factor-queries.ts";
import { findOperatorByEmail, replaceOperatorHash } from "./operator-queries.ts";
import {
  deleteOperatorSession,
  findLiveOperatorSession,
  idOfToken,
  insertOperatorSession,
  renewAwaiting,
  touchOperatorSession,
} from "./operator-session-queries.ts";

/** The session of an operator's cookie, with the lifetime of users' sessions. Null: unknown, ended or expired. */
export async function findOperatorSession(database: Database, token: string): Promise<OperatorSession | null> {
  return await liveSession(token, {
    placeOf: async (hash) => await idOfToken(database, hash),
    find: async (id, hash, alive) => await findLiveOperatorSession(database, id, hash, alive),
    touch: async (id, time) => await touchOperatorSession(database, id, time),
  });
}

/** Checks an operator's password, and starts a session if it is right. The cookies are like those of a user. */
export async function signInOperator(deps: Deps, attempt: SignIn): Promise<SignedIn> {
  const { database } = deps;
  const email = trim(attempt.email);
  return await signInByPassword(deps, attempt, {
    strangers: "operators",
    account: operatorAccountOf(email),
    known: OPERATORS_TURN,
    find: async () => await findOperatorByEmail(database, email),
    async replaceHash({ id, passwordHash }, hash) {
      await replaceOperatorHash(database, id, passwordHash, hash);
    },
    begin: async ({ id }, passwordHash, from) =>
      await insertOperatorSession(database, { id, passwordHash }, from, aliveAt(from.time)),
  });
}

/** Like confirmCode for a user's session. */
export async function confirmOperatorCode(
  deps: Deps,
  session: OperatorSession,
  attempt: CodeAttempt,
): Promise<CodeConfirmed> {
  const { database } = deps;
  const { id, operator } = session;
  return await confirmAwaited(deps, attempt, {
    ...accountOfOperator(database, session),
    goOn: async (given, from) => await renewAwaiting(database, id, usingCode(operatorFactor, operator.id, given), from),
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
