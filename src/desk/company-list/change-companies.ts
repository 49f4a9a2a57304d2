import { namesOfCompanies } from "../../customers/companies/company-queries.ts";
import { statusChoices, type Users } from "../../customers/companies/pages/choices.ts";
import { shownValue, typedValue } from "../../customers/custom-fields/custom-inputs.ts";
import { CUSTOM_CHOICES } from "../../customers/custom-fields/custom-lists.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { changeAtOnce, changeInJob } from "../../exchange/imports/changing/change-rows.ts";
import type { Deps } from "../../kit/deps.ts";
import type { SelectionAction } from "../../kit/tables/list.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { choicesAmong, labelledSelect } from "../../kit/web/forms/select.ts";
import { html } from "../../kit/web/html.ts";
import { day, type Language } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { usersToChoose } from "../../people/users/user-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import { isId } from "../../platform/ids.ts";
import { companyListWords, listWords } from "./company-list-words.ts";
import { filtersIn } from "./company-list.ts";
import { matchingIds } from "./narrowed-export-queries.ts";

/**
 * A status, an owner and a call-back for the selected companies. Those of a page change at once, and all that match in
 * a job; both can be undone for 30 days (src/exchange/imports/changing/).
 */
export const changeCompanies: SelectionAction = {
  path: "bulk",
  label: (language) => tableWords[language].change,
  fields({ language }, choices) {
    const [words, { labels }] = [listWords[language], companyListWords[language]];
    const leave = { value: "", label: tableWords[language].leave };
    return html`${labelledSelect(labels.status ?? "", "status", null, [leave, ...statusChoices(language)], "v")}
${labelledSelect(labels.assigned_to ?? "", "assigned_to", null, [leave, { value: "nobody", label: words.nobody }, ...(choices.owners ?? [])], "a")}
${labelledSelect(words.callBack, "callback_date", null, [leave, ...choicesAmong(words.callBackDays, DAYS)])}
${
  choices[CUSTOM_CHOICES] !== undefined &&
  html`${labelledSelect(words.field, OWN.field, null, [leave, ...choices[CUSTOM_CHOICES]])}
<label>${words.fieldValue} <input name="${OWN.value}" autocomplete="off"></label>`
}`;
  },
  async act(deps, request, selection) {
    const { actor, form, language } = request;
    const to = ownPath(form.get("to")) ?? "/companies";
    const chosen = await chosenIn(deps, request);
    if (chosen === null) return await refusal(deps, request, { ids: [], changed: 0, isInvalid: true, to });
    const isNone = "ids" in selection && selection.ids.length === 0;
    if (isNone || Object.keys(chosen.values).length === 0) return { to, notice: notice("companies-none-chosen") };
    const change = { kind: "companies", title: titleOf(chosen.named, language), values: chosen.values };
    if (!("ids" in selection)) {
      const filters = await filtersIn(deps, request, selection.query);
      if (filters === null) return { to, notice: notice("companies-none-chosen") };
      const id = await changeInJob(deps, actor, change, matchingIds(deps.database, actor.tenant, filters));
      return id === null ? { to, notice: notice("companies-no-room") } : { to: `/imports/${id}` };
    }
    const { id, changed, rejected } = await changeAtOnce(deps, actor, change, selection.ids);
    if (rejected.length === 0) return { to, notice: notice("companies-changed", { count: String(changed), id }) };
    const refused = rejected.flatMap(({ line }) => selection.ids[line] ?? []);
    const isInvalid = rejected.some(({ errors }) => Object.keys(errors).length > 0);
    return await refusal(deps, request, { ids: refused, changed, isInvalid, to });
  },
};

/** The days from today of a call-back that can be chosen; `none`: no call-back any more. */
const DAYS = ["none", "0", "1", "7", "30"] as const;

/** The inputs that set one of the workspace's own fields. */
const OWN = { field: "own_field", value: "own_value" } as const;

type Chosen = { values: Record<string, string | null>; named: [field: string, value: string][] };

/** The values of a form and their names; null if one of them cannot be given to a company. */
async function chosenIn(deps: Deps, { actor, form, language, session }: PageRequest): Promise<Chosen | null> {
  const words = listWords[language];
  const chosen: Chosen = { values: {}, named: [] };
  const [status, owner, days] = ["status", "assigned_to", "callback_date"].map((name) => form.get(name) ?? "");
  if (status !== undefined && status !== "") {
    const label = statusChoices(language).find(({ value }) => value === status)?.label;
    if (label === undefined) return null;
    chosen.values.status = status;
    chosen.named.push(["status", label]);
  }
  if (owner !== undefined && owner !== "") {
    const users: Users = owner === "nobody" ? [] : await usersToChoose(actor.tenant, deps.database);
    const name = owner === "nobody" ? words.nobody : users.find(({ id }) => id === owner)?.name;
    if (name === undefined) return null;
    chosen.values.assigned_to = owner === "nobody" ? null : owner;
    chosen.named.push(["assigned_to", name]);
  }
  if (days !== undefined && days !== "") {
    const known = DAYS.find((each) => each === days);
    if (known === undefined) return null;
    const date = known === "none" ? null : dayAfter(Number(known), session.workspace.timeZone);
    chosen.values.callback_date = date;
    chosen.named.push(["callback_date", date === null ? words.callBackDays.none : day(language, date)]);
  }
  const own = form.get(OWN.field) ?? "";
  if (own !== "") {
    const custom = await customTable(actor.tenant, deps.database, "company");
    const field = custom.fields.find(({ name }) => name === own);
    const value = field && typedValue(field, form.get(OWN.value) ?? "", language);
    if (field === undefined || value === undefined) return null;
    chosen.values[own] = value;
    chosen.named.push([field.label, value === null ? "—" : shownValue(field, value, language)]);
  }
  return chosen;
}

/** `Status: Active · Owner: Ana Pop` */
function titleOf(named: Chosen["named"], language: Language): string {
  const { labels } = companyListWords[language];
  return named.map(([field, value]) => `${labels[field] ?? field}: ${value}`).join(" · ");
}

type RefusedSelection = { ids: string[]; changed: number; isInvalid: boolean; to: string };

async function refusal(
  { database }: Deps,
  { actor, language }: PageRequest,
  { ids, changed, isInvalid, to }: RefusedSelection,
): Promise<Shown> {
  const words = listWords[language];
  const names = isInvalid ? [] : await namesOfCompanies(actor.tenant, database, ids);
  const main = html`<section class="message" role="alert"><h1>${words.refusedTitle}</h1>
${changed > 0 && html`<p>${words.changed(changed)}</p>`}
${isInvalid && html`<p>${words.invalid}</p>`}
${names.length > 0 && html`<p>${words.refused(names.length)}</p><ul>${names.map(({ name }) => html`<li>${name}: ${words.isGone}</li>`)}</ul>`}
<p><a class="button main" href="${to}">${words.back}</a></p></section>`;
  return { status: isInvalid ? 422 : 409, title: words.refusedTitle, area: "companies", main };
}

/** The lines that the list shows after a change. */
export const changeNotices: NoticeWords = {
  "companies-changed": ({ count, id = "" }, language) =>
    html`${listWords[language].changed(Number(count))} ${
      isId(id) &&
      Number(count) > 0 &&
      html`<form method="post" action="/imports/${id}/undo"><button class="link">${shellWords[language].undo}</button></form>`
    }`,
  "companies-none-chosen": (_values, language) => ({
    meaning: "attention",
    line: html`${listWords[language].nothingChosen}`,
  }),
  "companies-no-room": (_values, language) => ({ meaning: "attention", line: html`${listWords[language].noRoom}` }),
};
