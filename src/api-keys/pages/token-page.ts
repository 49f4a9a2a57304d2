import { html } from "../../web/html.ts";
import type { PageRequest, Shown } from "../../web/page.ts";
import { keyWords } from "../key-words.ts";

/** A new key's token, this once, with a command that tries it. It is in no address and no cookie, and browsers keep no copy. */
export function tokenPage(name: string, token: string, { language, origin }: PageRequest): Shown {
  const words = keyWords[language];
  const main = html`<header class="heading"><h1>${name}</h1></header>
<p><strong>${words.once}</strong></p>
<h2>${words.token}</h2>
<pre id="token" tabindex="0">${token}</pre>
<h2>${words.tryIt}</h2>
<pre tabindex="0">curl -H "Authorization: Bearer ${token}" ${origin}/api/v1/companies</pre>
<p><a class="button main" href="/keys">${words.done}</a></p>`;
  return { title: name, area: "keys", main };
}
