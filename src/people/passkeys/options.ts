import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { CHALLENGE_SECONDS } from "./challenge.ts";
import { ALGORITHMS } from "./check-answer.ts";
import type { ListedPasskey } from "./passkey-queries.ts";
import type { Site } from "./passkey.ts";

/** A request to a browser, and the cookie with its challenge. */
export type PasskeyRequest = {
  options: PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON;
  sealed: string;
};

/** An account as authenticators list it. */
export type AccountName = { name: string; displayName: string };

const timeout = CHALLENGE_SECONDS * 1_000;

/** The options for a new passkey. One that stays on the authenticator needs no name of the account at a sign-in. */
export function creationOptions(
  { id }: Site,
  { name, displayName }: AccountName,
  { handle, challenge, passkeys }: { handle: string; challenge: string; passkeys: readonly ListedPasskey[] },
): PublicKeyCredentialCreationOptionsJSON {
  return {
    challenge,
    rp: { id, name: "Liaison" },
    user: { id: handle, name, displayName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout,
    excludeCredentials: descriptorsOf(passkeys),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    attestation: "none",
  };
}

/** The options for an answer by a passkey. @param passkeys none: any that the authenticator offers */
export function requestOptions(
  { id }: Site,
  challenge: string,
  { passkeys, isSecond }: { passkeys: readonly ListedPasskey[]; isSecond: boolean },
): PublicKeyCredentialRequestOptionsJSON {
  const userVerification = isSecond ? "discouraged" : "required";
  return { challenge, rpId: id, timeout, allowCredentials: descriptorsOf(passkeys), userVerification };
}

function descriptorsOf(passkeys: readonly ListedPasskey[]) {
  return passkeys.map(({ credentialId: id, transports }) => ({
    type: "public-key" as const,
    id,
    ...(transports !== "" && { transports: transports.split(" ") }),
  }));
}
