import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { generateRecoveryCodes, hashRecoveryCode } from "./recovery-code.ts";
import { beginFactor, confirmFactor, findSecondFactor, type GivenCode } from "./second-factor-queries.ts";
import { generateSecret, stepOfCode } from "./totp.ts";

export type Store = Pick<Deps, "database" | "keyring">;

/** The place that a stored secret is bound to. */
const COLUMN = "users.totp_secret";

/** A user's second factor. `pending` is the secret of one that was begun and not confirmed, in base32. */
export type SecondFactor = {
  isOn: boolean;
  /** PostgreSQL's text. */
  since: string | null;
  recoveryCodes: number;
  pending: string | null;
};

export async function secondFactorOf(
  { database, keyring }: Store,
  tenant: TenantId,
  user: string,
): Promise<SecondFactor> {
  const { secret, confirmedAt, recoveryCodes } = await findSecondFactor(tenant, database, user);
  const isOn = confirmedAt !== null;
  const pending = secret === null || isOn ? null : keyring.reveal(tenant, COLUMN, secret);
  return { isOn, since: confirmedAt, recoveryCodes, pending };
}

/** A new secret in base32, which counts once it is confirmed; null where a second factor is on. */
export async function beginSecondFactor(
  { database, keyring }: Store,
  tenant: TenantId,
  user: string,
): Promise<string | null> {
  const secret = generateSecret();
  return (await beginFactor(tenant, database, user, keyring.encrypt(tenant, COLUMN, secret))) ? secret : null;
}

export type FactorConfirmed =
  | { outcome: "on"; recoveryCodes: string[] }
  | { outcome: "wrong" }
  | { outcome: "not-begun" };

/** Turns the second factor on that was begun, by its first code. The recovery codes are shown now and never again. */
export async function confirmSecondFactor(
  { database, keyring }: Store,
  tenant: TenantId,
  user: string,
  code: string,
): Promise<FactorConfirmed> {
  const stored = await findSecondFactor(tenant, database, user);
  if (stored.secret === null || stored.confirmedAt !== null) return { outcome: "not-begun" };
  const clear = keyring.reveal(tenant, COLUMN, stored.secret);
  const step = clear === null ? null : stepOfCode(clear, withoutBlanks(code), now());
  if (step === null) return { outcome: "wrong" };
  const recoveryCodes = generateRecoveryCodes();
  const codeHashes = recoveryCodes.map(hashRecoveryCode);
  const isOn = await confirmFactor(tenant, database, user, { secret: stored.secret, step, codeHashes });
  return isOn ? { outcome: "on", recoveryCodes } : { outcome: "not-begun" };
}

/** A code that was typed, a recovery code too, as far as it may open the second factor: using it up decides. */
export async function parseCode(
  { database, keyring }: Store,
  tenant: TenantId,
  user: string,
  code: string,
): Promise<GivenCode | null> {
  const { secret, confirmedAt } = await findSecondFactor(tenant, database, user);
  if (secret === null || confirmedAt === null) return null;
  const typed = withoutBlanks(code);
  if (!/^\d+$/.test(typed)) return { hash: hashRecoveryCode(typed) };
  const clear = keyring.reveal(tenant, COLUMN, secret);
  const step = clear === null ? null : stepOfCode(clear, typed, now());
  return step === null ? null : { step };
}

/** Applications show `123 456`. */
function withoutBlanks(code: string): string {
  return code.replaceAll(/\s/g, "");
}
