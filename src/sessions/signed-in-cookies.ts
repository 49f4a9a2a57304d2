import type { Cookies } from "../web/page.ts";
import { LONGEST_MS } from "./begin-session.ts";

/** Seconds. A session ends earlier by itself; the browser is remembered for a year. */
const SESSION = LONGEST_MS / 1_000;
const BROWSER = 365 * 24 * 3600;

/** The cookies of somebody who signed in, or who is half in: `browser` comes with the last step alone. */
export function signedInCookies(
  { token, browser }: { token: string; browser?: string },
  door: "session" | "operator" = "session",
): Cookies {
  return {
    [door]: { value: token, maxAge: SESSION },
    ...(browser === undefined ? {} : { browser: { value: browser, maxAge: BROWSER } }),
  };
}
