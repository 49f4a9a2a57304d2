import { contactsToChoose } from "../../customers/activities/activity-queries.ts";
import { companyOfCall, findPlannedCall, type PlannedCall } from "../../customers/calls/planned-call-queries.ts";
import { plannedCallLabels } from "../../customers/calls/planned-call-words.ts";
import { plannedCall } from "../../customers/calls/planned-call.ts";
import { keepPlannedCall, movePlannedCall, writePlannedCall } from "../../customers/calls/write-planned-call.ts";
import { userChoices } from "../../customers/companies/pages/choices.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import type { Deps } from "../../kit/deps.ts";
import { idOf } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { errorSummary, fieldRow, formActions, type FieldValues } from "../../kit/web/forms/field.ts";
import { onceField } from "../../kit/web/forms/once.ts";
import { typedInput } from "../../kit/web/forms/typed.ts";
import { html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { messagesIn, type FieldMessages } from "../../kit/web/messages.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { usersToChoose } from "../../people/users/user-queries.ts";
import { nextWorkingDay } from "../../platform/dates.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { isId } from "../../platform/ids.ts";
import { callWords } from "./call-words.ts";

const NAMES = plannedCall.fields.map(({ name }) => name);
/** The invoice is that of the page that the form was opened from. */
const shownFields = plannedCall.fields.filter(({ name }) => name !== "invoice_id");

/** GET /companies/{id}/calls/new: plans a call; `invoice` names the invoice that it is about. */
export const newCallPage: Page = async (deps, request) => {
  const asked = request.query.get("invoice") ?? "";
  const values = { due_on: nextWorkingDay(request.session.workspace.timeZone), invoice_id: isId(asked) ? asked : "" };
  return await formPage(deps, request, String((await companyOf(deps, request)).id), null, values, null);
};

/** POST /companies/{id}/calls */
export const planCallPage: Page = async (deps, request) => {
  const companyId = String((await companyOf(deps, request)).id);
  return await written(deps, request, { companyId, id: null, assignedTo: null });
};

/** GET /calls/{id}: a call to come, to change or to end. */
export const callPage: Page = async (deps, request) => {
  const call = await callOf(deps, request);
  const { date, about, contactId, assignedTo, invoiceId } = call;
  const values = { due_on: date, about, contact_id: contactId, assigned_to: assignedTo, invoice_id: invoiceId };
  return await formPage(deps, request, call.companyId, call.id, values, null);
};

/** POST /calls/{id} */
export const changeCallPage: Page = async (deps, request) => {
  return await written(deps, request, await callOf(deps, request));
};

/** POST /calls/{id}/over: the call is not needed. */
export const endCallPage: Page = async (deps, request) => {
  const { companyId, id } = await callOf(deps, request);
  await movePlannedCall(deps, request.actor, { companyId, id }, null);
  return { to: `/companies/${companyId}`, notice: notice("call-over", { call: id }) };
};

/** POST /calls/{id}/keep: a call that is over, or was replaced by another one, is to come again. */
export const keepCallPage: Page = async (deps, request) => {
  const id = idOf("Call", request);
  const companyId = await companyOfCall(request.actor.tenant, deps.database, id);
  if (companyId === null) throw errors.resourceMissing("Call", id);
  await keepPlannedCall(deps, request.actor, companyId, id);
  return { to: `/companies/${companyId}`, notice: notice("call-kept") };
};

/** The lines that the next page shows. */
export const callNotices: NoticeWords = {
  "call-planned": (_values, language) => html`${callWords[language].planned}`,
  "call-changed": (_values, language) => html`${callWords[language].saved}`,
  "call-kept": (_values, language) => html`${callWords[language].kept}`,
  "call-over": ({ call = "" }, language) =>
    html`${callWords[language].isOver} ${isId(call) && html`<form method="post" action="/calls/${call}/keep"><button class="link">${shellWords[language].undo}</button></form>`}`,
};

async function callOf({ database }: Deps, request: PageRequest): Promise<PlannedCall> {
  const id = idOf("Call", request);
  const call = await findPlannedCall(request.actor.tenant, database, id);
  if (call === null) throw errors.resourceMissing("Call", id);
  return call;
}

/** The page of the invoice that a call is about, or else of its company. */
function backOf(companyId: string, invoice: string | null | undefined): string {
  return isId(invoice ?? "") ? `/invoices/${invoice}` : `/companies/${companyId}`;
}

async function written(
  deps: Deps,
  request: PageRequest,
  call: Pick<PlannedCall, "companyId" | "assignedTo"> & { id: string | null },
) {
  const { actor, form, language } = request;
  const { companyId, id } = call;
  const input = typedInput(plannedCall.fields, form.input(NAMES), language);
  const result = await writePlannedCall(deps, actor, call, input);
  if (result.outcome === "missing") throw errors.resourceMissing("Call", id ?? companyId);
  if (result.outcome === "written")
    return {
      to: backOf(companyId, form.get("invoice_id")),
      notice: notice(id === null ? "call-planned" : "call-changed"),
    };
  return { ...(await formPage(deps, request, companyId, id, form.values(NAMES), result.messages)), status: 422 };
}

async function formPage(
  deps: Deps,
  { actor, language }: PageRequest,
  companyId: string,
  id: string | null,
  values: FieldValues,
  refused: FieldErrors | null,
): Promise<Shown> {
  const { database } = deps;
  const { tenant } = actor;
  const chosen = values.contact_id ?? "";
  const [{ name }, contacts, users] = await Promise.all([
    companyOf(deps, { actor, params: { id: companyId } }),
    contactsToChoose(tenant, database, companyId, isId(chosen) ? chosen : null),
    usersToChoose(tenant, database),
  ]);
  const words = callWords[language];
  const labels = plannedCallLabels[language];
  const messages: FieldMessages | null = refused === null ? null : messagesIn(language, refused, labels);
  const people = contacts.map((contact) => ({ value: contact.id, label: contact.name }));
  const choices = {
    contact_id: [{ value: "", label: words.anybody }, ...people],
    assigned_to: userChoices(users, values.assigned_to ?? "", words.owner),
  };
  const shown = { values, labels, errors: messages, language, choices };
  const title = id === null ? words.planFor(name ?? "") : words.change(name ?? "");
  const back = backOf(companyId, values.invoice_id);
  const action = id === null ? `/companies/${companyId}/calls` : `/calls/${id}`;
  const main = html`<a class="back" href="/companies/${companyId}">${icon("back")}${name}</a>
<header class="heading"><h1>${title}</h1>${id !== null && html`<form method="post" action="/calls/${id}/over"><button>${words.over}</button></form>`}</header>
<form class="record" method="post" action="${action}">${onceField()}
${errorSummary(messages, language)}
<input type="hidden" name="invoice_id" value="${values.invoice_id}">
${shownFields.map((field) => fieldRow(field, shown))}
${formActions(id === null ? words.plan : shellWords[language].save, back, language)}</form>`;
  return { title, area: "companies", main };
}
