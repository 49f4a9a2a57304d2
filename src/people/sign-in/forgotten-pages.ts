import { inputRow } from "../../kit/web/forms/input-row.ts";
import { html } from "../../kit/web/html.ts";
import type { OpenPage, Shown, VisitorRequest } from "../../kit/web/page.ts";
import { protocolErrors } from "../../platform/http/http-error.ts";
import { askForPassword } from "../sessions/ask-for-password.ts";
import { workspaceIn } from "../sessions/known-browser.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import { forgottenWords } from "./forgotten-words.ts";
import { signInWords } from "./sign-in-words.ts";

/** GET /sign-in/forgotten: only where mail can be sent. */
export const forgottenPage: OpenPage = async ({ config, keyring }, request) => {
  if (config.mail === null) throw protocolErrors.routeUnknown(request.address);
  return page(request, workspaceIn(keyring, request.cookie("browser")), 200, null);
};

/** POST /sign-in/forgotten: the same answer for every address. */
export const forgottenPost: OpenPage = async (deps, request) => {
  const { form, network, language, address } = request;
  if (deps.config.mail === null) throw protocolErrors.routeUnknown(address);
  const named = { workspace: form.get("workspace") ?? "", email: form.get("email") ?? "" };
  const refused = await askForPassword(deps, named, { network, language });
  if (refused === null) return askedPage(request);
  const { status, message, headers } = refusalIn(language, refused, "");
  return { ...page(request, null, status, message), headers };
};

function page({ form, language }: VisitorRequest, last: string | null, status: number, message: string | null): Shown {
  const words = forgottenWords[language];
  const { workspace: label, workspaceHint: hint, email } = signInWords[language];
  const value = form.get("workspace") ?? last;
  const main = html`<section class="sign-in">
<h1>${words.title}</h1>
<p>${words.about}</p>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
<form method="post" action="/sign-in/forgotten" novalidate>
${inputRow({ name: "workspace", label, hint, value, autocomplete: "organization", isVerbatim: true })}
${inputRow({ name: "email", label: email, type: "email", value: form.get("email"), autocomplete: "username" })}
<p class="actions"><button class="main">${words.send}</button><a class="button" href="/sign-in">${words.back}</a></p>
</form>
</section>`;
  return { status, title: words.title, area: null, main };
}

function askedPage({ language }: VisitorRequest): Shown {
  const words = forgottenWords[language];
  const main = html`<section class="message"><h1>${words.askedTitle}</h1>
<p>${words.asked}</p>
<p>${words.notThere}</p>
<p><a class="button main" href="/sign-in">${words.back}</a></p></section>`;
  return { title: words.askedTitle, area: null, main };
}
