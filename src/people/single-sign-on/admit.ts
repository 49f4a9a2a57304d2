import type { Deps } from "../../kit/deps.ts";
import type { Role } from "../../kit/web/session.ts";
import { now } from "../../platform/clock.ts";
import { validate } from "../../platform/fields/validation.ts";
import { changeRole } from "../users/member-queries.ts";
import { userFields } from "../users/user.ts";
import { BY_PROVIDER, findLinked, linkOrCreate, noteUseOfLink, type MatchedUser } from "./admit-queries.ts";
import { noteUnknownGroups } from "./single-sign-on-queries.ts";
import { SignInTrouble, type ProviderClaims, type Provider, type Rules } from "./single-sign-on.ts";

/** Finds, links or creates the user of a person at the provider, by the workspace's rules. Throws SignInTrouble. */
export async function admit(
  { database, logger }: Pick<Deps, "database" | "logger">,
  provider: Provider,
  claims: ProviderClaims,
): Promise<MatchedUser> {
  const { tenant, rules } = provider;
  const linked = await findLinked(tenant, database, claims);
  const matched = linked ?? (await firstTime({ database }, provider, claims));
  if (matched.isDeactivated) throw new SignInTrouble("deactivated", `user ${matched.id}`);
  if (linked !== null) await noteUseOfLink(tenant, database, claims);
  const role = roleOf(rules, claims, matched);
  if (isGroupUnknown(rules, claims)) {
    await noteUnknownGroups(tenant, database);
    logger.warn({ tenant, user: matched.id }, "the identity provider did not send all groups; the role stays");
  }
  // The last admin and the break-glass admin keep their role.
  if (role !== matched.role) await changeRole(tenant, database, matched.id, { ...ONLY_ROLE, role }, BY_PROVIDER);
  return matched;
}

const ONLY_ROLE = { mayExport: null, name: null, email: null, mails: [] };

async function firstTime(
  { database }: Pick<Deps, "database">,
  { tenant, rules }: Provider,
  claims: ProviderClaims,
): Promise<MatchedUser> {
  const email = verifiedAddress(rules, claims);
  // A provider may send no name, or one that no user can have.
  const name = [claims.name, email.split("@")[0] ?? email].find((each) => isName(each));
  const joins = rules.admitsDomains && isOfDomains(rules, email);
  const { issuer, subject } = claims;
  const applicant = { issuer, subject, email, name: name ?? email, joins };
  const matched = await linkOrCreate(tenant, database, applicant, now());
  if (matched === null) throw new SignInTrouble("unknown-person", "no user has the address");
  if (matched === "other-account") throw new SignInTrouble("other-account", "the user has another account there");
  return matched;
}

/** The e-mail address that the provider has verified. Throws SignInTrouble. */
export function verifiedAddress(
  rules: Rules,
  { email, isVerified }: Pick<ProviderClaims, "email" | "isVerified">,
): string {
  const { errors } = validate(userFields, { email, name: "x" }, "create");
  if (email === null || errors !== null) throw new SignInTrouble("no-address", "no e-mail address in the claims");
  if (isVerified || (rules.trustsAddresses && isOfDomains(rules, email))) return email;
  throw new SignInTrouble("unverified", "email_verified is not true");
}

function isOfDomains({ domains }: Rules, email: string): boolean {
  return domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
}

function isName(name: string | null): name is string {
  return name !== null && validate(userFields, { email: "a@example.com", name }, "create").errors === null;
}

/** The role that the person's groups give; the present one without such a rule, or if the groups are unknown. */
export function roleOf(rules: Rules, claims: ProviderClaims, { role }: Pick<MatchedUser, "role">): Role {
  if (rules.adminGroup === null || isGroupUnknown(rules, claims)) return role;
  return claims.groups.includes(rules.adminGroup) ? "admin" : "member";
}

/**
 * Whether the provider's answer leaves open if the person is in the group of admins. Only a complete list without the
 * group makes an admin a member. One text with several names may be a list, or the name of one group.
 */
export function isGroupUnknown({ adminGroup }: Rules, claims: ProviderClaims): boolean {
  const { groups, hasAllGroups, isOneText } = claims;
  if (adminGroup === null || groups.includes(adminGroup)) return false;
  return !hasAllGroups || (isOneText && groups.some((name) => name.split(/[\s,;|]+/).includes(adminGroup)));
}
