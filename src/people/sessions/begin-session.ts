import { SESSION_IDLE_MS } from "../../kit/web/session.ts";
import { now } from "../../platform/clock.ts";
import { generateToken, hashToken } from "../../platform/token.ts";
import type { Alive, Beginning } from "./session-queries.ts";

const MINUTE_MS = 60_000;
export const LONGEST_MS = 14 * 24 * 60 * MINUTE_MS;
/** Time limit for the second factor's code. */
const CODE_MS = 15 * MINUTE_MS;
const USER_AGENT_MAX = 300;

/** The age limits of a live session at a moment, in milliseconds since the epoch. */
export function aliveAt(time: number): Alive {
  return { createdAfter: time - LONGEST_MS, seenAfter: time - SESSION_IDLE_MS, awaitingSince: time - CODE_MS };
}

/** A new session's token, and the values that are stored for it. */
export function beginning(caller: { network: string; userAgent: string }): { token: string; from: Beginning } {
  const token = generateToken();
  // A browser chooses its own User-Agent, so the text may be malformed.
  const userAgent = caller.userAgent.toWellFormed().replaceAll("\0", "").slice(0, USER_AGENT_MAX).toWellFormed();
  return { token, from: { hash: hashToken(token), address: caller.network, userAgent, time: now() } };
}
