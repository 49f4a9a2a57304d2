import { namesOfCompanies } from "../../customers/companies/company-queries.ts";
import { statusChoices, type Users } from "../../customers/companies/pages/choices.ts";
import type { Deps } from "../../kit/deps.ts";
import type { SelectionAction } from "../../kit/tables/list.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { choicesAmong, labelledSelect } from "../../kit/web/forms/select.ts";
import { html } from "../../kit/web/html.ts";
import { day } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { usersToChoose } from "../../people/users/user-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import {
  changeSelected,
  chosenField,
  fieldInputs,
  type ChangedList,
  type Chosen,
} from "../changing/change-selected.ts";
import { changeWords } from "../changing/change-words.ts";
import { companyListWords, listWords } from "./company-list-words.ts";
import { matchingIds } from "./narrowed-export-queries.ts";
import { filtersIn } from "./selected-companies.ts";

/** A status, an owner, a call-back and a field of the workspace's own for the selected companies. */
export const changeCompanies: SelectionAction = {
  path: "bulk",
  label: (language) => tableWords[language].change,
  fields({ language }, choices) {
    const [words, { labels }] = [listWords[language], companyListWords[language]];
    const leave = { value: "", label: tableWords[language].leave };
    return html`${labelledSelect(labels.status ?? "", "status", null, [leave, ...statusChoices(language)], "v")}
${labelledSelect(labels.assigned_to ?? "", "assigned_to", null, [leave, { value: "nobody", label: words.nobody }, ...(choices.owners ?? [])], "a")}
${labelledSelect(words.callBack, "callback_date", null, [leave, ...choicesAmong(words.callBackDays, DAYS)])}
${fieldInputs(choices, language)}`;
  },
  act: async (deps, request, selection) =>
    await changeSelected(deps, request, selection, listed, await chosenIn(deps, request)),
};

const listed: ChangedList = {
  noun: "company",
  kind: "companies",
  area: "companies",
  namesOf: namesOfCompanies,
  async *matching(deps, request, query) {
    const filters = await filtersIn(deps, request, query);
    if (filters !== null) yield* matchingIds(request.actor.tenant, deps.database, filters);
  },
};

/** The days from today of a call-back that can be chosen; `none`: no call-back any more. */
const DAYS = ["none", "0", "1", "7", "30"] as const;

/** The values of a form and their names; the reason if one of them cannot be given to a company. */
async function chosenIn(deps: Deps, request: PageRequest): Promise<Chosen | string> {
  const { actor, form, language, session } = request;
  const [words, { labels }, { invalid }] = [listWords[language], companyListWords[language], changeWords[language]];
  const own = await chosenField(deps, request, "company");
  if (typeof own === "string") return own;
  const chosen: Chosen = { values: {}, named: [] };
  const [status, owner, days] = ["status", "assigned_to", "callback_date"].map((name) => form.get(name) ?? "");
  if (status !== undefined && status !== "") {
    const label = statusChoices(language).find(({ value }) => value === status)?.label;
    if (label === undefined) return invalid;
    chosen.values.status = status;
    chosen.named.push([labels.status ?? "", label]);
  }
  if (owner !== undefined && owner !== "") {
    const users: Users = owner === "nobody" ? [] : await usersToChoose(actor.tenant, deps.database);
    const name = owner === "nobody" ? words.nobody : users.find(({ id }) => id === owner)?.name;
    if (name === undefined) return invalid;
    chosen.values.assigned_to = owner === "nobody" ? null : owner;
    chosen.named.push([labels.assigned_to ?? "", name]);
  }
  if (days !== undefined && days !== "") {
    const known = DAYS.find((each) => each === days);
    if (known === undefined) return invalid;
    const date = known === "none" ? null : dayAfter(Number(known), session.workspace.timeZone);
    chosen.values.callback_date = date;
    chosen.named.push([labels.callback_date ?? "", date === null ? words.callBackDays.none : day(language, date)]);
  }
  return { values: { ...chosen.values, ...own.values }, named: [...chosen.named, ...own.named] };
}
