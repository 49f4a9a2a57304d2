import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { FieldTable, Input } from "../../platform/fields/fields.ts";
import { textOrNull, validate } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { isStorable, isWithin, trim } from "../../platform/text.ts";
import { findSingleSignOn, saveSettings, type StoredSingleSignOn } from "./single-sign-on-queries.ts";
import { SECRET_COLUMN } from "./single-sign-on.ts";

/** The fields of the form, beside the secret. */
export const settingsFields: FieldTable = [
  { name: "issuer", kind: "url", max: 500, required: true },
  { name: "client_id", kind: "string", max: 255, required: true },
  { name: "domains", kind: "string", max: 255 },
  { name: "trusts_addresses", kind: "boolean", default: false },
  { name: "admits_domains", kind: "boolean", default: false },
  { name: "admin_group", kind: "string", max: 255 },
  { name: "groups_claim", kind: "string", max: 100 },
  { name: "scopes", kind: "string", max: 255 },
];

/** A fault that no field table describes. `in-use`: the provider is on, so another one cannot replace it. */
export type SettingsProblem =
  | "not-https"
  | "no-secret"
  | "long-secret"
  | "wrong-domain"
  | "no-domain"
  | "wrong-scope"
  | "in-use";

export type SettingsWritten =
  | { outcome: "saved" }
  | { outcome: "invalid"; messages: FieldErrors; problems: readonly SettingsProblem[] };

/** RFC 6749, 3.3 */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;
const SECRET_MAX = 1_000;
const DOMAIN = /^(?=.{3,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Stores the settings; an empty secret keeps the stored one. */
export async function writeSettings(
  { database, keyring }: Store,
  actor: Actor,
  input: Input,
  typedSecret: string,
): Promise<SettingsWritten> {
  const { tenant } = actor;
  const stored = await findSingleSignOn(tenant, database);
  const { values, errors } = validate(settingsFields, input, "create");
  const secret = trim(typedSecret);
  const domains = [...new Set((textOrNull(values.domains) ?? "").toLowerCase().split(/[\s,;]+/))].flatMap((domain) =>
    domain === "" ? [] : [domain.replace(/^@/, "")],
  );
  const [trustsAddresses, admitsDomains] = [values.trusts_addresses === true, values.admits_domains === true];
  const scopes = [...new Set((textOrNull(values.scopes) ?? "").split(/[\s,;]+/))].filter((scope) => scope !== "");
  // The address of its document is often copied instead. Of one, the library would not check that it names its issuer.
  const issuer = textOrNull(values.issuer)?.replace(/\/\.well-known\/.*$/, "") ?? null;
  const problems: SettingsProblem[] = [];
  if (issuer !== null && !isIssuer(issuer)) problems.push("not-https");
  if (secret === "" && stored === null) problems.push("no-secret");
  if (!isWithin(secret, SECRET_MAX) || !isStorable(secret)) problems.push("long-secret");
  if (domains.some((domain) => !DOMAIN.test(domain))) problems.push("wrong-domain");
  if ((trustsAddresses || admitsDomains) && domains.length === 0) problems.push("no-domain");
  if (!scopes.every((scope) => SCOPE.test(scope))) problems.push("wrong-scope");
  if (errors !== null || problems.length > 0) return { outcome: "invalid", messages: errors ?? {}, problems };
  const isSaved = await saveSettings(tenant, database, {
    issuer: issuer ?? "",
    clientId: textOrNull(values.client_id) ?? "",
    domains: domains.join(" "),
    trustsAddresses,
    admitsDomains,
    adminGroup: textOrNull(values.admin_group),
    groupsClaim: textOrNull(values.groups_claim) ?? "groups",
    scopes: scopes.join(" "),
    secret: secret === "" ? null : keyring.encrypt(tenant, SECRET_COLUMN, secret),
    by: changedBy(actor),
  });
  return isSaved ? { outcome: "saved" } : { outcome: "invalid", messages: {}, problems: ["in-use"] };
}

/** An issuer has no query and no fragment (OpenID Connect Discovery 1.0, 3). */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === "https:" && url.search === "" && url.hash === "";
}

const SHOWN = 4;
/** A shorter secret would be shown by half. */
const SHOWN_FROM = 12;

/** The last characters of the stored secret; empty for a short one. */
export function endOfSecret(
  { keyring }: Pick<Store, "keyring">,
  { tenant }: Actor,
  { secret }: StoredSingleSignOn,
): string {
  const clear = keyring.reveal(tenant, SECRET_COLUMN, secret);
  return clear !== null && clear.length >= SHOWN_FROM ? clear.slice(-SHOWN) : "";
}
