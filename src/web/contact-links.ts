import { html, type Content } from "./html.ts";

/** A phone number that a telephone dials. A text in which nothing can be dialled is shown as it is. */
export function phoneLink(phone: string | null): Content {
  const dialled = (phone ?? "").replaceAll(/[^\d+*#]/g, "");
  return /\d/.test(dialled) ? html`<a href="tel:${dialled.replaceAll("#", "%23")}">${phone}</a>` : phone;
}

/**
 * An e-mail address that opens a new message. Encoded, because `?` and `&` would add recipients and texts to it.
 * @param shown the address as it is to be seen
 */
export function emailLink(email: string | null, shown: Content = email): Content {
  if (email === null) return null;
  const address = email.split("@").map(encodeURIComponent).join("@");
  return html`<a href="mailto:${address}" title="${email}">${shown}</a>`;
}
