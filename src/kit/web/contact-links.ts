import { partsOfPhone, type PhoneNumber } from "../../platform/phone-numbers.ts";
import { html, type Content } from "./html.ts";

/** Each phone number of a text as a link that dials it. A text without a number is shown unchanged. */
export function phoneLink(phone: string | null): Content {
  const parts = partsOfPhone(phone ?? "");
  const [only, ...others] = parts.flatMap(({ number }) => number ?? []);
  if (only === undefined) return phone;
  if (others.length === 0) return html`<a href="${addressOf(only)}">${phone}</a>`;
  return html`<span class="phones">${parts.map(({ text, number }) => (number === null ? text : html`<a href="${addressOf(number)}">${text}</a>`))}</span>`;
}

/** The address that dials the first number of a text; null without a number. */
export function phoneAddress(phone: string | null): string | null {
  const first = partsOfPhone(phone ?? "").find(({ number }) => number !== null)?.number ?? null;
  return first === null ? null : addressOf(first);
}

/** The address of a number (RFC 3966). */
function addressOf({ dialled, extension }: PhoneNumber): string {
  return `tel:${dialled.replaceAll("#", "%23")}${extension === null ? "" : `;ext=${extension}`}`;
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
