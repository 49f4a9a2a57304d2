import { SignInTrouble, type Reason } from "./single-sign-on.ts";

const DETAIL_MAX = 200;
/** OAuth's error codes that say that the client's own settings are wrong. */
const OF_CLIENT = new Set(["invalid_client", "unauthorized_client", "unsupported_grant_type"]);

/**
 * The meaning of the library's error. The detail has the library's own sentences and OAuth's error codes. It never has
 * values of a token or the provider's free text, which may repeat what was sent to it.
 */
export function troubleOf(error: unknown, otherwise: Reason): SignInTrouble {
  const chain = chainOf(error);
  const own = chain.find((each) => each instanceof SignInTrouble);
  if (own !== undefined) return own;
  const [first] = chain;
  const oauth = chain.map((each) => (each as { error?: unknown }).error).find((code) => typeof code === "string");
  const detail = chain
    .map(({ message }) => message)
    .filter((message, index, all) => message !== "" && all.indexOf(message) === index)
    .concat(oauth === undefined ? [] : [oauth.replaceAll(/[^\w.-]/g, "")])
    .join(": ")
    .slice(0, DETAIL_MAX);
  if (first?.constructor.name === "AuthorizationResponseError") return new SignInTrouble("denied", detail);
  if (oauth !== undefined) {
    const reason = OF_CLIENT.has(oauth) ? "client-refused" : oauth === "invalid_grant" ? "code-refused" : otherwise;
    return new SignInTrouble(reason, detail);
  }
  return new SignInTrouble(otherwise, detail);
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 5; each = each.cause) chain.push(each);
  return chain;
}
