import { now } from "../platform/clock.ts";
import { hashToken, isToken } from "../platform/token.ts";
import { aliveAt } from "./begin-session.ts";
import type { Alive } from "./session-queries.ts";

const SEEN_EVERY_MS = 60_000;

/** Where sessions of a kind are: users', or operators'. */
export type Sessions<Place, Session> = {
  placeOf: (hash: Buffer) => Promise<Place | null>;
  find: (place: Place, hash: Buffer, alive: Alive) => Promise<{ session: Session; lastSeenAt: number } | null>;
  touch: (place: Place, time: number) => Promise<void>;
};

/** The session of a cookie's token; null where there is none that lives. That it is in use is noted once a minute. */
export async function liveSession<Place, Session>(
  token: string,
  { placeOf, find, touch }: Sessions<Place, Session>,
): Promise<Session | null> {
  if (!isToken(token)) return null;
  const hash = hashToken(token);
  const place = await placeOf(hash);
  if (place === null) return null;
  const time = now();
  const found = await find(place, hash, aliveAt(time));
  if (found === null) return null;
  if (found.lastSeenAt <= time - SEEN_EVERY_MS) await touch(place, time);
  return found.session;
}
