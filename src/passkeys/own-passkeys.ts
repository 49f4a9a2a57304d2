import { randomBytes } from "node:crypto";
import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import { textOrNull, validate } from "../platform/fields/validation.ts";
import type { Refused } from "../sessions/guarded.ts";
import { accountOfUser, provePassword } from "../sessions/own-account.ts";
import type { AttemptOrigin } from "../sessions/subjects.ts";
import type { Session } from "../web/session.ts";
import { newChallenge, unsealChallenge } from "./challenge.ts";
import { checkCreation, parseAnswer } from "./check-answer.ts";
import { creationOptions, type Asked } from "./options.ts";
import { standingForPasskeys, insertPasskey, listPasskeys } from "./passkey-queries.ts";
import { MOST_PASSKEYS, passkeyNameFields, siteOf } from "./passkey.ts";

/** A session of this age may add a passkey without a password, where there is none. */
const FRESH_MS = 15 * 60_000;

/** How a user may add a passkey; `stale`: there is no password, and the session began too long ago. */
export type WayToAdd = "by-password" | "by-session" | "stale" | "sso-only" | "full";

export async function wayToAdd({ database }: Pick<Deps, "database">, session: Session): Promise<WayToAdd> {
  const { tenant, user, id } = session;
  const [standing, passkeys] = await Promise.all([
    standingForPasskeys(tenant, database, { user: user.id, session: id }, now() - FRESH_MS),
    listPasskeys(tenant, database, user.id),
  ]);
  if (standing?.mayUse !== true) return "sso-only";
  if (passkeys.length >= MOST_PASSKEYS) return "full";
  if (standing.hasPassword) return "by-password";
  return standing.isFresh ? "by-session" : "stale";
}

export type AdditionBegun =
  | ({ outcome: "begun" } & Asked)
  | { outcome: "invalid"; messages: FieldErrors }
  /** The page says why. */
  | { outcome: "not-possible" }
  | Refused;

/** Begins the addition of a passkey, after a check of the password. */
export async function beginAddition(
  deps: Deps,
  session: Session,
  typed: { name: string; password: string },
  { network, origin }: Pick<AttemptOrigin, "network"> & { origin: string },
): Promise<AdditionBegun> {
  const { database, keyring, config } = deps;
  const site = siteOf(config, origin);
  const way = await wayToAdd(deps, session);
  if (typeof site === "string" || (way !== "by-password" && way !== "by-session")) return { outcome: "not-possible" };
  const { values, errors } = validate(passkeyNameFields, { name: typed.name }, "create");
  if (errors !== null) return { outcome: "invalid", messages: errors };
  if (way === "by-password") {
    const refused = await provePassword(deps, accountOfUser(database, session), typed.password, { network });
    if (refused !== null) return refused;
  }
  const passkeys = await listPasskeys(session.tenant, database, session.user.id);
  const handle = passkeys[0]?.userHandle ?? randomBytes(32).toString("base64url");
  const name = textOrNull(values.name) ?? "";
  const { value, sealed } = newChallenge(keyring, { for: "add", session: session.id, name, handle });
  return { outcome: "begun", options: creationOptions(site, session, { handle, challenge: value, passkeys }), sealed };
}

/**
 * `refused`: the answer is none to this challenge at this site, or the passkey is known. `weak`: it does not verify its
 * owner, and the account has no second factor that it could stand for.
 */
export type AdditionFinished = { outcome: "added" | "not-begun" | "refused" | "weak" };

export async function finishAddition(
  { database, keyring, config }: Deps,
  session: Session,
  { answer: text, cookie, origin }: { answer: string; cookie: string | null; origin: string },
): Promise<AdditionFinished> {
  const challenge = unsealChallenge(keyring, cookie);
  if (challenge?.purpose.for !== "add" || challenge.purpose.session !== session.id) return { outcome: "not-begun" };
  const { name, handle } = challenge.purpose;
  const [site, answer] = [siteOf(config, origin), parseAnswer(text)];
  if (typeof site === "string" || answer === null) return { outcome: "refused" };
  const credential = await checkCreation(answer, site, challenge.value);
  if (credential === null) return { outcome: "refused" };
  const standing = await standingForPasskeys(
    session.tenant,
    database,
    { user: session.user.id, session: session.id },
    0,
  );
  if (standing?.mayUse !== true) return { outcome: "refused" };
  if (!credential.verifies && !standing.hasSecondFactor) return { outcome: "weak" };
  const addition = { user: session.user.id, name, handle, credential };
  const isAdded = await insertPasskey(session.tenant, database, addition, challenge);
  return { outcome: isAdded ? "added" : "refused" };
}
