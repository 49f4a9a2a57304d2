import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { CREDENTIAL_MAX, type Checked, type NewCredential, type Site } from "./passkey.ts";

/** The signature algorithms that are offered: EdDSA, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** More than any answer has. */
const ANSWER_MAX = 20_000;

/** The parts of a browser's answer that are read before its check. */
export type PasskeyAnswer = { credentialId: string; userHandle: string | null; json: unknown };

/** Null for a text that no browser sends. */
export function parseAnswer(text: string): PasskeyAnswer | null {
  if (text.length > ANSWER_MAX) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const { id, rawId, type, response } = (json ?? {}) as Record<string, unknown>;
  if (!isEncoded(id) || id !== rawId || type !== "public-key") return null;
  if (typeof response !== "object" || response === null) return null;
  const { userHandle = null } = response as Record<string, unknown>;
  // Keys that list no accounts have no handle. Some browsers write it as an empty text.
  if (userHandle === null || userHandle === "") return { credentialId: id, userHandle: null, json };
  return isEncoded(userHandle) ? { credentialId: id, userHandle, json } : null;
}

function isEncoded(value: unknown): value is string {
  return typeof value === "string" && value.length <= CREDENTIAL_MAX && /^[\w-]+$/.test(value);
}

/** The new credential of an answer; null if it does not answer this challenge at this site. */
export async function checkCreation(
  { json }: PasskeyAnswer,
  { id, origin }: Site,
  challenge: string,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const sent = json as RegistrationResponseJSON;
  try {
    const response = await withoutAttestation(sent);
    const checked = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!checked.verified) return null;
    const { credential, userVerified: verifies } = checked.registrationInfo;
    return {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: transportsOf(response),
      verifies,
    };
  } catch {
    // The library throws for everything that is wrong.
    return null;
  }
}

/**
 * The answer without its attestation. Liaison requests and uses none, but some authenticators send one. The check of a
 * certificate would call the address that it names.
 */
async function withoutAttestation(sent: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const bytes = new Uint8Array(Buffer.from(sent.response.attestationObject, "base64url"));
  const plain = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ["fmt", "none"],
      ["attStmt", new Map<string, string>()],
      ["authData", decodeAttestationObject(bytes).get("authData")],
    ]),
  );
  return { ...sent, response: { ...sent.response, attestationObject: Buffer.from(plain).toString("base64url") } };
}

const TRANSPORTS = new Set(["usb", "nfc", "ble", "smart-card", "hybrid", "internal"]);

function transportsOf({ response: { transports } }: RegistrationResponseJSON): string {
  const known = Array.isArray(transports) ? transports.filter((each) => TRANSPORTS.has(each)) : [];
  return [...new Set(known)].join(" ");
}

/** Null if the passkey did not answer this challenge at this site, or if its counter went back. */
export async function checkAssertion(
  { json }: PasskeyAnswer,
  { credentialId, publicKey, counter }: { credentialId: string; publicKey: string; counter: number },
  { id, origin }: Site,
  challenge: string,
): Promise<Checked | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: json as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
        counter,
      },
    });
    if (!verified) return null;
    return { counter: authenticationInfo.newCounter, isVerified: authenticationInfo.userVerified };
  } catch {
    return null;
  }
}
