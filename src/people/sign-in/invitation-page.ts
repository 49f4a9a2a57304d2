import type { Deps } from "../../kit/deps.ts";
import { errorSummary } from "../../kit/web/forms/field.ts";
import { inputRow } from "../../kit/web/forms/input-row.ts";
import { html } from "../../kit/web/html.ts";
import { messagesIn, type FieldMessages } from "../../kit/web/messages.ts";
import { notice } from "../../kit/web/notice.ts";
import type { OpenPage, PageAnswer, Shown, VisitorRequest } from "../../kit/web/page.ts";
import { browserIn, rememberedIn } from "../sessions/known-browser.ts";
import { endSession } from "../sessions/session.ts";
import { signIn } from "../sessions/sign-in-by-password.ts";
import { signedInCookies } from "../sessions/signed-in-cookies.ts";
import { accountOf } from "../sessions/subjects.ts";
import { pathToProvider } from "../single-sign-on/pages/door-pages.ts";
import { singleSignOnWords } from "../single-sign-on/single-sign-on-words.ts";
import type { Invitation } from "../users/invitation-queries.ts";
import { acceptInvitation, findInvitation } from "../users/invitation.ts";
import { roleWords } from "../users/user-words.ts";
import { invitationWords } from "./invitation-words.ts";

/** GET /invitations/{token} */
export const invitationPage: OpenPage = async ({ database }, request) => {
  const invitation = await findInvitation(database, request.params.token ?? "");
  return invitation === null ? overPage(request, 404) : page(request, invitation, 200, null);
};

/** POST /invitations/{token}: a name and a password make a user, or a password replaces a user's. Signs the user in. */
export const invitationPost: OpenPage = async (deps, request) => {
  const { params, form, language } = request;
  const token = params.token ?? "";
  const invitation = await findInvitation(deps.database, token);
  if (invitation === null) return overPage(request, 404);
  const password = form.get("password") ?? "";
  const accepted = await acceptInvitation(deps, token, { ...form.input(["name"]), password });
  const words = invitationWords[language];
  switch (accepted.outcome) {
    case "accepted":
      return await enter(deps, request, { ...accepted, password, isNew: invitation.userName === null });
    case "invalid":
      return page(
        request,
        invitation,
        422,
        messagesIn(language, accepted.messages, { name: words.name, password: words.password }),
      );
    case "busy":
      return { ...page(request, invitation, 503, { password: [words.busy] }), headers: { "retry-after": "1" } };
    case "gone":
      return overPage(request, 404);
    case "taken":
      return overPage(request, 409);
  }
};

/** The browser is known to the account from now on. If the sign-in is throttled, the person signs in later. */
async function enter(
  deps: Deps,
  { session, network, userAgent, cookie }: VisitorRequest,
  { workspace, email, password, isNew }: { workspace: string; email: string; password: string; isNew: boolean },
): Promise<PageAnswer> {
  const [account, came] = [accountOf(workspace, email), cookie("browser")];
  const browser = rememberedIn(deps.keyring, came, account, workspace);
  // The throttles know the browser by the link, and its user does not.
  const isExpected = isNew || browserIn(deps.keyring, came, account) !== null;
  const entered = await signIn(deps, { workspace, email, password, network, userAgent, browser, isExpected });
  if (entered.outcome !== "signed-in" && entered.outcome !== "needs-code") {
    return { to: `/sign-in?workspace=${workspace}`, notice: notice(isNew ? "account-made" : "password-chosen") };
  }
  if (session !== null) await endSession(deps.database, session);
  const cookies = signedInCookies(entered);
  if (entered.outcome === "needs-code") return { to: "/sign-in/code", cookies };
  return { to: "/today", notice: notice(isNew ? "welcome" : "password-chosen"), cookies };
}

function page(
  { params, form, language }: VisitorRequest,
  { workspace, workspaceName, email, role, userName, isByProvider }: Invitation,
  status: number,
  errors: FieldMessages | null,
): Shown {
  const words = invitationWords[language];
  const title = userName === null ? words.title : words.choosePassword;
  if (userName === null && isByProvider) {
    const main = html`<section class="message"><h1>${title}</h1>
<p>${words.invited(workspaceName, roleWords[language][role])} ${words.byProvider(email)}</p>
<p><a class="button main" href="${pathToProvider(workspace, null)}">${singleSignOnWords[language].link}</a></p></section>`;
    return { status, title, area: null, main };
  }
  const main = html`<section class="sign-in">
<h1>${title}</h1>
<p>${userName === null ? words.invited(workspaceName, roleWords[language][role]) : words.ofWorkspace(workspaceName)} ${words.email(email)}</p>
${errorSummary(errors, language)}
<form method="post" action="/invitations/${params.token}" novalidate>
${userName === null && inputRow({ name: "name", label: words.name, value: form.get("name"), autocomplete: "name" }, errors)}
${inputRow({ name: "password", label: words.password, type: "password", hint: words.passwordHint, autocomplete: "new-password" }, errors)}
<p class="actions"><button class="main">${userName === null ? words.accept : words.savePassword}</button></p>
</form>
</section>`;
  return { status, title, area: null, main };
}

/** The page for a link that is used, expired, revoked, replaced or unknown; 409: the person has a user already. */
function overPage({ language }: VisitorRequest, status: 404 | 409): Shown {
  const words = invitationWords[language];
  const main = html`<section class="message"><h1>${words.goneTitle}</h1>
<p>${status === 404 ? words.gone : words.taken}</p>
<p><a class="button main" href="/sign-in">${words.signIn}</a></p></section>`;
  return { status, title: words.goneTitle, area: null, main };
}
