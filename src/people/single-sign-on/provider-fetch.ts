import type { CustomFetchOptions } from "openid-client";
import type { HttpClient } from "../../platform/outbound/http-client.ts";
import { SignInTrouble } from "./single-sign-on.ts";

/** The library sends forms only. */
type Options = { method: string; headers: Record<string, string>; body?: CustomFetchOptions["body"] };

/**
 * The `fetch` of the library's calls. It follows no redirect, and has the limits and the address rules of calls to
 * other systems (decision 28). Throws SignInTrouble without a complete answer.
 */
export function providerFetch(client: HttpClient): (url: string, options: Options) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    if (!/^https:/i.test(url) || !URL.canParse(url))
      throw new SignInTrouble("misconfigured", "an address without https");
    const result = await client.exchange({
      method: method === "POST" ? "POST" : "GET",
      url: new URL(url),
      headers,
      body: body instanceof URLSearchParams ? body.toString() : undefined,
    });
    if (result.outcome === "unsent" && result.reason === "address")
      throw new SignInTrouble("private", `${new URL(url).hostname} is not in LIAISON_OIDC_PRIVATE_NETWORKS`);
    if (result.outcome !== "answered") throw new SignInTrouble("down", result.reason);
    const { status, headers: answered } = result;
    // Too many calls may be the caller's doing.
    if (status >= 500 || status === 429) throw new SignInTrouble("down", `status ${status}`, status === 429);
    const type = answered["content-type"];
    const content = method === "POST" ? withoutEmpty(result.body) : result.body;
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(content), {
      status,
      headers: type === undefined ? {} : { "content-type": type },
    });
  };
}

/** A provider may send `null` or "" for a member of its tokens that it leaves out. The library would reject it. */
function withoutEmpty(body: Buffer): Buffer {
  try {
    const tokens: unknown = JSON.parse(body.toString());
    if (typeof tokens !== "object" || tokens === null || Array.isArray(tokens)) return body;
    return Buffer.from(
      JSON.stringify(Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== null && value !== ""))),
    );
  } catch {
    return body;
  }
}
