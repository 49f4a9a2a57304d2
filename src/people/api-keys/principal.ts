import type { Actor } from "../../kit/actor.ts";
import type { Network } from "../../platform/network.ts";
import type { Capability } from "./capability.ts";

/** The sender of requests by its API key: its actor, and its permissions for the checks of doors/api-scope.ts. */
export type Principal = {
  actor: Actor;
  keyId: string;
  capabilities: ReadonlySet<Capability>;
  /** Requests per minute; null: the installation's own limit. */
  rate: number | null;
  allowedNetworks: readonly Network[];
  /** Whether a person confirms on the page what its assistant destroys or sends. */
  confirmsOnPage: boolean;
};
