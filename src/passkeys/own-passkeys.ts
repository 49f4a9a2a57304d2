import { randomBytes } from "node:crypto";
import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import { textOrNull, validate } from "../platform/fields/validation.ts";
import type { Call } from "../platform/postgres/statement.ts";
import type { Refused } from "../sessions/guarded.ts";
import { provePassword, type Account } from "../sessions/own-account.ts";
import type { AttemptOrigin } from "../sessions/subjects.ts";
import { newChallenge, unsealChallenge, type AccountKind } from "./challenge.ts";
import { checkCreation, parseAnswer } from "./check-answer.ts";
import { creationOptions, type AccountName, type Asked } from "./options.ts";
import type { PasskeyChange, PasskeyStanding } from "./passkey-queries.ts";
import type { ListedPasskey, PasskeyStore } from "./passkey-store.ts";
import { MOST_PASSKEYS, passkeyNameFields, siteOf } from "./passkey.ts";

/** A session of this age may add a passkey without a password, where there is none. */
const FRESH_MS = 15 * 60_000;

/** The owner of passkeys, a user or an operator, with the session that changes them. */
export type PasskeyOwner = AccountName & {
  door: AccountKind;
  session: string;
  account: Account;
  passkeys: PasskeyStore;
  /** @param freshSince milliseconds since the epoch */
  standing: (freshSince: number) => Promise<PasskeyStanding | null>;
  /** The calls that report a change. Operators have no history and get no mail. */
  reporting: (change: PasskeyChange) => Call[];
};

/** How an owner may add a passkey; `stale`: there is no password, and the session began too long ago. */
export type WayToAdd = "by-password" | "by-session" | "stale" | "sso-only" | "full";

export async function wayToAdd(owner: Pick<PasskeyOwner, "standing" | "passkeys">): Promise<WayToAdd> {
  const [standing, passkeys] = await Promise.all([owner.standing(now() - FRESH_MS), owner.passkeys.list()]);
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
  owner: PasskeyOwner,
  typed: { name: string; password: string },
  { network, origin }: Pick<AttemptOrigin, "network"> & { origin: string },
): Promise<AdditionBegun> {
  const { keyring, config } = deps;
  const { door, session } = owner;
  const site = siteOf(config, origin);
  const way = await wayToAdd(owner);
  if (typeof site === "string" || (way !== "by-password" && way !== "by-session")) return { outcome: "not-possible" };
  const { values, errors } = validate(passkeyNameFields, { name: typed.name }, "create");
  if (errors !== null) return { outcome: "invalid", messages: errors };
  if (way === "by-password") {
    const refused = await provePassword(deps, owner.account, typed.password, { network });
    if (refused !== null) return refused;
  }
  const passkeys = await owner.passkeys.list();
  const handle = passkeys[0]?.userHandle ?? randomBytes(32).toString("base64url");
  const name = textOrNull(values.name) ?? "";
  const { value, sealed } = newChallenge(keyring, door, { for: "add", session, name, handle });
  return { outcome: "begun", options: creationOptions(site, owner, { handle, challenge: value, passkeys }), sealed };
}

/**
 * `refused`: the answer is none to this challenge at this site, or the passkey is known. `weak`: it does not verify its
 * owner, and the account has no second factor that it could stand for.
 */
export type AdditionFinished = { outcome: "added" | "not-begun" | "refused" | "weak" };

export async function finishAddition(
  { keyring, config }: Deps,
  { door, session, passkeys, standing: standingSince, reporting }: PasskeyOwner,
  { answer: text, cookie, origin }: { answer: string; cookie: string | null; origin: string },
): Promise<AdditionFinished> {
  const challenge = unsealChallenge(keyring, door, cookie);
  if (challenge?.purpose.for !== "add" || challenge.purpose.session !== session) return { outcome: "not-begun" };
  const { name, handle } = challenge.purpose;
  const [site, answer] = [siteOf(config, origin), parseAnswer(text)];
  if (typeof site === "string" || answer === null) return { outcome: "refused" };
  const credential = await checkCreation(answer, site, challenge.value);
  if (credential === null) return { outcome: "refused" };
  const standing = await standingSince(0);
  if (standing?.mayUse !== true) return { outcome: "refused" };
  if (!credential.verifies && !standing.hasSecondFactor) return { outcome: "weak" };
  const added = { name, handle, credential };
  const isAdded = await passkeys.insert(added, challenge, reporting({ from: null, to: name }));
  return { outcome: isAdded ? "added" : "refused" };
}

/** Removes a passkey of the owner; false where it is the last way to sign in. */
export async function removePasskey(
  { passkeys, reporting }: Pick<PasskeyOwner, "passkeys" | "reporting">,
  { id, name }: Pick<ListedPasskey, "id" | "name">,
): Promise<boolean> {
  return await passkeys.delete(id, reporting({ from: name, to: null }));
}
