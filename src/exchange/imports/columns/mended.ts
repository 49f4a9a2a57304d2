import { normalized } from "../../../platform/text.ts";

/** The mark of a letter that was lost when the file was written, or that its encoding does not have. */
export const LOST_LETTER = "\ufffd";

/** Two looks at each cell: for entities and tags of HTML, and for letters that UTF-8 read in another encoding has. */
const FIRST = /[&<ÂÃÄÅÈĂĹČâ]/;
const MAY_BE_GARBLED = /&[#A-Za-z]|<\/?[A-Za-z]|[ÂÃÄÅÈĂĹČâ][^\0-\x7f]/;

/** Characters of a text that is mended: a longer one is rather a document. */
const MOST = 20_000;
/** A text may have been garbled by one program after the other. */
const MOST_TIMES = 3;

/** The text before programs garbled it: `BraÈ™ov` and `Bra&#537;ov` are Brașov. Tags of HTML are taken away. */
export function mended(text: string): string {
  if (!FIRST.test(text) || !MAY_BE_GARBLED.test(text) || text.length > MOST) return text;
  let read = text;
  for (let time = 0; time < MOST_TIMES; time++) {
    const before = read;
    read = read.replaceAll(OFTEN_GARBLED, (letters) => lettersBehind(letters, 0) ?? letters);
    for (const page of PAGES) read = decoded(read, page);
    if (IS_HTML.test(read)) read = read.replaceAll(BREAK, "\n").replaceAll(TAG, "");
    read = read.replaceAll(ENTITY, (entity, name: string) => letterNamed(name) ?? entity);
    if (read === before) break;
  }
  return read === text ? text : read.trim();
}

/** A line break or the end of an element: `<b@x.example>` and `a <b> c` have none. */
const IS_HTML = /<br ?\/?>|<\/[a-z][a-z\d]*>/i;
const BREAK = /<br ?\/?>|<\/(?:p|div|li|tr|h[1-6])>(?=.)/gi;
const TAG = /<\/?(?:p|div|span|b|i|u|em|strong|font|small|a|ul|ol|li|table|tbody|tr|td|th|h[1-6])(?:\s[^<>]*)?\/?>/gi;
const ENTITY = /&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]{2,7});/g;

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  euro: "€",
  pound: "£",
  reg: "®",
  copy: "©",
  trade: "™",
  deg: "°",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  bdquo: "„",
  ldquo: "“",
  rdquo: "”",
  lsquo: "‘",
  rsquo: "’",
  laquo: "«",
  raquo: "»",
  szlig: "ß",
};
const ACCENTS: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  breve: "\u0306",
  uml: "\u0308",
  ring: "\u030a",
  caron: "\u030c",
  cedil: "\u0327",
};

/** `#537`, `#x219` and `scedil` without their marks; null for what names no letter. */
function letterNamed(name: string): string | null {
  if (name.startsWith("#")) {
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const isLetter = code === 9 || code === 10 || (code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff));
    return isLetter ? String.fromCodePoint(code).replace("\u00a0", " ") : null;
  }
  if (Object.hasOwn(NAMED, name)) return NAMED[name] ?? null;
  const accent = Object.hasOwn(ACCENTS, name.slice(1)) ? ACCENTS[name.slice(1)] : undefined;
  const letter = accent === undefined ? "" : (normalized(name.charAt(0) + accent, 2, "NFC") ?? "");
  return letter.length === 1 ? letter : null;
}

type Page = { bytes: ReadonlyMap<string, number>; pairs: RegExp };

/** The encodings in which programs read UTF-8 by mistake. */
const PAGES = ["windows-1252", "windows-1250"].map((encoding): Page => {
  const high = new TextDecoder(encoding).decode(Uint8Array.from({ length: 128 }, (_none, at) => 128 + at));
  const bytes = new Map(Array.from({ length: 32 }, (_none, at) => [String.fromCharCode(128 + at), 128 + at]));
  for (let at = 0; at < high.length; at++) bytes.set(high.charAt(at), 128 + at);
  const between = (from: number, to: number) =>
    [...bytes].flatMap(([letter, byte]) => (byte >= from && byte <= to ? [letter] : [])).join("");
  const behind = `[${between(0x80, 0xbf)}]`;
  const leads = `${between(0xc2, 0xc5)}${between(0xc8, 0xc8)}`;
  return { bytes, pairs: new RegExp(`[${leads}]${behind}|${between(0xe2, 0xe2)}${behind}{2}`, "g") };
});

/** Letters of Europe, and the marks that programs put into texts. */
const LIKELY = /^[\u00a0-\u017f\u0218-\u021b\u2013-\u2026\u20ac\u2122]+$/;

/** Letters that were garbled twice: `Ã„Æ’` was `Äƒ`, which was ă. */
const OFTEN_GARBLED = /[^\0-\x7f]{4,}/g;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The letters that were garbled twice or more; null if they were not. No text reads as UTF-8 twice by chance.
 */
function lettersBehind(text: string, times: number): string | null {
  for (const { bytes } of times > MOST_TIMES ? [] : PAGES) {
    const read = utf8Of(Uint8Array.from(text, (letter) => bytes.get(letter) ?? 0));
    const behind = read === null ? null : lettersBehind(read, times + 1);
    if (behind !== null) return behind;
  }
  return times > 1 && LIKELY.test(text) ? text : null;
}

function utf8Of(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}
/** Marks that a text may have behind a capital letter: `„PÂINE BUNĂ”`, `CASĂ®`. */
const MARK = /[“”‘’„–—…®™©°\u00a0]/;

function decoded(text: string, { bytes, pairs }: Page): string {
  return text.replaceAll(pairs, (pair, at: number) => {
    const letter = Buffer.from(Array.from(pair, (one) => bytes.get(one) ?? 0)).toString();
    if (!LIKELY.test(letter)) return pair;
    const before = text.charAt(at - 1);
    // No word has a capital letter behind a small one.
    if (pair.length > 2 || /\p{Ll}/u.test(before)) return letter;
    const isMark = MARK.test(pair.charAt(1));
    const isInWord = /^(?:\p{Ll}|[ÂÃÄÅÈĂĹČ][^\0-\x7f])/u.test(text.slice(at + 2, at + 4));
    const isWord = /\p{Lu}/u.test(before)
      ? (/\p{Ll}/u.test(letter) && !isInWord) ||
        (isMark && (!isInWord || pair.endsWith("\u00a0")) && !pair.startsWith("Â"))
      : isMark && !/^[ÂÃ]\u00a0$/.test(pair) && !/\p{L}/u.test(text.charAt(at + 2));
    return isWord ? pair : letter;
  });
}
