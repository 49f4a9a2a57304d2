import { isId } from "../ids.ts";

declare const tenantId: unique symbol;

/**
 * The first tenancy wall's type: a tenant's id as decimal text, branded so that no other string passes for one.
 * Made only where a tenant has been established: by authentication, the look-up of a session or an invitation, the claim of a job,
 * news of another process, a command, and what makes a tenant.
 */
export type TenantId = string & { readonly [tenantId]: true };

/** Throws TypeError for what is no id: the tenant is written into `set local`, which takes no parameters. */
export function asTenantId(id: string): TenantId {
  if (!isId(id)) throw new TypeError("not a tenant id");
  return id as TenantId;
}
