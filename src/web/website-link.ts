import { html, type Content } from "./html.ts";

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
