import { Overloaded } from "../platform/sharing/overloaded.ts";
import { Places } from "../platform/sharing/places.ts";

/** Each takes 64 MiB and a fifth of a second of the one thread that computes them. */
const AT_ONCE = 1;
/** Of one network, and of all. The last of so many waits for as long as people do. */
const MOST_WAITING_EACH = 10;
const MOST_WAITING = 50;
const WAIT_MS = 5_000;

const places = new Places({
  atOnce: AT_ONCE,
  atOnceEach: () => AT_ONCE,
  waitingEach: MOST_WAITING_EACH,
  waitMs: WAIT_MS,
});
let waiting = 0;

/**
 * Does work that computes a password's hash: one of a process at a time. Null where too many wait.
 * @param network whose work it is: networks take turns
 */
export async function inPasswordTurn<T>(network: string, work: () => Promise<T>): Promise<T | null> {
  if (!(await takeTurn(network))) return null;
  try {
    return await work();
  } finally {
    places.give(network);
  }
}

async function takeTurn(network: string): Promise<boolean> {
  if (waiting >= MOST_WAITING) return false;
  waiting++;
  try {
    await places.take(network);
    return true;
  } catch (error) {
    if (error instanceof Overloaded) return false;
    throw error;
  } finally {
    waiting--;
  }
}
