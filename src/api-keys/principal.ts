import type { Network } from "../platform/network.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { Capability } from "./capability.ts";

/** Who a request comes from, as its API key says. */
export type Principal = {
  tenantId: TenantId;
  /** What a country becomes that a create leaves out. */
  tenantCountry: string;
  keyId: string;
  capabilities: ReadonlySet<Capability>;
  /** Requests per minute; null: the installation's own limit. */
  rate: number | null;
  allowedNetworks: readonly Network[];
};
