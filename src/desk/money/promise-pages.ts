import { logActivity } from "../../customers/activities/write-activity.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { errorLine } from "../../kit/web/forms/field.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { day } from "../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../kit/web/messages.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { endPromise, promisesOf, savePromise } from "../../orders/reminders/promise-queries.ts";
import { PROMISE_NOTE_MAX, promiseFields } from "../../orders/reminders/promise.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { textOrNull, validate } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { reminderWords } from "./reminder-words.ts";

/** GET /companies/{id}/promise: the day by which a company has promised to pay. */
export const promisePage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  const [promised] = await promisesOf(request.actor.tenant, deps.database, [String(company.id)]);
  return formPage(
    request,
    company,
    { until: promised?.until ?? "", note: promised?.note ?? "" },
    promised !== undefined,
  );
};

/** POST /companies/{id}/promise: stores the day with a note, and writes it down; `end` removes it. */
export const savePromisePage: Page = async (deps, request) => {
  const { actor, form, language, session } = request;
  const { timeZone } = session.workspace;
  const company = await companyOf(deps, request);
  const id = String(company.id);
  const to = ownPath(form.get("to")) ?? `/companies/${id}`;
  if (form.has("end")) {
    await endPromise(actor.tenant, deps.database, id);
    return { to, notice: notice("promise-ended") };
  }
  const typed = { until: (form.get("until") ?? "").trim(), note: (form.get("note") ?? "").trim() };
  const { values, errors } = validate(promiseFields, { until: dayIn(typed.until), note: typed.note }, "create");
  const [asked, note] = [textOrNull(values.until), textOrNull(values.note)];
  const until = asked !== null && asked >= dayAfter(0, timeZone) ? asked : null;
  const words = reminderWords[language];
  if (errors !== null || until === null) {
    const ofNote = messagesIn(language, errors ?? {}, { note: words.note });
    const wrong = { ...ofNote, ...(until === null && { until: [words.dayNeeded] }) };
    return { ...formPage(request, company, typed, false, wrong), status: 422 };
  }
  const isNew = await savePromise(actor.tenant, deps.database, id, until, note, changedBy(actor));
  const noted = { kind: "note", note: words.noteOf(day(language, until), note ?? "") };
  if (isNew) await logActivity(deps, actor, id, { input: noted, timeZone });
  return { to, notice: notice("promise-saved") };
};

function formPage(
  { language, query, form, session }: PageRequest,
  company: RowByName,
  { until, note }: { until: string; note: string },
  isPromised: boolean,
  errors: FieldMessages | null = null,
): Shown {
  const words = reminderWords[language];
  const title = words.promiseOf(company.name ?? "");
  const back = ownPath(query.get("to") ?? form.get("to")) ?? `/companies/${company.id}`;
  const described = (name: string) =>
    errors?.[name] !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`;
  const main = html`<a class="back" href="/companies/${company.id}">${icon("back")}${company.name}</a>
<header class="heading"><h1>${title}</h1></header>
<form class="record" method="post" action="/companies/${company.id}/promise"><input type="hidden" name="to" value="${back}">
<div class="field" id="field-until"><label for="until">${words.until} <span class="required">${shellWords[language].required}</span></label>
<input id="until" name="until" type="date" required min="${dayAfter(0, session.workspace.timeZone)}" value="${until}"${described("until")}>
${errorLine("until", errors)}</div>
<div class="field"><label for="note">${words.note}</label><textarea id="note" name="note" rows="3" maxlength="${PROMISE_NOTE_MAX}"${described("note")}>${note}</textarea>
${errorLine("note", errors)}</div>
<p class="actions"><button class="main">${words.savePromise}</button>${isPromised && html`<button name="end" value="1" formnovalidate>${words.endPromise}</button>`}<a class="button" href="${back}">${shellWords[language].cancel}</a></p></form>`;
  return { title, area: "money", main };
}

/** The lines after a promise was stored. */
export const promiseNotices: NoticeWords = {
  "promise-saved": (_values, language) => html`${reminderWords[language].promiseSaved}`,
  "promise-ended": (_values, language) => html`${reminderWords[language].promiseEnded}`,
};
