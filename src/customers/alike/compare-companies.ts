import { normalized } from "../../platform/text.ts";
import { NAME_MAX } from "../companies/company.ts";
import { coreOf } from "../companies/same-name-queries.ts";
import { taxSpellings } from "../companies/tax-spelling-queries.ts";

/** The evidence that two companies are the same, the strongest first. */
export const evidenceKinds = ["tax_id", "phone", "email_domain", "name"] as const;
export type AlikeEvidence = (typeof evidenceKinds)[number];

/** The order of pairs: the sure ones first. */
export const PLACE = { sure: 0, probable: 1 } as const;

/**
 * A company as compareCompanies reads it. `phone` is the digest of its last digits. If other fields or rules decide, a
 * migration deletes `company_keys` and has all companies walked through again.
 */
export type Compared = {
  id: string;
  name: string;
  taxId: string | null;
  phone: string | null;
  email: string | null;
  city: string | null;
};

/** Domains at which anybody may have an address. */
const PUBLIC_DOMAINS = new Set(
  (
    "gmail.com googlemail.com yahoo.com yahoo.ro yahoo.co.uk ymail.com rocketmail.com hotmail.com hotmail.ro outlook.com " +
    "outlook.ro live.com live.ro msn.com icloud.com me.com mac.com aol.com proton.me protonmail.com gmx.com gmx.de gmx.net " +
    "web.de mail.com mail.ru yandex.ru zoho.com email.ro mail.ro k.ro home.ro personal.ro clicknet.ro rdslink.ro " +
    "rdsmail.ro upcmail.ro t-online.de orange.fr free.fr libero.it seznam.cz wp.pl o2.pl abv.bg mail.bg"
  ).split(" "),
);

/** Legal forms, anywhere in a name. */
const FORMS = new Set(
  "srl sa sc pfa ii if snc scs sca ra srld gmbh ag kg ohg ltd limited llc inc plc bv nv sas sarl spa oy ab as aps kft zrt doo eood ood".split(
    " ",
  ),
);

/** The words of a name, without case, accents, signs, legal forms and their order. */
export function nameWords(name: string): string[] {
  const core = coreOf(name) ?? name;
  const plain = (normalized(core, NAME_MAX, "NFD") ?? core).replaceAll(/\p{M}/gu, "").toLowerCase();
  // "S.R.L." is one word, "Alfa-Beta" two.
  const words = plain.replaceAll(/\b(?:\p{L}\.\s?){2,}/gu, (form) => `${form.replaceAll(/[.\s]/g, "")} `);
  const all = words.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const named = all.filter((word) => !FORMS.has(word));
  return (named.length === 0 ? all : named).toSorted();
}

/** The keys of a company; null: none. Two companies without a common key are not compared. */
export type AlikeKeys = {
  /** Of its fiscal id. */
  number: string | null;
  /** The digest. */
  phone: string | null;
  nameKey: string | null;
  domain: string | null;
};

export function alikeKeys({ name, taxId, phone, email }: Compared): AlikeKeys {
  const words = nameWords(name);
  return {
    number: taxId === null ? null : taxSpellings.key(taxId),
    phone: phone === "" ? null : phone,
    nameKey: words.length === 0 ? null : soundOf(words),
    domain: domainOf(email),
  };
}

export function domainOf(email: string | null): string | null {
  const domain = email?.slice(email.lastIndexOf("@") + 1).toLowerCase() ?? "";
  return domain === "" || PUBLIC_DOMAINS.has(domain) ? null : domain;
}

/** Consonants and digits, none of them twice in a row: most typing errors do not change them. */
function soundOf(words: readonly string[]): string {
  const whole = words.join("");
  const sound = whole.replaceAll(/[aeiouy]/g, "").replaceAll(/(.)\1+/gu, "$1");
  return (sound.length < 3 ? whole : sound).slice(0, 100);
}

/** The evidence that two companies are the same, and whether it is sure; null without enough of it. */
export function compareCompanies(
  one: Compared,
  other: Compared,
): { evidence: AlikeEvidence[]; isSure: boolean } | null {
  const hasTaxIds = one.taxId !== null && other.taxId !== null;
  const isSameTaxId = one.taxId !== null && other.taxId !== null && taxSpellings.isSame(one.taxId, other.taxId);
  // Two fiscal ids are two companies, whatever else is alike.
  if (hasTaxIds && !isSameTaxId) return null;
  const likeness = likenessOf(nameWords(one.name), nameWords(other.name));
  const isSamePhone = one.phone !== null && one.phone !== "" && one.phone === other.phone;
  const isSameDomain = domainOf(one.email) !== null && domainOf(one.email) === domainOf(other.email);
  const isSure = isSameTaxId || (isSamePhone && likeness !== "other");
  const isByName = likeness === "same" && mayBeOneCity(one.city, other.city);
  if (!isSure && !(isSameDomain && likeness !== "other") && !isByName) return null;
  const evidence: Record<AlikeEvidence, boolean> = {
    tax_id: isSameTaxId,
    phone: isSamePhone,
    email_domain: isSameDomain,
    name: likeness === "same",
  };
  return { evidence: evidenceKinds.filter((kind) => evidence[kind]), isSure };
}

function mayBeOneCity(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return true;
  return nameWords(one).join(" ") === nameWords(other).join(" ");
}

/** `same`: at most one letter differs in a long name. `similar`: at most a sixth of the letters. */
function likenessOf(one: readonly string[], other: readonly string[]): "same" | "similar" | "other" {
  const [a, b] = [one.join(" "), other.join(" ")];
  if (a === b) return "same";
  const longest = Math.max(a.length, b.length);
  const distance = distanceOf(a, b, Math.floor(longest / 6));
  if (distance === 1 && longest >= 8) return "same";
  return distance <= Math.floor(longest / 6) ? "similar" : "other";
}

/** The number of letters to change, add, remove or swap with the next; a larger number beyond `most`. */
function distanceOf(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((last?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last?.[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before?.[j - 2] ?? 0) + 1);
      row.push(least);
    }
    [before, last] = [last ?? [], row];
  }
  return last?.[b.length] ?? most + 1;
}
