/** A part of a phone field: a number, or the text between numbers. */
export type PhonePart = { text: string; number: PhoneNumber | null };

/** `dialled` has digits, `+`, `*` and `#` only. */
export type PhoneNumber = { dialled: string; extension: string | null };

/** Digits of the shortest number that may be beside another one: `0264/555.010` is one number. */
const SHORTEST = 6;
/** More digits are several numbers (ITU-T E.164), each with at least `WHOLE`. */
const LONGEST = 15;
const WHOLE = 9;
const BETWEEN = /(\s*(?:(?:[/;,|&\n]\s*)?\p{L}[^\d+*#]*|[/;,|&\n])\s*)/u;
const BLANK = /(\s+[-–—]\s+|\s+(?=[+0]))/;
/** `9-17 0722 000 111` */
const HOURS_BEFORE =
  /^(\s*(?:[01]?\d|2[0-4])(?:[.:]\d\d)?\s*[-–—]\s*(?:[01]?\d|2[0-4])(?:[.:]\d\d)?)(\s+)(?=[+0](?:[\s().-]*\d){8})/;
/** `tel 1: 0722 000 111` */
const PLACE_BEFORE = /^(\s*\d{1,2}\s*[:)])(\s*)(?=[+0(](?:[\s().-]*\d){8})/;
const ONE_NUMBER = /^[\d\s().+-]*$/;
const EXTENSION = /^[^\p{L}]*(?:int|interior|ext|extensi\p{L}+|poste?|durchwahl|dw|x)[^\p{L}]*$/iu;
const EXTENDED = /^(.*\d)\s+#\s*(\d{1,7})$/s;
/** The trunk prefix behind a country code is not dialled: `+40 (0)722`. */
const TRUNK_PREFIX = /^([^\d+]*(?:\+|00)[\d\s().-]*?)\(\s*0\s*\)/;
/** The same without brackets, `+40 0722`, for countries whose numbers have no other zero there. */
const BARE_PREFIX = /^([^\d+]*(?:\+|00)[\s(]*(?:3[123]|4[01349]|90|359|373|38[015])[\s().-]*)0(?=(?:[\s().-]*\d){8})/;

/** The numbers of a phone field, and the text between them, in order. */
export function partsOfPhone(phone: string): PhonePart[] {
  const texts = splitNumbers(phone);
  const parts: PhonePart[] = [];
  for (let at = 0; at < texts.length; at++) {
    const [text = "", between = "", next = ""] = texts.slice(at, at + 3);
    const hasNext = isLong(text) && EXTENSION.test(between) && /^\d{1,7}\)?$/.test(next);
    if (hasNext) at += 2;
    const [, own = text, behind = null] = EXTENDED.exec(text) ?? [];
    const extension = hasNext ? next.replace(")", "") : isLong(own) ? behind : null;
    const dialled = isLong(own) ? dialledIn(extension === null ? text : own) : null;
    const number = dialled === null ? null : { dialled, extension };
    parts.push({ text: hasNext ? text + between + next : text, number });
  }
  if (parts.some(({ number }) => number !== null)) return parts.filter(({ text }) => text !== "");
  // A short number alone, such as 112. `1-800-` is a piece of a number in letters.
  const only = parts.find(({ text }) => digitsIn(text) > 0);
  if (only !== undefined && !isTime(only.text) && !only.text.endsWith("-")) {
    only.number = { dialled: dialledIn(only.text), extension: null };
  }
  return parts.filter(({ text }) => text !== "");
}

/** The digits of each number, without extensions; all digits of a text without a number. */
export function phoneNumbersIn(phone: string): string[] {
  const digits = digitsOf(phone);
  // Almost all phones, which imports write by the million.
  if (digits.length <= LONGEST && ONE_NUMBER.test(phone)) return [digits];
  const numbers = partsOfPhone(phone).flatMap(({ number }) => (number === null ? [] : digitsOf(number.dialled)));
  return numbers.length === 0 ? [digits] : [...new Set(numbers)];
}

/** The digits of a phone, in whatever way it is written. */
export function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, "");
}

/** Numbers at even places, and the text between them. */
function splitNumbers(phone: string): string[] {
  const [first = "", ...others] = phone.split(BETWEEN);
  const texts = [first];
  for (let at = 0; at < others.length; at += 2) {
    const [between = "", next = ""] = others.slice(at, at + 2);
    const before = texts.at(-1) ?? "";
    if (between.trim() === "/" && digitsIn(before) < SHORTEST) texts.splice(-1, 1, before + between + next);
    else texts.push(between, next);
  }
  return texts.flatMap((text) => {
    const [all, before, blank] = HOURS_BEFORE.exec(text) ?? PLACE_BEFORE.exec(text) ?? [];
    if (all !== undefined) return [before ?? "", blank ?? "", text.slice(all.length)];
    return digitsIn(text) > LONGEST ? splitAtBlanks(text) : text;
  });
}

function splitAtBlanks(text: string): string[] {
  const [first = "", ...others] = text.split(BLANK);
  const texts = [first];
  for (let at = 0; at < others.length; at += 2) {
    const [between = "", next = ""] = others.slice(at, at + 2);
    const before = texts.at(-1) ?? "";
    if (digitsIn(before) < WHOLE) texts.splice(-1, 1, before + between + next);
    else texts.push(between, next);
  }
  return texts;
}

function isLong(text: string): boolean {
  return digitsIn(text) >= SHORTEST && !isTime(text);
}

/** `08:00-17:00`, `9.00-17.00` */
function isTime(text: string): boolean {
  return /\d:\d\d|^\D*\d{1,2}\.\d\d\s*[-–—]\s*\d{1,2}\.\d\d\D*$/.test(text);
}

function digitsIn(text: string): number {
  return digitsOf(text).length;
}

function dialledIn(text: string): string {
  return text
    .replace(TRUNK_PREFIX, "$1")
    .replace(BARE_PREFIX, "$1")
    .replaceAll(/[^\d+*#]/g, "");
}
