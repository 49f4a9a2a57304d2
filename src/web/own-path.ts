/** A path of this server to go to next; null for any text that could lead to another server. */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || !isPath(text) || /[\\\p{Cc}]/u.test(text)) return null;
  const { origin, pathname, search } = new URL(text, OWN);
  const path = pathname + search;
  // `/..//evil.example` becomes `//evil.example`, which names another server.
  return origin === OWN && isPath(path) ? path : null;
}

const OWN = "http://own.invalid";

function isPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text);
}
