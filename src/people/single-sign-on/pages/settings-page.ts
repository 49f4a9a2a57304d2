import { editedIn, shownFields } from "../../../kit/changes/edited.ts";
import type { Deps } from "../../../kit/deps.ts";
import { asking, askingAct, dangers } from "../../../kit/web/asking.ts";
import { copyButton } from "../../../kit/web/copy-button.ts";
import { errorSummary, fieldRow, type FieldValues } from "../../../kit/web/forms/field.ts";
import { inputRow } from "../../../kit/web/forms/input-row.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { dayOf, moment } from "../../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { state } from "../../../kit/web/state.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { redirectUriOf } from "../sign-in.ts";
import {
  countWithoutPassword,
  findSingleSignOn,
  switchSingleSignOnOff,
  switchSingleSignOnOn,
  type StoredSingleSignOn,
} from "../single-sign-on-queries.ts";
import { singleSignOnWords } from "../single-sign-on-words.ts";
import { endOfSecret, settingsFields, writeSettings, type SettingsProblem } from "../write-settings.ts";

export const SETTINGS = "/workspace/sign-in";

const [ISSUER, CLIENT_ID, ...OTHERS] = settingsFields;
/** The fields about admission, and those about roles. */
const [OF_PEOPLE, OF_ROLES] = [OTHERS.slice(0, 3), OTHERS.slice(3)];
const names = settingsFields.map(({ name }) => name);
const ofProvider = ["issuer", "client_id"];

/** GET /workspace/sign-in */
export const settingsPage: Page = async (deps, request) => await page(deps, request, 200, null);

/** POST /workspace/sign-in: changes what the admin has edited. */
export const settingsPost: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const stored = valuesOf(await findSingleSignOn(actor.tenant, deps.database));
  const secret = form.get("secret") ?? "";
  const edited = editedIn(form, names);
  // A secret is meant for the provider and the client that its form shows.
  const isOfProvider = secret !== "" || edited.some((name) => ofProvider.includes(name));
  const input = { ...stored, ...form.input(isOfProvider ? [...edited, ...ofProvider] : edited) };
  const written = await writeSettings(deps, actor, input, secret);
  if (written.outcome === "saved") return { to: SETTINGS, notice: notice("sso-saved") };
  const errors = messagesIn(language, written.messages, singleSignOnWords[language].labels);
  for (const problem of written.problems) {
    (errors[FIELD_OF[problem]] ??= []).push(singleSignOnWords[language].problems[problem]);
  }
  if (secret !== "") errors.secret ??= [shellWords[language].enterAgain];
  return await page(deps, request, 422, errors);
};

const FIELD_OF: Record<SettingsProblem, string> = {
  "not-https": "issuer",
  "in-use": "issuer",
  "no-secret": "secret",
  "long-secret": "secret",
  "wrong-domain": "domains",
  "no-domain": "domains",
  "wrong-scope": "scopes",
};

/** POST /workspace/sign-in/on: only what an admin has tried. */
export const switchOnPage: Page = async ({ database }, { actor }) => {
  const isOn = await switchSingleSignOnOn(actor.tenant, database, changedBy(actor));
  return { to: SETTINGS, notice: notice(isOn ? "sso-on" : "sso-not-tried") };
};

/** GET /workspace/sign-in/off: the people who would need a password. */
export const askToSwitchOffPage: Page = async ({ database }, { actor, language }) => {
  const stored = await findSingleSignOn(actor.tenant, database);
  if (stored?.isOn !== true) return { to: SETTINGS };
  const words = singleSignOnWords[language];
  const without = await countWithoutPassword(actor.tenant, database);
  return asking(language, {
    title: words.switchOffTitle,
    area: "signIn",
    consequences: [words.switchOffText, words.withoutPassword(without)],
    action: `${SETTINGS}/off`,
    submit: words.switchOff,
    back: SETTINGS,
  });
};

/** POST /workspace/sign-in/off */
export const switchOffPage: Page = async ({ database }, { actor }) => {
  await switchSingleSignOnOff(actor.tenant, database, changedBy(actor));
  return { to: SETTINGS, notice: notice("sso-off") };
};

async function page(deps: Deps, request: PageRequest, status: number, errors: FieldMessages | null): Promise<Shown> {
  const { actor, language } = request;
  const words = singleSignOnWords[language];
  const stored = await findSingleSignOn(actor.tenant, deps.database);
  const main = html`<header class="heading"><h1>${words.title}</h1>${standing(stored, request)}</header>
<p>${words.about}</p>
${addresses(request)}
${errorSummary(errors, language)}
${settingsForm(deps, request, stored, errors)}
${stored !== null && steps(stored, request)}`;
  return { status, title: words.title, area: "signIn", main };
}

function standing(stored: StoredSingleSignOn | null, { language }: PageRequest): Html {
  const { states } = singleSignOnWords[language];
  if (stored === null) return state("neutral", states.none);
  if (!stored.isOn) return state("neutral", states.off);
  return state("good", stored.isOnly ? states.only : states.on);
}

/** The addresses that the provider has to know. */
function addresses({ origin, session, language }: PageRequest): Html {
  const words = singleSignOnWords[language];
  const redirect = redirectUriOf(origin, session.workspace.slug);
  const row = (label: string, value: string) =>
    html`<dt>${label}</dt><dd><span class="code">${value}</span> ${copyButton(label, language)}</dd>`;
  return html`<section class="section"><header><h2>${words.atProvider}</h2></header>
<dl class="facts">${row(words.redirect, redirect)}
${row(words.logout, redirect.replace(/callback$/, "logout"))}</dl></section>`;
}

function settingsForm(
  deps: Deps,
  request: PageRequest,
  stored: StoredSingleSignOn | null,
  errors: FieldMessages | null,
): Html {
  const { actor, session, form, language } = request;
  const words = singleSignOnWords[language];
  const hints = {
    issuer: words.issuerHint,
    domains: words.domainsHint,
    trusts_addresses: words.trustsHint,
    admits_domains: words.admitsHint,
    admin_group: words.adminGroupHint,
    groups_claim: words.groupsClaimHint,
    scopes: words.scopesHint,
  };
  const values = { ...valuesOf(stored), ...form.input(names) } as FieldValues;
  const fields = { values, labels: words.labels, errors, language, hints };
  const fixed = stored?.isOn === true ? stored : null;
  const rows = (own: typeof settingsFields) => own.map((field) => fieldRow(field, fields));
  const kept =
    stored !== null &&
    html` <span class="muted">${words.secretStored(endOfSecret(deps, actor, stored), dayOf(language, stored.secretSetAt, session.workspace.timeZone))}</span>`;
  const secret = {
    name: "secret",
    label: html`${words.secret}${kept}`,
    type: "password",
    hint: html`${words.secretHint} ${stored !== null && words.secretUnchanged}`,
    autocomplete: "off",
    isOptional: true,
  } as const;
  return html`<form class="record" method="post" action="${SETTINGS}" novalidate>
${shownFields(names, valuesOf(stored), form)}
<section class="section"><header><h2>${words.provider}</h2></header><div>
${
  fixed === null
    ? rows([ISSUER, CLIENT_ID].filter((field) => field !== undefined))
    : html`<input type="hidden" name="issuer" value="${fixed.issuer}"><input type="hidden" name="client_id" value="${fixed.clientId}">
<dl class="facts"><dt>${words.labels.issuer}</dt><dd>${fixed.issuer}</dd><dt>${words.labels.client_id}</dt><dd>${fixed.clientId}</dd></dl>
<p class="hint">${words.issuerFixed}</p>`
}
${inputRow(secret, errors)}
</div></section>
<section class="section"><header><h2>${words.people}</h2></header>
<p>${words.peopleText}</p>
${rows(OF_PEOPLE)}
</section>
<section class="section"><header><h2>${words.roles}</h2></header>
${(stored?.groupsUnknownAt ?? null) !== null && html`<p class="trouble">${words.groupsUnknown(moment(language, stored?.groupsUnknownAt ?? "", session.workspace.timeZone))}</p>`}
<div>${rows(OF_ROLES)}</div>
</section>
<p class="actions"><button${(stored === null || stored.triedAt === null) && html` class="main"`}>${words.save}</button></p>
</form>`;
}

function valuesOf(stored: StoredSingleSignOn | null): FieldValues {
  return {
    issuer: stored?.issuer,
    client_id: stored?.clientId,
    domains: stored?.domains,
    trusts_addresses: stored?.trustsAddresses === true ? "1" : "0",
    admits_domains: stored?.admitsDomains === true ? "1" : "0",
    admin_group: stored?.adminGroup,
    groups_claim: stored?.groupsClaim ?? "groups",
    scopes: stored?.scopes,
  };
}

/** The trial and the switches of the saved settings. */
function steps(stored: StoredSingleSignOn, { session, language }: PageRequest): Html {
  const words = singleSignOnWords[language];
  const { isOn, isOnly, triedAt, breakGlassName } = stored;
  const tried = triedAt === null ? words.notTried : words.tried(moment(language, triedAt, session.workspace.timeZone));
  // The trial ends in another window.
  const follows = !isOn && html` data-refresh="3"`;
  return html`<section class="section" id="try"${follows}><header><h2>${words.tryTitle}</h2></header>
<p>${words.tryText}</p><p>${tried}</p>
<p class="actions"><a class="button" href="${SETTINGS}/try" target="_blank">${words.tryLink}</a></p>
${!isOn && triedAt !== null && html`<form method="post" action="${SETTINGS}/on"><p class="actions"><button class="main">${words.switchOn}</button></p></form>`}
</section>
${
  isOnly &&
  html`<section class="section"><header><h2>${words.only}</h2></header>
<p${breakGlassName === null && html` class="trouble"`}>${breakGlassName === null ? words.noBreakGlass : words.isOnly(breakGlassName)}</p>
<form method="post" action="${SETTINGS}/passwords"><p><button>${words.allowPasswords}</button></p></form></section>`
}
${
  isOn &&
  dangers(language, [
    !isOnly && askingAct(`${SETTINGS}/only`, words.refusePasswords, words.onlyAbout),
    askingAct(`${SETTINGS}/off`, words.switchOff, words.switchOffText),
  ])
}`;
}
