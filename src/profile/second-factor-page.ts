import type { Deps } from "../deps.ts";
import type { Database } from "../platform/postgres/database.ts";
import { accountOfUser, endSecondFactor, type Account } from "../sessions/own-account.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import { beginSecondFactor, confirmSecondFactor, secondFactorOf } from "../users/second-factor.ts";
import type { RefusedForm } from "../web/forms/form.ts";
import { html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import { notice } from "../web/notice.ts";
import type { OperatorRequest, PageAnswer, PageRequest, Shown } from "../web/page.ts";
import { profileWords } from "./profile-words.ts";
import { beginForm, endForm, factorState, pendingForm, recoveryCodesPage, type Home } from "./second-factor-forms.ts";
import { secondFactorWords } from "./second-factor-words.ts";

/** The owner of the page, and how the application on the telephone calls the account. */
type PageOwner = { account: Account; workspace: string; email: string; timeZone: string };

/** The pages below /profile/second-factor. */
export const { secondFactorPage, beginFactorPost, confirmFactorPost, endFactorPost } = factorPages<PageRequest>(
  {
    path: "/profile/second-factor",
    area: "profile",
    home: "/profile",
    homeName: (language) => profileWords[language].title,
  },
  (database, { session }) => ({
    account: accountOfUser(database, session),
    workspace: session.workspace.slug,
    email: session.user.email,
    timeZone: session.workspace.timeZone,
  }),
);

type FactorPage<R> = (deps: Deps, request: R) => Promise<PageAnswer>;
type FactorPages<R> = {
  secondFactorPage: FactorPage<R>;
  beginFactorPost: FactorPage<R>;
  confirmFactorPost: FactorPage<R>;
  endFactorPost: FactorPage<R>;
};

/** The pages about one's own second factor, a user's or an operator's. */
export function factorPages<R extends PageRequest | OperatorRequest>(
  place: Home,
  ownerOf: (database: Database, request: R) => PageOwner,
): FactorPages<R> {
  const show = async (deps: Deps, request: R, refused: RefusedForm) =>
    await page(deps, ownerOf(deps.database, request), place, request, refused);
  return {
    /** GET: to set it up, or to switch it off. */
    secondFactorPage: async (deps, request) => await show(deps, request, {}),
    /** POST: a secret, which counts once its first code is confirmed. */
    beginFactorPost: async ({ database, keyring }, request) => {
      await beginSecondFactor(keyring, ownerOf(database, request).account.factor);
      return { to: place.path };
    },
    /** POST .../confirm: answers with the recovery codes, which are shown this once. */
    confirmFactorPost: async (deps, request) => {
      const { form, language } = request;
      const { factor } = ownerOf(deps.database, request).account;
      const confirmed = await confirmSecondFactor(deps.keyring, factor, form.get("code") ?? "");
      if (confirmed.outcome === "on") return recoveryCodesPage(confirmed.recoveryCodes, place, language);
      if (confirmed.outcome === "not-begun") return { to: place.path, notice: notice("second-factor-not-begun") };
      return await show(deps, request, { status: 422, errors: { code: [secondFactorWords[language].wrongCode] } });
    },
    /** POST .../end: by the typed code, otherwise by the password. */
    endFactorPost: async (deps, request) => {
      const { form, network, language } = request;
      const [code, password] = [form.get("code") ?? "", form.get("password") ?? ""];
      const { account } = ownerOf(deps.database, request);
      const ended = await endSecondFactor(deps, account, code === "" ? { password } : { code }, { network });
      if (ended.outcome === "off") return { to: place.home, notice: notice("second-factor-off") };
      if (ended.outcome === "must-stay") {
        const errors = { code: [secondFactorWords[language].mustStay] };
        return await show(deps, request, { status: 409, errors });
      }
      const { status, message, headers } = refusalIn(language, ended, secondFactorWords[language].wrongProof);
      return { ...(await show(deps, request, { status, errors: { code: [message] } })), headers };
    },
  };
}

async function page(
  { keyring }: Deps,
  { account, workspace, email, timeZone }: PageOwner,
  place: Home,
  { language }: Pick<PageRequest, "language">,
  { status = 200, errors }: RefusedForm,
): Promise<Shown> {
  const words = secondFactorWords[language];
  const factor = await secondFactorOf(keyring, account.factor);
  const main = html`<a class="back" href="${place.home}">${icon("back")}${place.homeName(language)}</a>
<header class="heading"><h1>${words.title}</h1></header>
<p>${words.about}</p>
${factor.isOn && html`<p>${factorState(factor, language, timeZone)}</p>${endForm(factor, place, errors, language)}`}
${factor.pending !== null && pendingForm(factor.pending, { place, workspace, email }, errors, language)}
${!factor.isOn && beginForm(factor, place, language)}`;
  return { status, title: words.title, area: place.area, main };
}
