/**
 * Texts on which a careless step takes far more time than their length. `of` makes one of about this size in bytes of
 * UTF-8.
 */
export type EndlessText = { name: string; of: (bytes: number) => string };

/** A letter and combining marks of alternating classes: to normalize them takes quadratic time. */
export function marksOf(codePoints: number): string {
  return `a${"\u0301\u0316".repeat(codePoints / 2)}`;
}

const repeated = (name: string, unit: string, end = ""): EndlessText => ({
  name,
  of: (bytes) => unit.repeat(Math.max(1, Math.floor((bytes - end.length) / Buffer.byteLength(unit)))) + end,
});

export const marks: EndlessText = { name: "combining marks", of: (bytes) => marksOf(bytes / 2) };

export const endlessTexts: readonly EndlessText[] = [
  marks,
  repeated("halves of characters", "\ud800"),
  repeated("letters that grow and shrink", "\u0130\ufb03\u03a3 "),
  repeated("letters that fold", "\u00c4\u03a3"),
  repeated("blanks before an end", " \t", "x"),
  repeated("line breaks", "\r\n"),
  repeated("digits", "9", "x"),
  repeated("labels", "a.", "@"),
  repeated("quotation marks", '"'),
  repeated("backslashes", "\\"),
  repeated("networks", "::1,"),
  repeated("steps up", "/.."),
  repeated("percent signs", "%+&"),
  repeated("words", "aa ", "!"),
  repeated("pairs", "a=+b&c;q=0.1,"),
  repeated("tags", '"1-a-b", W/'),
  repeated("angle brackets", "<a <"),
];
