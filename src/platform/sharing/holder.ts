import { networkOf } from "../network.ts";

/** The owner of a share: a tenant, by its id, or a network for callers that are not authenticated. */
export type Holder = string;

const NETWORK = "network/";

/** The holder of an address: its network. */
export function holderAt(address: string): Holder {
  return NETWORK + networkOf(address);
}

/** The tenant of a holder; null if the holder is not a tenant. */
export function tenantAs(holder: Holder): string | null {
  return /^\d+$/.test(holder) ? holder : null;
}

/** A network's share is not owned by anyone in particular, so it stays limited even if no one else is present. */
export function isNetwork(holder: Holder): boolean {
  return holder.startsWith(NETWORK);
}
