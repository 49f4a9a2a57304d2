import { BoundedMap } from "../bounded-map.ts";
import { Places } from "./places.ts";
import { PRESENT_FOR_MS, Presence } from "./presence.ts";
import { SHARES, type Share, type ShareName } from "./shares.ts";
import { SlowWork } from "./slow-work.ts";
import { Time } from "./time.ts";

/** Everything that tenants share in a process. Each process has one instance, and every limit is taken from it. */
export type Sharing = {
  presence: Presence;
  time: Time;
  slowWork: SlowWork;
  places: Record<ShareName, Places>;
  /**
   * The end of the wait for each possible guesser, and the time when expired ones were last removed
   * (sessions/guarded.ts).
   */
  guesses: { waits: BoundedMap<number>; forgottenAt: number };
};

const GUESSERS_REMEMBERED = 20_000;

/** @param others shares that replace the defaults */
export function createSharing(others: Partial<Record<ShareName, Share>> = {}): Sharing {
  const presence = new Presence();
  const placesAt = ({ all, each = all, alone = each, ofLong, waitMs, waiting, waitingAll }: Share) =>
    new Places({
      atOnce: all,
      atOnceEach: () => (presence.isAlone(PRESENT_FOR_MS) ? alone : each),
      waitMs,
      ...(waiting === undefined ? {} : { waitingEach: waiting }),
      ...(waitingAll === undefined ? {} : { waitingAll }),
      ...(ofLong === undefined ? {} : { atOnceOfLong: ofLong }),
    });
  const shares = Object.entries({ ...SHARES, ...others }).map(([name, share]) => [name, placesAt(share)] as const);
  return {
    presence,
    time: new Time(presence),
    slowWork: new SlowWork(presence),
    places: Object.fromEntries(shares) as Record<ShareName, Places>,
    guesses: { waits: new BoundedMap(GUESSERS_REMEMBERED), forgottenAt: 0 },
  };
}
