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

/** A website that a browser opens, on its own and told nothing of us. A text that is no address of the web is shown as it is. */
export function websiteLink(website: string | null): Content {
  const address = addressOf(website ?? "");
  return address === null ? website : html`<a href="${address}" rel="noopener noreferrer">${website}</a>`;
}

/** People write `acme.example` too. Another scheme, such as one that runs a script, is none of a website. */
function addressOf(text: string): string | null {
  const address = /^[\w-]+(?:\.[\w-]+)+(?:[/?#].*)?$/.test(text) ? `https://${text}` : text;
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
}
