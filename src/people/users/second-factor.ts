import { now } from "../../platform/clock.ts";
import type { ColumnName, Keyring } from "../../platform/encryption/keyring.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { generateRecoveryCodes, hashRecoveryCode } from "./recovery-code.ts";
import { generateTotpSecret, stepOfCode } from "./totp.ts";

/** A second factor as it is stored. `secret` is a ciphertext; it is off while `confirmedAt` is null. */
export type StoredFactor = { secret: string | null; confirmedAt: string | null; recoveryCodes: number };

/** A code that may be right: the step of the application's, or the hash of a recovery code. */
export type GivenCode = { step: number } | { hash: Buffer };

/** `must-stay`: it protects the only password that opens anything (decision 76). */
type FactorEnd = "off" | "was-off" | "must-stay";

/** Where the second factor of one user is stored. */
export type FactorStore = {
  /** The tenant and the column that the secret is bound to. */
  tenant: TenantId | "";
  column: ColumnName;
  find(): Promise<StoredFactor>;
  /** Stores the ciphertext of a new secret. False if a second factor is on. */
  begin(secret: string): Promise<boolean>;
  /** Turns it on, with its recovery codes. False if another secret was stored meanwhile, or a second factor is on. */
  confirm(confirmed: { secret: string; step: number; codeHashes: Buffer[] }): Promise<boolean>;
  /** Uses a code up; a step's code also uses up those of all earlier steps. False if it was used before. */
  use(code: GivenCode): Promise<boolean>;
  /** Turns it off. @param alongside committed with it */
  end(alongside: readonly Call[]): Promise<FactorEnd>;
};

/** `pending`: the secret, in base32, of a second factor that is not confirmed yet. */
export type SecondFactor = {
  isOn: boolean;
  /** PostgreSQL's text. */
  since: string | null;
  recoveryCodes: number;
  pending: string | null;
};

export async function secondFactorOf(keyring: Keyring, store: FactorStore): Promise<SecondFactor> {
  const { secret, confirmedAt, recoveryCodes } = await store.find();
  const isOn = confirmedAt !== null;
  const pending = secret === null || isOn ? null : keyring.reveal(store.tenant, store.column, secret);
  return { isOn, since: confirmedAt, recoveryCodes, pending };
}

/** A new secret in base32, which is used once it is confirmed; null if a second factor is on. */
export async function beginSecondFactor(keyring: Keyring, store: FactorStore): Promise<string | null> {
  const secret = generateTotpSecret();
  return (await store.begin(keyring.encrypt(store.tenant, store.column, secret))) ? secret : null;
}

export type FactorConfirmed =
  | { outcome: "on"; recoveryCodes: string[] }
  | { outcome: "wrong" }
  | { outcome: "not-begun" };

/** Confirms a pending second factor by its first code, and turns it on. Its recovery codes are shown only now. */
export async function confirmSecondFactor(
  keyring: Keyring,
  store: FactorStore,
  code: string,
): Promise<FactorConfirmed> {
  const { secret, confirmedAt } = await store.find();
  if (secret === null || confirmedAt !== null) return { outcome: "not-begun" };
  const clear = keyring.reveal(store.tenant, store.column, secret);
  const step = clear === null ? null : stepOfCode(clear, withoutBlanks(code), now());
  if (step === null) return { outcome: "wrong" };
  const recoveryCodes = generateRecoveryCodes();
  const codeHashes = recoveryCodes.map(hashRecoveryCode);
  const isOn = await store.confirm({ secret, step, codeHashes });
  return isOn ? { outcome: "on", recoveryCodes } : { outcome: "not-begun" };
}

/** A typed code or recovery code that may open the second factor: using it up decides. */
export async function parseCode(keyring: Keyring, store: FactorStore, code: string): Promise<GivenCode | null> {
  const { secret, confirmedAt } = await store.find();
  if (secret === null || confirmedAt === null) return null;
  const typed = withoutBlanks(code);
  if (!/^\d+$/.test(typed)) return { hash: hashRecoveryCode(typed) };
  const clear = keyring.reveal(store.tenant, store.column, secret);
  const step = clear === null ? null : stepOfCode(clear, typed, now());
  return step === null ? null : { step };
}

/** Applications show `123 456`. */
function withoutBlanks(code: string): string {
  return code.replaceAll(/\s/g, "");
}
