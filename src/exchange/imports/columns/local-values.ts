import { isEmail } from "../../../platform/email.ts";
import type { FieldKind } from "../../../platform/fields/fields.ts";

/**
 * A value without what people and spreadsheets add to it: `1,200` employees are `1200`. Other texts stay as they are.
 */
export function readLocal(kind: FieldKind, text: string): string {
  if (text.length > 40) return text;
  return kind === "integer" ? readWhole(text) : text;
}

/** A whole number without marks between thousands and without decimals that are zero; other texts unchanged. */
export function readWhole(text: string): string {
  const whole = text.replace(UNIT, "").replace(/[.,]0{1,2}$/, "");
  return /^\d{1,3}(?:[.,\s]\d{3})+$/.test(whole) ? whole.replaceAll(/\D/g, "") : whole;
}

const UNIT =
  /(?<=\d) ?(?:de )?(?:zile|days?|pers(?:oane|\.)?|angaja[tțţ]i|salaria[tțţ]i|employees|people|tage?|mitarbeiter|jours?|employ[eé]s|salari[eé]s|nap|fő)$/i;

/** Characters of a cell with several e-mail addresses. */
const MOST = 2_000;

/** The values of a cell that has several, as Google's export joins them. */
export function valuesOfCell(name: string, kind: FieldKind, text: string): string[] {
  if (kind === "email") return /[;,<\n]|:::|mailto:/i.test(text) ? addressesIn(text) : [text];
  if (name !== "phone" && name !== "mobile") return [text];
  if (text.includes(":::")) return text.split(/\s*:::\s*/);
  return text.length > PHONE_MAX && text.length <= MOST ? phonesIn(text) : [text];
}

/** A longer text is no phone, but it may have several. */
const PHONE_MAX = 30;

/** The phones in a cell, if each part has the digits of one. */
function phonesIn(text: string): string[] {
  const parts = text.split(/\s*(?:[;,\n|]|\/(?=\s*[+0(])|\s(?:sau|or|și|und)\s)\s*/).filter((part) => part !== "");
  const arePhones = parts.every((part) => part.length <= PHONE_MAX && /(?:\d[^\d]{0,3}){6}/.test(`${part} `));
  return arePhones ? parts : [text];
}

/** The e-mail addresses in a cell; none unless all of it is addresses. */
function addressesIn(text: string): string[] {
  if (text.length > MOST) return [];
  const parts = text.split(/\s*(?::::|[;,\n])\s*/).filter((part) => part !== "");
  const found = parts.map((part) => /^[^<>]*<([^<>]+)>$/.exec(part)?.[1] ?? part.replace(/^mailto:/i, ""));
  return found.every((address) => isEmail(address)) ? found : [];
}
