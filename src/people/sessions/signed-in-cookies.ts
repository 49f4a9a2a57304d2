import type { Cookies } from "../../kit/web/page.ts";
import { LONGEST_MS } from "./begin-session.ts";

/** Seconds. A session may expire earlier; the browser's cookie lasts a year. */
const SESSION = LONGEST_MS / 1_000;
const BROWSER = 365 * 24 * 3600;

/** The cookies after a sign-in or its first step. Only the last step sets `browser`. */
export function signedInCookies({ token, browser }: { token: string; browser?: string }): Cookies {
  return {
    session: { value: token, maxAge: SESSION },
    ...(browser === undefined ? {} : { browser: { value: browser, maxAge: BROWSER } }),
  };
}
