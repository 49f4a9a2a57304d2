import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The column that a stored client secret is bound to. */
export const SECRET_COLUMN = "single_sign_on.sso_client_secret";

/** Liaison as a client of an identity provider. `scopes` are requested beside the usual ones, separated by blanks. */
export type Client = { issuer: string; clientId: string; secret: string; scopes: string };

/** The identity provider of a workspace, with the workspace's rules. */
export type Provider = Client & {
  tenant: TenantId;
  slug: string;
  /** The secret as it is stored, to note which one was tried. */
  sealedSecret: string;
  /** Its epoch when it was read (decision 29). */
  tenantEpoch: number;
  rules: Rules;
  isOn: boolean;
};

/** The rules about people of the provider. */
export type Rules = {
  domains: readonly string[];
  trustsAddresses: boolean;
  admitsDomains: boolean;
  groupsClaim: string;
  /** Null: roles are given in Liaison. */
  adminGroup: string | null;
};

/** A person as the provider describes one, after all checks of the token. */
export type ProviderClaims = {
  issuer: string;
  subject: string;
  /** The provider's name of its session, for its sign-out. */
  session: string | null;
  email: string | null;
  isVerified: boolean;
  name: string | null;
  groups: readonly string[];
  /** Whether these are all groups. False: the provider sent none, or says that there are more elsewhere. */
  hasAllGroups: boolean;
  /** Whether the claim was one text, which may have several names. */
  isOneText: boolean;
};

/** Why a sign-in failed. Each has a sentence for the person (single-sign-on-words.ts). */
export type Reason =
  /** The workspace is unknown, suspended, or has no single sign-on. */
  | "off"
  /** The browser has not begun this sign-in, or too long ago. */
  | "not-begun"
  | "down"
  /** Its address is in a private network that the operator has not allowed. */
  | "private"
  | "misconfigured"
  | "client-refused"
  | "denied"
  | "code-refused"
  | "token-refused"
  | "no-address"
  | "unverified"
  | "unknown-person"
  | "deactivated"
  | "other-account"
  /** Of a trial: the person is not the admin. */
  | "somebody-else"
  | "throttled"
  | "busy";

/** A sign-in that failed. `detail` is for the operator's log, and never has a token. */
export class SignInTrouble extends Error {
  readonly reason: Reason;
  readonly detail: string;
  /** Whether it counts as a failure of the caller's network. A provider without an answer counts for nobody. */
  readonly counts: boolean;

  constructor(reason: Reason, detail: string, counts = !["down", "private"].includes(reason)) {
    super(`${reason}: ${detail}`);
    this.name = "SignInTrouble";
    this.reason = reason;
    this.detail = detail;
    this.counts = counts;
  }
}
