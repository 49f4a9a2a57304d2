import type { Deps } from "../../../kit/deps.ts";
import { copiedOnce } from "../../../kit/web/copy-button.ts";
import { html } from "../../../kit/web/html.ts";
import type { PageRequest, Shown } from "../../../kit/web/page.ts";
import { findFirstCompany } from "../api-key-queries.ts";
import { withImplied, type Capability } from "../capability.ts";
import { keyWords } from "../key-words.ts";

/** The paths that each capability reads, those of no company first. */
const READABLE: readonly (readonly [Capability, (company: string) => string])[] = [
  ["companies:read", () => "companies"],
  ["changes:read", () => "changes"],
  ["webhooks:read", () => "webhooks"],
  ["contacts:read", (company) => `companies/${company}/contacts`],
  ["addresses:read", (company) => `companies/${company}/addresses`],
  ["invoices:read", (company) => `companies/${company}/invoices`],
  ["wms-orders:read", (company) => `companies/${company}/wms-orders`],
];

/** Shows a new key's token once, with a command that uses it. No URL or cookie has it, and browsers store no copy. */
export async function tokenPage(
  { database }: Deps,
  { name, capabilities }: { name: string; capabilities: readonly string[] },
  token: string,
  { actor, language, origin }: PageRequest,
): Promise<Shown> {
  const words = keyWords[language];
  const may = withImplied(capabilities);
  const readable = READABLE.find(([capability]) => may.has(capability))?.[1];
  const path = readable?.((await findFirstCompany(actor.tenant, database)) ?? "1");
  const main = html`<header class="heading"><h1>${name}</h1></header>
<p><strong>${words.once}</strong></p>
<h2>${words.token}</h2>
${copiedOnce("token", token, words.token, language)}
${
  path !== undefined &&
  html`<h2>${words.tryIt}</h2>
${copiedOnce("try-it", `curl -H "Authorization: Bearer ${token}" ${origin}/api/v1/${path}`, words.tryIt, language)}`
}
<p><a class="button main" href="/keys">${words.done}</a></p>`;
  return { title: name, area: "keys", main };
}
