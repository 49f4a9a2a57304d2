import type { Deps } from "../deps.ts";
import type { FieldErrors } from "../platform/fields/validation.ts";
import { passwordComplaint } from "../users/password.ts";
import { hashPassword, verifyPassword } from "../users/password-hash.ts";
import { endFactor, usingCode } from "../users/second-factor-queries.ts";
import { parseCode } from "../users/second-factor.ts";
import { findPasswordHash } from "../users/sign-in-queries.ts";
import { guarded, type Refused } from "./guarded.ts";
import { replacePassword } from "./own-session-queries.ts";
import type { Session } from "../web/session.ts";
import { accountOf, countedFor, knownTurn, questionOf, type Attempt } from "./subjects.ts";

export type PasswordChanged = { outcome: "changed" } | { outcome: "invalid"; messages: FieldErrors } | Refused;

/** Changes one's own password and ends one's other sessions. `wrong`: the current one is. */
export async function changePassword(
  deps: Deps,
  session: Session,
  { current, password }: { current: string; password: string },
  attempt: Pick<Attempt, "network">,
): Promise<PasswordChanged> {
  const { database } = deps;
  const { tenant, workspace, user } = session;
  const complaint = passwordComplaint(password, { email: user.email, workspace: workspace.slug });
  if (complaint !== null) return { outcome: "invalid", messages: { password: [complaint] } };
  return await guarded(deps, knownTurn(workspace.slug), countedForOwn(session, attempt), async () => {
    const before = await findPasswordHash(tenant, database, user.id);
    if (before === null || !(await verifyPassword(current, before))) return null;
    const isChanged = await replacePassword(tenant, database, session, before, await hashPassword(password));
    return isChanged ? { outcome: "changed" } : null;
  });
}

export type FactorEnded = { outcome: "off" } | Refused;

/** Switches one's second factor off, by the password or by a code. */
export async function endSecondFactor(
  deps: Deps,
  session: Session,
  proof: { password: string } | { code: string },
  attempt: Pick<Attempt, "network">,
): Promise<FactorEnded> {
  const { tenant, workspace, user } = session;
  return await guarded(deps, knownTurn(workspace.slug), countedForOwn(session, attempt), async () => {
    const isProven =
      "code" in proof
        ? await isUsedUp(deps, session, proof.code)
        : await verifyPassword(proof.password, await findPasswordHash(tenant, deps.database, user.id));
    if (!isProven) return null;
    await endFactor(tenant, deps.database, user.id);
    return { outcome: "off" };
  });
}

/** Whether a code was right and to be had; it is used up then. */
async function isUsedUp(deps: Deps, { tenant, user }: Session, code: string): Promise<boolean> {
  const given = await parseCode(deps, tenant, user.id, code);
  const [rows] = given === null ? [] : await deps.database.write(tenant, [usingCode(user.id, given)]);
  return rows?.length === 1;
}

/** Somebody who has the session may still guess; each user's guesses are counted apart, so that nobody else has to wait. */
function countedForOwn({ workspace, user }: Session, { network }: Pick<Attempt, "network">) {
  const { cleared } = countedFor(questionOf(accountOf(workspace.slug, user.email), "password"), network, null);
  return { cleared, lowered: [] };
}
