import type { Deps } from "../../kit/deps.ts";
import { Overloaded } from "../../platform/sharing/overloaded.ts";

/** The shares of those who wait. Known users never wait for strangers, and operators never for users. */
const DOORS = {
  known: "passwords",
  users: "passwordsOfUsers",
  operators: "passwordsOfOperators",
  provider: "singleSignOns",
} as const;

/**
 * The queue of a caller. Callers at one door take turns by holder: the workspace, if a session, a browser or an
 * invitation shows it, otherwise the caller's network.
 */
export type InTurn = { door: keyof typeof DOORS; holder: string };

/** The queue of a caller with a session, an invitation, or a browser that signed in to the account before. */
export function knownTurn(workspace: string): InTurn {
  return { door: "known", holder: workspace };
}

/**
 * Does work that computes a password's hash, one at a time for each door, or that calls a provider. Null if too many
 * wait.
 */
export async function inPasswordTurn<T>(
  { sharing }: Pick<Deps, "sharing">,
  { door, holder }: InTurn,
  work: () => Promise<T>,
): Promise<T | null> {
  const places = sharing.places[DOORS[door]];
  try {
    await places.acquire(holder);
  } catch (error) {
    if (error instanceof Overloaded) return null;
    throw error;
  }
  try {
    return await work();
  } finally {
    places.release(holder);
  }
}
