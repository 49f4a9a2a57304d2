import { createHash } from "node:crypto";
import { decodeProtectedHeader, errors, jwtVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from "openid-client";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { now } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/outbound/http-client.ts";
import { storableWithin, asStored } from "../../platform/text.ts";
import { EMAIL_MAX } from "../users/user.ts";
import { KEYS_MS, keysOf, providerOf, pausingFetch, type KnownProvider } from "./known-providers.ts";
import { troubleOf } from "./provider-trouble.ts";
import { SignInTrouble, type ProviderClaims, type Client } from "./single-sign-on.ts";

/** The values of a sign-in that the provider's answer must match. */
export type SignInChecks = { state: string; nonce: string; verifier: string };

/** Seconds. */
const CLOCK_SKEW = 60;
/** The library asks for the keys again if an unknown key signed a token, and its copy is this old. Seconds. */
const KEYS_MAY_BE_OLD = 60;
const TEXT_MAX = 255;
const SCOPES = "openid email profile";

/** The provider's page where the person signs in, and the values that its answer must match. */
export async function beginAt(
  calls: HttpClient,
  client: Client,
  redirectUri: string,
): Promise<{ url: string; checks: SignInChecks }> {
  const library = await import("openid-client");
  const [config] = await configurationsOf(calls, client, await providerOf(calls, client.issuer));
  const checks = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
  };
  try {
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      // Some providers refuse a scope that comes twice.
      scope: [...new Set(`${SCOPES} ${client.scopes}`.split(" "))].filter((scope) => scope !== "").join(" "),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: "S256",
    });
    return { url: url.href, checks };
  } catch (error) {
    throw troubleOf(error, "misconfigured");
  }
}

/** The inputs of a sign-in beside the address. `groupsClaim`: the claim with the groups; null: they do not matter. */
type Needs = { groupsClaim: string | null; verified: boolean };

/** Whether the ID token has all that a sign-in needs. Otherwise the userinfo endpoint may have the rest. */
function isComplete(token: IDToken, { groupsClaim, verified }: Needs): boolean {
  const needed = ["email", ...(verified ? ["email_verified"] : []), ...(groupsClaim === null ? [] : [groupsClaim])];
  return needed.every((claim) => (token[claim] ?? null) !== null);
}

/**
 * The person whom the provider's answer is about. The library checks state, token and signature.
 * @param address the whole address of the callback, with its query
 */
export async function finishAt(
  calls: HttpClient,
  client: Client,
  { address, checks, needs }: { address: URL; checks: SignInChecks; needs: Needs },
): Promise<ProviderClaims> {
  const { authorizationCodeGrant, fetchUserInfo } = await import("openid-client");
  const provider = await providerOf(calls, client.issuer);
  const [first, second] = await configurationsOf(calls, client, provider);
  let config = first;
  const grant = async () =>
    await authorizationCodeGrant(config, address, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    });
  try {
    const tokens = await grant().catch(async (error: unknown) => {
      if (second === undefined || troubleOf(error, "token-refused").reason !== "client-refused") throw error;
      config = second;
      const granted = await grant();
      usesSecondWay.set(keyOf(client), !usesSecondWay.get(keyOf(client)));
      return granted;
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new SignInTrouble("token-refused", "no ID token");
    checkToken(claims, tokens.id_token ?? "", { clientId: client.clientId, accessToken: tokens.access_token });
    const canAsk = provider.metadata.userinfo_endpoint !== undefined;
    const more =
      isComplete(claims, needs) || !canAsk ? {} : await fetchUserInfo(config, tokens.access_token, claims.sub);
    return claimsOf(claims, more, needs.groupsClaim);
  } catch (error) {
    throw troubleOf(error, "token-refused");
  } finally {
    await storeKeys(config, provider);
  }
}

/** The hashes of the algorithms that sign ID tokens (RFC 7518, 3.1). */
const HASHES: Readonly<Record<string, string>> = {
  RS256: "sha256",
  PS256: "sha256",
  ES256: "sha256",
  RS384: "sha384",
  PS384: "sha384",
  ES384: "sha384",
  RS512: "sha512",
  PS512: "sha512",
  ES512: "sha512",
  Ed25519: "sha512",
  EdDSA: "sha512",
};

/**
 * Checks two claims that the library leaves alone where they are optional (OpenID Connect Core 1.0, 3.1.3.7 and
 * 3.1.3.8): the token is for this client, and belongs to the access token. Throws SignInTrouble.
 */
function checkToken(
  { azp, at_hash: expected }: IDToken,
  token: string,
  { clientId, accessToken }: { clientId: string; accessToken: string },
): void {
  if ((azp ?? clientId) !== clientId) throw new SignInTrouble("token-refused", "azp is another client");
  if ((expected ?? null) === null) return;
  const hash = HASHES[String(decodeProtectedHeader(token).alg)];
  const digest = hash === undefined ? null : createHash(hash).update(accessToken).digest();
  const actual = digest?.subarray(0, digest.length / 2).toString("base64url");
  if (actual !== expected) throw new SignInTrouble("token-refused", "at_hash is not that of the access token");
}

/** A message that ends sessions at the provider. */
export type Logout = { subject: string | null; session: string | null; id: string; expiresAt: number };

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** The longest life of such a message without an end of its own. Milliseconds. */
const LOGOUT_MS = 10 * 60_000;

/** Checks a message of the provider that ends sessions (OpenID Connect Back-Channel Logout 1.0, 2.6). Null: refused. */
export async function readLogout(
  calls: HttpClient,
  { issuer, clientId }: Client,
  token: string,
): Promise<Logout | null> {
  const { metadata } = await providerOf(calls, issuer);
  const verify = async (jwks: unknown) =>
    await jwtVerify(token, createLocalJWKSet(jwks as JSONWebKeySet), {
      issuer: metadata.issuer,
      audience: clientId,
      clockTolerance: CLOCK_SKEW,
      maxTokenAge: LOGOUT_MS / 1_000,
      requiredClaims: ["iat", "jti", "events"],
      currentDate: new Date(now()),
    });
  try {
    const { payload } = await verify(await keysOf(calls, issuer)).catch(async (error: unknown) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return await verify(await keysOf(calls, issuer, true));
    });
    const { sub, sid, jti, exp, events, nonce } = payload;
    const isLogout = typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
    const [subject, session, id] = [sub, sid, jti].map((text) => storableWithin(text, TEXT_MAX));
    if (!isLogout || nonce !== undefined || id === undefined || id === null) return null;
    if ((subject ?? null) === null && (session ?? null) === null) return null;
    const longest = now() + LOGOUT_MS + 2 * CLOCK_SKEW * 1_000;
    const expiresAt = exp === undefined ? longest : Math.min(longest, (exp + CLOCK_SKEW) * 1_000);
    return { subject: subject ?? null, session: session ?? null, id, expiresAt };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw troubleOf(error, "token-refused");
  }
}

/**
 * The client by each way to send its secret, in order. A provider may offer both and have registered the client for the
 * form alone. Without a list, the standard's default is the header.
 */
async function configurationsOf(
  calls: HttpClient,
  { issuer, clientId, secret }: Client,
  { metadata, keys }: KnownProvider,
): Promise<[Configuration, ...Configuration[]]> {
  const library = await import("openid-client");
  const configuration = (authentication: ClientAuth) => {
    const config = new library.Configuration(
      metadata,
      clientId,
      { [library.clockTolerance]: CLOCK_SKEW },
      authentication,
    );
    config[library.customFetch] = pausingFetch(calls, issuer);
    library.enableNonRepudiationChecks(config);
    if (keys !== null && now() - keys.readAt < KEYS_MS) {
      library.setJwksCache(config, { jwks: keys.jwks, uat: Math.floor(now() / 1_000) - KEYS_MAY_BE_OLD });
    }
    return config;
  };
  const methods = metadata.token_endpoint_auth_methods_supported;
  const header = configuration(secretInHeader(clientId, secret));
  const form = configuration(library.ClientSecretPost(secret));
  if (methods?.includes("client_secret_basic") === false) return [form];
  if (methods?.includes("client_secret_post") === false) return [header];
  return usesSecondWay.get(keyOf({ issuer, clientId })) === true ? [form, header] : [header, form];
}

/** Clients whose provider accepted the secret in the form only, so that later sign-ins begin with it. */
const usesSecondWay = new BoundedMap<boolean>(1_000);

function keyOf({ issuer, clientId }: Pick<Client, "issuer" | "clientId">): string {
  return `${issuer} ${clientId}`;
}

/**
 * The secret in the header (RFC 6749, 2.3.1). The library also escapes characters that need no escape, such as the
 * hyphens of a UUID, and some providers do not decode.
 */
function secretInHeader(clientId: string, secret: string): ClientAuth {
  const credentials = [clientId, secret].map(encodeURIComponent).join(":");
  return (_server, _client, _body, headers) => {
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };
}

/** The library may have read the keys. */
async function storeKeys(config: Configuration, provider: KnownProvider): Promise<void> {
  const { getJwksCache } = await import("openid-client");
  const read = getJwksCache(config);
  if (read === undefined || read.uat <= Math.floor(now() / 1_000) - KEYS_MAY_BE_OLD) return;
  provider.keys = { jwks: read.jwks, readAt: now() };
}

function claimsOf(token: IDToken, more: Partial<UserInfoResponse>, groupsClaim: string | null): ProviderClaims {
  const claims = { ...more, ...token };
  const subject = storableWithin(token.sub, TEXT_MAX);
  if (subject === null) throw new SignInTrouble("token-refused", "a subject of more than 255 characters");
  // The claim that an address is verified is about the address beside it, or about the same one elsewhere.
  const { email, email_verified: isVerified } = typeof token.email === "string" ? token : more;
  const isSame = more.email === undefined || lowered(more.email) === lowered(email);
  return {
    issuer: token.iss,
    subject,
    session: storableWithin(claims.sid, TEXT_MAX),
    email: asStored(email, EMAIL_MAX),
    isVerified: (isVerified ?? (isSame ? more.email_verified : undefined)) === true,
    name: asStored(claims.name, TEXT_MAX),
    ...groupsIn(token, more, groupsClaim),
  };
}

function lowered(text: unknown): unknown {
  return typeof text === "string" ? text.toLowerCase() : text;
}

/**
 * A person's groups. A missing claim says nothing, nor does a list with other things than names. Providers with many
 * groups name the claim in `_claim_names` or send `hasgroups` (OpenID Connect Core 1.0, 5.6.2).
 */
function groupsIn(
  token: IDToken,
  more: Partial<UserInfoResponse>,
  claim: string | null,
): Pick<ProviderClaims, "groups" | "hasAllGroups" | "isOneText"> {
  const sent = claim === null ? null : (token[claim] ?? more[claim] ?? null);
  if (claim === null || sent === null) return { groups: [], hasAllGroups: false, isOneText: false };
  const isElsewhere = [token, more].some(
    ({ _claim_names: names, hasgroups }) =>
      [true, 1, "true", "True", "1"].includes(hasgroups as string) ||
      (typeof names === "object" && names !== null && Object.hasOwn(names, claim)),
  );
  const all = [sent].flat();
  const groups = all.filter((group) => typeof group === "string");
  const hasAllGroups = !isElsewhere && groups.length === all.length;
  return { groups, hasAllGroups, isOneText: typeof sent === "string" };
}
