import { companyOf } from "../companies/pages/company-of.ts";
import { updateCompany } from "../companies/write-company.ts";
import { errors } from "../errors.ts";
import { dayAfter } from "../platform/dates.ts";
import { html } from "../web/html.ts";
import { day } from "../web/language.ts";
import { notice, type NoticeWords } from "../web/notice.ts";
import { ownPath } from "../web/own-path.ts";
import type { Page } from "../web/page.ts";
import { todayWords } from "./today-words.ts";

const WEEK = 7;

/** POST /companies/{id}/call-back: `when` is `week`, seven days from today in the workspace's zone, or else it is done. */
export const callBackPage: Page = async (deps, request) => {
  const { actor, form, session } = request;
  const { id, name } = await companyOf(deps, request);
  const date = form.get("when") === "week" ? dayAfter(WEEK, session.workspace.timeZone) : null;
  const written = await updateCompany(deps, actor, String(id), { callback_date: date });
  if (written.outcome !== "written") throw errors.resourceMissing("Company", String(id));
  const values = { name: name ?? "", ...(date !== null && { date }) };
  return { to: ownPath(form.get("to")) ?? "/today", notice: notice("called-back", values) };
};

export const todayNotices: NoticeWords = {
  "called-back": ({ name = "", date }, language) => {
    const words = todayWords[language];
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "");
    return html`${isDay ? words.postponed(name, day(language, date ?? "")) : words.calledDone(name)}`;
  },
};
