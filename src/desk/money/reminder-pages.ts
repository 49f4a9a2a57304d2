import { companyOf } from "../../customers/companies/pages/company-of.ts";
import type { Deps } from "../../kit/deps.ts";
import { idOf } from "../../kit/endpoint.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { copiedOnce } from "../../kit/web/copy-button.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { labelledSelect, type Choice } from "../../kit/web/forms/select.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { amount, day, dayOf, type Language } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { proposeLetters, type Address, type ProposedLetter } from "../../orders/reminders/letters.ts";
import { remindersOfCompany, type ShownReminder } from "../../orders/reminders/reminder-queries.ts";
import { LEVELS, TEXT_MOST, textParts, type Level, type ReminderText } from "../../orders/reminders/reminder-texts.ts";
import { remind, textOfLetter } from "../../orders/reminders/send-reminders.ts";
import { findDetails, lettersLanguage } from "../../people/tenants/workspace-details-queries.ts";
import { isId } from "../../platform/ids.ts";
import { moneyWords } from "./money-words.ts";
import { reminderWords } from "./reminder-words.ts";
import { readText } from "./typed-text.ts";

/** The letters of one form. */
const MOST_LETTERS = 50;

/** POST /money/remind: the letters to the ticked companies, to be read before they are sent. */
export const askToRemindPage: Page = async (_deps, { form }) => {
  const ids = idsIn(form.all("id").join(","));
  if (ids.length === 0) return { to: "/money?overdue=1", notice: notice("reminders-none") };
  return { to: `/money/reminders?companies=${ids.join(",")}` };
};

/** GET /money/reminders: a letter to each of some companies (`companies`: their ids). */
export const remindersFormPage: Page = async (deps, request) => {
  const ids = idsIn(request.query.get("companies") ?? "");
  return await formPage(deps, request, await propose(deps, request, ids), new Map());
};

function idsIn(text: string): string[] {
  return [...new Set(text.split(",").filter(isId))].slice(0, MOST_LETTERS);
}

async function propose({ database }: Deps, { actor, session }: PageRequest, ids: readonly string[]) {
  const { workspace, user } = session;
  const details = await findDetails(actor.tenant, database);
  const [usual, phone] = [lettersLanguage(details, workspace.country), details.firm.phone ?? ""];
  return await proposeLetters(database, { tenant: actor.tenant, workspace, user, phone, usual }, ids);
}

/** A letter that was posted, and why it was not sent. */
type Refused = { text: ReminderText; level: Level | undefined; to: string; isAgain: boolean; why: string };

/** POST /money/reminders: sends the letters of the form, or writes them down if there is no mail. */
export const sendRemindersPage: Page = async (deps, request) => {
  const { actor, form, language, session } = request;
  const ids = form.all("company").filter(isId).slice(0, MOST_LETTERS);
  const proposed = new Map((await propose(deps, request, ids)).map((letter) => [letter.companyId, letter]));
  const person = { name: session.user.name, email: session.user.email, workspace: session.workspace };
  const refused = new Map<string, Refused>();
  const [isMailed, counts] = [deps.config.mail !== null, { reminded: 0, nothing: 0, missing: 0 }];
  for (const id of ids) {
    const letter = proposed.get(id);
    const typed = typedIn(request, id);
    const { text, wrong } = readText(typed.text, language);
    const why = letter === undefined ? null : (whyNot(letter, typed, isMailed, language) ?? wrong);
    if (letter === undefined) counts.missing++;
    else if (why !== null) refused.set(id, { ...typed, why });
    else {
      const to = isMailed ? addressOf(letter, typed.to) : null;
      const idsOf = (name: string) => (form.get(`${name}.${id}`) ?? "").split(",");
      const seen = new Set([...idsOf("invoices"), ...(typed.isAgain ? idsOf("recent") : [])]);
      const through = Number(form.get(`through.${id}`) ?? 0);
      const { level = letter.level } = typed;
      const decided = { ...text, companyId: id, to, language: letter.language, level, invoices: seen, through };
      counts[await remind(deps, actor, person, decided)]++;
    }
  }
  const left = counts.nothing + counts.missing;
  const values = { count: String(counts.reminded), left: String(left), how: isMailed ? "mail" : "hand" };
  if (refused.size === 0) return { to: "/money?overdue=1", notice: notice("reminders-sent", values) };
  const again = [...proposed.values()].filter(({ companyId }) => refused.has(companyId));
  return { ...(await formPage(deps, request, again, refused, { sent: counts.reminded, left })), status: 422 };
};

function typedIn({ form }: PageRequest, id: string): Omit<Refused, "why"> {
  const text = (part: string) => (form.get(`${part}.${id}`) ?? "").trim();
  const typed = { subject: text("subject"), opening: text("opening"), closing: text("closing") };
  const level = LEVELS.find((each) => String(each) === text("level"));
  return { text: typed, level, to: text("to"), isAgain: form.has(`again.${id}`) };
}

function whyNot(
  letter: ProposedLetter,
  typed: Omit<Refused, "why">,
  isMailed: boolean,
  language: Language,
): string | null {
  const { cannot } = reminderWords[language];
  if (isMailed && addressOf(letter, typed.to) === null) return cannot.address(letter.companyName);
  return typed.text.subject === "" ? cannot.subject : null;
}

/** The value of an address in the form. */
function valueOf({ contactId }: Address): string {
  return contactId ?? "company";
}

function addressOf({ addresses }: ProposedLetter, value: string): Address | null {
  return addresses.find((address) => valueOf(address) === value) ?? null;
}

async function formPage(
  deps: Deps,
  request: PageRequest,
  letters: readonly ProposedLetter[],
  refused: ReadonlyMap<string, Refused>,
  { sent, left } = { sent: 0, left: 0 },
): Promise<Shown> {
  const { language, session } = request;
  const words = reminderWords[language];
  const isMailed = deps.config.mail !== null;
  const shown = letters.filter(({ invoices, recent }) => invoices.length + recent.length > 0);
  const ready = shown.filter(({ invoices, to }) => invoices.length > 0 && (to !== null || !isMailed));
  const cannot = letters.flatMap((letter) => obstacle(letter, isMailed, language) ?? []);
  const main = html`<a class="back" href="/money">${icon("back")}${shellWords[language].money}</a>
<header class="heading"><h1>${words.title}</h1><button type="button" class="print" data-print>${words.print}</button>${
    session.user.role === "admin" && html`<a class="button" href="/workspace/reminders">${words.texts}</a>`
  }</header>
${
  sent + left > 0 &&
  html`<p role="status">${sent > 0 && (isMailed ? words.sent(sent) : words.done(sent))} ${left > 0 && words.left(left)} ${words.stillOpen}</p>`
}
${!isMailed && html`<p class="unprinted">${words.notedAbout}</p>`}
${cannot.map((line) => html`<p class="unprinted">${line}</p>`)}
${
  shown.length === 0
    ? letters.length === 0 &&
      emptyState("money", words.none, [{ href: "/money?overdue=1", label: shellWords[language].money }])
    : html`<form class="record" method="post" action="/money/reminders">
${shown.map((letter) => letterFields(letter, refused.get(letter.companyId) ?? null, isMailed, request))}
<p class="actions"><button class="main">${isMailed ? words.sendAll(Math.max(1, ready.length)) : words.noted}</button><a class="button" href="/money">${shellWords[language].cancel}</a></p></form>`
}`;
  return { title: words.title, area: "money", main };
}

/** Why a company gets no letter, or not yet; null if it gets one. */
function obstacle(letter: ProposedLetter, isMailed: boolean, language: Language): Html | null {
  const { companyId, companyName, invoices, recent, to } = letter;
  const { cannot, add } = reminderWords[language];
  if (invoices.length + recent.length === 0) return html`${cannot.nothing(companyName)}`;
  if (isMailed && to === null)
    return html`${cannot.address(companyName)} <a href="/companies/${companyId}/edit">${add}</a>`;
  return invoices.length === 0 ? html`${cannot.recent(companyName)}` : null;
}

function letterFields(
  letter: ProposedLetter,
  refused: Refused | null,
  isMailed: boolean,
  { language, session }: PageRequest,
): Html {
  const words = reminderWords[language];
  const { companyId: id, companyName, invoices, recent, to, through } = letter;
  const text: ReminderText = refused?.text ?? letter;
  const level = refused?.level ?? letter.level;
  const hidden = (name: string, value: string) => html`<input type="hidden" name="${name}.${id}" value="${value}">`;
  const idsOf = (some: ProposedLetter["invoices"]) => some.map((of) => of.id).join(",");
  const isSent = invoices.length > 0 && (to !== null || !isMailed);
  const details = { ...text, language: letter.language, replyTo: { name: "", address: "" } };
  const area = (part: "opening" | "closing") =>
    html`<div class="field"><label for="${part}-${id}">${words[part]}</label><textarea id="${part}-${id}" name="${part}.${id}" rows="${part === "opening" ? 3 : 5}" lang="${letter.language}">${text[part]}</textarea></div>`;
  return html`<fieldset id="letter-${id}"><legend><label><input type="checkbox" name="company" value="${id}"${(isSent || refused !== null) && html` checked`}> ${companyName}</label></legend>
<p class="muted">${words.nth[level - 1]} · ${words.listed(invoices.length)}</p>
${refused !== null && html`<p class="error" role="alert">${refused.why}</p>`}
${hidden("invoices", idsOf(invoices))}${hidden("recent", idsOf(recent))}${hidden("through", String(through))}${hidden("level", String(level))}
${
  isMailed
    ? html`<div class="field">${labelledSelect(words.to, `to.${id}`, refused?.to ?? (to === null ? "" : valueOf(to)), addressChoices(letter, language))}</div>
<div class="field"><label for="subject-${id}">${words.subject}</label><input id="subject-${id}" name="subject.${id}" maxlength="${TEXT_MOST.subject}" value="${text.subject}" lang="${letter.language}"></div>
${area("opening")}${invoiceTable(letter, language)}${area("closing")}`
    : html`${textParts.map((part) => hidden(part, text[part]))}${copiedOnce(`text-${id}`, textOfLetter(details, invoices, session.workspace), words.text, language)}`
}
${recent.length > 0 && html`<label><input type="checkbox" name="again.${id}" value="1"${refused?.isAgain === true && html` checked`}> ${words.again(recent.length)}</label>`}
</fieldset>`;
}

function addressChoices({ addresses, companyName }: ProposedLetter, language: Language): Choice[] {
  const words = reminderWords[language];
  const named = addresses.map((address) => ({
    value: valueOf(address),
    label: `${address.contactId === null ? words.own(companyName) : address.name} <${address.email}>`,
  }));
  return [{ value: "", label: words.nobody }, ...named];
}

function invoiceTable({ invoices }: ProposedLetter, language: Language): Html {
  const { invoice } = moneyWords[language];
  return rowTable(invoices, [
    ["name", invoice.number, ({ number }) => number, { href: ({ id }) => `/invoices/${id}` }],
    ["date", invoice.due, ({ dueOn }) => day(language, dueOn)],
    ["number", invoice.left, ({ left, currency }) => amount(language, left, currency)],
  ]);
}

/** The newest reminders of a company that its page of reminders shows. */
const MOST_SHOWN = 100;

/** GET /companies/{id}/reminders: the reminders of a company, with their outcome. */
export const companyRemindersPage: Page = async (deps, request) => {
  const { actor, language, session } = request;
  const words = reminderWords[language];
  const company = await companyOf(deps, request);
  const id = idOf("Company", request);
  const reminders = await remindersOfCompany(actor.tenant, deps.database, id, MOST_SHOWN);
  const title = words.of(company.name ?? "");
  const { columns } = words;
  const table = rowTable(reminders, [
    ["date", columns.when, ({ at }) => dayOf(language, at, session.workspace.timeZone)],
    ["short", columns.kind, ({ level }) => words.nth[level - 1]],
    [
      "text",
      columns.to,
      ({ contactId, contactName }) =>
        contactId === null ? (company.name ?? "") : html`<a href="/contacts/${contactId}">${contactName}</a>`,
    ],
    ["values", columns.invoices, (of) => listedInvoices(of, language)],
    ["why", columns.state, ({ state, isByHand }) => (isByHand ? words.byHand : words.states[state])],
    ["text", columns.by, ({ byName }) => byName],
  ]);
  const main = html`<a class="back" href="/companies/${id}">${icon("back")}${company.name}</a>
<header class="heading"><h1>${title}</h1><a class="button main" href="/money/reminders?companies=${id}">${words.remind}</a></header>
${reminders.length === 0 ? emptyState("money", words.empty, []) : table}`;
  return { title, area: "companies", main };
};

function listedInvoices({ invoices }: ShownReminder, language: Language): Html {
  const words = reminderWords[language];
  return html`${invoices.map(
    ({ id, number, leftOut }, index) =>
      html`${index > 0 && ", "}<a href="/invoices/${id}">${number}</a>${leftOut !== null && ` (${words.without}: ${words.leftOut[leftOut]})`}`,
  )}`;
}

/** The lines after letters were sent. */
export const reminderNotices: NoticeWords = {
  "reminders-none": (_values, language) => ({ meaning: "attention", line: html`${reminderWords[language].none}` }),
  "reminders-sent": ({ count, left, how }, language) => {
    const words = reminderWords[language];
    const sent = Number(count) > 0 && (how === "hand" ? words.done(Number(count)) : words.sent(Number(count)));
    const out = Number(left) > 0 && words.left(Number(left));
    if (!sent && !out) return { meaning: "attention", line: html`${words.none}` };
    return html`${sent}${sent && out && " "}${out}`;
  },
};
