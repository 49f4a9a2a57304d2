import type { Deps } from "../../kit/deps.ts";
import type { Session } from "../../kit/web/session.ts";
import type { Keyring } from "../../platform/encryption/keyring.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { factorOffMail } from "../users/factor-off-mail.ts";
import { knownTurn, type InTurn } from "../users/password-turns.ts";
import { passwordComplaint } from "../users/password.ts";
import { factorOfUser } from "../users/second-factor-queries.ts";
import { parseCode, type FactorStore } from "../users/second-factor.ts";
import { findPasswordHash } from "../users/sign-in-queries.ts";
import { guarded, type Refused } from "./guarded.ts";
import { replacePassword } from "./own-session-queries.ts";
import { accountOf, countedFor, questionOf, type AttemptOrigin } from "./subjects.ts";

export type PasswordChanged = { outcome: "changed" } | { outcome: "invalid"; messages: FieldErrors } | Refused;

/** Changes the user's own password and ends the user's other sessions. `wrong`: the current password is wrong. */
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

/** An account with a password and an optional second factor. */
export type Account = {
  /** The account's digest, under which failures are counted (subjects.ts). */
  account: string;
  turn: InTurn;
  factor: FactorStore;
};

/** A user's own account. */
export function accountOfUser(database: Database, { id, tenant, workspace, user }: Session): Account {
  return {
    account: accountOf(workspace.slug, user.email),
    turn: knownTurn(workspace.slug),
    factor: factorOfUser(tenant, database, user.id, id),
  };
}

/** Checks the user's own password before a change that needs it. Null: it is right. */
export async function provePassword(
  deps: Deps,
  session: Session,
  password: string,
  attempt: Pick<AttemptOrigin, "network">,
): Promise<Refused | null> {
  const { account, turn } = accountOfUser(deps.database, session);
  const proven = await guarded(deps, turn, countedForOwn(account, attempt), async () => {
    const isRight = await isPassword(deps, session, password);
    return isRight ? ({ outcome: "proven" } as const) : null;
  });
  return proven.outcome === "proven" ? null : proven;
}

export type FactorEnded = { outcome: "off" } | { outcome: "was-off" } | { outcome: "must-stay" } | Refused;

/** Disables the user's own second factor, after a check of the password or of a code. */
export async function endSecondFactor(
  deps: Deps,
  session: Session,
  proof: { password: string } | { code: string },
  attempt: Pick<AttemptOrigin, "network">,
): Promise<FactorEnded> {
  const { account, turn, factor } = accountOfUser(deps.database, session);
  return await guarded<FactorEnded>(deps, turn, countedForOwn(account, attempt), async () => {
    const isProven =
      "code" in proof
        ? await isUsedUp(deps.keyring, factor, proof.code)
        : await isPassword(deps, session, proof.password);
    if (!isProven) return null;
    const mails = factorOffMail(deps, session.tenant, session.user.id, null);
    return { outcome: await factor.end(mails) };
  });
}

async function isPassword({ database, passwords }: Deps, { tenant, user }: Session, password: string) {
  return await passwords.verify(password, await findPasswordHash(tenant, database, user.id));
}

/** Whether a code was right and not used before. It is used up then. */
async function isUsedUp(keyring: Keyring, factor: FactorStore, code: string): Promise<boolean> {
  const parsed = await parseCode(keyring, factor, code);
  return parsed !== null && (await factor.use(parsed));
}

/** A signed-in person may still guess. These guesses are counted per account, so they do not block other accounts. */
function countedForOwn(account: string, { network }: Pick<AttemptOrigin, "network">) {
  const { cleared } = countedFor(questionOf(account, "password"), network, null);
  return { cleared, lowered: [] };
}
