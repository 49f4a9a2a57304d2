import type { Deps } from "../deps.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import type { Database } from "../platform/postgres/database.ts";
import { knownTurn, type InTurn } from "../users/password-turns.ts";
import { passwordComplaint } from "../users/password.ts";
import { factorOfUser } from "../users/second-factor-queries.ts";
import { parseCode, type FactorStore } from "../users/second-factor.ts";
import { findPasswordHash } from "../users/sign-in-queries.ts";
import type { Session } from "../web/session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { replacePassword } from "./own-session-queries.ts";
import { accountOf, countedFor, questionOf, type AttemptOrigin } from "./subjects.ts";

export type PasswordChanged = { outcome: "changed" } | { outcome: "invalid"; messages: FieldErrors } | Refused;

/** Changes one's own password and ends one's other sessions. `wrong`: the current one is. */
export async function changePassword(
  deps: Deps,
  session: Session,
  { current, password }: { current: string; password: string },
  attempt: Pick<AttemptOrigin, "network">,
): Promise<PasswordChanged> {
  const { database, passwords } = deps;
  const { tenant, workspace, user } = session;
  const complaint = passwordComplaint(password, { email: user.email, workspace: workspace.slug });
  if (complaint !== null) return { outcome: "invalid", messages: { password: [complaint] } };
  const { account, turn } = accountOfUser(database, session);
  return await guarded(deps, turn, countedForOwn(account, attempt), async () => {
    const before = await findPasswordHash(tenant, database, user.id);
    if (before === null || !(await passwords.verify(current, before))) return null;
    const isChanged = await replacePassword(tenant, database, session, before, await passwords.hash(password));
    return isChanged ? { outcome: "changed" } : null;
  });
}

/** An account with a password, and maybe a second factor: a user's, or an operator's. */
export type Account = {
  /** Its digest, which failures are counted for (subjects.ts). */
  account: string;
  turn: InTurn;
  factor: FactorStore;
  findPasswordHash(): Promise<string | null>;
};

/** A user's own account. */
export function accountOfUser(database: Database, { id, tenant, workspace, user }: Session): Account {
  return {
    account: accountOf(workspace.slug, user.email),
    turn: knownTurn(workspace.slug),
    factor: factorOfUser(tenant, database, user.id, id),
    findPasswordHash: async () => await findPasswordHash(tenant, database, user.id),
  };
}

export type FactorEnded = { outcome: "off" } | Refused;

/** Switches one's second factor off, by the password or by a code. */
export async function endSecondFactor(
  deps: Deps,
  own: Account,
  proof: { password: string } | { code: string },
  attempt: Pick<AttemptOrigin, "network">,
): Promise<FactorEnded> {
  const { account, turn, factor } = own;
  return await guarded(deps, turn, countedForOwn(account, attempt), async () => {
    const isProven =
      "code" in proof
        ? await isUsedUp(deps.keyring, factor, proof.code)
        : await deps.passwords.verify(proof.password, await own.findPasswordHash());
    if (!isProven) return null;
    await factor.end();
    return { outcome: "off" };
  });
}

/** Whether a code was right and to be had; it is used up then. */
async function isUsedUp(keyring: Keyring, factor: FactorStore, code: string): Promise<boolean> {
  const given = await parseCode(keyring, factor, code);
  return given !== null && (await factor.use(given));
}

/** Somebody who has the session may still guess; each account's guesses are counted apart, so that nobody else has to wait. */
function countedForOwn(account: string, { network }: Pick<AttemptOrigin, "network">) {
  const { cleared } = countedFor(questionOf(account, "password"), network, null);
  return { cleared, lowered: [] };
}
