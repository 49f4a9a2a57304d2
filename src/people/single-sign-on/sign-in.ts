import type { Deps } from "../../kit/deps.ts";
import type { Session } from "../../kit/web/session.ts";
import { aliveAt, beginning } from "../sessions/begin-session.ts";
import { guarded } from "../sessions/guarded.ts";
import { browserIn, rememberedIn } from "../sessions/known-browser.ts";
import { newSignInMail } from "../sessions/new-sign-in-mail.ts";
import { insertSession } from "../sessions/session-queries.ts";
import { accountOf, countedForProvider, providerTurn } from "../sessions/subjects.ts";
import { findLinked, type MatchedUser } from "./admit-queries.ts";
import { admit, roleOf, verifiedAddress } from "./admit.ts";
import { findProvider } from "./find-provider.ts";
import { isFirstEnd } from "./once-queries.ts";
import { beginAt, finishAt } from "./provider-calls.ts";
import { RUNNING_SECONDS, sealSignIn, unsealSignIn } from "./running-sign-in.ts";
import { noteTrial } from "./single-sign-on-queries.ts";
import { SignInTrouble, type ProviderClaims, type Provider, type Reason, type Rules } from "./single-sign-on.ts";

export type Failed = { outcome: "failed"; reason: Reason; retryAfter: number };

/** `cookie` is for the browser, which goes to `url`. */
export type Begun = { outcome: "begun"; url: string; cookie: { value: string; maxAge: number } } | Failed;

/** The redirect URI that is registered at the provider. */
export function redirectUriOf(origin: string, workspace: string): string {
  return `${origin}/sign-in/oidc/${workspace}/callback`;
}

/** Begins a sign-in, or with a session the trial of its admin. No provider is called whose documents are known. */
export async function beginSignIn(
  deps: Deps,
  { workspace, origin, to, trialOf }: { workspace: string; origin: string; to: string | null; trialOf: Session | null },
): Promise<Begun> {
  return await reported(deps, workspace, async () => {
    const provider = await providerFor(deps, workspace, trialOf !== null);
    const { url, checks } = await beginAt(deps.identityProviders, provider, redirectUriOf(origin, workspace));
    const value = sealSignIn(deps.keyring, { workspace, checks, to, trialOf: trialOf?.id ?? null });
    return { outcome: "begun", url, cookie: { value, maxAge: RUNNING_SECONDS } };
  });
}

/** The provider's answer, as a browser brings it. */
export type ProviderAnswer = {
  workspace: string;
  /** The requested path with its query. */
  address: string;
  origin: string;
  /** The cookie of the running sign-in. */
  cookie: string | null;
  /** The cookie of a browser that signed in before. */
  browser: string | null;
  network: string;
  userAgent: string;
  session: Session | null;
};

export type Finished =
  | { outcome: "signed-in"; token: string; browser: string; to: string | null }
  | { outcome: "tried"; claims: ProviderClaims; role: MatchedUser["role"]; rules: Rules }
  | Failed;

/** Finishes a sign-in: the session begins as after a right password and code. */
export async function finishSignIn(deps: Deps, answer: ProviderAnswer): Promise<Finished> {
  const { workspace, address, origin, network } = answer;
  return await reported(deps, workspace, async () => {
    const running = unsealSignIn(deps.keyring, answer.cookie);
    // Also a sign-in that the provider began: nobody asked for it in this browser.
    if (running === null || running.workspace !== workspace) throw new SignInTrouble("not-begun", "no cookie");
    const url = new URL(address, origin);
    if (url.searchParams.get("state") !== running.checks.state) throw new SignInTrouble("not-begun", "another state");
    const admin = running.trialOf === null ? null : adminOf(answer.session, running.trialOf);
    const provider = await providerFor(deps, workspace, admin !== null);
    const claims = await arrive(deps, provider, { network, address: url, checks: running.checks });
    if (!(await isFirstEnd(provider.tenant, deps.database, running.checks.state, RUNNING_SECONDS))) {
      throw new SignInTrouble("not-begun", "it was finished before");
    }
    if (admin !== null) return await endTrial(deps, provider, claims, admin);
    return await enter(deps, provider, claims, { ...answer, to: running.to });
  });
}

/** The session of the admin who began a trial, which no other session can end. */
function adminOf(session: Session | null, id: string): Session {
  const isAdmin = session !== null && session.id === id && session.user.role === "admin" && !session.awaitsCode;
  if (!isAdmin) throw new SignInTrouble("not-begun", "another session");
  return session;
}

async function providerFor(deps: Deps, workspace: string, isTrial: boolean): Promise<Provider> {
  const provider = await findProvider(deps, workspace);
  if (provider === null || (!provider.isOn && !isTrial)) throw new SignInTrouble("off", "not switched on");
  return provider;
}

/**
 * Reads the person from the provider. A refused answer counts as a failure of the network, and so does one that says
 * "too many", so that no caller makes Liaison call the provider endlessly. A provider without an answer counts for no
 * network, and gets no calls for a while (pausingFetch).
 */
async function arrive(
  deps: Deps,
  provider: Provider,
  { network, address, checks }: { network: string; address: URL; checks: Parameters<typeof finishAt>[2]["checks"] },
): Promise<ProviderClaims> {
  const { groupsClaim, adminGroup, trustsAddresses } = provider.rules;
  const needs = { groupsClaim: adminGroup === null ? null : groupsClaim, verified: !trustsAddresses };
  const claims = await guarded(
    deps,
    providerTurn(provider.slug),
    countedForProvider(network),
    async () => await finishAt(deps.identityProviders, provider, { address, checks, needs }),
    (error) => error instanceof SignInTrouble && !error.counts,
  );
  if (!("outcome" in claims)) return claims;
  if (claims.outcome === "throttled") throw new Throttled(claims.retryAfter);
  throw new SignInTrouble("busy", "too many sign-ins of the workspace at once");
}

class Throttled extends SignInTrouble {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super("throttled", "too many failures of the network");
    this.retryAfter = retryAfter;
  }
}

/** A sign-in at the provider is both factors: the provider asks for a second one. */
async function enter(
  deps: Deps,
  provider: Provider,
  claims: ProviderClaims,
  { network, userAgent, browser, to }: ProviderAnswer & { to: string | null },
): Promise<Finished> {
  const { database, keyring } = deps;
  const { tenant, slug, tenantEpoch } = provider;
  const { id: userId, email, sessionEpoch: userEpoch } = await admit(deps, provider, claims);
  const { token, from } = beginning({ network, userAgent });
  const by = { way: "single-sign-on", session: claims.session } as const;
  const owner = { userId, tenantEpoch, userEpoch, awaitsCode: false, by };
  const account = accountOf(slug, email);
  const isKnown = browserIn(keyring, browser, account) !== null;
  const mails = newSignInMail(deps, tenant, userId, { ...from, isKnown });
  await insertSession(tenant, database, owner, from, aliveAt(from.time), mails);
  return { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account, slug), to };
}

/** The trial succeeds if the person at the provider is the admin: then the admin could not be locked out. */
async function endTrial(
  { database }: Deps,
  provider: Provider,
  claims: ProviderClaims,
  { user }: Session,
): Promise<Finished> {
  const { tenant, rules, issuer, clientId, sealedSecret: secret } = provider;
  const linked = await findLinked(tenant, database, claims);
  const matched = linked ?? {
    id: user.id,
    email: verifiedAddress(rules, claims),
    role: user.role === "admin" ? user.role : ("member" as const),
  };
  const isOwn = linked === null ? matched.email.toLowerCase() === user.email.toLowerCase() : linked.id === user.id;
  if (!isOwn) throw new SignInTrouble("somebody-else", "not the admin who tries");
  await noteTrial(tenant, database, { issuer, clientId, secret });
  return { outcome: "tried", claims, role: roleOf(rules, claims, matched), rules };
}

/** A failure is one line of the log. */
async function reported<T>(
  { logger }: Pick<Deps, "logger">,
  workspace: string,
  work: () => Promise<T>,
): Promise<T | Failed> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInTrouble)) throw error;
    const { reason, detail } = error;
    // Anybody can cause the first two, as often as they like.
    const level = reason === "off" || reason === "not-begun" ? "debug" : "warn";
    logger[level]({ workspace, reason, why: detail }, "a sign-in by single sign-on failed");
    return { outcome: "failed", reason, retryAfter: error instanceof Throttled ? error.retryAfter : 0 };
  }
}
