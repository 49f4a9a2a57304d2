import { Overloaded } from "../platform/sharing/overloaded.ts";
import { Places } from "../platform/sharing/places.ts";

/** Each takes 64 MiB and a fifth of a second of the one thread that computes them. */
const AT_ONCE = 1;
/** Of one holder, and of all at a door. The last of so many waits for as long as people do. */
const MOST_WAITING_EACH = 10;
const MOST_WAITING = 50;
const WAIT_MS = 5_000;

const atDoor = () =>
  new Places({
    atOnce: AT_ONCE,
    atOnceEach: () => AT_ONCE,
    waitingEach: MOST_WAITING_EACH,
    waitMs: WAIT_MS,
    waitingAll: MOST_WAITING,
  });

/** Where people wait: whoever is known waits behind no stranger, and whoever signs in as an operator behind no user. */
const doors = { known: atDoor(), users: atDoor(), operators: atDoor() };

/**
 * A caller's place among those who wait: at one door they take turns by holder, which is a stranger's network, and the workspace of
 * somebody who is known by a session, a browser or an invitation.
 */
export type InTurn = { door: keyof typeof doors; holder: string };

/** Does work that computes a password's hash: one of a door at a time. Null where too many wait there. */
export async function inPasswordTurn<T>({ door, holder }: InTurn, work: () => Promise<T>): Promise<T | null> {
  const places = doors[door];
  try {
    await places.take(holder);
  } catch (error) {
    if (error instanceof Overloaded) return null;
    throw error;
  }
  try {
    return await work();
  } finally {
    places.give(holder);
  }
}
