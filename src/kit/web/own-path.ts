/** The path of a redirect within this server; null for any text that could lead to another server. */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || !isPath(text) || /[\\\p{Cc}]/u.test(text)) return null;
  const { origin, pathname, search } = new URL(text, OWN);
  const path = pathname + search;
  // `/..//evil.example` becomes `//evil.example`, which names another server.
  return origin === OWN && isPath(path) ? path : null;
}

/** Any origin that nothing else has: a text that leaves it would leave this server too. */
const OWN = "http://own.invalid";

function isPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text);
}
