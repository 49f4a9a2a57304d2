import { isId } from "../ids.ts";

declare const tenantId: unique symbol;

/**
 * The type of the first tenancy wall: a tenant's id as decimal text, branded so that no other string is accepted. It is
 * made only where a tenant has been established: by authentication, the look-up of a session or invitation, the claim
 * of a job, news of another process, a command, or the creation of a tenant.
 */
export type TenantId = string & { readonly [tenantId]: true };

/** Throws TypeError for an invalid id: the tenant is written into `set local`, which takes no parameters. */
export function asTenantId(id: string): TenantId {
  if (!isId(id)) throw new TypeError("not a tenant id");
  return id as TenantId;
}
