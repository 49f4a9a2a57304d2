/** A path of this server, to go to next; null for anything that could lead to another one. */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || !isPath(text) || /[\\\p{Cc}]/u.test(text)) return null;
  const { origin, pathname, search } = new URL(text, OWN);
  const path = pathname + search;
  // Behind the dots of `/..//evil.example` another server is named.
  return origin === OWN && isPath(path) ? path : null;
}

const OWN = "http://own.invalid";

function isPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text);
}
