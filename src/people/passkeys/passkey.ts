import { isIP } from "node:net";
import type { Config } from "../../kit/config.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";

/** A user may have this many: the browser receives a list of them. */
export const MOST_PASSKEYS = 50;

/** The longest credential id: 1023 bytes (WebAuthn 3, 4) as base64url. */
export const CREDENTIAL_MAX = 1_364;
/** An RSA key of 4096 bits as base64url has some 700 characters. */
const KEY_MAX = 2_000;

/** The fields of a stored passkey that a person, a browser or an authenticator chose. */
export const passkeyFields: FieldTable = [
  { name: "name", kind: "string", max: 100, required: true },
  { name: "credential_id", kind: "string", max: CREDENTIAL_MAX, required: true },
  { name: "public_key", kind: "string", max: KEY_MAX, required: true },
  { name: "user_handle", kind: "string", max: 100, required: true },
  { name: "transports", kind: "string", max: 200 },
];

/** The field that a person fills in. */
export const passkeyNameFields: FieldTable = passkeyFields.slice(0, 1);

/** Where passkeys work: the relying party's id and the origin (WebAuthn 3, 5.1.2). */
export type Site = { id: string; origin: string };

/** Why there is no site. `unset`: the address is the request's, which anybody can choose. */
export type NoSite = "address" | "unset" | "insecure";

/**
 * The site of this installation: that of LIAISON_PUBLIC_URL. Without it, a local address alone is good enough.
 * @param origin of this server as browsers see it
 */
export function siteOf({ publicUrl }: Pick<Config, "publicUrl">, origin: string): Site | NoSite {
  const url = URL.parse(publicUrl ?? origin);
  if (url === null) return "unset";
  const { hostname, protocol } = url;
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (hostname.startsWith("[") || isIP(hostname) !== 0) return "address";
  if (publicUrl === null && !isLocal) return "unset";
  if (protocol !== "https:" && !isLocal) return "insecure";
  return { id: hostname, origin: url.origin };
}

/** A credential that an authenticator has just created. `verifies`: it verified its owner. */
export type NewCredential = { id: string; publicKey: string; counter: number; transports: string; verifies: boolean };

/** A right answer. `isVerified`: the authenticator verified its owner. */
export type Checked = { counter: number; isVerified: boolean };
