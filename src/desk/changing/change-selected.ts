import type { CustomNoun } from "../../customers/custom-fields/custom-field.ts";
import { customText, typedValue } from "../../customers/custom-fields/custom-inputs.ts";
import { CUSTOM_CHOICES } from "../../customers/custom-fields/custom-lists.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { changeAtOnce, changeInJob } from "../../exchange/imports/changing/change-rows.ts";
import type { Deps } from "../../kit/deps.ts";
import type { Choices, SelectionAction } from "../../kit/tables/list.ts";
import type { Selection } from "../../kit/tables/selection.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { labelledSelect } from "../../kit/web/forms/select.ts";
import { pathOf, type Area } from "../../kit/web/frame/layout.ts";
import { html, type Html } from "../../kit/web/html.ts";
import type { Language } from "../../kit/web/language.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { PageAnswer, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import type { CustomField } from "../../platform/fields/custom.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { changeWords, isChangedKind, type ChangedKind } from "./change-words.ts";

/** A list whose selected rows get values. */
export type ChangedList = {
  noun: CustomNoun;
  /** The kind of rows as imports name it. */
  kind: ChangedKind;
  area: Area;
  /** The ids of all rows that a query matches. */
  matching(this: void, deps: Deps, request: PageRequest, query: Query): AsyncIterable<readonly string[]>;
  /** The names of rows that were not changed; without it their number is shown. */
  namesOf?(this: void, tenant: TenantId, database: Database, ids: string[]): Promise<readonly { name: string }[]>;
};

/** Values by field, and the labels that name the change. */
export type Chosen = { values: Record<string, string | null>; named: [label: string, value: string][] };

/** The inputs that set one of the workspace's own fields. */
const OWN = { field: "own_field", value: "own_value" } as const;

/** The most options that a refusal lists. */
const OPTIONS_SHOWN = 20;

/** The inputs of a workspace that has fields. */
export function fieldInputs(choices: Choices, language: Language): Html | false {
  const words = changeWords[language];
  const leave = { value: "", label: tableWords[language].leave };
  return (
    choices[CUSTOM_CHOICES] !== undefined &&
    html`${labelledSelect(words.field, OWN.field, null, [leave, ...choices[CUSTOM_CHOICES]])}
<label>${words.value} <input name="${OWN.value}" autocomplete="off"></label>`
  );
}

/** The field and the value that a form sets: nothing if it sets none, and the reason if the value is impossible. */
export async function chosenField(
  { database }: Deps,
  { actor, form, language }: PageRequest,
  noun: CustomNoun,
): Promise<Chosen | string> {
  const words = changeWords[language];
  const [name, text] = [form.get(OWN.field) ?? "", form.get(OWN.value) ?? ""];
  if (name === "") return { values: {}, named: [] };
  const { fields } = await customTable(actor.tenant, database, noun);
  const field = fields.find((each) => each.name === name);
  if (field === undefined) return words.invalid;
  const value = typedValue(field, text, language);
  if (value === undefined) {
    const possible = possibleValues(field, language);
    const refused = words.noValue(text.slice(0, 100), field.label);
    return possible.length === 0 ? refused : `${refused} ${words.possible(possible.join(", "))}`;
  }
  return {
    values: { [name]: value },
    named: [[field.label, value === null ? "—" : customText(field, value, language)]],
  };
}

function possibleValues(field: CustomField, language: Language): string[] {
  const values =
    field.kind === "boolean"
      ? ["true", "false"]
      : field.options.filter(({ archived }) => !archived).map(({ value }) => value);
  return values.slice(0, OPTIONS_SHOWN).map((value) => customText(field, value, language));
}

/** The action that sets a field of selected rows, in a workspace that has fields. */
export function changeField(list: ChangedList): SelectionAction {
  return {
    path: "bulk",
    isOffered: (choices) => choices[CUSTOM_CHOICES] !== undefined,
    label: (language) => tableWords[language].change,
    fields: ({ language }, choices) => html`${fieldInputs(choices, language)}`,
    act: async (deps, request, selection) =>
      await changeSelected(deps, request, selection, list, await chosenField(deps, request, list.noun)),
  };
}

/**
 * Gives selected rows the chosen values. Those of a page change at once, and all that match in a job; both can be
 * undone for 30 days (src/exchange/imports/changing/). @param chosen or why there are no such values
 */
export async function changeSelected(
  deps: Deps,
  request: PageRequest,
  selection: Selection,
  list: ChangedList,
  chosen: Chosen | string,
): Promise<PageAnswer> {
  const { actor, form, language } = request;
  const { kind } = list;
  const to = ownPath(form.get("to")) ?? pathOf(list.area);
  if (typeof chosen === "string")
    return refusal(list, language, { lines: html`<p>${chosen}</p>`, to, isInvalid: true });
  const isNone = "ids" in selection && selection.ids.length === 0;
  if (isNone || Object.keys(chosen.values).length === 0) return { to, notice: notice("none-chosen") };
  const title = chosen.named.map(([label, value]) => `${label}: ${value}`).join(" · ");
  const change = { kind, title, values: chosen.values };
  if (!("ids" in selection)) {
    const id = await changeInJob(deps, actor, change, list.matching(deps, request, selection.query));
    return id === null ? { to, notice: notice("no-room") } : { to: `/imports/${id}` };
  }
  const { id, changed, rejected } = await changeAtOnce(deps, actor, change, selection.ids);
  if (rejected.length === 0) return { to, notice: notice("rows-changed", { kind, count: String(changed), id }) };
  const words = changeWords[language];
  const isInvalid = rejected.some(({ errors }) => Object.keys(errors).length > 0);
  const refused = rejected.flatMap(({ line }) => selection.ids[line] ?? []);
  const names = (await list.namesOf?.(actor.tenant, deps.database, refused)) ?? [];
  const lines = html`${changed > 0 && html`<p>${words.changed(kind, changed)}</p>`}
${
  isInvalid
    ? html`<p>${words.invalid}</p>`
    : html`<p>${words.refused(kind, refused.length)}</p><ul>${names.length === 0 ? html`<li>${words.isGone}</li>` : names.map(({ name }) => html`<li>${name}: ${words.isGone}</li>`)}</ul>`
}`;
  return refusal(list, language, { lines, to, isInvalid });
}

function refusal(
  { area }: ChangedList,
  language: Language,
  { lines, to, isInvalid }: { lines: Html; to: string; isInvalid: boolean },
): Shown {
  const { refusedTitle, back } = changeWords[language];
  const main = html`<section class="message" role="alert"><h1>${refusedTitle}</h1>
${lines}
<p><a class="button main" href="${to}">${back}</a></p></section>`;
  return { status: isInvalid ? 422 : 409, title: refusedTitle, area, main };
}

/** The lines that a list shows after a change. */
export const changeNotices: NoticeWords = {
  "rows-changed": ({ kind = "", count, id = "" }, language) =>
    html`${isChangedKind(kind) && changeWords[language].changed(kind, Number(count))} ${
      isId(id) &&
      Number(count) > 0 &&
      html`<form method="post" action="/imports/${id}/undo"><button class="link">${shellWords[language].undo}</button></form>`
    }`,
  "none-chosen": (_values, language) => ({
    meaning: "attention",
    line: html`${changeWords[language].nothingChosen}`,
  }),
  "no-room": (_values, language) => ({ meaning: "attention", line: html`${changeWords[language].noRoom}` }),
};
