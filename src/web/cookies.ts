import type { FastifyReply } from "fastify";
import type { CookieName, Cookies } from "./page.ts";

const NAMES: Record<CookieName, string> = {
  session: "liaison",
  operator: "liaison-operator",
  browser: "liaison-browser",
  notice: "liaison-notice",
};

/** The cookie's value, or null. @param origin of this server, as the browser knows it */
export function readCookie(header: string | undefined, name: CookieName, origin: string): string | null {
  const wanted = `${nameOf(name, origin)}=`;
  const pair = (header ?? "").split(/; */).find((pair) => pair.startsWith(wanted));
  return pair?.slice(wanted.length) || null;
}

/** Sets cookies that no script reads and that no other site's form brings along. */
export function writeCookies(reply: FastifyReply, cookies: Cookies, origin: string): void {
  for (const [name, cookie] of Object.entries(cookies)) {
    const { value, maxAge } = cookie ?? { value: "", maxAge: 0 };
    const secure = isSecure(origin) ? "; Secure" : "";
    const attributes = `Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`;
    reply.header("set-cookie", `${nameOf(name as CookieName, origin)}=${value}; ${attributes}`);
  }
}

/** Behind https the browser itself sees to it that no neighbouring host sets the cookie. */
function nameOf(name: CookieName, origin: string): string {
  return isSecure(origin) ? `__Host-${NAMES[name]}` : NAMES[name];
}

function isSecure(origin: string): boolean {
  return origin.startsWith("https://");
}
