import { html, type Content } from "./html.ts";

/** A phone number as a link that dials it. A text without a number is shown unchanged. */
export function phoneLink(phone: string | null): Content {
  const address = phoneAddress(phone);
  return address === null ? phone : html`<a href="${address}">${phone}</a>`;
}

/** Null for a text without a number. */
export function phoneAddress(phone: string | null): string | null {
  const dialled = (phone ?? "").replaceAll(/[^\d+*#]/g, "");
  return /\d/.test(dialled) ? `tel:${dialled.replaceAll("#", "%23")}` : null;
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
  const address = addressOf(website ?? "");
  return address === null ? website : html`<a href="${address}" rel="noopener noreferrer">${website}</a>`;
}

/** People also write `acme.example`. Other schemes, such as those that run a script, are rejected. */
function addressOf(text: string): string | null {
  const address = /^[\w-]+(?:\.[\w-]+)+(?:[/?#].*)?$/.test(text) ? `https://${text}` : text;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
}
