/** The encodings of answers; the first is used if the caller has no preference. */
const ENCODINGS = ["br", "gzip"] as const;
export type ContentEncoding = (typeof ENCODINGS)[number];

/**
 * The encoding that a caller prefers, by the weights of an Accept-Encoding (RFC 9110, section 12.5.3); null: none. An
 * encoding with weight 0 is never chosen. If the caller refuses everything, the answer is sent unencoded, because it
 * could not read an error either.
 */
export function requestedEncoding(header: string | undefined): ContentEncoding | null {
  if (header === undefined || header === "") return null;
  const weights = new Map(header.toLowerCase().split(",").map(weighted));
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  let [preferred, most]: [ContentEncoding | null, number] = [null, 0];
  for (const encoding of ENCODINGS) {
    const weight = weightOf(encoding);
    if (weight > most) [preferred, most] = [encoding, weight];
  }
  return weightOf("identity") > most ? null : preferred;
}

/** A member's name and weight; a member with an invalid weight is not chosen. */
function weighted(member: string): [string, number] {
  const [sent = "", ...parameters] = member.split(";").map((part) => part.trim());
  const name = sent === "x-gzip" ? "gzip" : sent;
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return [name, 1];
  return [name, /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0];
}
