import { now } from "../platform/clock.ts";
import { hashToken, isToken } from "../platform/token.ts";
import { aliveAt } from "./begin-session.ts";
import type { Alive } from "./session-queries.ts";

const SEEN_EVERY_MS = 60_000;

/** Storage of sessions, either of users or of operators. */
export type Sessions<Whereabouts, Session> = {
  placeOf: (hash: Buffer) => Promise<Whereabouts | null>;
  find: (place: Whereabouts, hash: Buffer, alive: Alive) => Promise<{ session: Session; lastSeenAt: number } | null>;
  touch: (place: Whereabouts, time: number) => Promise<void>;
};

/** The session of a cookie's token; null if no live session has it. Its last use is updated at most once a minute. */
export async function liveSession<Whereabouts, Session>(
  token: string,
  { placeOf, find, touch }: Sessions<Whereabouts, Session>,
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
