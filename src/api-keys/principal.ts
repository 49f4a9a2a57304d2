import type { Actor } from "../actor.ts";
import type { Network } from "../platform/network.ts";
import type { Capability } from "./capability.ts";

/** The sender of requests, as its API key says: the actor behind them, and what the checks of doors/api-scope.ts allow it. */
export type Principal = {
  actor: Actor;
  keyId: string;
  capabilities: ReadonlySet<Capability>;
  /** Requests per minute; null: the installation's own limit. */
  rate: number | null;
  allowedNetworks: readonly Network[];
};
