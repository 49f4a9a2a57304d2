import { currencyOf } from "../../cells/amounts.ts";

/** A part of a format: a digit that is shown even if it is missing, one that is not, the whole value, or a text. */
type Part = "0" | "#" | "@" | "General" | { text: string };

/** One of the formats between semicolons. `parts`: null if it shows more than digits and texts. */
type Section = { applies: ((value: number) => boolean) | null; parts: Part[] | null; currency: string };

/** A format that shows more than the number: digits, texts, or a currency. */
export type NumberFormat = { sections: Section[]; currency: string };

/** Null for a format that shows the number alone. @param code as the workbook has it */
export function numberFormat(code: string): NumberFormat | null {
  const sections = sectionsOf(code);
  const currency = sections[0]?.currency ?? "";
  const hasText = sections.some(({ parts }) => parts?.some((part) => typeof part === "object" && part.text !== ""));
  const hasZeros = sections.some(({ parts }) => (parts?.filter((part) => part === "0").length ?? 0) > 1);
  return hasText || hasZeros || currency !== "" ? { sections, currency } : null;
}

/** An integer as a format of digits and texts shows it: 18547290 in `"RO"0` is RO18547290. Empty for other formats. */
export function shownBy({ sections }: NumberFormat, value: number): string {
  const { section, showsSign } = chosen(sections, value);
  if (section?.parts == null) return "";
  const sign = showsSign && value < 0 ? "-" : "";
  if (section.parts.some(isWhole)) return sign + withText(section.parts, String(Math.abs(value)));
  const digits = digitsOf(value);
  const places = section.parts.filter((part) => typeof part === "string").length;
  if (places === 0) return "";
  let at = digits.length - places;
  let isFirst = true;
  let text = "";
  for (const part of section.parts) {
    if (typeof part === "object") {
      text += part.text;
      continue;
    }
    // The first place shows the digits that have no place of their own.
    if (isFirst && at > 0) text += digits.slice(0, at);
    isFirst = false;
    text += at >= 0 ? digits.charAt(at) : part === "0" ? "0" : "";
    at++;
  }
  return sign + text.trim();
}

/** A text as a format shows it: 18547290 in `"RO"@` is RO18547290. */
export function textShownBy({ sections }: NumberFormat, text: string): string {
  return withText(sections.at(-1)?.parts ?? [], text);
}

/** Whether a format adds letters to texts: its last section is that of texts if it has an @. */
export function addsText({ sections }: NumberFormat): boolean {
  const parts = sections.at(-1)?.parts ?? [];
  return parts.includes("@") && parts.some((part) => typeof part === "object" && part.text.trim() !== "");
}

const isWhole = (part: Part) => part === "@" || part === "General";

function withText(parts: readonly Part[], text: string): string {
  const shown = parts.map((part) => (typeof part === "object" ? part.text : isWhole(part) ? text : ""));
  return shown.join("").trim();
}

function digitsOf(value: number): string {
  return value === 0 ? "" : BigInt(Math.abs(value)).toString();
}

/** The section for a value: by its condition, or else by its sign. The one for negative values adds no sign. */
function chosen(sections: readonly Section[], value: number): { section: Section | undefined; showsSign: boolean } {
  const [first, second, third] = sections;
  if (sections.some(({ applies }) => applies !== null)) {
    const found = sections.slice(0, 3).find(({ applies }) => applies === null || applies(value));
    return { section: found ?? first, showsSign: true };
  }
  if (value < 0 && second !== undefined) return { section: second, showsSign: false };
  return { section: value === 0 && third !== undefined ? third : first, showsSign: true };
}

/** Reads a format token by token: texts in quotes, escaped characters, brackets, blanks and places of digits. */
function sectionsOf(code: string): Section[] {
  const sections: Section[] = [];
  let [parts, texts]: [Part[], string] = [[], ""];
  let [isPlain, applies]: [boolean, Section["applies"]] = [true, null];
  const add = (text: string) => {
    parts.push({ text });
    texts += text;
  };
  const end = () => {
    // A format of one place shows the number as it is.
    sections.push({ applies, parts: isPlain ? parts : null, currency: currencyOf(texts) ?? "" });
    [parts, texts, isPlain, applies] = [[], "", true, null];
  };
  for (const [token] of code.matchAll(TOKEN)) {
    const first = token.charAt(0);
    if (token === ";") end();
    else if (first === '"') add(token.slice(1, token.length > 1 && token.endsWith('"') ? -1 : undefined));
    else if (first === "\\") add(token.slice(1));
    else if (first === "_") add(" ");
    else if (first === "*") continue;
    else if (first === "[") {
      if (token.startsWith("[$")) add(token.slice(2, -1).split("-", 1)[0] ?? "");
      else applies ??= conditionOf(token);
    } else if (token === "0" || token === "#" || token === "@") parts.push(token);
    else if (token === "?") parts.push("#");
    // A separator of thousands is no part of a text.
    else if (first === "," && token.length > 1) parts.push(token.endsWith("0") ? "0" : "#");
    else if (first === "G" && token.length > 1) parts.push("General");
    else if (/^(?:[-+()\s:$€£!^&'~{}<>=]|[^\x20-\x7e])$/u.test(token)) add(token);
    else isPlain = false;
  }
  end();
  return sections;
}

const TOKEN = /"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]|General|,[0#?]|[\s\S]/gu;

function conditionOf(token: string): Section["applies"] {
  const [, sign = "", number = ""] = /^\[([<>=]{1,2})(-?[\d.]+)\]$/.exec(token) ?? [];
  const bound = Number(number);
  if (number === "" || !Number.isFinite(bound)) return null;
  if (sign === "<") return (value) => value < bound;
  if (sign === "<=") return (value) => value <= bound;
  if (sign === ">") return (value) => value > bound;
  if (sign === ">=") return (value) => value >= bound;
  return sign === "<>" ? (value) => value !== bound : (value) => value === bound;
}
