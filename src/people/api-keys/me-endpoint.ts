import { ok, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { isoOrNull } from "../../platform/dates.ts";
import { versionOf } from "../../platform/version.ts";
import { findOwnKey } from "./api-key-queries.ts";

const { version, commit } = versionOf();

/** GET /api/v1/me: the key of the request, its tenant, and the server's version (docs/contract.md 2.9). */
export const showMeEndpoint: Endpoint = async ({ database }, { actor, rate }) => {
  const key = await findOwnKey(actor.tenant, database, actor.by.id ?? "");
  if (key === null) throw errors.keyUnknown();
  const { tenantSlug, tenantName, id, name, capabilities, allowIp, expiresAt } = key;
  const data = {
    tenant: { slug: tenantSlug, name: tenantName },
    key: {
      id,
      name,
      capabilities,
      allow_ip: allowIp,
      expires_at: isoOrNull(expiresAt),
      limit: rate?.limit ?? null,
      remaining: rate?.remaining ?? null,
    },
    version,
    commit,
  };
  return ok(JSON.stringify({ data }));
};
