import { html, type Content } from "./html.ts";

/** Each phone number of a text as a link that dials it. A text without a number is shown unchanged. */
export function phoneLink(phone: string | null): Content {
  const parts = partsOf(phone ?? "");
  const [only, ...others] = parts.flatMap(({ address }) => address ?? []);
  if (only === undefined) return phone;
  if (others.length === 0) return html`<a href="${only}">${phone}</a>`;
  return html`<span class="phones">${parts.map(({ text, address }) => (address === null ? text : html`<a href="${address}">${text}</a>`))}</span>`;
}

/** The address that dials the first number of a text; null without a number. */
export function phoneAddress(phone: string | null): string | null {
  return partsOf(phone ?? "").find(({ address }) => address !== null)?.address ?? null;
}

/** Digits of the shortest number that may stand beside another one: `0264/555.010` is one number. */
const SHORTEST = 6;
const BETWEEN = /(\s*(?:[/;,|]|\p{L}[^\d+*#]*)\s*)/u;

/** The numbers of a text, and what stands between them, in order. */
function partsOf(phone: string): { text: string; address: string | null }[] {
  const [first = "", ...others] = phone.split(BETWEEN);
  const texts = [first];
  for (let at = 0; at < others.length; at += 2) {
    const [between = "", next = ""] = others.slice(at, at + 2);
    const before = texts.at(-1) ?? "";
    if (between.trim() === "/" && digitsIn(before) < SHORTEST) texts.splice(-1, 1, before + between + next);
    else texts.push(between, next);
  }
  const isLong = (text: string) => digitsIn(text) >= SHORTEST;
  const only = texts.some(isLong) ? undefined : texts.find((text) => digitsIn(text) > 0);
  return texts
    .filter((text) => text !== "")
    .map((text) => ({ text, address: isLong(text) || text === only ? addressOf(text) : null }));
}

function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, "").length;
}

function addressOf(text: string): string {
  return `tel:${text.replaceAll(/[^\d+*#]/g, "").replaceAll("#", "%23")}`;
}

/**
 * An e-mail address as a link to a new message. It is encoded, because `?` and `&` would add recipients and text.
 * @param shown the visible text
 */
export function emailLink(email: string | null, shown: Content = email): Content {
  return email === null ? null : html`<a href="${emailAddress(email)}" title="${email}">${shown}</a>`;
}

export function emailAddress(email: string | null): string | null {
  return email === null ? null : `mailto:${email.split("@").map(encodeURIComponent).join("@")}`;
}

/** A website as a link that sends no referrer. A text that is not a web address is shown unchanged. */
export function websiteLink(website: string | null): Content {
  const address = webAddressOf(website ?? "");
  return address === null ? website : html`<a href="${address}" rel="noopener noreferrer">${website}</a>`;
}

/** People also write `acme.example`. Other schemes, such as those that run a script, are rejected. */
function webAddressOf(text: string): string | null {
  const address = /^[\w-]+(?:\.[\w-]+)+(?:[/?#].*)?$/.test(text) ? `https://${text}` : text;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
}
