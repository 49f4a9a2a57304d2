import { assets } from "../../../kit/web/assets.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import type { PasskeyRequest } from "../options.ts";
import { passkeyWords } from "../passkey-words.ts";

type AskingForm = {
  action: string;
  submit: string;
  to: string | null;
  /** Why an answer was refused; null starts without a click. */
  message: string | null;
  /** Beside the button. */
  others: Html | null;
};

/** The form whose script requests a passkey from the browser (assets/passkey.js). */
export function askingForm(
  { options }: PasskeyRequest,
  { action, submit, to, message, others }: AskingForm,
  language: Language,
): Html {
  const { failed: notUsed, notCreated, known, elsewhere, needsScript } = passkeyWords[language];
  const failed = "user" in options ? notCreated : notUsed;
  const asked = "user" in options ? { create: options } : { get: options };
  const data = JSON.stringify({ ...asked, failed, known, elsewhere });
  return html`${message === null && html`<noscript><p class="error">${needsScript}</p></noscript>`}
<div role="alert" id="passkey-said">${message !== null && html`<p class="error">${message}</p>`}</div>
<form method="post" action="${action}" data-passkey="${data}" data-start="${message === null ? "true" : "false"}">
<input type="hidden" name="answer" value="">
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
<p class="actions"><button class="main" disabled>${submit}</button>${others}</p>
</form><script type="module" src="${assets.pathOf("passkey.js")}"></script>`;
}
