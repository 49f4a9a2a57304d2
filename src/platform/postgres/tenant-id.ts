import { isId } from "../ids.ts";

declare const tenantId: unique symbol;

/**
 * The type of the first tenancy wall: a tenant's id as decimal text, branded so that no other string is accepted. It is
 * made only where a tenant has been established: by authentication, the look-up of a session or invitation, the claim
 * of a job, news of another process, a command, or the creation of a tenant.
 */
export type TenantId = string & { readonly [tenantId]: true };

/** The tenant of the installation's own rows. Row-level security hides them from requests; the owner role uses them. */
export const INSTALLATION = "0" as TenantId;

/** Throws TypeError for an invalid id: the tenant is written into `set local`, which takes no parameters. */
export function asTenantId(id: string): TenantId {
  if (id !== INSTALLATION && !isId(id)) throw new TypeError("not a tenant id");
  return id as TenantId;
}
