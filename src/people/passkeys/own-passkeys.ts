import { randomBytes } from "node:crypto";
import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import type { Session } from "../../kit/web/session.ts";
import { now } from "../../platform/clock.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { textOrNull, validate } from "../../platform/fields/validation.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Refused } from "../sessions/guarded.ts";
import { provePassword } from "../sessions/own-account.ts";
import type { AttemptOrigin } from "../sessions/subjects.ts";
import { newChallenge, unsealChallenge } from "./challenge.ts";
import { checkCreation, parseAnswer } from "./check-answer.ts";
import { creationOptions, type PasskeyRequest } from "./options.ts";
import {
  deletePasskey,
  endingSessions,
  insertPasskey,
  listPasskeys,
  notingPasskey,
  standingForPasskeys,
  type ListedPasskey,
  type PasskeyChange,
} from "./passkey-queries.ts";
import { MOST_PASSKEYS, passkeyNameFields, siteOf } from "./passkey.ts";

/** A session of at most this age may add a passkey to an account without a password. */
const FRESH_MS = 15 * 60_000;

/** How an owner may add a passkey, or why not; `stale`: there is no password, and the session began too long ago. */
export type AdditionCheck = "by-password" | "by-session" | "stale" | "sso-only" | "full";

export async function checkAddition({ database }: Pick<Deps, "database">, session: Session): Promise<AdditionCheck> {
  const [standing, passkeys] = await Promise.all([
    standingForPasskeys(session.tenant, database, session.user.id, session.id, now() - FRESH_MS),
    listPasskeys(session.tenant, database, session.user.id),
  ]);
  if (standing?.mayUse !== true) return "sso-only";
  if (passkeys.length >= MOST_PASSKEYS) return "full";
  if (standing.hasPassword) return "by-password";
  return standing.isFresh ? "by-session" : "stale";
}

export type AdditionBegun =
  | ({ outcome: "begun" } & PasskeyRequest)
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
  const { keyring, config, database } = deps;
  const { id, tenant, user, workspace } = session;
  const site = siteOf(config, origin);
  const allowed = await checkAddition(deps, session);
  if (typeof site === "string" || (allowed !== "by-password" && allowed !== "by-session"))
    return { outcome: "not-possible" };
  const { values, errors } = validate(passkeyNameFields, { name: typed.name }, "create");
  if (errors !== null) return { outcome: "invalid", messages: errors };
  if (allowed === "by-password") {
    const refused = await provePassword(deps, session, typed.password, { network });
    if (refused !== null) return refused;
  }
  const passkeys = await listPasskeys(tenant, database, user.id);
  const handle = passkeys[0]?.userHandle ?? randomBytes(32).toString("base64url");
  const name = textOrNull(values.name) ?? "";
  const { value, sealed } = newChallenge(keyring, { for: "add", session: id, name, handle });
  const account = { name: `${user.email} · ${workspace.slug || "operator"}`, displayName: user.name };
  return { outcome: "begun", options: creationOptions(site, account, { handle, challenge: value, passkeys }), sealed };
}

/**
 * `refused`: the answer does not fit this challenge and site, or the passkey is known. `weak`: it does not verify its
 * owner, so it would not replace a second factor, and the account has none.
 */
export type AdditionFinished = { outcome: "added" | "not-begun" | "refused" | "weak" };

export async function finishAddition(
  deps: Deps,
  session: Session,
  { answer: text, cookie, origin }: { answer: string; cookie: string | null; origin: string },
): Promise<AdditionFinished> {
  const { keyring, config, database } = deps;
  const { tenant, user } = session;
  const challenge = unsealChallenge(keyring, cookie);
  if (challenge?.purpose.for !== "add" || challenge.purpose.session !== session.id) return { outcome: "not-begun" };
  const { name, handle } = challenge.purpose;
  const [site, answer] = [siteOf(config, origin), parseAnswer(text)];
  if (typeof site === "string" || answer === null) return { outcome: "refused" };
  const credential = await checkCreation(answer, site, challenge.value);
  if (credential === null) return { outcome: "refused" };
  const standing = await standingForPasskeys(tenant, database, session.user.id, session.id, 0);
  if (standing?.mayUse !== true) return { outcome: "refused" };
  if (!credential.verifies && !standing.hasSecondFactor) return { outcome: "weak" };
  const added = { name, handle, credential };
  const reports = reportingPasskey(deps, tenant, user.id, { from: null, to: name }, null);
  const isAdded = await insertPasskey(tenant, database, user.id, added, challenge, reports);
  return { outcome: isAdded ? "added" : "refused" };
}

/** Removes a passkey of the owner; false if it is the last way to sign in. */
export async function removePasskey(
  deps: Deps,
  { tenant, user }: Session,
  { id, name }: Pick<ListedPasskey, "id" | "name">,
): Promise<boolean> {
  const reports = reportingPasskey(deps, tenant, user.id, { from: name, to: null }, null);
  return await deletePasskey(tenant, deps.database, user.id, id, reports);
}

/** Removes a passkey of another user who lost the device, and ends that user's sessions; false for the caller's. */
export async function removeOfUser(
  deps: Deps,
  tenant: TenantId,
  user: string,
  { id, name }: Pick<ListedPasskey, "id" | "name">,
  by: { id: string; name: string },
): Promise<boolean> {
  const reports = reportingPasskey(deps, tenant, user, { from: name, to: null }, by);
  return await deletePasskey(tenant, deps.database, user, id, [endingSessions(user), ...reports]);
}

/** The calls that record a change of a user's passkeys in the history, and notify the user. @param by null: the user */
function reportingPasskey(
  deps: Pick<Deps, "config" | "keyring">,
  tenant: TenantId,
  user: string,
  change: PasskeyChange,
  by: { id: string; name: string } | null,
): Call[] {
  const kind = change.to === null ? "passkey-removed" : "passkey-added";
  const details = { at: now(), name: change.to ?? change.from ?? "", by: by === null ? null : { name: by.name } };
  return [notingPasskey(user, change, `user:${by?.id ?? user}`), ...mailing(deps, tenant, { user }, { kind, details })];
}
