import { createHash, randomBytes } from "node:crypto";
import { base32 } from "./totp.ts";

const CODES = 10;
/** 80 bits: enough for a hash that is quick. */
const BYTES = 10;

/** New recovery codes, as they are shown: `ABCD-EFGH-IJKL-MNOP`. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => (base32(randomBytes(BYTES)).match(/.{4}/g) ?? []).join("-"));
}

/** The hash of a recovery code, in whatever case and grouping it was typed. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash("sha256")
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ""))
    .digest();
}
