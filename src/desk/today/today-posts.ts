import { logTyped } from "../../customers/activities/pages/log-typed.ts";
import { logActivity } from "../../customers/activities/write-activity.ts";
import type { MadeCall } from "../../customers/calls/write-planned-call-queries.ts";
import { movePlannedCall } from "../../customers/calls/write-planned-call.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { errors } from "../../kit/errors.ts";
import { html } from "../../kit/web/html.ts";
import { day } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { dayAfter } from "../../platform/dates.ts";
import { isId } from "../../platform/ids.ts";
import { companyPage } from "../company-page/show-page.ts";
import { sendMany } from "../invoice-pages/ask-to-send-many.ts";
import { hideFirstSteps } from "./first-steps-queries.ts";
import { assignedToOf } from "./today-choices.ts";
import { listUnsentIds, MOST_SENT } from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

/** The days after today, in the workspace's zone, of each choice; any other choice means that no call is needed. */
const NO_ANSWER = "no-answer";
const DAYS: Readonly<Record<string, number>> = { tomorrow: 1, week: 7 };

/**
 * POST /companies/{id}/call-back: `when` is a choice of DAYS, or else the `call` is over (without one: the company's
 * next). `no-answer` logs the try to `contact_id`, and the call is tomorrow.
 */
export const callBackPage: Page = async (deps, request) => {
  const { form, session, actor, language } = request;
  const { id, name } = await companyOf(deps, request);
  const { timeZone } = session.workspace;
  const when = form.get("when") ?? "";
  if (when === NO_ANSWER) {
    const call = { kind: "call", note: todayWords[language].noAnswerNote, callback_date: dayAfter(1, timeZone) };
    const logs = async (contact: string | undefined) => {
      const input = contact === undefined ? call : { ...call, contact_id: contact };
      return await logActivity(deps, actor, String(id), { input, timeZone, made: madeIn(request) });
    };
    let logged = await logs(form.get("contact_id"));
    // The contact was deleted meanwhile.
    if (logged.outcome === "invalid") logged = await logs(undefined);
    if (logged.outcome !== "written") throw errors.resourceMissing("Company", String(id));
    return { to: wayBack(request), notice: notice("called-back", { name: name ?? "", date: call.callback_date }) };
  }
  const days = Object.hasOwn(DAYS, when) ? DAYS[when] : undefined;
  const date = days === undefined ? null : dayAfter(days, timeZone);
  await movePlannedCall(deps, actor, { companyId: String(id), ...madeIn(request) }, date);
  const values = { name: name ?? "", ...(date !== null && { date }) };
  return { to: wayBack(request), notice: notice("called-back", values) };
};

/** POST /companies/{id}/called: logs a call (`note`, `contact_id`); `callback_date` moves it, or it is over. */
export const calledPage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  const [id, name] = [String(company.id), company.name ?? ""];
  // The company's page has the same form.
  const logged = await logTyped(
    deps,
    request,
    { company: id, known: { kind: "call" }, made: madeIn(request) },
    companyPage,
  );
  return logged.refused ?? { to: wayBack(request), notice: notice("call-logged", { name }) };
};

/** POST /today/send-all: queues the unsent invoices of `whose` companies up to the newest that the page counted. */
export const sendAllPage: Page = async (deps, request) => {
  const { actor, form } = request;
  const [whose, through] = [form.get("whose") ?? "", form.get("through") ?? ""];
  const asked = { assigned_to: assignedToOf(whose, request), through, limit: MOST_SENT };
  const ids = isId(through) ? await listUnsentIds(actor.tenant, deps.database, asked) : [];
  const fields = html`<input type="hidden" name="whose" value="${whose}"><input type="hidden" name="through" value="${through}">`;
  return await sendMany(deps, request, ids, {
    area: "today",
    action: "/today/send-all",
    back: wayBack(request),
    fields,
  });
};

/** POST /today/hide-steps: the user sees the first steps no more. */
export const hideStepsPage: Page = async ({ database }, { actor, session }) => {
  await hideFirstSteps(actor.tenant, database, session.user.id);
  return { to: "/today" };
};

/** The call that a form is about. */
function madeIn({ form }: PageRequest): MadeCall {
  const id = form.get("call") ?? "";
  return { id: isId(id) ? id : null };
}

function wayBack({ form }: PageRequest): string {
  return ownPath(form.get("to")) ?? "/today";
}

export const todayNotices: NoticeWords = {
  "called-back": ({ name = "", date }, language) => {
    const words = todayWords[language];
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "");
    return html`${isDay ? words.postponed(name, day(language, date ?? "")) : words.calledDone(name)}`;
  },
  "call-logged": ({ name = "" }, language) => html`${todayWords[language].calledSaved(name)}`,
};
