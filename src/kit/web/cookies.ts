import type { FastifyReply } from "fastify";
import type { CookieName, Cookies } from "./page.ts";

const NAMES: Record<CookieName, string> = {
  session: "liaison",
  browser: "liaison-browser",
  notice: "liaison-notice",
  provider: "liaison-provider",
  passkey: "liaison-passkey",
};

/** The cookie's value, or null. @param origin of this server as browsers see it */
export function readCookie(header: string | undefined, name: CookieName, origin: string): string | null {
  const wanted = `${nameOf(name, origin)}=`;
  const pair = (header ?? "").split(/; */).find((pair) => pair.startsWith(wanted));
  return pair?.slice(wanted.length) || null;
}

/** Sets cookies that no script can read and that other sites' forms do not send. */
export function writeCookies(reply: FastifyReply, cookies: Cookies, origin: string): void {
  for (const [name, cookie] of Object.entries(cookies)) {
    const { value, maxAge } = cookie ?? { value: "", maxAge: 0 };
    const secure = isSecure(origin) ? "; Secure" : "";
    const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`;
    reply.header("set-cookie", `${nameOf(name as CookieName, origin)}=${value}; ${attributes}`);
  }
}

/** With https, the `__Host-` prefix prevents neighbouring hosts from setting the cookie. */
function nameOf(name: CookieName, origin: string): string {
  return isSecure(origin) ? `__Host-${NAMES[name]}` : NAMES[name];
}

function isSecure(origin: string): boolean {
  return origin.startsWith("https://");
}
