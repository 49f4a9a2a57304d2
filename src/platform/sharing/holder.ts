import { networkOf } from "../network.ts";

/** One that has a share of its own: a tenant, by its id, or a network where nobody says who asks. */
export type Holder = string;

const NETWORK = "network/";

/** The holder that whoever asks from an address is a part of. */
export function holderAt(address: string): Holder {
  return NETWORK + networkOf(address);
}

/** The tenant that a holder is; null where it is somebody else. */
export function tenantAs(holder: Holder): string | null {
  return /^\d+$/.test(holder) ? holder : null;
}

/** Nobody has a claim to a network's share: it is a share also where nobody else is there. */
export function isNetwork(holder: Holder): boolean {
  return holder.startsWith(NETWORK);
}
