// Unicode White_Space, zero-width space to joiner, word joiner, byte order mark, NUL. All are single UTF-16 code units.
const BLANKS = new Set(
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u200b\u200c\u200d\u2060\ufeff\0",
);

/**
 * Cuts blanks off both ends (docs/contract.md 3.3). By hand: a regular expression anchored at the end takes quadratic
 * time on long blanks in the middle.
 */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.has(text.charAt(start))) start++;
  while (end > start && BLANKS.has(text.charAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** Length in Unicode code points, which is what the limits count. `text.length` counts UTF-16 code units. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        i++;
      }
    }
  }
  return count;
}

/** The text, or so many code points of it and an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Of a text of any length no more is looked at than may be kept.
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}

/** False for text that PostgreSQL refuses (NUL) or silently alters (a lone surrogate). */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
