import { copiedOnce } from "../../../kit/web/copy-button.ts";
import { html } from "../../../kit/web/html.ts";
import type { PageRequest, Shown } from "../../../kit/web/page.ts";
import { webhookWords } from "../webhook-words.ts";

/**
 * Shows a webhook's secret once, with a line of code per language that verifies by it. Browsers may not cache the page.
 */
export function secretPage(id: string, secret: string, { language }: PageRequest): Shown {
  const words = webhookWords[language];
  const verifying = [
    [
      "TypeScript",
      `const event = new Webhook("${secret}").verify(text, headers); // import { Webhook } from "standardwebhooks"`,
    ],
    [
      "PHP",
      `$event = (new StandardWebhooks\\Webhook("${secret}"))->verify($text, $headers); // standard-webhooks/standard-webhooks`,
    ],
    ["Python", `event = Webhook("${secret}").verify(text, headers)  # from standardwebhooks import Webhook`],
  ];
  const main = html`<header class="heading"><h1>${words.secret}</h1></header>
<p><strong>${words.once}</strong></p>
${copiedOnce("secret", secret, words.secret, language)}
<h2>${words.verify}</h2>
${verifying.map(([name, line]) => html`<h3>${name}</h3><pre tabindex="0">${line}</pre>`)}
<p><a class="button main" href="/webhooks/${id}">${words.done}</a></p>`;
  return { title: words.secret, area: "webhooks", main };
}
