import type { Deps } from "../../kit/deps.ts";
import { now } from "../../platform/clock.ts";
import { hashToken } from "../../platform/token.ts";
import { findProvider } from "./find-provider.ts";
import { providerOf } from "./known-providers.ts";
import { endSessionsOnce } from "./logout-queries.ts";
import { readLogout } from "./provider-calls.ts";
import { SignInTrouble } from "./single-sign-on.ts";

/** A message has no more, with any signature. */
const TOKEN_MAX = 16_000;
/** Three parts, as a signed token has. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Ends the sessions that a provider's signed message names, once. False if the message is refused. Refused messages
 * are not counted: a network of a provider may send those of many, and checking a signature costs little.
 */
export async function endByProvider(deps: Deps, workspace: string, token: string): Promise<boolean> {
  if (token.length > TOKEN_MAX || !TOKEN.test(token)) return false;
  const provider = await findProvider(deps, workspace);
  if (provider === null || !provider.isOn) return false;
  const { database, identityProviders, logger } = deps;
  try {
    const message = await readLogout(identityProviders, provider, token);
    if (message === null) return false;
    const { metadata } = await providerOf(identityProviders, provider.issuer);
    const { subject, session, id, expiresAt } = message;
    const once = { hash: hashToken(id), expiresAt, time: now() };
    const account = { issuer: metadata.issuer, subject, session };
    return await endSessionsOnce(provider.tenant, database, once, account);
  } catch (error) {
    if (!(error instanceof SignInTrouble)) throw error;
    logger.warn({ workspace, reason: error.reason, why: error.detail }, "a sign-out of the identity provider failed");
    return false;
  }
}
