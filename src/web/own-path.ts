/** A path of this server, to go to next; null for anything that could lead to another one. */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || !/^\/(?![/\\])/.test(text) || /[\\\p{Cc}]/u.test(text)) return null;
  const { origin, pathname, search } = new URL(text, OWN);
  return origin === OWN ? pathname + search : null;
}

const OWN = "http://own.invalid";
