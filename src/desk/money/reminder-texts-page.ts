import type { Deps } from "../../kit/deps.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { isLanguage, languages, type Language } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import {
  LEVELS,
  TEXT_MOST,
  textKey,
  textOf,
  textParts,
  type ChangedTexts,
  type Level,
} from "../../orders/reminders/reminder-texts.ts";
import { changedTexts, saveTexts } from "../../orders/reminders/text-queries.ts";
import { findDetails, lettersLanguage } from "../../people/tenants/workspace-details-queries.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { reminderWords } from "./reminder-words.ts";
import { readText } from "./typed-text.ts";

/** GET /workspace/reminders: the workspace's texts of reminders, in one of both languages (`language`). */
export const reminderTextsPage: Page = async (deps, request) => {
  const changed = await changedTexts(request.actor.tenant, deps.database);
  return textsPage(request, await languageIn(deps, request, request.query.get("language")), changed, null);
};

/** POST /workspace/reminders */
export const saveReminderTextsPage: Page = async (deps, request) => {
  const { database } = deps;
  const { actor, form, language } = request;
  const of = await languageIn(deps, request, form.get("language"));
  const changed = await changedTexts(actor.tenant, database);
  const typed = Object.fromEntries(LEVELS.map((level) => [textKey(of, level), typedOf(request, of, level)]));
  const read = Object.entries(typed).map(([key, text]) => Object.assign({ key }, readText(text, language)));
  const wrong = read.find((one) => one.wrong !== null)?.wrong ?? null;
  if (wrong !== null) return { ...textsPage(request, of, { ...changed, ...typed }, wrong), status: 422 };
  const all = { ...changed, ...Object.fromEntries(read.map(({ key, text }) => [key, text])) };
  await saveTexts(actor.tenant, database, JSON.stringify(all), changedBy(actor));
  return { to: `/workspace/reminders?language=${of}`, notice: notice("reminder-texts-saved") };
};

async function languageIn(
  { database }: Deps,
  { actor, session }: PageRequest,
  asked: string | undefined,
): Promise<Language> {
  return isLanguage(asked)
    ? asked
    : lettersLanguage(await findDetails(actor.tenant, database), session.workspace.country);
}

/** The parts that differ from the program's own. */
function typedOf({ form }: PageRequest, language: Language, level: Level) {
  const usual = textOf({}, language, level);
  return Object.fromEntries(
    textParts.flatMap((part) => {
      const typed = (form.get(`${part}.${level}`) ?? "").trim();
      return typed === "" || typed === usual[part] ? [] : [[part, typed]];
    }),
  );
}

function textsPage({ language }: PageRequest, of: Language, changed: ChangedTexts, error: string | null): Shown {
  const words = reminderWords[language];
  const others = Object.entries(languages).filter(([each]) => each !== of);
  const main = html`<a class="back" href="/workspace">${icon("back")}${shellWords[language].workspace}</a>
<header class="heading"><h1>${words.textsTitle}</h1>${others.map(([each, name]) => html`<a class="button" href="/workspace/reminders?language=${each}" hreflang="${each}">${name}</a>`)}</header>
<p>${words.textsAbout}</p>
${error !== null && html`<p class="error" role="alert">${error}</p>`}
<form class="record" method="post" action="/workspace/reminders"><input type="hidden" name="language" value="${of}">
${LEVELS.map((level) => fieldsOf(level, of, changed, language))}
<p class="actions"><button class="main">${shellWords[language].save}</button></p></form>`;
  return { title: words.textsTitle, area: "workspace", main };
}

function fieldsOf(level: Level, of: Language, changed: ChangedTexts, language: Language): Html {
  const words = reminderWords[language];
  const text = textOf(changed, of, level);
  const labelled = (part: (typeof textParts)[number], control: Html) =>
    html`<div class="field"><label for="${part}-${level}">${words[part]}</label>${control}</div>`;
  const area = (part: "opening" | "closing") =>
    labelled(
      part,
      html`<textarea id="${part}-${level}" name="${part}.${level}" rows="5" maxlength="${TEXT_MOST[part]}" lang="${of}">${text[part]}</textarea>`,
    );
  const subject = html`<input id="subject-${level}" name="subject.${level}" maxlength="${TEXT_MOST.subject}" value="${text.subject}" lang="${of}">`;
  return html`<h2>${words.columns.kind} ${level}</h2>${labelled("subject", subject)}${area("opening")}${area("closing")}`;
}

/** The line after the texts were saved. */
export const reminderTextNotices: NoticeWords = {
  "reminder-texts-saved": (_values, language) => html`${reminderWords[language].textsSaved}`,
};
