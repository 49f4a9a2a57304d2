import type { Deps } from "../../kit/deps.ts";
import { Overloaded } from "../../platform/sharing/overloaded.ts";

/** Where people wait: whoever is known waits behind no stranger, and whoever signs in as an operator behind no user. */
const DOORS = {
  known: "passwords",
  users: "passwordsOfUsers",
  operators: "passwordsOfOperators",
  provider: "singleSignOns",
} as const;

/**
 * A caller's place among those who wait: at one door they take turns by holder, which is a stranger's network, and the workspace of
 * somebody who is known by a session, a browser or an invitation.
 */
export type InTurn = { door: keyof typeof DOORS; holder: string };

/** A session, an invitation and a browser that has been in the account take turns as their workspace does. */
export function knownTurn(workspace: string): InTurn {
  return { door: "known", holder: workspace };
}

/**
 * Does work that computes a password's hash, one of a door at a time, or that calls a provider. Null where too many
 * wait there.
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
